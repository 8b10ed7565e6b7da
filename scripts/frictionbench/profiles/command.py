"""Draws Dolan-Moré performance profiles of results documents."""

from __future__ import annotations

import csv
import io
import math
import textwrap
from pathlib import Path
from typing import Sequence

from frictionbench.command_line import ArgumentParser, pattern
from frictionbench.files import ResultsError, check_outputs
from frictionbench.plots.looks import MODELS, Look, chosen_looks, own_criterion, solver_looks, solver_style
from frictionbench.plots.pictures import (
    SUFFIXES, Figure, draw_profiles, largest_ratio, nice_tau_max, picture_path, save, spread, style, text_size,
    wrap_solver_id,
)
from frictionbench.profiles.performance import MEASURES, Profile, family_profiles
from frictionbench.results import SAME_JUDGE, Results, Solver, criterion_words, different_limits, load_all
from frictionbench.results.criterion_options import add_criterion, chosen_criterion
from frictionbench.results.groups import common_problems, compared_on
from frictionbench.results.impulses import judged_again, recomputed_notes
from frictionbench.text import short

DESCRIPTION = """\
Draws Dolan-Moré performance profiles: for each solver, the share of problems (vertical) that it solves
within a factor tau (horizontal) of what the best of the drawn solvers needs. One large panel of all
problems, and one for each family of ten problems or more. The percentages are what each solver solves at
any factor. The eight solvers of each model that solve most have colours, and dashes of the model, which are theirs in
every picture of a document and in its report.

The picture is of the solvers of the criterion's model. Those of other models are judged by their own, in
pictures of their own: beside profile.png, profile-ccp.png and profile-lcp.png.
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
  frictionbench-profiles results.json -o scaled.svg --criterion ncp --scale scaled --csv scaled.csv
"""

MEASURE_NAMES = {
    "time": "solve time",
    "iterations": "iterations",
    "factorizations": "factorisations",
}
FONT_SIZE = 7.5  # of labels, points
FEWEST_PROBLEMS = 10  # of a family with a panel of its own
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
    looks: dict[str, Look],
    title: str,
    by: str,
    tau_max: float,
    notes: Sequence[str] = (),
) -> Figure:
    """The picture: the first panel large, the others in rows of two below. `looks`: see solver_looks.

    All lengths are inches until they are handed to matplotlib.
    """
    styles = {solver: solver_style(look) for solver, look in looks.items()}
    labels = {solver.id: wrap_solver_id(solver.id) for solver in solvers}
    sizes = {solver: text_size(text, fontsize=FONT_SIZE) for solver, text in labels.items()}
    heights = {solver: size[1] + 0.045 for solver, size in sizes.items()}
    lead, number, gap = 0.26, 0.4, 0.06  # of a label: lead line, percentage
    label_width = lead + number + gap + max(size[0] for size in sizes.values())
    left, between, right, title_height, axis_height, head = 0.68, 0.45, 0.15, 0.3, 0.44, 0.42
    small_width, small_height = 2.3, max(1.75, sum(heights[id] for id in labels if looks[id].colour is not None) + 0.05)
    width = left + 2 * (small_width + label_width) + between + right
    width = max(width, text_size(title, fontsize=10)[0] + 2 * 0.12)
    large_height = max(3.4, sum(heights.values()) + 0.05)
    rows = math.ceil((len(panels) - 1) / 2)
    caption = "\n".join(line for note in notes for line in wrapped(note, width - 2 * 0.12))
    foot = text_size(caption, fontsize=NOTE_SIZE)[1] + 0.2 if caption else 0
    height = head + title_height + large_height + axis_height + rows * (title_height + small_height + axis_height) + foot

    figure = Figure(figsize=(width, height))
    figure.text(0.12 / width, 1 - 0.2 / height, title, fontsize=10, va="center")
    figure.text(0.12 / width, 0.08 / height, caption, fontsize=NOTE_SIZE, va="bottom", color="#444444")
    top = height - head
    for index, (family, profiles) in enumerate(panels.items()):
        column = (index + 1) % 2 if index else 0
        plot_width, plot_height = (small_width, small_height) if index else (width - left - label_width - right, large_height)
        x, y = left + column * (small_width + label_width + between), top - title_height - plot_height
        if index == 0 or column == 1:
            top = y - axis_height
        axes = figure.add_axes((x / width, y / height, plot_width / width, plot_height / height))
        problems = next(iter(profiles.values())).problems
        axes.set_title(f"{family}  ({problems} problem{'s' * (problems != 1)})", loc="left")
        # Grey ones first, so that colours lie above them.
        coloured_last = sorted(profiles, key=lambda id: looks[id].colour is not None)
        draw_profiles(axes, {id: profiles[id] for id in coloured_last}, styles, tau_max)
        if column == 0:
            axes.set_ylabel("problems solved")
        if index == 0 or index + 2 >= len(panels):
            axes.set_xlabel(f"τ: {MEASURE_NAMES[by]} relative to the best solver")

        order = [id for k in solver_order(profiles, solvers, tau_max)
                 if looks[id := solvers[k].id].colour is not None or index == 0]
        ends = [profiles[solver].share(tau_max) * plot_height for solver in order]
        centres = spread(ends, [heights[solver] for solver in order], 0.0, plot_height)
        for solver, end, centre in zip(order, ends, centres):
            colour = styles[solver]["color"]
            axes.plot([1, 1 + lead / plot_width], [end / plot_height, centre / plot_height], color=colour, linewidth=0.9,
                      linestyle=styles[solver]["linestyle"], transform=axes.transAxes, clip_on=False)
            text = {"va": "center_baseline", "fontsize": FONT_SIZE, "transform": axes.transAxes,
                    "color": "#5a6475" if looks[solver].colour is None else colour}
            at, text_y = plot_width + lead + number, centre / plot_height
            axes.text(at / plot_width, text_y, in_words(profiles[solver].share()), ha="right", **text)
            axes.text((at + gap) / plot_width, text_y, labels[solver], ha="left", **text)
    return figure


