#!/usr/bin/python3
"""Puts measured numbers into the tables of papers, beside the papers' own."""

from __future__ import annotations

import math
import statistics
from pathlib import Path
from typing import Sequence

from frictionbench_results import (
    ArgumentParser, Problem, Results, ResultsError, Solver, load_all, member, run_main, short,
)
from paper_numbers import Column, Table, setting, tables
from paper_table_text import ABSENT, FORMATS, Grid, Line

DESCRIPTION = """\
Prints a table of a paper with what the same solvers did here: for each family the paper's line, ours,
and how many problems are solved. Ours are means ± standard deviations (n - 1 in the denominator).

A solver of RESULTS stands in a column if it has the column's settings, whatever its others are; if
several do, --with says which. What RESULTS does not have is shown as "–" and said below the table.
"""
EPILOG = """\
  scripts/paper_tables.py --list                        the tables, and how to run what they need
  scripts/paper_tables.py s3.json --table s3
  scripts/paper_tables.py linear.json spectral.json --table s4 --format latex -o s4.tex
  scripts/paper_tables.py s3.json --table s3 --with stop=admm --over all
"""


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


class Measures:
    """What a column of a table comes to in a document."""

    def __init__(self, results: Results, table: Table, solved_only: bool) -> None:
        self.results = results
        self.table = table
        self.solved_only = solved_only

    def answered(self, problems: Sequence[Problem], solver: Solver) -> list[Problem]:
        return [problem for problem in problems if (problem.id, solver.id) in self.results.records]

    def value(self, problem: Problem, solver: Solver) -> float | None:
        """The table's measure of a pair in the table's unit; None if it was not measured."""
        found = self.results.record(problem, solver)
        for name in self.table.measure.split("."):
            if found is None:
                return None
            found = member(found, name, self.results.path)
        return None if found is None else found * self.table.scale

    def cells(self, problems: Sequence[Problem], column: Column) -> tuple[str, str]:
        """(ours, solved) of a family in a column."""
        solver = column.solver.find(self.results)
        known = self.answered(problems, solver) if solver else []
        if not known:
            return ABSENT, ABSENT
        solved = [problem for problem in known if self.results.solved(problem, solver)]
        values = [self.value(problem, solver) for problem in (solved if self.solved_only else known)]
        return (spread([value for value in values if value is not None]), f"{len(solved)}/{len(known)}")


def make_grid(results: Results, table: Table, solved_only: bool) -> Grid:
    """The paper's table with our lines in it. Raises ResultsError if no cell of ours has a number."""
    grid = Grid(f"{table.source}: {table.what}",
                [(column.group, column.label) for column in table.columns], [])
    measures = Measures(results, table, solved_only)
    for family, printed in table.rows.items():
        problems = table.problems.of_family(results, family)
        lines = [Line(table.paper.name, list(printed))]
        if table.measure is None:
            ours = [fact_cell(problems, column.fact) if problems else ABSENT for column in table.columns]
            lines.append(Line("ours", ours))
        else:
            cells = [measures.cells(problems, column) for column in table.columns]
            lines.append(Line("ours", [ours for ours, _ in cells]))
            lines.append(Line("solved", [solved for _, solved in cells]))
        grid.sections.append((family, lines))
    if all(cell == ABSENT for _, lines in grid.sections for cell in lines[-1].cells):
        raise ResultsError(
            f"{results.path}: nothing of {table.source} in it; what makes it: {table.command()}")
    grid.notes = notes(results, table, solved_only, grid)
    return grid


def notes(results: Results, table: Table, solved_only: bool, grid: Grid) -> list[str]:
    """What has to be known to compare the lines, and what is missing in ours."""
    said = [f"{table.paper.name}: {table.paper}."]
    if table.measure is not None:
        over = "the solved problems" if solved_only else "all problems that were measured, solved or not"
        said.append(f"Ours: mean ± standard deviation over {over}; {results.criterion} criterion, "
                    f"tolerance {short(results.tolerance)}.")
    said += table.notes
    for name, wanted in table.limits.items():
        found = member(results.document, f"run.{name}", results.path)
        if found != wanted:
            said.append(f"Not the same limits: `{name}` is {short(found)} here "
                        f"and {short(wanted)} in the paper.")
    if table.measure and table.measure.startswith("time."):
        warnings = member(results.document, "run.warnings", results.path)
        said += [f"Warning of the run: {warning}." for warning in warnings]
    said += missing(results, table, grid)
    return said


def missing(results: Results, table: Table, grid: Grid) -> list[str]:
    """Why cells of ours have no number."""
    said = []
    families = [family for family in table.rows if not table.problems.of_family(results, family)]
    if families:
        said.append(f"{ABSENT}: no problem of {', '.join(families)} in the results.")
    solvers = [column.solver for column in table.columns if column.solver]
    absent = [f"`{choice}`" for choice in solvers if choice.find(results) is None]
    if absent:
        said.append(f"{ABSENT}: the results have no {', '.join(absent)}.")
    ours = [cell for _, lines in grid.sections for cell in lines[1].cells]
    if any(ABSENT in cell for cell in ours) and not families and not absent:
        said.append(f"{ABSENT}: not in the results, or of fewer values than the number needs.")
    return said


def print_list(known: dict[str, Table]) -> None:
    for table in known.values():
        print(f"{table.id}  {table.source}: {table.what}")
        print(f"    {table.command()}")
    print("\nL and D print no table of numbers; scripts/paper_figures.py --list has their figures.")


def main() -> int:
    parser = ArgumentParser(description=DESCRIPTION, epilog=EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="*", help="results documents of equal runs, taken as one")
    add("--table", metavar="ID", help="which table, as --list names it")
    add("--list", action="store_true", help="list the tables and the commands that make their results")
    add("--format", choices=FORMATS, default="markdown", help="default: markdown")
    add("--with", dest="settings", metavar="SETTING=VALUE", action="append", default=[],
        help="only solvers that have this setting too; may be repeated")
    add("--over", choices=("solved", "all"), default="solved",
        help="what means are over: solved problems (default), or all that were measured")
    add("-o", "--output", metavar="FILE", type=Path, help="default: standard output")
    arguments = parser.parse_args()

    known = tables(extra=dict(setting(text) for text in arguments.settings))
    if arguments.list:
        print_list(known)
        return 0
    if arguments.table not in known:
        parser.error(f"--table must be one of {', '.join(known)}")
    if not arguments.results:
        parser.error(f"RESULTS is missing; what makes it: {known[arguments.table].command()}")
    grid = make_grid(load_all(arguments.results), known[arguments.table], arguments.over == "solved")
    text = FORMATS[arguments.format](grid)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    run_main(main)
