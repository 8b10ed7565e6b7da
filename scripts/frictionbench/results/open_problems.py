"""The list of problems that no solver has solved yet."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Sequence

from frictionbench.checkout import ROOT
from frictionbench.command_line import ArgumentParser
from frictionbench.files import ResultsError, check_outputs, write_text
from frictionbench.results.document import Results, load, member, number
from frictionbench.text import short

DESCRIPTION = """\
Brings a list of open problems up to date with results documents: problems that no record solves are added, with the
smallest residual that was reached; those that a record solves now are taken off; smaller residuals replace larger
ones. A problem is open under a criterion, a scale and a tolerance, and may be so under several.
"""
EPILOG = """\
  frictionbench-data open-problems runs/ncp-1e-6.json runs/ncp-1e-8.json -o datasets/open.csv --force
  frictionbench solve FILE --solver SOLVER --criterion ncp --scale relative --tolerance 1e-8    # to try one
"""
LIST = ROOT / "datasets/open.csv"
Key = tuple[str, str, str, str]  # SHA-256, criterion, scale, tolerance


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
    def key(self) -> Key:
        return self.sha256, self.criterion, self.scale, self.tolerance

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


def attempts(run: Results) -> list[tuple[Entry, bool]]:
    """Every record as an entry of the list, and whether it solves the problem."""
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
        reached = run.residual(problem, solver)
        entry = Entry(problem_id, int(number(problem.facts, "contacts", run.path)),
                      member(problem.facts, "sha256", run.path), model, scale or "absolute", short(run.tolerance),
                      "" if reached is None else f"{reached:.2e}", solver_id, limit, revision)
        found.append((entry, run.solved(problem, solver)))
    return found


def updated(known: Sequence[Entry], runs: Sequence[Results]) -> list[Entry]:
    best = {entry.key: entry for entry in known}
    solved: set[Key] = set()
    for run in runs:
        for entry, done in attempts(run):
            if done:
                solved.add(entry.key)
            if entry.key not in best or entry.reached < best[entry.key].reached:
                best[entry.key] = entry
    left = [entry for key, entry in best.items() if key not in solved]
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
