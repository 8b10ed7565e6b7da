"""Tables of pivoting methods from results documents, beside the numbers that [YamaneNakamura08] prints."""

from __future__ import annotations

import statistics
from typing import Any, Sequence

from frictionbench.files import ResultsError, load_toml
from frictionbench.papers.numbers import NUMBERS
from frictionbench.results import SIZE_CLASSES, Problem, Record, Results, Solver, member, size_class
from frictionbench.tables import ABSENT, Grid, Line, mean_cell

LEMKE = ("lcp-lemke", "lcp-lemke-lexicographic")
SEARCH = "lcp-pivot-search"
# How an unsolved problem ended: a column, and the statuses in it.
FAILURES = (("no solution", ("ray",)), ("cycle", ("cycle",)), ("error", ("inaccurate", "wrong")),
            ("stalled", ("stalled",)), ("limit", ("max_iterations", "time_limit", "memory_limit")),
            ("refused", ("refused",)))
MILLISECONDS = 1000


def printed() -> dict[str, Any]:
    """What the paper prints: `name`, `paper`, and the lines of its tables as `y1`, `y2`, `y3`."""
    content = load_toml(NUMBERS)
    paper = content["papers"]["y"]
    said = f"{paper['authors']}, *{paper['title']}*, {paper['venue']}"
    return {"name": paper["name"], "paper": said, **content["pivoting"]}


def of_name(run: Results, names: Sequence[str]) -> list[Solver]:
    """The solvers of these names. Raises ResultsError if there are none."""
    found = [solver for solver in run.solvers if solver.name in names]
    if not found:
        raise ResultsError(f"{run.path}: no {names[0]} in it; frictionbench-paper run pivoting makes such documents")
    return found


def of_family(run: Results, family: str) -> list[Problem]:
    return [problem for problem in run.problems if problem.family == family]


def solved_records(run: Results, solver: Solver, problems: Sequence[Problem]) -> list[Record]:
    return [run.record(problem, solver) for problem in problems if run.solved(problem, solver)]


def solved_by(run: Results, solvers: Sequence[Solver], problems: Sequence[Problem]) -> set[str]:
    """Ids of the problems that any of the solvers solves."""
    return {problem.id for problem in problems if any(run.solved(problem, solver) for solver in solvers)}


def active(records: Sequence[Record]) -> list[int]:
    """Numbers of contacts with an impulse, where there is an answer."""
    return [states["sliding"] + states["sticking"] for record in records if (states := record["states"])]


def milliseconds(records: Sequence[Record]) -> list[float]:
    """Of the solves that were timed."""
    return [MILLISECONDS * record["time"]["solve"]["median"] for record in records if record["time"]["solve"]]


# Table I


def failure_cells(run: Results, solver: Solver) -> list[str]:
    solved = solved_records(run, solver, run.problems)
    unsolved = [run.record(problem, solver)["status"] for problem in run.problems if not run.solved(problem, solver)]
    counts = [sum(status in statuses for status in unsolved) for _, statuses in FAILURES]
    return [str(len(run.problems)), mean_cell([problem.facts["contacts"] for problem in run.problems]),
            mean_cell(active(solved), 2), str(len(solved)), f"{100 * len(solved) / max(1, len(run.problems)):.1f} %",
            *map(str, counts), str(len(unsolved) - sum(counts))]


def failure_grid(run: Results) -> Grid:
    columns = [("", name) for name in ("problems", "contacts", "active", "solved", "share")]
    columns += [("", name) for name, _ in FAILURES] + [("", "other")]
    measured = [Line(solver.id, failure_cells(run, solver)) for solver in run.solvers]
    paper = [
        Line(line["solver"], [
            str(line["frames"]), f"{line['contacts']:g}", f"{line['active']:g}", str(line["success"]),
            f"{100 * line['success'] / line['frames']:.1f} %", str(line["no_solution"]), str(line["cycle"]),
            str(line["error"]), *[ABSENT] * 4])
        for line in printed()["y1"]]
    return Grid("[YamaneNakamura08] Table I", columns, [("measured", measured), ("printed, a robot that squats", paper)], [
        "Contacts and active contacts are means, the latter over solved problems."])


# The claim


def claim_grid(run: Results) -> Grid:
    search, lemke = of_name(run, (SEARCH,)), of_name(run, LEMKE)
    solvers = [*lemke, *search]

    def line(label: str, problems: Sequence[Problem]) -> Line:
        by_search, by_lemke = (solved_by(run, which, problems) for which in (search, lemke))
        return Line(label, [str(len(problems)), *(str(len(solved_by(run, [solver], problems))) for solver in solvers),
                            str(len(by_search - by_lemke)), str(len(by_lemke - by_search))])

    lines = [line(family, of_family(run, family)) for family in run.families()]
    columns = [("", "problems"), *(("", solver.id) for solver in solvers), ("", "search alone"), ("", "Lemke's alone")]
    return Grid("Problems solved, by family", columns, [("family", [*lines, line("all", run.problems)])], [
        "“Search alone”: solved by the search and by none of Lemke's methods; “Lemke's alone”: by one of these and not by "
        "the search."])


