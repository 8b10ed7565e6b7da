"""Measured lines in the tables of papers, from results documents; nothing is printed here."""

from __future__ import annotations

import math
import statistics
from typing import Any, Sequence

from frictionbench.files import ResultsError
from frictionbench.papers.numbers import OURS, Column, Reading, Table, shown
from frictionbench.results import NO_TEST, Problem, Results, Solver, member
from frictionbench.tables import ABSENT, Grid, Line
from frictionbench.text import short


def decimals(value: float) -> int:
    """Decimals that show three significant digits, at most three of them."""
    if value == 0 or not math.isfinite(value):
        return 2
    return min(max(2 - math.floor(math.log10(abs(value))), 0), 3)


def spread(values: Sequence[float]) -> str:
    """Mean ± standard deviation of the values."""
    if not values:
        return ABSENT
    mean = statistics.fmean(values)
    digits = decimals(mean)
    if len(values) == 1:
        return f"{mean:.{digits}f} ± {ABSENT}"
    return f"{mean:.{digits}f} ± {statistics.stdev(values):.{digits}f}"


def interval(values: Sequence[float]) -> str:
    """One number if all are equal, else [least:largest]."""
    if not values:
        return ABSENT
    least, largest = f"{min(values):g}", f"{max(values):g}"
    return least if least == largest else f"[{least}:{largest}]"


def fact_cell(problems: Sequence[Problem], fact: str) -> str:
    """One fact of the problems: their number, or the range of a member of theirs."""
    if fact == "count":
        return str(len(problems))
    members = ("mu_min", "mu_max") if fact == "mu" else (fact,)
    values = [problem.facts.get(name) for problem in problems for name in members]
    return interval([value for value in values if value is not None])


def answered(results: Results, problems: Sequence[Problem], solver: Solver) -> list[Problem]:
    """The problems that the document has a record of this solver of."""
    return [problem for problem in problems if (problem.id, solver.id) in results.records]


def measured(results: Results, problems: Sequence[Problem], solver: Solver, path: str) -> list[float]:
    """What a dotted path of the records of these pairs holds, where it was measured."""
    values = []
    for problem in problems:
        found: Any = results.record(problem, solver)
        for name in path.split("."):
            found = None if found is None else member(found, name, results.path)
        if found is not None:
            values.append(found)
    return values


class Measures:
    """What a column of a table comes to in a document."""

    def __init__(self, results: Results, table: Table, solved_only: bool) -> None:
        self.results = results
        self.table = table
        self.solved_only = solved_only

    def cells(self, problems: Sequence[Problem], column: Column, reading: Reading) -> list[str]:
        """A cell of each of `labels`, of a family and a solver."""
        solver = reading.solver(column).find(self.results)
        known = answered(self.results, problems, solver) if solver else []
        if not known:
            return [ABSENT] * len(labels(reading))
        solved = [problem for problem in known if self.results.solved(problem, solver)]
        if reading.own_test:
            accepted = [problem for problem in known if claimed(self.results, problem, solver)]
            refuted = [problem for problem in accepted if problem not in solved]
            counts = [f"{len(accepted)}/{len(known)}", f"{len(refuted)}/{len(accepted)}"]
        else:
            accepted = solved if self.solved_only else known
            relative = sum(self.results.solved(problem, solver, self.results.relative) for problem in known)
            counts = [f"{len(solved)}/{len(known)}", f"{relative}/{len(known)}"]
        values = measured(self.results, accepted, solver, self.table.measure)
        return [spread([value * self.table.scale for value in values]), *counts]

    def lines(self, problems: Sequence[Problem], reading: Reading) -> list[Line]:
        """Ours, and how many are solved under the run's criterion and by relative residuals."""
        columns = [self.cells(problems, column, reading) for column in self.table.columns]
        return [Line(label, list(cells)) for label, cells in zip(labels(reading), zip(*columns))]


def claimed(results: Results, problem: Problem, solver: Solver) -> bool:
    """Whether the solver's own stopping test ended the solve."""
    return member(results.record(problem, solver), "stop_reason", results.path) not in NO_TEST


