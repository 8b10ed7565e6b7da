"""The document on problems by number of contacts."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Sequence

import numpy
import pandas

from frictionbench.command_line import ArgumentParser
from frictionbench.files import check_outputs, write_text
from frictionbench.results import Problem, Results, Solver, hyperstaticity, load_runs, member
from frictionbench.results.circumstances import circumstances
from frictionbench.results.commands import solve_command
from frictionbench.results.groups import by_class, by_data_set, by_family, by_friction, contacts, simulation
from frictionbench.statistics import FEWEST, exponent, geometric_mean, power_law
from frictionbench.tables import ABSENT, Grid, Line, markdown, median_cell
from frictionbench.text import bullets, paragraphs, percent, short

DESCRIPTION = """\
Prints what solvers solve in classes of problems by number of contacts, beside the figures that Siconos publishes for
its own: shares by family, times and how they grow, memory, Cholesky equivalents, and what remains unsolved.
"""

# Shares solved at Siconos' own criterion: figures of siconos/faf, TeX/figure/IPM, 2025-06, read off to 0.01. The
# slides do not list the files. By class and tolerance; ADMM, NSGS, NIPM (nonsmooth interior point), NIPM-ANM (with
# continuation).
SLIDES_SOLVERS = ("ADMM", "NSGS", "NIPM", "NIPM-ANM")
SLIDES: dict[str, dict[str, tuple[float | None, ...]]] = {
    "11-100": {"1e-6": (1.00, 0.997, 0.999, None), "1e-8": (0.971, 0.990, 0.997, None),
               "1e-12": (0.950, 0.945, 0.990, None)},
    "101-1 000": {"1e-6": (0.755, 0.80, 0.96, 1.00), "1e-8": (0.61, 0.605, 0.897, 1.00),
                  "1e-12": (0.53, 0.457, 0.758, 1.00)},
    "1 001-5 840": {"1e-6": (0.33, 0.335, 0.355, 0.96), "1e-8": (0.15, 0.15, 0.21, 0.90),
                    "1e-12": (0.115, 0.11, 0.05, 0.67)},
}
Sections = dict[str, dict[str, list[Problem]]]  # groups of problems by name, by the name of the section
Cell = Callable[[Results, Solver, list[Problem]], str]
FEWEST_FOR_A_FIT = 8  # problems
SMALLEST_FOR_A_FIT = 100  # contacts: below, times are those of other work than the solver's
GROWTH = f"""\
Time steps of one simulation are nearly the same problem, so each simulation is one point, the mean of the logarithms of its
steps. The exponent is the median of the slopes between any two points, and its 95 % interval goes by the ranks of these slopes
(Theil and Sen). Of fewer than {FEWEST} simulations there is no interval, and the exponent is that of least squares over the
problems. All are of solved problems of {SMALLEST_FOR_A_FIT} contacts or more. An interval that contains 0 does not show that
times grow."""


def slides() -> Grid:
    sections = [(f"{name} contacts", [Line(tolerance, [ABSENT if share is None else percent(share) for share in shares])
                                      for tolerance, shares in rows.items()]) for name, rows in SLIDES.items()]
    return Grid("Siconos, by its own criterion (siconos/faf, TeX/figure/IPM, 2025-06; read off figures)",
                [("", name) for name in SLIDES_SOLVERS], sections)


def titled(run: Results) -> str:
    return f"{run.judged}, {short(run.tolerance)}"


def by_class_and_family(problems: Sequence[Problem]) -> Sections:
    sections: Sections = {}
    for name, members in by_class(problems).items():
        families = by_family(members)
        sections[f"{name} contacts"] = {**families, "together": members} if len(families) > 1 else families
    return sections


def by_origin_and_friction(problems: Sequence[Problem]) -> Sections:
    return {"data set": by_data_set(problems), "largest friction coefficient": by_friction(problems)}


def grid(runs: Sequence[Results], title: str, group: Callable[[Sequence[Problem]], Sections], cell: Cell) -> Grid:
    """A line for each group of problems, a column for each solver of each run."""
    columns = [(run, solver) for run in runs for solver in run.solvers]
    everything = {problem.id: problem for run in runs for problem in run.problems}
    return Grid(title, [("hyperstaticity", "median"), *((titled(run), solver.id) for run, solver in columns)], [
        (name, [Line(f"{label} ({len(members)})",
                     [median_cell([h for p in members if (h := hyperstaticity(p.facts)) is not None], ".3g"),
                      *(cell(run, solver, tried(run, solver, members)) for run, solver in columns)])
                for label, members in groups.items()])
        for name, groups in group(list(everything.values())).items()])


def tried(run: Results, solver: Solver, problems: Sequence[Problem]) -> list[Problem]:
    return [problem for problem in problems if (problem.id, solver.id) in run.records]


def solved(run: Results, solver: Solver, problems: Sequence[Problem]) -> list[Problem]:
    return [problem for problem in problems if run.solved(problem, solver)]


def share(run: Results, solver: Solver, problems: list[Problem]) -> str:
    if not problems:
        return ABSENT
    count = len(solved(run, solver, problems))
    return f"{count}/{len(problems)}, {percent(count / len(problems))}"


def seconds(run: Results, solver: Solver, problem: Problem) -> float:
    return float(member(run.record(problem, solver), "time.solve.median", run.path))


def time_and_work(run: Results, solver: Solver, problems: list[Problem]) -> str:
    """Of solved problems: median time, geometric mean and worst 5 % of Cholesky equivalents, largest memory."""
    records = [run.record(problem, solver) for problem in solved(run, solver, problems)]
    if not records:
        return ABSENT
    times = [record["time"]["solve"]["median"] for record in records]
    equivalents = [value for record in records if (value := record["time"]["cholesky_equivalents"])]
    parts = [f"{median_cell(times, '.2g')} s"]
    if equivalents:
        parts.append(f"{geometric_mean(equivalents):.2g} chol. "
                     f"(95th percentile {numpy.percentile(equivalents, 95):.2g})")
    peaks = [record["memory_peak"] for record in records if record["memory_peak"]]
    if peaks:
        parts.append(f"{max(peaks) / 2**20:.0f} MiB")
    return ", ".join(parts)


def growth(runs: Sequence[Results]) -> list[str]:
    """How solve times grow with the number of contacts, solved problems only; see GROWTH."""
    said = []
    for run in runs:
        for solver in run.solvers:
            for family in run.families():
                members = [p for p in run.problems if p.family == family and contacts(p) >= SMALLEST_FOR_A_FIT]
                members = solved(run, solver, tried(run, solver, members))
                sizes = [contacts(problem) for problem in members]
                if len(members) < FEWEST_FOR_A_FIT or max(sizes) < 2 * min(sizes):
                    continue
                times, scenes = [seconds(run, solver, p) for p in members], [simulation(p) for p in members]
                found = exponent(*map(pandas.Series, (sizes, times, scenes)))
                slope, known = f"n^{found.value if found else power_law(sizes, times)[0]:.2f}", ": no interval;"
                if found and found.low is not None:
                    slope, known = f"{slope}, 95 % interval {found.low:.2f} to {found.high:.2f}", ","
                elif found:
                    known = ": too many are equal for an interval;"
                count = len(set(scenes))
                said.append(f"{titled(run)}, {solver.id}, {family}: time grows as {slope} ({len(members)} problems of "
                            f"{count} simulation{'s' * (count != 1)}{known} "
                            f"{min(sizes)} to {max(sizes)} contacts)")
    return said


def unsolved(runs: Sequence[Results]) -> list[str]:
    """What remains, with the residual that was reached, and the commands that repeat it."""
    columns = [(run, solver) for run in runs for solver in run.solvers]
    everything = {problem.id: problem for run in runs for problem in run.problems}
    remaining = [problem for problem in everything.values()
                 if any(len(tried(run, solver, [problem])) > len(solved(run, solver, [problem])) for run, solver in columns)]
    if not remaining:
        return ["Nothing."]
    table = Grid("Largest residual reached, and how the solver ended",
                 [("", "contacts"), *((titled(run), solver.id) for run, solver in columns)], [
        (family, [Line(Path(problem.id).name, [str(contacts(problem)), *(reached(*column, problem) for column in columns)])
                  for problem in sorted(remaining, key=contacts) if problem.family == family])
        for family in sorted({problem.family for problem in remaining})])
    return [markdown(table), bullets([f"{titled(run)}: `{solve_command(run, 'FILE', solver)}`" for run, solver in columns])]


def reached(run: Results, solver: Solver, problem: Problem) -> str:
    if not tried(run, solver, [problem]):
        return ABSENT
    if run.solved(problem, solver):
        return "solved"
    residual = run.residual(problem, solver)
    return f"{'no answer' if residual is None else f'{residual:.1e}'}, {run.record(problem, solver)['status']}"


def document(runs: Sequence[Results]) -> str:
    runs = sorted(runs, key=lambda run: (run.criterion, -run.tolerance))
    tables = [("What is solved", by_class_and_family, share),
              ("What is solved, by where problems are from and by friction", by_origin_and_friction, share),
              ("Solved problems: median time, Cholesky equivalents, largest memory", by_class_and_family, time_and_work)]
    parts = ["# What is solved, by number of contacts",
             "This text is generated by `frictionbench-paper sizes`.",
             bullets(circumstances(runs)), markdown(slides())]
    parts += [markdown(grid(runs, *table)) for table in tables]
    parts += ["## How time grows", GROWTH, bullets(growth(runs) or ["Too few problems of a family to say."])]
    parts += ["## What remains unsolved", *unsolved(runs)]
    return paragraphs(parts)


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-paper sizes", DESCRIPTION)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="+", help="results documents, one for each criterion and tolerance")
    add("-o", "--output", metavar="FILE", type=Path, help="default: standard output")
    parser.add_force()
    arguments = parser.parse_args(words)
    check_outputs([arguments.output], arguments.force)
    write_text(document(load_runs(arguments.results)), arguments.output)
    return 0
