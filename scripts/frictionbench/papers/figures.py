"""Draws figures of papers from results documents, for print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable

from frictionbench.command_line import ArgumentParser, pattern
from frictionbench.files import ResultsError, check_outputs
from frictionbench.papers.numbers import papers
from frictionbench.plots.curves import (
    MeanTime, Points, Selection, bodies, criterion_by_ratio, geometric_means, histories, last_steps, mass_ratio_groups,
    mean_time, none_of, residuals, scenes, speedup, spent,
)
from frictionbench.plots.panels import (
    FLOOR, WIDTHS, Page, bars_page, curve_style, lines_legend, points_page, profiles_page, residual_axes,
)
from frictionbench.plots.pictures import PRINT_STYLE, SUFFIXES, Figure, line_style, picture_path, save, style
from frictionbench.profiles import family_profiles
from frictionbench.results import Results, load_all, renamed
from frictionbench.results.criterion_options import add_criterion, chosen_criterion
from frictionbench.text import short

DESCRIPTION = """\
Draws a figure of a paper with what the records of RESULTS hold: the same quantities on the same axes,
of the problems and solvers that were run here. Pictures have a column's or a page's width, and in PDF and
SVG text is text. --list has the figures, what each needs, and which none can be drawn of.
"""
EPILOG = """\
  frictionbench-paper figures --list
  frictionbench-paper figures results.json --figure s7 -o s7.pdf --width page
  frictionbench-paper figures history.json --figure s4 -o s4.pdf --problems 'Stack-boxes15|Chain'
  frictionbench-paper figures results.json --figure s7 -o s7.svg --name 'ADMM=ncp-admm' --name 'PGS=ncp-pgs'
  frictionbench-paper figures results.json --figure d12 -o d12.svg --reference '^ccp-pgs$'