def labels(reading: Reading) -> list[str]:
    """Of the lines of a reading."""
    counts = ["claimed", "of these refuted"] if reading.own_test else ["solved", "solved, relative"]
    prefix = "" if reading.label == OURS.label else f"{reading.label}, "
    return [reading.label, *(prefix + count for count in counts)]


def make_grid(results: Results, table: Table, solved_only: bool = True,
              readings: Sequence[Reading] = (OURS,)) -> Grid:
    """The paper's table with our lines in it, three per reading.

    Raises ResultsError if no cell of ours has a number.
    """
    grid = Grid(f"{table.source}: {table.what}",
                [(column.group, column.label) for column in table.columns], [])
    measures = Measures(results, table, solved_only)
    for family, printed in table.rows.items():
        problems = table.problems.of_family(results, family)
        if table.measure is None:
            cells = [fact_cell(problems, column.fact) if problems else ABSENT for column in table.columns]
            ours = [Line(OURS.label, cells)]
        else:
            ours = [line for reading in readings for line in measures.lines(problems, reading)]
        grid.sections.append((family, [Line(table.paper.name, list(printed))] + ours))
    if all(cell == ABSENT for cell in our_cells(grid)):
        raise ResultsError(
            f"{results.path}: nothing of {table.source} in it; what makes it: {table.command(readings)}")
    grid.notes = notes(results, table, solved_only, readings, grid)
    return grid


def our_cells(grid: Grid) -> list[str]:
    return [cell for _, lines in grid.sections for line in lines[1:] for cell in line.cells]


def citation(table: Table) -> str:
    return f"{table.paper.name}: {table.paper}."


def notes(results: Results, table: Table, solved_only: bool, readings: Sequence[Reading],
          grid: Grid) -> list[str]:
    """What has to be known to compare the lines, and what is missing in ours."""
    said = [citation(table)]
    if table.measure is not None:
        over = "the solved problems" if solved_only else "all problems that were measured, solved or not"
        ours = " and ".join(reading.label for reading in readings if not reading.own_test)
        if ours:
            said.append(f"{ours[0].upper()}{ours[1:]}: mean ± standard deviation over {over}; criterion "
                        f"{results.judged}, tolerance {short(results.tolerance)}. “Solved, relative”: of the same "
                        "answers, those that satisfy the relative criterion at the same tolerance.")
        said += [f"{reading.label}: mean ± standard deviation over the problems that the solver's own test accepts "
                 "(claimed); refuted: of these, those that do not satisfy the criterion."
                 for reading in readings if reading.own_test]
    said += table.notes
    for name, wanted in table.limits.items():
        found = member(results.document, f"run.{name}", results.path)
        if found != wanted:
            said.append(f"Not the same limits: `{name}` is {shown(found)} here "
                        f"and {shown(wanted)} in the paper.")
    if table.measure and table.measure.startswith("time."):
        warnings = member(results.document, "run.warnings", results.path)
        said += [f"Warning of the run: {warning}." for warning in warnings]
    said += missing(results, table, readings, grid)
    return said


def missing(results: Results, table: Table, readings: Sequence[Reading], grid: Grid) -> list[str]:
    """Why cells of ours have no number."""
    said = []
    families = [family for family in table.rows if not table.problems.of_family(results, family)]
    if families:
        said.append(f"{ABSENT}: no problem of {', '.join(families)} in the results.")
    lacking = False
    for reading in readings:
        absent = [column for column in table.columns
                  if column.solver and reading.solver(column).find(results) is None]
        if not absent:
            continue
        lacking = True
        if reading.label == OURS.label:
            what = ", ".join(f"`{reading.solver(column)}`" for column in absent)
        else:
            what = f"{reading.label} with {', '.join(column.label for column in absent)}"
        said.append(f"{ABSENT}: the results have no {what}.")
    if any(ABSENT in cell for cell in our_cells(grid)) and not families and not lacking:
        said.append(f"{ABSENT}: not in the results, or too few values for the statistic.")
    return said
