"""Writes the impulses behind the records of a results document."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

from frictionbench.command_line import ArgumentParser, pattern
from frictionbench.files import ResultsError
from frictionbench.results import Problem, Results, Solver, load, member
from frictionbench.results.commands import solve_arguments

DESCRIPTION = """\
A results document has the verdict on every impulse, but not the impulse. This solves its pairs of
problem and solver again, under the run's criterion, tolerance and limits, and writes each impulse to
FOLDER/<problem id>/<solver id>.txt, one number per line in FCLIB order. Impulses that are there stay.
Solvers repeat themselves exactly, so these are the impulses that were judged. A pair that ended
without an impulse (crashed, refused) has none here.
"""
EPILOG = """\
  frictionbench-paper impulses results.json --program frictionbench --problems '^SlidingBox/' -o impulses
"""


def impulse_path(folder: Path, problem: Problem, solver: Solver) -> Path:
    return folder / problem.id / f"{solver.id}.txt"


def read_impulse(folder: Path, results: Results, problem: Problem, solver: Solver) -> np.ndarray | None:
    """The impulse of a record, a row per contact; None if the record has none.

    Raises ResultsError if there is no file of it, or if it is not the impulse that was judged.
    """
    norm = member(results.record(problem, solver), "impulse_norm", results.path)
    if norm is None:
        return None
    path = impulse_path(folder, problem, solver)
    try:
        r = np.loadtxt(path, ndmin=1)
    except (OSError, ValueError):
        raise ResultsError(f"{path}: no impulse there; frictionbench-paper impulses writes them") from None
    if abs(np.linalg.norm(r) - norm) > 1e-9 * norm:
        raise ResultsError(f"{path}: not the impulse of {results.path}, which has the norm {norm:g}")
    return r.reshape(-1, problem.facts["dimension"])


def write_impulses(program: str, results: Results, problems: list[Problem], folder: Path) -> None:
    """Solves every pair of these problems that has an impulse.

    Raises ResultsError if the program cannot solve one.
    """
    for problem in problems:
        for solver in results.solvers:
            record = results.record(problem, solver)
            output = impulse_path(folder, problem, solver)
            if member(record, "impulse_norm", results.path) is None or output.exists():
                continue
            output.parent.mkdir(parents=True, exist_ok=True)
            words = solve_arguments(results, member(problem.facts, "path", results.path), solver)
            try:
                done = subprocess.run([program, *words, "--write-impulse", str(output)], capture_output=True, text=True,
                                      check=False)
            except OSError as failure:
                raise ResultsError(f"{program}: {failure.strerror}") from None
            if done.returncode not in (0, 1):  # 1: an answer that is not solved, but an answer
                said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
                raise ResultsError(f"{solver.id} on {problem.id}: {said.removeprefix('error: ')}")


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-paper impulses", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", type=Path, help="a results document whose problem files still exist")
    add("--program", metavar="PROGRAM", required=True, help="the program `frictionbench` that made it")
    add("--problems", metavar="REGEX", type=pattern, default="",
        help="only problems (family/name) that match")
    add("-o", "--output", metavar="FOLDER", type=Path, required=True)
    arguments = parser.parse_args(words)
    results = load(arguments.results)
    problems = [problem for problem in results.problems if arguments.problems.search(problem.id)]
    if not problems:
        raise ResultsError(f"{results.path}: no problem matches '{arguments.problems.pattern}'")
    write_impulses(arguments.program, results, problems, arguments.output)
    return 0