"""


@dataclass(frozen=True)
class Request:
    """What is drawn and how."""

    figure: PaperFigure
    selection: Selection
    width: str
    reference: re.Pattern[str] | None

    @property
    def limits(self) -> str:
        """The criterion and the tolerance that decide what is solved."""
        results = self.selection.results
        return f"{results.judged_by(self.selection.criterion)}, tolerance {short(results.tolerance)}"

    @property
    def caption(self) -> str:
        return f"{self.figure.source}: {self.limits}"

    def solver_styles(self, of: Callable[[int], dict]) -> dict[str, dict]:
        """By the order in the document, so that a solver looks the same whichever others are left out."""
        drawn = {solver.id for solver in self.selection.solvers}
        everyone = self.selection.results.solvers
        return {solver.id: of(index) for index, solver in enumerate(everyone) if solver.id in drawn}


@dataclass(frozen=True)
class PaperFigure:
    source: str
    what: str
    needs: str  # the run that makes its results, or what no results document has
    draw: Callable[[Request], Figure] | None  # None if it cannot be drawn
    width: str = "column"


def draw_histories(request: Request, columns: dict[str, tuple[str, ...]]) -> Figure:
    """Residuals by iteration: a row for each of the first two problems, a column for each quantity."""
    selection = request.selection
    rows = []
    for problem in selection.problems:
        if found := histories(selection, problem):
            rows.append((problem, found))
    if not rows:
        raise none_of(selection, "no iteration history", "`frictionbench run --history` records them")
    # Residuals of methods that are not monotone zigzag: thin lines keep them apart.
    styles = {name: look | {"linewidth": 0.8} for name, look in request.solver_styles(line_style).items()
              if any(name in found for _, found in rows[:2])}
    results = selection.results
    caption = f"{request.figure.source}: the solvers' own residuals, tolerance {short(results.tolerance)}"
    per_row = len(columns)
    page = Page(per_row * len(rows[:2]), request.width, 1.8, caption, lines_legend(styles), per_row,
                between=0.6)
    titles, names = [], []
    for row, (problem, found) in enumerate(rows[:2]):
        for column, (name, members) in enumerate(columns.items()):
            curves = {solver: residuals(history, members) for solver, history in found.items()}
            residual_axes(page.axes[row * per_row + column], curves, styles, results.tolerance)
            titles.append(f"{problem.family}, {problem.facts['contacts']} contacts" if column == 0 else "")
            names.append(name)
    page.label(titles, "iteration", names)
    return page.figure


def draw_s4(request: Request) -> Figure:
    return draw_histories(request, {"dual": ("dual",), "complementarity": ("complementarity",)})


def draw_l16(request: Request) -> Figure:
    return draw_histories(request, {"largest residual": ("primal", "dual", "complementarity")})


def draw_mean_times(request: Request) -> Figure:
    """Mean time of every solver on every family."""
    selection = request.selection
    means: dict[str, dict[str, MeanTime]] = {}
    for family, problems in selection.families().items():
        by_solver = {solver.id: mean_time(selection, problems, solver) for solver in selection.solvers}
        measured = {solver: mean for solver, mean in by_solver.items() if mean}
        if measured:
            means[family] = measured
    if not means:
        raise none_of(selection, "nothing was timed", "`frictionbench run` times every solve")
    return bars_page(means, [solver.id for solver in selection.solvers], request.width, request.caption)


def draw_s7(request: Request) -> Figure:
    selection = request.selection
    panels = family_profiles(selection.results, selection.problems, selection.solvers, "time",
                             selection.criterion)
    panels = {family: panels[family] for family in selection.families()}  # without that of all families
    return profiles_page(panels, request.solver_styles(line_style), request.width, request.caption)


def draw_l13(request: Request) -> Figure:
    selection = request.selection
    groups = mass_ratio_groups(selection.problems)
    panels: dict[str, dict[str, Points]] = {}
    for group in sorted(groups.values(), key=len, reverse=True)[:2]:
        curves = {solver.id: criterion_by_ratio(selection, group, solver) for solver in selection.solvers}
        contacts = group[0][1].facts["contacts"]
        panels[f"{group[0][1].family}, {contacts} contacts"] = {
            solver: [(x, max(y, FLOOR)) for x, y in points] for solver, points in curves.items()}
    if not panels:
        raise none_of(selection, "no problems that differ in `mass_ratio` alone",
                      "the family Stack of datasets/default has them")
    most = selection.member(selection.results.document, "run.max_iterations")
    caption = f"{request.figure.source}: at most {most} iterations"
    return points_page(panels, request.solver_styles(curve_style), request.width, caption,
                       ("mass ratio", ["absolute NCP criterion"] * len(panels)),
                       line=selection.results.tolerance)


def draw_d9(request: Request) -> Figure:
    """Iterations and time of every step of the longest sequence."""
    selection = request.selection
    found = {name: steps for name, steps in scenes(selection.problems).items() if len(steps) > 1}
    if not found:
        raise none_of(selection, "no time steps of one scene",
                      "files of a sequence end in -<contacts>-<step>")
    scene = max(found, key=lambda name: len(found[name]))
    iterations: dict[str, Points] = {}
    times: dict[str, Points] = {}
    points: Points
    crossed: dict[str, Points] = {"iterations": [], "time": []}
    for solver in selection.solvers:
        records = [(step, problem, selection.record(problem, solver)) for step, problem in found[scene]]
        records = [(step, problem, record) for step, problem, record in records if record]
        counts: Points = [(step, max(record["iterations"], 1)) for step, _, record in records
                          if record["iterations"] is not None]
        seconds = [(step, spent(selection, record)) for step, _, record in records]
        iterations[solver.id] = counts
        times[solver.id] = [(step, 1e3 * value) for step, value in seconds if value is not None]
        open_steps = {step for step, problem, _ in records if not selection.solved(problem, solver)}
        for name, points in (("iterations", counts), ("time", times[solver.id])):
            crossed[name] += [point for point in points if point[0] in open_steps]
    caption = f"{request.caption}, cold starts, {scene.split('/')[-1]}"
    return points_page({"iterations": iterations, "time": times}, request.solver_styles(curve_style),
                       request.width, caption, ("time step", ["iterations", "time (ms)"]), "y",
                       unsolved=crossed, columns=1 if request.width == "column" else 2)


def draw_d11(request: Request) -> Figure:
    selection = request.selection
    curves: dict[str, Points] = {}
    known = [problem for problem in selection.problems
             if bodies(problem) and problem.facts["contacts"] > 0]
    for problem in last_steps(known):
        curves.setdefault(problem.family, []).append((bodies(problem), problem.facts["contacts"]))
    if not curves:
        raise none_of(selection, "no problem in global form",
                      "local files do not tell how many bodies there are")
    styles = {family: curve_style(index) | {"linestyle": ""} for index, family in enumerate(curves)}
    caption = f"{request.figure.source}: last time step of every scene"
    panels = {"": {family: sorted(points) for family, points in curves.items()}}
    return points_page(panels, styles, request.width, caption, ("bodies", ["contacts"]))


def draw_d12(request: Request) -> Figure:
    """Speed-up over the reference by bodies, or by contacts if not every file tells its bodies."""
    selection = request.selection
    known = selection.results.solvers
    chosen = [solver for solver in known if request.reference and request.reference.search(solver.id)]
    if len(chosen) != 1:
        ids = ", ".join(solver.id for solver in known)
        raise ResultsError(f"{selection.results.path}: --reference must match one solver of: {ids}")
    sizes = {problem.id: bodies(problem) for problem in selection.problems}
    name = "contacts" if None in sizes.values() else "bodies"
    panels: dict[str, dict[str, Points]] = {}
    for family, problems in selection.families().items():
        curves: dict[str, Points] = {}
        for solver in selection.solvers:
            points = [(sizes[problem.id] if name == "bodies" else problem.facts["contacts"],
                       speedup(selection, problem, solver, chosen[0])) for problem in problems]
            means = geometric_means([(x, y) for x, y in points if x > 0 and y is not None])
            if solver != chosen[0] and means:
                curves[solver.id] = means
        if curves:
            panels[family] = curves
    if not panels:
        raise none_of(selection, f"nothing that {chosen[0].id} and another solver solved in a known time",
                      "are other solvers left out?")
    drawn = {solver for curves in panels.values() for solver in curves}
    looks = request.solver_styles(curve_style)
    styles = {solver: look for solver, look in looks.items() if solver in drawn}
    caption = f"{request.figure.source}: over {chosen[0].id}, both solved ({request.limits})"
    return points_page(panels, styles, request.width, caption, (name, ["speed-up"] * len(panels)), line=1)


RUN = "frictionbench run PROBLEMS"
FIGURES = {
    "s4": PaperFigure(
        "[Carpentier24] Fig. 4", "dual residual and complementarity by iteration, two problems",
        f'{RUN} --history --tolerance 1e-9 --solver ncp-pgs --solver "ncp-admm(rho_update=linear)" '
        "--solver ncp-admm; of a humanoid, frictionbench-paper run robots has problems", draw_s4),
    "s5": PaperFigure(
        "[Carpentier24] Fig. 5", "mean time of a solve by family, solved or not",
        f"{RUN} --tolerance 1e-4 --max-iterations 1000; frictionbench-paper run robots has robots for the paper's",
        draw_mean_times),
    "s7": PaperFigure(
        "[Carpentier24] Fig. 7", "performance profiles by time, a panel per family",
        f"{RUN} --filter '^(BoxesStack|Chain|Capsules)/' --dimension 3 --solver ncp-admm --solver ncp-pgs",
        draw_s7, "page"),
    "l13": PaperFigure(
        "[LeLidec24] Fig. 13", "accuracy by mass ratio, the two longest series (the left half is a trajectory)",
        f"{RUN} --filter '^Stack/Stack-boxes2-' on datasets/default", draw_l13),
    "l16": PaperFigure(
        "[LeLidec24] Fig. 16", "largest residual by iteration, two problems",
        f"{RUN} --history; frictionbench-paper run robots has robots for the paper's", draw_l16),
    "l17": PaperFigure(
        "[LeLidec24] Fig. 17", "mean time of a solve by family, solved or not; its left half, or its right one",
        f"{RUN} --max-iterations 10000, with --sequence for the right half; frictionbench-paper run robots has robots for "
        "the paper's", draw_mean_times),
    "d9": PaperFigure(
        "[Castro22] Fig. 9", "iterations and time by time step, the longest sequence of problems",
        f"{RUN}, with files that are time steps of one scene", draw_d9),
    "d10": PaperFigure(
        "[Castro22] Fig. 10", "cost by Newton iteration",
        "histories hold residuals, not the cost that a convex solver minimises", None),
    "d11": PaperFigure(
        "[Castro22] Fig. 11", "contacts by bodies at the last time step of every scene",
        f"{RUN}, with files in global form, which tell how many bodies there are", draw_d11),
    "d12": PaperFigure(
        "[Castro22] Fig. 12", "speed-up over a reference solver by size, a panel per family",
        f"{RUN}; --reference names the solver that stands for the paper's Gurobi", draw_d12),
}


def print_list() -> None:
    for name, figure in FIGURES.items():
        print(f"{name:4} {figure.source}: {figure.what}")
        print(f"     {'needs' if figure.draw else 'cannot be drawn:'} {figure.needs}")
    for paper in papers().values():
        print(f"{paper.name}: {paper}")


def select(results: Results, problems, solvers, criterion: str) -> Selection:
    """The part of a document that regular expressions choose. Raises ResultsError if it is empty."""
    chosen = Selection(
        results,
        [problem for problem in results.problems if not problems or problems.search(problem.id)],
        [solver for solver in results.solvers if not solvers or solvers.search(solver.id)],
        criterion,
    )
    if not chosen.problems:
        known = ", ".join(results.families()) or "none"
        raise none_of(chosen, "no problem", f"families: {known}")
    if not chosen.solvers:
        known = ", ".join(solver.id for solver in results.solvers) or "none"
        raise none_of(chosen, "no solver", f"solvers: {known}")
    return chosen


def name_and_solver(text: str) -> tuple[str, str]:
    """(solver id, name to show) of NAME=SOLVER on the command line; ids may have equals signs in them."""
    name, equals, solver = text.partition("=")
    if not (name and equals and solver):
        raise ResultsError(f"'{text}' is not NAME=SOLVER, e.g. `PGS=ncp-pgs`")
    return solver, name


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-paper figures", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="*", help="results documents of equal runs, taken as one")
    add("--figure", metavar="ID", help="which figure, as --list names it")
    add("--list", action="store_true", help="list the figures and what each needs")
    add("-o", "--output", metavar="PICTURE", action="append", default=[],
        help=f"picture, in the format of its suffix ({', '.join(SUFFIXES)}); repeatable")
    add("--problems", metavar="REGEX", type=pattern, help="only problems (family/name) that match")
    add("--solvers", metavar="REGEX", type=pattern, help="only solver ids that match")
    add("--name", metavar="NAME=SOLVER", action="append", default=[],
        help="show the solver of this id as NAME, which --solvers and --reference then match; repeatable")
    add_criterion(parser)
    add("--width", choices=WIDTHS, help="of a column (3.5 in) or a page (7.16 in) of a paper")
    add("--reference", metavar="REGEX", type=pattern, help="d12: the solver that others are compared with")
    parser.add_force()
    arguments = parser.parse_args(words)
    if arguments.list:
        print_list()
        return 0
    if arguments.figure not in FIGURES:
        parser.error(f"--figure must be one of {', '.join(FIGURES)}")
    figure = FIGURES[arguments.figure]
    if figure.draw is None:
        raise ResultsError(f"{figure.source} ({figure.what}) cannot be drawn: {figure.needs}")
    if not arguments.results or not arguments.output:
        parser.error(f"RESULTS and -o are needed; to make the results: {figure.needs}")
    pictures = [picture_path(name) for name in arguments.output]
    check_outputs(pictures, arguments.force)

    names = dict(name_and_solver(text) for text in arguments.name)
    results = renamed(load_all(arguments.results), names)
    selection = select(results, arguments.problems, arguments.solvers, chosen_criterion(arguments, results))
    request = Request(figure, selection, arguments.width or figure.width, arguments.reference)
    with style(PRINT_STYLE):
        drawn = figure.draw(request)
        for picture in pictures:
            save(drawn, picture)
    return 0