def claim(run: Results) -> str:
    """Whether the search solves what Lemke's methods do not, in words."""
    by_search, by_lemke = (solved_by(run, of_name(run, names), run.problems) for names in ((SEARCH,), LEMKE))
    return ("The paper says that the search solves what Lemke's method, with or without a lexicographic order, cannot. "
            f"Of {len(run.problems)} problems here the search solves {len(by_search)}; {len(by_search - by_lemke)} of these "
            f"are solved by none of Lemke's methods. {len(by_lemke - by_search)} are solved by one of these, and not by the "
            "search.")


# Table II


def work_grid(run: Results) -> Grid:
    """Pivots, iterations and times of the problems that a solver solves, by number of contacts."""
    def line(solver: Solver, problems: Sequence[Problem]) -> Line:
        found = solved_records(run, solver, problems)
        pivots = [member(record, "work.pivots", run.path) for record in found]
        times = milliseconds(found)
        return Line(solver.id, [
            f"{len(found)} / {len(problems)}", str(sum(pivots)) if any(pivots) else ABSENT,
            mean_cell(pivots) if any(pivots) else ABSENT, mean_cell([record["iterations"] for record in found]),
            mean_cell(times, 3), f"{statistics.median(times):.3f}" if times else ABSENT])

    sections = []
    for name, _ in SIZE_CLASSES:
        problems = [problem for problem in run.problems if size_class(problem.facts["contacts"]) == name]
        if problems:
            sections.append((f"{name} contacts", [line(solver, problems) for solver in run.solvers]))
    paper = [Line(line["solver"], [f"{line['success']} / {line['frames']}", str(line["pivots"]),
                                   f"{line['pivots'] / line['frames']:.1f}", ABSENT, f"{line['milliseconds']:g}", ABSENT])
             for line in printed()["y2"]]
    columns = [("", name) for name in ("solved", "pivots", "pivots, mean", "iterations, mean", "time, mean (ms)",
                                       "time, median (ms)")]
    return Grid("[YamaneNakamura08] Table II", columns, [*sections, ("printed, a robot that tap-dances", paper)], [
        "Measured: over solved problems, the frictionless solve included where a solver makes one first. Printed: over all "
        "frames, without it; “Lemke” is lexicographic, with a threshold of 1e-10."])


# Table III


def scene_grid(run: Results) -> Grid:
    """Families beside the paper's scenes, solved by the search."""
    (search, *_) = of_name(run, (SEARCH,))

    def line(family: str) -> Line:
        problems = of_family(run, family)
        found = [run.record(problem, search) for problem in problems]
        failures = len(problems) - len(solved_by(run, [search], problems))
        return Line(family, [mean_cell([problem.facts["contacts"] for problem in problems]), mean_cell(active(found)),
                             str(len(problems)), str(failures), mean_cell(milliseconds(found), 3)])

    paper = [Line(line["scene"], [f"{line['contacts']:g}", f"{line['active']:g}", str(line["frames"]),
                                  str(line["failures"]), f"{line['milliseconds']:g}"]) for line in printed()["y3"]]
    columns = [("", name) for name in ("contacts", "active", "problems", "failures", "LCP solve time (ms)")]
    return Grid(f"[YamaneNakamura08] Table III, {SEARCH}", columns,
                [("measured", [line(family) for family in run.families()]), ("printed", paper)],
                ["Means over all problems, failures included."])


# Facets


def facet_grid(run: Results) -> Grid:
    def cells(solver: Solver) -> list[str]:
        errors = sorted(member(record, "verdict.ncp.relative", run.path)
                        for record in solved_records(run, solver, run.problems))
        if not errors:
            return ["0", *[ABSENT] * 3]
        return [str(len(errors)), f"{statistics.median(errors):.1e}", f"{errors[-1]:.1e}",
                str(sum(error <= run.tolerance for error in errors))]

    def facets(solver: Solver) -> int:
        return member(solver.settings, "facets", run.path)

    ordered = sorted(run.solvers, key=lambda solver: (solver.name, facets(solver)))
    lines = [Line(f"{solver.name}, K = {facets(solver)}", cells(solver)) for solver in ordered]
    columns = [("", name) for name in ("solved, pyramid", "error of the NCP, median", "largest", "solve the NCP")]
    return Grid(f"Of {len(run.problems)} problems, by number of facets K", columns, [("pyramid", lines)])
