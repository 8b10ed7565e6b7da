"""Draws Dolan-Moré performance profiles of results documents, one panel per family."""

from __future__ import annotations

import csv
import io
import math
import textwrap
from pathlib import Path
from typing import Sequence

from frictionbench.command_line import ArgumentParser, pattern
from frictionbench.files import ResultsError
from frictionbench.plots.pictures import (
    SUFFIXES, Figure, draw_profiles, largest_ratio, line_style, nice_tau_max, picture_path, save, spread, style, text_size,
    wrap_solver_id,
)
from frictionbench.profiles.performance import MEASURES, Profile, family_profiles
from frictionbench.results import CRITERIA, SAME_JUDGE, Results, Solver, different_limits, load_all
from frictionbench.results.groups import common_problems, compared_on
from frictionbench.results.impulses import judged_again, recomputed_notes
from frictionbench.text import short

DESCRIPTION = """\
Draws Dolan-Moré performance profiles: for each solver, the share of problems (vertical) that it solves
within a factor tau (horizontal) of what the best of the drawn solvers needs. One panel per family, and
one of all families if there are several. The percentages are what each solver solves at any factor.
"""
EPILOG = """\
An unsolved pair costs infinitely much; a problem that no solver solves still counts in the
denominator. Counts are clamped to at least 1 (and times to 1 ns) before ratios are taken, so that a
solver that needs none, as a Gauss-Seidel solver needs no factorisation, counts as needing one.

Several documents are drawn as one: they must be judged by the same criterion, scale and tolerance, and only
problems that every drawn solver was run on are compared. What a reader must know of the picture is printed,
and stands below it.

  frictionbench-profiles results.json -o profile.svg -o profile.png
  frictionbench-profiles results.json -o stacks.pdf --families Stack --by iterations
  frictionbench-profiles ours.json peers.json -o both.svg
  frictionbench-profiles results.json -o scaled.svg --criterion ncp_scaled --csv scaled.csv
"""

MEASURE_NAMES = {
    "time": "solve time",
    "iterations": "iterations",
    "factorizations": "factorisations",
}
FONT_SIZE = 7.5  # of labels, points
NOTE_SIZE = 6.5  # of the lines below the panels, points


def solver_order(profiles: dict[str, Profile], solvers: Sequence[Solver], tau_max: float) -> list[int]:
    """Indices of solvers from the highest curve end to the lowest, the faster first among equals."""

    def key(index: int) -> tuple[float, float]:
        profile = profiles[solvers[index].id]
        shown = [ratio for ratio in profile.ratios if ratio <= tau_max]
        return -profile.share(tau_max), math.fsum(math.log(ratio) for ratio in shown)

    return sorted(range(len(solvers)), key=key)


def in_words(share: float) -> str:
    """A share in words that round neither to all nor to nothing what is not."""
    number = round(100 * share)
    if number == 100 and share < 1:
        return "> 99 %"
    if number == 0 and share > 0:
        return "< 1 %"
    return f"{number} %"


def draw(
    panels: dict[str, dict[str, Profile]],
    solvers: Sequence[Solver],
    styles: dict[str, dict],
    title: str,
    by: str,
    tau_max: float,
    notes: Sequence[str] = (),
) -> Figure:
    """The picture. All lengths are inches until they are handed to matplotlib."""
    labels = {solver.id: wrap_solver_id(solver.id) for solver in solvers}
    sizes = {solver: text_size(text, fontsize=FONT_SIZE) for solver, text in labels.items()}
    heights = {solver: size[1] + 0.045 for solver, size in sizes.items()}
    lead, sample, number, gap = 0.14, 0.28, 0.4, 0.06  # of a label: lead line, line sample, percentage
    label_width = lead + sample + number + gap + max(size[0] for size in sizes.values())

    columns = min(len(panels), 1 if len(panels) == 1 else 2 if len(panels) <= 6 else 3)
    rows = math.ceil(len(panels) / columns)
    left, between, right, plot_width = 0.68, 0.45, 0.15, 2.3
    plot_height = max(1.75, sum(heights.values()) + 0.05)
    title_height, axis_height, head = 0.3, 0.44, 0.42
    panel_width, panel_height = plot_width + label_width, title_height + plot_height + axis_height
    width = left + columns * panel_width + (columns - 1) * between + right
    width = max(width, text_size(title, fontsize=10)[0] + 2 * 0.12)
    caption = "\n".join(line for note in notes for line in wrapped(note, width - 2 * 0.12))
    foot = text_size(caption, fontsize=NOTE_SIZE)[1] + 0.2 if caption else 0
    height = head + rows * panel_height + foot

    figure = Figure(figsize=(width, height))
    figure.text(0.12 / width, 1 - 0.2 / height, title, fontsize=10, va="center")
    figure.text(0.12 / width, 0.08 / height, caption, fontsize=NOTE_SIZE, va="bottom", color="#444444")
    for index, (family, profiles) in enumerate(panels.items()):
        row, column = divmod(index, columns)
        x = left + column * (panel_width + between)
        y = height - head - row * panel_height - title_height - plot_height
        axes = figure.add_axes((x / width, y / height, plot_width / width, plot_height / height))

        problems = next(iter(profiles.values())).problems
        axes.set_title(f"{family}  ({problems} problem{'s' * (problems != 1)})", loc="left")
        draw_profiles(axes, profiles, styles, tau_max)
        if column == 0:
            axes.set_ylabel("problems solved")
        if index + columns >= len(panels):
            axes.set_xlabel(f"τ: {MEASURE_NAMES[by]} relative to the best solver")

        order = [solvers[k].id for k in solver_order(profiles, solvers, tau_max)]
        ends = [profiles[solver].share(tau_max) * plot_height for solver in order]
        centres = spread(ends, [heights[solver] for solver in order], 0.0, plot_height)
        for solver, end, centre in zip(order, ends, centres):
            line = styles[solver]
            start = plot_width + lead

            def across(xs: list[float], ys: list[float], **properties) -> None:
                axes.plot([v / plot_width for v in xs], [v / plot_height for v in ys],
                          transform=axes.transAxes, clip_on=False, **properties)

            across([plot_width, start], [end, centre], color=line["color"], linewidth=0.6)
            across([start, start + sample], [centre, centre], **line)
            place = {"va": "center_baseline", "fontsize": FONT_SIZE, "transform": axes.transAxes}
            at = start + sample + number
            text_y = centre / plot_height
            axes.text(at / plot_width, text_y, in_words(profiles[solver].share()), ha="right", **place)
            axes.text((at + gap) / plot_width, text_y, labels[solver], ha="left", **place)
    return figure


