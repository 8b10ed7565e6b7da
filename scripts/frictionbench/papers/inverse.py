"""Inverse dynamics of an arm that slides its tip along a wall, [Carpentier24] Fig. 8: measured, written, drawn."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from frictionbench.papers.documents import measure_or_write, write_document
from frictionbench.papers.inverse_measures import (
    COUNTS, LIMIT, RHO, RHOS, TOLERANCE, Growth, Moment, Program, growth, motion, norm, normal_error, predicted_rate,
)
from frictionbench.papers.numbers import papers
from frictionbench.papers.planar_arm import ARM, CHANGE, DURATION, LOWEST, MU, NORMAL_FORCE, STROKE, WALL, Step
from frictionbench.plots.panels import Page, lines_legend, logarithmic
from frictionbench.plots.pictures import COLORS, Figure, line_style
from frictionbench.tables import ABSENT, Grid, Line, markdown
from frictionbench.text import bullets, listed, paragraphs, short, tiny

DESCRIPTION = """\
Moves an arm whose tip slides along a wall; writes inverse.md, and its picture as .svg and .png.
"""


# The text


def motion_grid(moments: Sequence[Moment]) -> Grid:
    quarter, last = moments[len(moments) // 4], moments[-1]
    columns = [("", "found"), ("", "iterations, sum"), ("", "largest residual"), ("t = T/4", "λ_N, N"), ("t = T/4", "‖τ‖, N m"),
               ("last step", "λ_N, N"), ("last step", "‖τ‖, N m")]

    def line(label: str, answers: Sequence[dict[str, Any]]) -> Line:
        cells = [f"{sum(answer['converged'] for answer in answers)} / {len(answers)}",
                 str(sum(answer["iterations"] for answer in answers)),
                 tiny(max(answer["residuals"]["max"] for answer in answers))]
        for moment, answer in ((quarter, answers[len(answers) // 4]), (last, answers[-1])):
            cells += [f"{answer['r'][0] / moment.step.h:.3g}", f"{norm(moment.step.torque(answer['r'])):.3g}"]
        return Line(label, cells)

    lines = [line("NCP, from the wanted force", [moment.found for moment in moments]),
             line("NCP, warm start: from the step before", [moment.warm["ncp"] for moment in moments]),
             line("CCP, warm start", [moment.warm["ccp"] for moment in moments])]
    return Grid(f"[Carpentier24] Fig. 8: along the motion, ρ = {short(RHO)}", columns, [("inverse", lines)])


def growth_grid(growths: Sequence[Growth], moment: Moment) -> Grid:
    step, shown = moment.step, (1, 10, 100, 1000)
    columns = [("NCP", "iterations"), ("NCP", "λ_N, error"), *(("CCP", f"‖τ‖ after {k}, N m") for k in shown),
               ("CCP", "growth of λ_N / predicted")]
    lines = []
    for item in growths:
        rate = (item.ccp[COUNTS[-1]]["r"][0] - item.ccp[COUNTS[-2]]["r"][0]) / (COUNTS[-1] - COUNTS[-2])
        lines.append(Line(short(item.rho), [
            str(item.ncp["iterations"]) if item.ncp["converged"] else ABSENT, tiny(normal_error(step, item.ncp)),
            *(f"{norm(step.torque(item.ccp[k]['r'])):.2g}" for k in shown), f"{rate / predicted_rate(step, item.rho):.6f}"]))
    return Grid(f"[Carpentier24] Fig. 8: one step, t = {step.t:g} s, by proximal parameter", columns, [("ρ", lines)])


def agreement(moments: Sequence[Moment]) -> list[str]:
    one = sum(moment.found["iterations"] == 1 and moment.found["converged"] for moment in moments)
    before, after = (moments[len(moments) // 2 + k].warm["ncp"]["r"][0] / moments[0].step.h for k in (-1, 0))
    delassus = [step.H.T @ np.linalg.solve(step.M, step.H) for step in (moment.step for moment in moments)]
    regular = min(W[0, 0] - MU * abs(W[0, 1]) for W in delassus)
    error = max(normal_error(moment.step, moment.found) for moment in moments)
    return [
        f"[Carpentier24]: with ρ = 1e-8 one iteration is enough for 1e-6. Here it is in {one} of {len(moments)} steps.",
        "[Carpentier24]: the contact forces of the inverse are consistent with the forward dynamics. Here, with the torque "
        "of the inverse, `ncp-hybrid` at 1e-10 finds the same impulse up to "
        f"{tiny(max(moment.impulse_difference() for moment in moments))} (relative, largest over the steps), and the joint "
        f"velocity differs from v_ref by at most {tiny(max(moment.velocity_difference() for moment in moments))} rad/s. The "
        f"forward problem has one answer: W_NN - μ |W_NT| is at least {regular:.2g} 1/kg. The tip stays within "
        f"{tiny(max(abs(moment.step.w[0]) * moment.step.h for moment in moments))} m of the wall.",
        "For a rigid contact that slides, any impulse on the ray (1, ∓μ) solves the NCP, zero included. Alg. 2, with a small "
        "ρ, projects its start on that ray, which leaves 1 / (1 + μ²) of a normal impulse. The start is therefore 1 + μ² "
        f"times the wanted normal impulse; the one found differs from the wanted one by at most {tiny(error)} of it.",
        "With warm starts the normal force stays as it was, without iterating, until sliding reverses: then "
        f"{before:.3g} N become {after:.3g} N, (1 - μ²) / (1 + μ²) of it, because one edge of the cone is projected on "
        "the other. To control the force, start every step from the wanted one.",
    ]


def divergence(growths: Sequence[Growth], moments: Sequence[Moment], step: Step) -> list[str]:
    answers = [answer for item in growths for answer in item.ccp.values()]
    distances = dict.fromkeys(f"{answer['residuals']['dual']:.6g}" for answer in answers)
    found = sum(answer["converged"] for answer in answers)
    found_in_motion = sum(moment.warm["ccp"]["converged"] for moment in moments)
    least, most = (f"{tiny(normal_error(step, item.ncp))} with ρ = {short(item.rho)}" for item in (growths[0], growths[-1]))
    return [
        "[Carpentier24]: without the De Saxcé correction the torques diverge, because c_ref is not in K*. "
        f"Here{'' if found + found_in_motion else ', too'}: {found} of {len(answers)} calls for this table find an impulse, "
        f"and {found_in_motion} of {len(moments)} during the motion; all others end at their iteration limit with exit code 1. "
        "The distance of u from K* at t = "
        f"{step.t:g} s is {listed(list(distances))} m/s, whatever ρ and the number of iterations: u does not depend on λ.",
        "Every iteration of the CCP adds the same impulse, -u_T / ρ projected on the edge of the cone, which is "
        "μ |u_T| / (ρ (1 + μ²)) of normal impulse. A larger ρ slows the divergence, and does not prevent it.",
        "Error of λ_N: relative to the wanted one. The iteration takes the difference of numbers of about |u_T| / ρ, which "
        f"loses digits: the error is {least} and {most}.",
    ]


def document(moments: Sequence[Moment], growths: Sequence[Growth], moment: Moment, version: str) -> str:
    key, step = papers()["s"], moment.step
    rods = ", ".join(f"{length:g} m and {mass:g} kg" for length, mass in zip(ARM.lengths, ARM.masses))
    parts = [
        "# Inverse dynamics of an arm at a wall, as [Carpentier24] shows it",
        f"{key.name} is {key}. This text is generated by `frictionbench-paper inverse`; `frictionbench-paper run inverse` "
        "builds the program and calls it.",
        "## How it was measured",
        bullets([
            f"The paper slides the end effector of a UR5 along a wall. Here it is a planar arm with three joints: slender rods "
            f"of {rods}, gravity 9.81 m/s², one contact in 2D between its tip and a vertical wall at x = {WALL:g} m, "
            f"μ = {MU:g}, R = 0. Torques and forces are therefore not those of the paper.",
            f"The tip goes up by {STROKE:g} m and back in T = {DURATION:g} s, from rest, in {len(moments)} steps of "
            f"{1000 * step.h:g} ms (paper: 1 ms); the hand stays level. In every step v_ref has u_N = 0; u_T is up to "
            f"{max(abs(item.step.velocity(item.step.wanted)[1]) for item in moments):.2f} m/s. "
            f"The wanted normal force is {NORMAL_FORCE:g} N ± {CHANGE:g} N.",
            "`frictionbench inverse` finds λ from c_ref = J_c v_ref + γ by Alg. 2 (γ: distance from the wall over the time "
            "step), and line 5 gives the torque, "
            "τ = M (v_ref - v) / Δt + h(q, v) - J_cᵀ λ / Δt, with M and h written out for this arm in place of RNEA. "
            f"ρ is in (m/s) / (N s), residuals are absolute, ε_abs = {short(TOLERANCE)}, and at most {LIMIT} iterations.",
            f"frictionbench {version}. No time is measured.",
        ]),
        "![arm, torque by iteration, normal and tangential force](inverse.svg)",
        "## Forward and inverse", markdown(motion_grid(moments)), bullets(agreement(moments)),
        "## NCP and CCP", markdown(growth_grid(growths, moment)), bullets(divergence(growths, moments, step)),
    ]
    return paragraphs(parts)


# The picture


INVERSE, WARM = line_style(0), {"color": COLORS[2], "linestyle": (0, (4, 1.5)), "linewidth": 1.2}
FORWARD = {"linestyle": "", "marker": "o", "markersize": 3.5, "markerfacecolor": "none", "color": COLORS[1],
           "clip_on": False}
CONTACT = {"linestyle": "", "marker": "s", "markersize": 3.5, "markerfacecolor": "none", "clip_on": False}
DIVERGING = {rho: {"color": COLORS[3], "linestyle": dashes, "linewidth": 1.3}
             for rho, dashes in ((1e-8, "solid"), (1e-4, (0, (6, 1.5))), (1.0, (0, (1.5, 1.2))))}


def draw(moments: Sequence[Moment], growths: Sequence[Growth], moment: Moment) -> Figure:
    legend = {"NCP": INVERSE, "NCP, warm start": WARM, "forward dynamics, ncp-hybrid": FORWARD,
              **{f"CCP, ρ = {name}": DIVERGING[rho] for name, rho in (("1e-8", 1e-8), ("1e-4", 1e-4), ("1", 1.0))},
              r"contact torque $\tau_c$": CONTACT | {"color": "black"}}
    page = Page(4, "page", 1.55, "[Carpentier24] Fig. 8 with a planar arm: inverse dynamics of sliding along a rigid wall",
                lines_legend(legend), columns=2, between=0.62)
    place, torques, normal, tangential = page.axes
    page.label(["the arm at its lowest, middle and highest", f"torques at t = {moment.step.t:g} s", "normal contact force",
                "tangential contact force"], "", ["y (m)", "‖τ‖ (N m)", "force (N)", "force (N)"])
    for axes, name in zip(page.axes, ("x (m)", "iterations", "time (s)", "time (s)")):
        axes.set_xlabel(name)
    draw_arm(place, [moments[k].step.q for k in (0, len(moments) // 4, len(moments) // 2)])
    draw_torques(torques, moment, growths)
    h, every = moment.step.h, max(1, len(moments) // 40)
    times = [item.step.t + h for item in moments]
    for component, axes in enumerate((normal, tangential)):
        axes.plot(times, [item.warm["ncp"]["r"][component] / h for item in moments], **WARM)
        axes.plot(times, [item.found["r"][component] / h for item in moments], **INVERSE)
        axes.plot(times[::every], [item.forward[component] / h for item in moments][::every], **FORWARD)
        axes.set_xlim(0, DURATION)
    normal.set_ylim(0, 1.1 * (NORMAL_FORCE + CHANGE))
    return page.figure


def draw_arm(axes, configurations: Sequence[np.ndarray]) -> None:
    for q, shade in zip(configurations, ("#aaaaaa", "#777777", "#000000")):
        axes.plot(*ARM.joints(q).T, color=shade, linewidth=1.6, marker="o", markersize=2.8)
    axes.axvspan(WALL, WALL + 0.04, facecolor="#eeeeee", edgecolor="#999999", hatch="//////", linewidth=0)
    axes.axvline(WALL, color="#444444", linewidth=0.8)
    axes.annotate("", (WALL + 0.1, LOWEST + STROKE), (WALL + 0.1, LOWEST), arrowprops={"arrowstyle": "<->", "linewidth": 0.8})
    axes.set_aspect("equal", adjustable="datalim")


def draw_torques(axes, moment: Moment, growths: Sequence[Growth]) -> None:
    """Norms of τ as lines and of τ_c as markers; what the NCP has found stays as it is."""
    step, r = moment.step, moment.found["r"]
    axes.plot(COUNTS, [norm(step.torque(r))] * len(COUNTS), **INVERSE)
    axes.plot(COUNTS, [norm(step.contact_torque(r))] * len(COUNTS), **CONTACT, color=INVERSE["color"])
    largest = 1.0
    for item in growths:
        if item.rho in DIVERGING:
            answers = [item.ccp[count]["r"] for count in COUNTS]
            axes.plot(COUNTS, [norm(step.torque(r)) for r in answers], **DIVERGING[item.rho])
            axes.plot(COUNTS, [norm(step.contact_torque(r)) for r in answers], **CONTACT, color=DIVERGING[item.rho]["color"])
            largest = max(largest, norm(step.torque(answers[-1])))
    logarithmic(axes.xaxis, COUNTS[0], COUNTS[-1])
    logarithmic(axes.yaxis, 1, largest)


def measure(program: Program, arguments: argparse.Namespace) -> dict[str, Any]:
    moments = motion(program, arguments.time_step)
    step = moments[len(moments) // 4].step
    return {"moments": list(map(asdict, moments)), "growths": [asdict(growth(program, step, rho)) for rho in RHOS]}


def write(folder: Path, measured: dict[str, Any], version: str) -> None:
    moments = [Moment(Step(moment["step"]["t"], moment["step"]["h"], *(np.array(moment["step"][name]) for name in "qv")),
                      answer_of(moment["found"]), {model: answer_of(answer) for model, answer in moment["warm"].items()},
                      np.array(moment["forward"]), np.array(moment["reached"])) for moment in measured["moments"]]
    growths = [Growth(item["rho"], answer_of(item["ncp"]),
                      {int(count): answer_of(answer) for count, answer in item["ccp"].items()}) for item in measured["growths"]]
    moment = moments[len(moments) // 4]
    write_document(folder, "inverse", document(moments, growths, moment, version),
                   {"inverse": lambda: draw(moments, growths, moment)})


def answer_of(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer of the inverse, its impulse an array again."""
    return answer | {"r": np.array(answer["r"])}


def main(words: list[str] | None = None) -> int:
    return measure_or_write("inverse", DESCRIPTION, words, measure, write, ("inverse.md", "inverse"), whole=DURATION / 4)
