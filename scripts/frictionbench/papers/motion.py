"""A cube that slides and one that is dragged, [LeLidec24] Figs. 9 to 12 and 15: measured, written, drawn."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Mapping, Sequence

import numpy as np

from frictionbench.papers.documents import measure_or_write, write_document
from frictionbench.papers.inverse_measures import Program
from frictionbench.papers.motion_measures import (
    ADMM, DIRECTION, DURATION, EDGE, GROWTH, LIMIT, MASS, MU, SOLVERS, SPEED, STEPS, TOLERANCE, Motion, drag, drag_error,
    dragged, dragged_speed, jam, order, path, slid, slide, sliding_energy,
)
from frictionbench.papers.numbers import papers
from frictionbench.plots.panels import Page, curve_style, lines_legend, logarithmic
from frictionbench.plots.pictures import Figure, line_style
from frictionbench.tables import Grid, Line, markdown
from frictionbench.text import bullets, paragraphs, short

DESCRIPTION = """\
Moves a cube on a plane by solvers of several contact models; writes motion.md, and l10, l12 and l15 as .svg and .png.
"""
EXACT = {"color": "black", "linestyle": (0, (1.5, 1.2)), "linewidth": 1.0}
MILLI = 1e3
Motions = Mapping[str, Motion]
Series = Mapping[str, Sequence[Motion]]  # by time step


# The text


def slide_grid(slides: Motions) -> Grid:
    lines = []
    for name, motion in slides.items():
        along, across = path(motion)
        energy = np.abs(motion.energies - sliding_energy(motion.step_times)).max()
        lines.append(Line(f"{name}: {SOLVERS[name]}", [
            f"{along[-1]:.4f}", f"{MILLI * across[-1]:+.3f}", f"{MILLI * motion.heights.max():.3f}",
            f"{100 * energy / (MASS * SPEED**2 / 2):.1f}"]))
    lines.append(Line("closed form", [f"{slid(np.array([1e9]))[0]:.4f}", "0", "0", "0"]))
    columns = [("", "distance, m"), ("", "sideways, mm"), ("", "largest height, mm"), ("", "largest error of the energy, %")]
    return Grid("[LeLidec24] Figs. 9 and 10: a cube that slides to a stop", columns, [("model", lines)], [
        "Sideways: from the line of the initial velocity. Error of the energy: of that at the start."])


def drag_grid(drags: Motions) -> Grid:
    lines = [Line(f"{name}: {SOLVERS[name]}", [
        f"{motion.positions[-1, 0]:.4f}", f"{motion.speeds[-1]:.3f}", f"{MILLI * motion.heights.max():.3f}",
        f"{jam(motion, True):.2g}", f"{jam(motion, False):.2g}"]) for name, motion in drags.items()]
    end = np.array([DURATION])
    lines.append(Line("closed form", [f"{dragged(end)[0]:.4f}", f"{dragged_speed(end)[0]:.3f}", "0", "0", "0"]))
    columns = [("", "distance, m"), ("", "speed at the end, m/s"), ("", "largest height, mm"),
               ("sideways force, N", "sticking"), ("sideways force, N", "sliding")]
    return Grid("[LeLidec24] Figs. 11 and 12: a cube that is dragged", columns, [("model", lines)], [
        "Sideways force: the largest at a corner across the motion; corners have it against each other, and all four of them "
        "add up to nothing. In closed form: what is needed, not the only possible."])


def step_grid(by_step: Series) -> Grid:
    columns = [*(("Δt, s", f"{step:g}") for step in STEPS), ("", "order")]
    lines = [
        Line(f"{name}: {SOLVERS[name]}", [*(f"{MILLI * drag_error(motion):.2g}" for motion in motions), f"{order(motions):.2f}"])
        for name, motions in by_step.items()]
    return Grid("[LeLidec24] Fig. 15: mean distance from the closed form by time step, mm", columns, [("model", lines)],
                ["Order: exponent of Δt, by least squares."])


def findings(slides: Motions, drags: Motions, by_step: Series, usual: Motion) -> list[str]:
    across = {name: abs(path(motion)[1][-1]) for name, motion in slides.items()}
    height = {name: motion.heights.max() for name, motion in drags.items()}
    ccp = [motion.heights.max() / motion.time_step for motion in by_step["CCP"]]
    proportional = "is" if max(ccp) < 2 * min(ccp) else "is not"
    energies = {name: np.abs(motion.energies - sliding_energy(motion.step_times)).max() for name, motion in slides.items()}
    closest = min(energies, key=energies.__getitem__)
    return [
        "[LeLidec24]: the LCP's pyramid makes the cube leave its line. Here it ends "
        f"{MILLI * across['LCP']:.3g} mm beside it, the others at most "
        f"{MILLI * max(value for name, value in across.items() if name != 'LCP'):.2g} mm.",
        "[LeLidec24]: under the CCP the cube lifts off, and slides at a height proportional to Δt. Here its largest height, "
        f"dragged, is {MILLI * height['CCP']:.3g} mm, of the others at most "
        f"{MILLI * max(value for name, value in height.items() if name != 'CCP'):.2g} mm. It {proportional} proportional "
        f"to Δt: over Δt it is {min(ccp):.3g} to {max(ccp):.3g} m/s, because a cube that has lifted off flies.",
        f"[LeLidec24]: of the models, the NCP comes closest to the energy in closed form. Here the closest is: {closest}.",
        "[LeLidec24]: Gauss-Seidel leaves forces by which corners that stick pull at each other, ADMM does not. Here the largest "
        f"is {jam(drags['NCP'], True):.2g} N by `ncp-pgs`, and {jam(drags['NCP, ADMM'], True):.1g} N by `{ADMM}`, but "
        f"{jam(usual, True):.2g} N by `ncp-admm` with its default settings. While the cube slides, "
        f"RaiSim's {jam(drags['RaiSim'], False):.2g} N remain; the NCP has {jam(drags['NCP'], False):.1g} N.",
    ]


def document(slides: Motions, drags: Motions, by_step: Series, usual: Motion, version: str) -> str:
    """:param usual: dragged by ADMM with its default settings."""
    paper, motion = papers()["l"], slides["NCP"]
    parts = [
        "# A cube on a plane under several contact models, as [LeLidec24] shows it",
        f"{paper.name} is {paper}. This text is generated by `frictionbench-paper motion`; `frictionbench-paper run motion` "
        "builds the program and calls it.",
        "## How it was measured",
        bullets([
            f"A cube of {MASS:g} kg and {EDGE:g} m, four contacts, μ = {MU:g}, moved by `frictionbench simulate` with steps of "
            f"{MILLI * motion.time_step:g} ms: semi-implicit Euler, every solve from zero, impulses to {short(TOLERANCE)} "
            "(relative; where a solver does not reach it, by what it returns).",
            f"Sliding: from {SPEED:g} m/s, {DIRECTION:g}° from the x axis, along which the paper throws it; the pyramid's facets "
            "are across x and y. Dragged: by a force along x at the centre of mass, which grows by "
            f"{GROWTH:g} N/s from 0; it moves from {LIMIT / GROWTH:.3f} s on (paper: after about 0.25 s).",
            "The paper takes the motion with Δt = 1e-5 s for a reference; here errors are from the closed form.",
            f"frictionbench {version}. No time is measured.",
        ]),
        "## Sliding", "![path, height and energy](l10.svg)", markdown(slide_grid(slides)),
        "## Dragged", "![speed, and sideways forces of the corners](l12.svg)", markdown(drag_grid(drags)),
        "## By time step", "![error and height by time step](l15.svg)", markdown(step_grid(by_step)),
        "## What the paper says", bullets(findings(slides, drags, by_step, usual)),
    ]
    return paragraphs(parts)


# The pictures


def looks() -> dict[str, dict]:
    return {name: line_style(index) for index, name in enumerate(SOLVERS)}


def draw_slides(slides: Motions) -> Figure:
    page = Page(3, "page", 1.5, "[LeLidec24] Figs. 9, 10: a cube slides to a stop",
                lines_legend(looks() | {"closed form": EXACT}), columns=3, between=0.62)
    side, height, energy = page.axes
    for name, look in looks().items():
        motion = slides[name]
        along, across = path(motion)
        side.plot(along, MILLI * across, **look)
        height.plot(motion.times, MILLI * motion.heights, **look)
        energy.plot(motion.step_times, motion.energies, **look)
    times = slides["NCP"].step_times
    energy.plot(times, sliding_energy(times), **EXACT)
    page.label(["seen from above", "height of the base", "mechanical energy"], "", ["sideways (mm)", "height (mm)", "energy (J)"])
    for axes, name in zip(page.axes, ("along the initial velocity (m)", "time (s)", "time (s)")):
        axes.set_xlabel(name)
    return page.figure


def draw_drags(drags: Motions) -> Figure:
    shown = [name for name in SOLVERS if name != "LCP"]
    page = Page(1 + len(shown), "page", 1.5, "[LeLidec24] Fig. 12: a cube is dragged by a growing force",
                lines_legend(looks() | {"closed form": EXACT}), columns=5, between=0.5)
    for name, look in looks().items():
        page.axes[0].plot(drags[name].step_times, drags[name].speeds, **look)
    times = drags["NCP"].step_times
    page.axes[0].plot(times, dragged_speed(times), **EXACT)
    largest = max(jam(drags[name], sticking) for name in shown for sticking in (True, False))
    for axes, name in zip(page.axes[1:], shown):
        axes.plot(drags[name].times, drags[name].sideways, **looks()[name] | {"linestyle": "solid", "linewidth": 0.9})
        axes.set_ylim(-1.15 * largest, 1.15 * largest)
        axes.set_xlim(0, DURATION)
    page.label(["speed", *shown], "time (s)", ["speed (m/s)", *["sideways force (N)"] * len(shown)])
    return page.figure


def draw_steps(by_step: Series) -> Figure:
    styles = {name: curve_style(index) for index, name in enumerate(SOLVERS)}
    page = Page(2, "page", 1.6, "[LeLidec24] Fig. 15: a cube is dragged by a growing force, by time step",
                lines_legend(styles), columns=2, between=0.7)
    error, height = page.axes
    for name, motions in by_step.items():
        steps = [MILLI * motion.time_step for motion in motions]
        error.plot(steps, [MILLI * drag_error(motion) for motion in motions], **styles[name])
        height.plot(steps, [MILLI * motion.heights.max() for motion in motions], **styles[name])
    errors = [MILLI * drag_error(motion) for motions in by_step.values() for motion in motions]
    for axes in page.axes:
        logarithmic(axes.xaxis, MILLI * min(STEPS), MILLI * max(STEPS))
    logarithmic(error.yaxis, min(errors), max(errors))
    page.label(["mean distance from the closed form", "largest height"], "time step (ms)", ["distance (mm)", "height (mm)"])
    return page.figure


def measure(program: Program, arguments: argparse.Namespace) -> dict[str, Any]:
    step = arguments.time_step
    return {
        "slides": {name: slide(program, solver, step).kept() for name, solver in SOLVERS.items()},
        "drags": {name: drag(program, solver, step).kept() for name, solver in SOLVERS.items()},
        "usual": drag(program, "ncp-admm", step).kept(),
        "by_step": {name: [drag(program, solver, each).kept(steps=False) for each in STEPS] for name, solver in SOLVERS.items()},
    }


def write(folder: Path, measured: dict[str, Any], version: str) -> None:
    slides, drags = ({name: Motion(motion) for name, motion in measured[of].items()} for of in ("slides", "drags"))
    by_step = {name: list(map(Motion, motions)) for name, motions in measured["by_step"].items()}
    write_document(folder, "motion", document(slides, drags, by_step, Motion(measured["usual"]), version), {
        "l10": lambda: draw_slides(slides), "l12": lambda: draw_drags(drags), "l15": lambda: draw_steps(by_step)})


def main(words: list[str] | None = None) -> int:
    return measure_or_write("motion", DESCRIPTION, words, measure, write, ("motion.md", "l10", "l12", "l15"), whole=0.1)