def enough(panels: dict[str, dict[str, Profile]]) -> dict[str, dict[str, Profile]]:
    """The first panel, and those of families of FEWEST_PROBLEMS or more."""
    return {family: profiles for index, (family, profiles) in enumerate(panels.items())
            if index == 0 or next(iter(profiles.values())).problems >= FEWEST_PROBLEMS}


def by_model(solvers: Sequence[Solver], criterion: str) -> dict[str, list[Solver]]:
    """Solvers by their own model as a criterion, first those of the model of the run's criterion."""
    model = criterion.partition("_")[0]
    models = sorted({solver.model for solver in solvers}, key=lambda name: (name != model, MODELS.index(name)))
    return {own_criterion(name, criterion): [solver for solver in solvers if solver.model == name] for name in models}


def wrapped(text: str, width: float) -> list[str]:
    """Lines of a text of the notes' size that are about as wide as that, inches."""
    letter = text_size("n" * 100, fontsize=NOTE_SIZE)[0] / 100
    return textwrap.wrap(text, max(20, int(width / letter)))


def notes_on(
    results: Results, parts: Sequence[Results], criterion: str, solvers: Sequence[Solver], count: int, missing: int
) -> list[str]:
    """What a reader must know of a picture. `count`, `missing`: problems in it, and those that are left out."""
    notes = different_limits(parts, [part.path.name for part in parts])
    if len(parts) > 1:
        notes.append(f"{', '.join(part.path.name for part in parts)}: {compared_on(count, missing)}.")
    # Solvers stop by their own model, at the scale of the run.
    if criterion != results.criterion and any(criterion != own_criterion(s.model, results.criterion) for s in solvers):
        notes.append(f"The solvers were run, and stopped, under {criterion_words(results.criterion)}: under "
                     f"{criterion_words(criterion)} this shows what their answers happen to be worth, and ranks no solver.")
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
    add_criterion(parser, ", for all solvers in one picture")
    add("--families", metavar="REGEX", type=pattern, help="only families that match")
    add("--solvers", metavar="REGEX", type=pattern,
        help="only solver ids that match; the best solver of a problem is the best of these, and up to eight are all in colour")
    add("--tau-max", metavar="X", type=float,
        help="end of the tau axis (default: past the largest ratio)")
    add("--csv", metavar="FILE", type=Path, help="also write the numbers behind each picture, of all families")
    parser.add_force()
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
    looks = solver_looks(results)
    missing = 0
    if len(parts) > 1:
        common = set(common_problems(results, solvers))
        missing = sum(problem not in common for problem in problems)
        problems = [problem for problem in problems if problem in common]
        if not problems:
            raise ResultsError(f"{results.path}: no problem that every solver was run on")

    asked = chosen_criterion(arguments, results)
    pictured = {asked: solvers} if arguments.criterion else by_model(solvers, asked)

    def named(path: Path, criterion: str) -> Path:
        """What a file of this name is called for the pictures of a criterion, of which the first keeps it."""
        first = next(iter(pictured))
        return path if criterion == first else path.with_stem(f"{path.stem}-{criterion.partition('_')[0]}")

    files = [*pictures, *([arguments.csv] if arguments.csv else [])]
    check_outputs([named(path, criterion) for criterion in pictured for path in files], arguments.force)
    for index, (criterion, drawn) in enumerate(pictured.items()):
        panels = family_profiles(results, problems, drawn, arguments.by, criterion)
        tau_max = arguments.tau_max or nice_tau_max(enough(panels))
        title = (f"Performance profiles by {MEASURE_NAMES[arguments.by]}: {results.judged_by(criterion)}, "
                 f"tolerance {short(results.tolerance)}, {len(problems)} problem{'s' * (len(problems) != 1)}")
        if largest_ratio(enough(panels)) > tau_max:
            title += "; percentages are for any τ"
        notes = notes_on(results, parts, criterion, drawn, len(problems), missing)
        if index == 0:  # what is said of the others stands below them
            print("\n".join(notes))

        with style():
            shown = chosen_looks(looks, [solver.id for solver in drawn]) if names else looks
            figure = draw(enough(panels), drawn, shown, title, arguments.by, tau_max, notes)
            for picture in pictures:
                save(figure, named(picture, criterion))
        if arguments.csv:
            write_csv(panels, named(arguments.csv, criterion))
    return 0
