"""The list of problems that no solver has solved yet."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, dataclass, fields, replace
from decimal import ROUND_CEILING, Context
from pathlib import Path
from typing import Sequence

from frictionbench.checkout import ROOT
from frictionbench.command_line import ArgumentParser
from frictionbench.files import ResultsError, check_outputs, write_text
from frictionbench.results.document import Results, load, member, number, repeatable
from frictionbench.text import short

DESCRIPTION = """\
Brings a list of open problems up to date with results documents: problems that no record solves are added, with the
smallest residual that was reached, at any tolerance; those that a record solves now, at this tolerance or a tighter one,
are taken off; smaller residuals replace larger ones. A problem is open under a criterion, a scale and a tolerance, and may
be so under several. What earlier results solve is not known from the list, so give all that are at hand.
"""
EPILOG = """\
  frictionbench-data open-problems runs/ncp-1e-6.json runs/ncp-1e-8.json -o datasets/open.csv --force
  frictionbench solve FILE --solver SOLVER --criterion ncp --scale relative --tolerance 1e-8    # to try one
"""
LIST = ROOT / "datasets/open.csv"
Question = tuple[str, str, str]  # SHA-256, criterion, scale


@dataclass(frozen=True)
class Entry:
    """An open problem, and how close to an answer anything has come."""

    problem: str
    contacts: int
    sha256: str
    criterion: str
    scale: str
    tolerance: str
    residual: str  # the smallest that was reached; empty if there never was an answer
    solver: str  # that reached it
    time_limit: str  # that it had, s
    revision: str  # of frictionbench

    @property
    def question(self) -> Question:
        return self.sha256, self.criterion, self.scale

    @property
    def reached(self) -> float:
        return float(self.residual) if self.residual else float("inf")


def read_list(path: Path) -> list[Entry]:
    """The entries of a list. Raises ResultsError if it is none."""
    names = [field.name for field in fields(Entry)]
    try:
        with path.open(encoding="utf-8", newline="") as text:
            rows = csv.DictReader(text)
            if rows.fieldnames != names:
                raise ResultsError(f"{path}: not a list of open problems; its first line must be {','.join(names)}")
            return [Entry(**row | {"contacts": int(row["contacts"])}) for row in rows]  # type: ignore[arg-type]
    except OSError as failure:
        raise ResultsError(f"{path}: {failure.strerror}") from None
    except (csv.Error, TypeError, ValueError) as failure:
        raise ResultsError(f"{path}: not a list of open problems ({failure})") from None


def attempts(run: Results) -> list[Entry]:
    """Every record as an entry of the list, though some solve their problem; not_repeatable ones have no answer."""
    if run.document["run"].get("compliance"):
        raise ResultsError(f"{run.path}: was run with --compliance, which makes other problems of the files")
    problems = {problem.id: problem for problem in run.problems}
    solvers = {solver.id: solver for solver in run.solvers}
    model, _, scale = run.criterion.partition("_")
    limit = f"{number(run.document, 'run.time_limit', run.path):g}"
    revision = member(run.document, "run.git.revision", run.path) or ""
    found = []
    for problem_id, solver_id in run.records:
        problem, solver = problems[problem_id], solvers[solver_id]
        reached = run.residual(problem, solver) if repeatable(run.record(problem, solver).get("status")) else None
        found.append(Entry(problem_id, int(number(problem.facts, "contacts", run.path)),
                           member(problem.facts, "sha256", run.path), model, scale or "absolute", short(run.tolerance),
                           "" if reached is None else rounded_up(reached), solver_id, limit, revision))
    return found


def rounded_up(residual: float) -> str:
    """To three digits, so that what exceeds a tolerance still does."""
    return f"{float(Context(prec=3, rounding=ROUND_CEILING).create_decimal(repr(residual))):.2e}"


def updated(known: Sequence[Entry], runs: Sequence[Results]) -> list[Entry]:
    found = [*known, *(entry for run in runs for entry in attempts(run))]
    best: dict[Question, Entry] = {}
    for entry in found:
        if entry.question not in best or entry.reached < best[entry.question].reached:
            best[entry.question] = entry
    asked = {(best[entry.question], entry.tolerance) for entry in found}
    left = [replace(entry, tolerance=tolerance) for entry, tolerance in asked if entry.reached > float(tolerance)]
    return sorted(left, key=lambda entry: (entry.criterion, entry.scale, -float(entry.tolerance), entry.problem))


def text_of(entries: Sequence[Entry]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Entry)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(entry) for entry in entries)
    return text.getvalue()


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-data open-problems", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="+", help="results documents, of any criterion and tolerance")
    add("--list", metavar="CSV", type=Path, default=LIST, help="the list so far; default: datasets/open.csv")
    add("-o", "--output", metavar="FILE", type=Path, help="default: standard output")
    parser.add_force()
    arguments = parser.parse_args(words)
    check_outputs([arguments.output], arguments.force)
    runs = [load(path) for path in arguments.results]
    write_text(text_of(updated(read_list(arguments.list), runs)), arguments.output)
    return 0
