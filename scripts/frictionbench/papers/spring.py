"""A cylinder on a spring, [Castro22] Figs. 4 to 7: energies and errors of time stepping schemes, measured, written, drawn."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

import numpy as np

from frictionbench.papers.documents import measure_or_write, write_document
from frictionbench.papers.inverse_measures import Program
from frictionbench.papers.numbers import papers
from frictionbench.plots.panels import Page, curve_style, lines_legend, logarithmic
from frictionbench.plots.pictures import Figure, line_style
from frictionbench.tables import Grid, Line, markdown
from frictionbench.text import bullets, listed, paragraphs

DESCRIPTION = """\
Rolls a cylinder back and forth on a spring by several time stepping schemes; writes spring.md, and d6 and d7 as .svg and .png.
"""
MASS, RADIUS, SPRING, STRETCH, GRAVITY = 0.5, 0.05, 100.0, 0.1, 9.81  # [Castro22] VI-B
STIFFNESS, RELAXATION, STEP = 1e4, 0.02, 0.02  # N/m, s, s: the same
SINK = MASS * GRAVITY / STIFFNESS  # in equilibrium on the ground, m
ENERGY = SPRING * STRETCH**2 / 2  # at the start, J
SCHEMES = {"symplectic Euler": "symplectic", "midpoint rule": "midpoint", "implicit Euler": "implicit"}
SOLVERS = ("ncp-hybrid", "ccp-sap")
SHORT, LONG, DURATION = 2.5, 600.0, 5.0  # s
STEPS = (0.02, 0.01, 0.005, 0.0025, 0.00125)  # s
FIRST, SECOND = ({"color": "#777777", "linewidth": 0.8, "linestyle": dashes} for dashes in ("dashed", "dotted"))


@dataclass(frozen=True)
class Motion:
    """The steps of a simulation."""

    steps: list[dict[str, Any]]
    positions: np.ndarray  # x of the cylinder at the end of each, m
    arm: float  # of friction about its axis at the end, m

    @property
    def times(self) -> np.ndarray:
        return np.array([step["time"] for step in self.steps])

    @property
    def energies(self) -> np.ndarray:
        """Over that at the start, without that of standing in the ground."""
        level = MASS * GRAVITY * (RADIUS - SINK)
        return np.array([step["kinetic_energy"] + step["potential_energy"] - level for step in self.steps]) / ENERGY


def roll(program: Program, mu: float, scheme: str, solver: str, time_step: float, duration: float) -> Motion:
    program.call("simulate", "spring_cylinder", "--mu", mu, "--solver", solver, "--scheme", scheme,
                 "--time-step", repr(time_step), "--steps", round(duration / time_step), "--tolerance", "1e-10",
                 "--stiffness", STIFFNESS, "--relaxation-time", RELAXATION, "--sink", repr(SINK), "--every", 1,
                 "-o", "motion.json", "--force")
    document = json.loads((program.folder / "motion.json").read_text(encoding="utf-8"))
    positions = np.array([frame["bodies"][0][0] for frame in document["trajectory"][1:]])
    last = document["trajectory"][-1]
    return Motion(document["steps"], positions, last["bodies"][0][1] - last["contacts"][0]["point"][1])


def frequency(arm: float = RADIUS) -> float:
    """Of the oscillation, rad/s: as of a mass m + I / arm^2, I = m R^2 / 2."""
    return np.sqrt(SPRING / (MASS * (1 + RADIUS**2 / (2 * arm**2))))


def position_error(motion: Motion) -> float:
    """[Castro22] section VI-B: the root mean square error of x of a cylinder that rolls, m."""
    exact = STRETCH * np.cos(frequency(motion.arm) * motion.times)
    return float(np.sqrt(np.mean((motion.positions - exact) ** 2)))


def order(errors: Sequence[float]) -> float:
    """Between the two smallest steps."""
    return float(np.log(errors[-2] / errors[-1]) / np.log(STEPS[-2] / STEPS[-1]))


def decay(motion: Motion) -> float | None:
    """When the energy, averaged over an oscillation, has fallen by 10 %, s."""
    window = max(1, round(2 * np.pi / frequency() / (motion.times[1] - motion.times[0])))
    mean = np.convolve(motion.energies, np.ones(window) / window, mode="valid")
    below = np.nonzero(mean < 0.9 * mean[0])[0]
    return float(motion.times[below[0]]) if below.size else None


@dataclass(frozen=True)
class Energy:
    """The energy over that at the start, of the first SHORT seconds, and now and then in LONG ones."""

    times: list[float]
    energies: list[float]
    long_times: list[float]
    long_energies: list[float]
    left: float  # after LONG seconds
    lost: float | None  # when 10 % are lost, s

    @staticmethod
    def of(motion: Motion) -> Energy:
        """Of a motion of LONG seconds."""
        first, every = slice(round(SHORT / STEP)), slice(None, None, max(1, len(motion.steps) // 300))
        times, energies = motion.times, motion.energies
        return Energy(times[first].tolist(), energies[first].tolist(), times[every].tolist(), energies[every].tolist(),
                      float(energies[-1]), decay(motion))


Energies = Mapping[tuple[float, str, str], Energy]  # by mu, scheme, solver
Errors = Mapping[tuple[str, str], Sequence[float]]  # by scheme, solver, of STEPS


def energy_grid(energies: Energies) -> Grid:
    lines = [Line(f"μ = {mu:g}, {scheme}, {solver}", [
        f"{100 * np.ptp(energy.energies):.3g}", f"{100 * energy.left:.3g}",
        f"{energy.lost:.3g}" if energy.lost else f"> {LONG:g}"]) for (mu, scheme, solver), energy in energies.items()]
    columns = [("", f"peak to peak in {SHORT:g} s, %"), ("", f"left after {LONG:g} s, %"), ("", "10 % lost after, s")]
    return Grid("[Castro22] Figs. 5 and 6: total energy, of that at the start", columns, [("cylinder", lines)])


def error_grid(errors: Errors) -> Grid:
    columns = [*(("Δt, s", f"{step:g}") for step in STEPS), ("", "order")]
    lines = [Line(f"{scheme}, {solver}", [*(f"{1000 * error:.2g}" for error in values), f"{order(values):.2f}"])
             for (scheme, solver), values in errors.items()]
    return Grid(f"[Castro22] Fig. 7: position error e_q over {DURATION:g} s, μ = 1, mm", columns, [("cylinder", lines)],
                ["Order: between the two smallest steps."])


def losses(energies: Energies, solver: str) -> str:
    """When these two schemes have lost 10 %, with friction."""
    said = [f"{scheme} {f'after {lost:.3g} s' if (lost := energies[(1.0, scheme, solver)].lost) else f'not in {LONG:g} s'}"
            for scheme in ("symplectic Euler", "midpoint rule")]
    return f"with `{solver}` {', '.join(said)}"


def document(energies: Energies, errors: Errors, version: str) -> str:
    paper = papers()["d"]
    midpoint = energies[(1.0, "midpoint rule", "ncp-hybrid")], energies[(1.0, "midpoint rule", "ccp-sap")]
    band, kept = (np.array(energies[(0.0, scheme, "ncp-hybrid")].energies) for scheme in ("symplectic Euler", "midpoint rule"))
    parts = [
        "# A cylinder on a spring, as [Castro22] shows it",
        f"{paper.name} is {paper}. This text is generated by `frictionbench-paper spring`; `frictionbench-paper run motion` "
        "builds the program and calls it.",
        "## How it was measured",
        bullets([
            f"`frictionbench simulate spring_cylinder`: {MASS:g} kg, radius {RADIUS:g} m, a spring of {SPRING:g} N/m stretched "
            f"by {STRETCH:g} m, contact of {STIFFNESS:g} N/m and τ_d = {RELAXATION:g} s, all of the paper; Δt = {STEP:g} s "
            "unless another is given. In the plane; at first it stands in the ground as deep as its weight presses it.",
            "x_e = x_0 cos(ω t), where ω has the lever arm of friction for R: the contact is a little nearer than the radius.",
            "The paper has SAP. `ccp-sap` adds to the compliance of the contact its regularisation of friction, by which what "
            "rolls slips a little; `ncp-hybrid` adds nothing.",
            f"frictionbench {version}. No time is measured.",
        ]),
        "## Energy", "![energy by time](d6.svg)", markdown(energy_grid(energies)),
        "## Error", "![error by time step](d7.svg)", markdown(error_grid(errors)),
        "## What the paper says",
        bullets([
            "[Castro22]: without friction the energy of symplectic Euler stays in a band of 28 %, the midpoint rule keeps it, "
            "implicit Euler loses it within a few periods. Here the band is "
            f"{100 * np.ptp(band):.3g} %; the midpoint rule is off by {100 * np.abs(kept - 1).max():.1g} %.",
            "[Castro22]: with friction the midpoint rule varies by 0.16 %, as regularised friction slips. Here by "
            f"{100 * np.ptp(midpoint[1].energies):.2g} % with `ccp-sap`, and by {100 * np.ptp(midpoint[0].energies):.1g} % with "
            "`ncp-hybrid`, whose contact does not slip.",
            "[Castro22]: symplectic Euler and the midpoint rule lose 10 % in ten minutes. Here, with friction, "
            f"{listed([losses(energies, solver) for solver in reversed(SOLVERS)])}.",
            "[Castro22]: the midpoint rule is of second order, both Eulers of first. Here the orders are "
            f"{order(errors[('midpoint rule', 'ncp-hybrid')]):.2f}, {order(errors[('symplectic Euler', 'ncp-hybrid')]):.2f} "
            f"(symplectic) and {order(errors[('implicit Euler', 'ncp-hybrid')]):.2f} (implicit).",
        ]),
    ]
    return paragraphs(parts)


def draw_energies(energies: Energies) -> Figure:
    looks = {scheme: line_style(index) for index, scheme in enumerate(SCHEMES)}
    page = Page(4, "page", 1.5, "[Castro22] Figs. 5, 6: total energy of a cylinder on a spring", lines_legend(looks), columns=4,
                between=0.42)
    panels = [(0.0, "ncp-hybrid", False), (1.0, "ncp-hybrid", False), (1.0, "ccp-sap", False), (1.0, "ccp-sap", True)]
    for axes, (mu, solver, long) in zip(page.axes, panels):
        for scheme, look in looks.items():
            of = energies[(mu, scheme, solver)]
            axes.plot(*((of.long_times, of.long_energies) if long else (of.times, of.energies)), **look)
        axes.set_ylim(0, 1.25)
    page.label([f"μ = {mu:g}, {solver}" for mu, solver, _ in panels], "time (s)", ["energy / initial energy"] * 4)
    return page.figure


def draw_errors(errors: Errors) -> Figure:
    looks = {scheme: curve_style(index) for index, scheme in enumerate(SCHEMES)}
    page = Page(2, "page", 1.6, "[Castro22] Fig. 7: position error of a rolling cylinder on a spring",
                lines_legend(looks | {"first order": FIRST, "second order": SECOND}), columns=2)
    values = [1000 * error for row in errors.values() for error in row]
    milliseconds = [1000 * step for step in STEPS]
    for axes, solver in zip(page.axes, SOLVERS):
        for scheme, look in looks.items():
            axes.plot(milliseconds, [1000 * error for error in errors[(scheme, solver)]], **look)
        for power, look in ((1, FIRST), (2, SECOND)):
            start = 1000 * errors[("midpoint rule", solver)][0]
            axes.plot(milliseconds, [start * (step / STEPS[0]) ** power for step in STEPS], **look)
        logarithmic(axes.xaxis, min(milliseconds), max(milliseconds))
        logarithmic(axes.yaxis, min(values), max(values))
    page.label(SOLVERS, "time step (ms)", ["e_q (mm)"] * 2)
    return page.figure


def measure(program: Program, _arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Of every case its energy, and of those with friction the errors of STEPS."""
    measured = []
    for solver in SOLVERS:
        for mu in (0.0, 1.0):
            for scheme in SCHEMES:
                def moved(step: float, duration: float) -> Motion:
                    return roll(program, mu, SCHEMES[scheme], solver, step, duration)
                errors = [position_error(moved(step, DURATION)) for step in STEPS] if mu else None
                measured.append({"mu": mu, "scheme": scheme, "solver": solver, "energy": asdict(Energy.of(moved(STEP, LONG))),
                                 "errors": errors})
    return measured


def write(folder: Path, measured: list[dict[str, Any]], version: str) -> None:
    energies = {(case["mu"], case["scheme"], case["solver"]): Energy(**case["energy"]) for case in measured}
    errors = {(case["scheme"], case["solver"]): case["errors"] for case in measured if case["errors"]}
    write_document(folder, "spring", document(energies, errors, version), {
        "d6": lambda: draw_energies(energies), "d7": lambda: draw_errors(errors)})


def main(words: list[str] | None = None) -> int:
    return measure_or_write("spring", DESCRIPTION, words, measure, write, ("spring.md", "d6", "d7"))
