"""The accuracy that double precision allows on the stacks of [Carpentier24] Fig. 4."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Mapping

import numpy as np

import frictionbench
from frictionbench.command_line import ArgumentParser
from frictionbench.files import ResultsError, check_outputs, load_json, write_text
from frictionbench.papers.impulses import read_impulse
from frictionbench.results import Problem, Results, Solver, load, member
from frictionbench.results.circumstances import circumstances
from frictionbench.tables import ABSENT, Grid, Line, markdown
from frictionbench.text import bullets, listed, paragraphs, short

DESCRIPTION = """\
Writes a table of how far solvers get on each problem, and says what stops them: the solver, where another one gets
within the tolerance, or double precision, where the last bits of an answer already decide. For that, every number of
the best answer is moved to the next one of double precision, up or down at random, and the result is judged,
20 times. That needs the problems and the impulses, the text only what was measured: it is kept beside RESULTS.
"""
REPETITIONS = 20
MEASURED = "last-bits.json"  # beside the results: for each problem without a solver, changes of the residual


@dataclass(frozen=True)
class Stack:
    """A problem of a run at one tolerance, and what its answers are worth."""

    results: Results
    problem: Problem

    def residual(self, solver: Solver) -> float | None:
        """The largest absolute residual of the answer."""
        verdict = member(self.results.record(self.problem, solver), "verdict", self.results.path)
        return None if verdict is None else verdict["ncp"]["max"]

    @cached_property
    def solved(self) -> list[Solver]:
        return [solver for solver in self.results.solvers if self.results.solved(self.problem, solver)]

    @cached_property
    def best(self) -> Solver | None:
        """The solver with the smallest residual; None if there is no answer."""
        known = [solver for solver in self.results.solvers if self.residual(solver) is not None]
        return min(known, key=self.residual, default=None)

    def moved(self, impulses: Path) -> list[float]:
        """By how much the largest residual of the best answer changes with its last bits, in increasing order."""
        r = read_impulse(impulses, self.results, self.problem, self.best).ravel()
        random = np.random.default_rng(1)
        moved = [np.where(r == 0, 0, np.nextafter(r, random.choice([-np.inf, np.inf], r.size)))
                 for _ in range(REPETITIONS)]
        try:
            problem = frictionbench.read(member(self.problem.facts, "path", self.results.path))
        except (OSError, ValueError) as failure:
            raise ResultsError(str(failure)) from None
        own = self.residual(self.best)
        return sorted(abs(frictionbench.judge(problem, other).residuals["ncp"]["max"] - own) for other in moved)

    def finding(self, measured: Mapping[str, list[float]]) -> str:
        """What keeps solvers from the tolerance, in a sentence. `measured` are changes of residuals by problem."""
        tolerance = short(self.results.tolerance)
        if self.best is None:
            return f"{self.problem.id}: no solver has an answer."
        if self.solved:
            rest = [solver for solver in self.results.solvers if solver not in self.solved]
            others = f"; what keeps {names(rest)} from it is not the problem" if rest else ""
            return f"{self.problem.id}: {names(self.solved)} solve it at {tolerance}{others}."
        changes = measured[self.problem.id]
        median = changes[len(changes) // 2]
        moved = (f"moving each number of that answer by its last bit changes the residual by {median:.1e} "
                 f"(median of {len(changes)}; {changes[0]:.1e} to {changes[-1]:.1e})")
        blame = ("so double precision is to blame: numbers this large cannot state a better answer"
                 if median > self.results.tolerance else
                 "so double precision would allow it, and the solvers are to blame")
        return (f"{self.problem.id}: no solver gets to {tolerance}; `{self.best.id}` is the nearest, "
                f"{self.residual(self.best):.1e}, and {moved}, {blame}.")


def names(solvers: list[Solver]) -> str:
    return listed([f"`{solver.id}`" for solver in solvers])


def measure(stacks: list[Stack], impulses: Path) -> dict[str, list[float]]:
    """For each problem that has answers and no solver: by how much its residual changes with the last bits."""
    return {stack.problem.id: stack.moved(impulses) for stack in stacks if stack.best is not None and not stack.solved}


def document(results: Results, stacks: list[Stack], measured: Mapping[str, list[float]]) -> str:
    grid = Grid(f"Largest absolute residual of the answer; in bold where it is within {short(results.tolerance)}",
                [("", "contacts")] + [("", f"`{solver.id}`") for solver in results.solvers], [])
    for family in results.families():
        grid.sections.append((family, [
            Line(stack.problem.id.split("/")[-1], [str(stack.problem.facts["contacts"])] + [
                cell(stack, solver) for solver in results.solvers])
            for stack in stacks if stack.problem.family == family]))
    parts = [
        "# How far solvers get on the stacks of [Carpentier24] Fig. 4",
        "This text is generated by `frictionbench-paper stack`; `frictionbench-paper run admm` makes its results.",
        "## How it was measured", bullets(circumstances([results])),
        "## How far they get", markdown(grid), bullets([stack.finding(measured) for stack in stacks]),
    ]
    return paragraphs(parts)


def cell(stack: Stack, solver: Solver) -> str:
    residual = stack.residual(solver)
    if residual is None:
        return ABSENT
    return f"**{residual:.1e}**" if solver in stack.solved else f"{residual:.1e}"


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-paper stack", DESCRIPTION)
    add = parser.add_argument
    add("results", metavar="RESULTS", type=Path, help="a results document")
    add("--impulses", metavar="FOLDER", type=Path,
        help=f"of frictionbench-paper impulses: measure, and keep it in {MEASURED}; the problems' files must exist")
    add("-o", "--output", metavar="FILE", type=Path, help="write the text")
    parser.add_force()
    arguments = parser.parse_args(words)
    if arguments.impulses is None and arguments.output is None:
        parser.error("nothing to do: --impulses measures, -o writes")
    file = arguments.results.parent / MEASURED
    check_outputs([arguments.output, *([file] if arguments.impulses else [])], arguments.force)
    results = load(arguments.results)
    stacks = [Stack(results, problem) for problem in results.problems]
    if arguments.impulses is not None:
        write_text(f"{json.dumps(measure(stacks, arguments.impulses))}\n", file)
    if arguments.output is not None:
        write_text(document(results, stacks, load_json(file)), arguments.output)
    return 0