def wrapped(text: str, width: float) -> list[str]:
    """Lines of a text of the notes' size that are about as wide as that, inches."""
    letter = text_size("n" * 100, fontsize=NOTE_SIZE)[0] / 100
    return textwrap.wrap(text, max(20, int(width / letter)))


def notes_on(results: Results, parts: Sequence[Results], criterion: str, count: int, missing: int) -> list[str]:
    """What a reader must know of a picture. `count`, `missing`: problems in it, and those that are left out."""
    notes = different_limits(parts, [part.path.name for part in parts])
    if len(parts) > 1:
        notes.append(f"{', '.join(part.path.name for part in parts)}: {compared_on(count, missing)}.")
    if criterion != results.criterion:
        notes.append(f"The solvers were run, and stopped, under {results.criterion}: under {criterion} this shows what their "
                     "answers happen to be worth, and ranks no solver.")
    return notes + judged_again(parts) + recomputed_notes(parts)


def write_csv(panels: dict[str, dict[str, Profile]], path: Path) -> None:
    """The corners of every curve."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["family", "solver", "problems", "tau", "solved", "share"])
    for family, profiles in panels.items():
        for solver, profile in profiles.items():
            for tau, count in profile.steps():
                share = count / profile.problems
                writer.writerow([family, solver, profile.problems, repr(tau), count, repr(share)])
    path.write_text(text.getvalue(), encoding="utf-8")


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-profiles", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="+", help="results document of `frictionbench run`")
    add("-o", "--output", metavar="PICTURE", action="append", required=True,
        help=f"picture, in the format of its suffix ({', '.join(SUFFIXES)}); repeatable")
    add("--by", choices=MEASURES, default="time",
        help="median solve time (default), iterations or factorisations")
    add("--criterion", choices=CRITERIA,
        help="count as solved by this criterion, at the run's tolerance "
             "(default: the run's own)")
    add("--families", metavar="REGEX", type=pattern, help="only families that match")
    add("--solvers", metavar="REGEX", type=pattern,
        help="only solver ids that match; the best solver of a problem is the best of these")
    add("--tau-max", metavar="X", type=float,
        help="end of the tau axis (default: past the largest ratio)")
    add("--csv", metavar="FILE", type=Path, help="also write the numbers behind the picture")
    arguments = parser.parse_args(words)
    if arguments.tau_max is not None and not 1 < arguments.tau_max < math.inf:
        parser.error("--tau-max must be a number greater than 1")
    pictures = [picture_path(name) for name in arguments.output]

    results = load_all(arguments.results, SAME_JUDGE)
    parts = results.parts or (results,)
    families, names = arguments.families, arguments.solvers
    problems = [p for p in results.problems if not families or families.search(p.family)]
    solvers = [s for s in results.solvers if not names or names.search(s.id)]
    if not problems:
        known = ", ".join(results.families()) or "none"
        raise ResultsError(f"{results.path}: no problem to draw; families in it: {known}")
    if not solvers:
        known = ", ".join(solver.id for solver in results.solvers) or "none"
        raise ResultsError(f"{results.path}: no solver to draw; solvers in it: {known}")
    missing = 0
    if len(parts) > 1:
        common = set(common_problems(results, solvers))
        missing = sum(problem not in common for problem in problems)
        problems = [problem for problem in problems if problem in common]
        if not problems:
            raise ResultsError(f"{results.path}: no problem that every solver was run on")

    panels = family_profiles(results, problems, solvers, arguments.by, arguments.criterion)
    criterion = arguments.criterion or results.criterion
    title = (f"Performance profiles by {MEASURE_NAMES[arguments.by]}: {criterion} criterion, "
             f"tolerance {short(results.tolerance)}, {len(problems)} problem{'s' * (len(problems) != 1)}")
    tau_max = arguments.tau_max or nice_tau_max(panels)
    if largest_ratio(panels) > tau_max:
        title += "; percentages are for any τ"
    notes = notes_on(results, parts, criterion, len(problems), missing)
    print("\n".join(notes))
    # By the order in the document, so that a solver looks the same whichever others are left out.
    styles = {solver.id: line_style(index) for index, solver in enumerate(results.solvers)}
    with style():
        figure = draw(panels, solvers, styles, title, arguments.by, tau_max, notes)
        for picture in pictures:
            save(figure, picture)
    if arguments.csv:
        write_csv(panels, arguments.csv)
    return 0
