"""What [LeLidec24] says of contact models and algorithms, measured on results documents; nothing is printed here."""

from __future__ import annotations

import re
import math
import statistics
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Iterator, Sequence

from frictionbench.papers.contact_answers import Answer, ScaledProblem, read_problem
from frictionbench.papers.impulses import read_impulse
from frictionbench.papers.internal_forces import excess
from frictionbench.plots.curves import MASS_RATIO
from frictionbench.results import Problem, Record, Results, Solver, member
from frictionbench.text import percent

# Of the scene sliding_box with nothing changed but the direction of its velocity.
DIRECTION = re.compile(r"SlidingBox/SlidingBox-(?:default|direction(\d+(?:\.\d+)?))-local-4-00000")

LAW_HOLDS = 1e-4  # largest violation of a law that still holds, scaled units
NO_APPROACH = 1e-6  # largest velocity into a contact that counts as none, scaled units
SMALL_EXCESS = 0.01  # largest share of internal forces that counts as none


def without_refusals(results: Results) -> Results:
    """The document without solvers that refuse every problem of it: nothing of them was measured."""
    kept = [solver for solver in results.solvers
            if any(member(results.record(problem, solver), "status", results.path) != "refused"
                   for problem in results.problems)]
    return replace(results, solvers=kept)


def accepted(results: Results, problem: Problem, solver: Solver) -> bool:
    """Whether the answer is one of the solver's own model: its criterion is met, or it is a fixed point of RaiSim.

    RaiSim's fixed points solve what no criterion of the verdict is: the solver's word is all there is, and what
    counts solved problems does not count them.
    """
    return results.solved(problem, solver) or own_fixed_point(results, problem, solver)


def own_fixed_point(results: Results, problem: Problem, solver: Solver) -> bool:
    record = results.record(problem, solver)
    return (member(record, "status", results.path) == "inaccurate"
            and member(record, "stop_reason", results.path) == "fixed_point"
            and not results.solved(problem, solver))


def chose_compliance(results: Results, problem: Problem, solver: Solver) -> bool:
    """Whether the solver made another problem of this one: a compliant one."""
    return member(results.record(problem, solver), "own_model", results.path) is not None


def counted(results: Results, solver: Solver, problems: Sequence[Problem] | None = None) -> tuple[int, int, int]:
    """How many problems the solver's own model is solved of: absolutely and relatively; and RaiSim's fixed points."""
    chosen = results.problems if problems is None else problems
    return (sum(results.solved(problem, solver) for problem in chosen),
            sum(results.solved(problem, solver, "native_relative") for problem in chosen),
            sum(own_fixed_point(results, problem, solver) for problem in chosen))


def arrives(results: Results, problem: Problem, solver: Solver) -> bool:
    """Whether a run ends at an answer, or is on the way to one at the iteration limit.

    It is not if its residual is above that of the first iteration, or does not fall any more: its median
    over the last quarter of the iterations is not below that over the second quarter. A residual that is null,
    because it is not finite, counts as infinite.
    """
    if accepted(results, problem, solver):
        return True
    history = member(results.record(problem, solver), "history", results.path)
    if not history:
        return False
    residuals = [(row["iteration"], max(math.inf if row[name] is None else row[name]
                                        for name in ("primal", "dual", "complementarity")))
                 for row in history]
    end, last = residuals[-1]
    second = [value for iteration, value in residuals if end / 4 < iteration <= end / 2]
    fourth = [value for iteration, value in residuals if 3 * end / 4 < iteration]
    falls = bool(second) and statistics.median(fourth) < statistics.median(second)
    return falls and last <= residuals[0][1]


@dataclass(frozen=True)
class Scenes:
    """A document whose impulses are known."""

    results: Results
    impulses: Path
    _problems: dict[str, ScaledProblem] = field(default_factory=dict, repr=False)

    def problem(self, problem: Problem) -> ScaledProblem:
        if problem.id not in self._problems:
            path = Path(member(problem.facts, "path", self.results.path))
            self._problems[problem.id] = read_problem(path)
        return self._problems[problem.id]

    def answer(self, problem: Problem, solver: Solver) -> Answer | None:
        """None if the solver has no answer of its own model."""
        if not accepted(self.results, problem, solver):
            return None
        r = read_impulse(self.impulses, self.results, problem, solver)
        return None if r is None else Answer(self.problem(problem), solver.model, r)

    def answers(self, solvers: Sequence[Solver], problems: Sequence[Problem] | None = None
                ) -> Iterator[tuple[Problem, Solver, Answer]]:
        for problem in self.results.problems if problems is None else problems:
            for solver in solvers:
                if (answer := self.answer(problem, solver)) is not None:
                    yield problem, solver, answer

    def without_directions(self) -> list[Problem]:
        """All scenes but those that repeat one in another direction."""
        repeated = {problem.id for degrees, problem in self.directions() if degrees > 0}
        return [problem for problem in self.results.problems if problem.id not in repeated]

    def directions(self) -> list[tuple[float, Problem]]:
        """(degrees, problem) of boxes that differ in the direction that they slide in, ascending."""
        found = [(float(match[1] or 0), problem) for problem in self.results.problems
                 if (match := DIRECTION.fullmatch(problem.id))]
        return sorted(found, key=lambda pair: pair[0])

    def violations(self, problem: Problem, record: Record) -> tuple[float, float, float]:
        """By how much an impulse violates Signorini, Coulomb and maximum dissipation, scaled units."""
        units = self.problem(problem)
        verdict = member(record, "verdict", self.results.path)
        signorini = verdict["signorini"]
        power = units.impulse * units.velocity
        return (max(signorini["product"] / power, signorini["velocity"] / units.velocity,
                    signorini["impulse"] / units.impulse),
                verdict["ncp"]["primal"] / units.impulse, verdict["dissipation"] / power)

    def approach(self, problem: Problem, record: Record) -> float:
        """The largest velocity into a contact, scaled units: what compliance would allow."""
        verdict = member(record, "verdict", self.results.path)
        return verdict["signorini"]["velocity"] / self.problem(problem).velocity

    def excesses(self, solver: Solver, sticking: bool) -> dict[str, float]:
        """Internal forces by problem id, of answers in which every contact sticks, or of the others."""
        return {problem.id: excess(answer) for problem, _, answer in self.answers([solver])
                if answer.sticks == sticking}


@dataclass(frozen=True)
class Measured:
    """A mark and what it rests on; None where there was nothing to measure."""

    holds: bool | None
    number: str

    def __str__(self) -> str:
        return f"{tick(self.holds)} {self.number}".rstrip()


def tick(holds: bool | None) -> str:
    return "–" if holds is None else "✓" if holds else "✗"


def digits(value: float) -> str:
    """A number of which the size matters."""
    return "0" if value == 0 else f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")


def of_the_model(results: Results, problem: Problem, solver: Solver) -> bool:
    """Whether the answer solves the registered model of its solver, without a compliance that this chose."""
    return results.solved(problem, solver) and not chose_compliance(results, problem, solver)


def laws(scenes: Scenes, solvers: Sequence[Solver], whole_model: bool) -> tuple[list[Measured], int]:
    """The marks of a row of [LeLidec24] Table II, and the number of answers; `whole_model`: only the model's."""
    results = scenes.results
    found = [scenes.violations(problem, results.record(problem, solver))
             for problem in results.problems for solver in solvers
             if (of_the_model(results, problem, solver) if whole_model else accepted(results, problem, solver))]
    return [Measured(max(column) <= LAW_HOLDS, digits(max(column))) for column in zip(*found)], len(found)


def hard_contacts(scenes: Scenes, solver: Solver) -> Measured:
    results = scenes.results
    answered = [problem for problem in results.problems if accepted(results, problem, solver)]
    total = len(results.problems)
    if not answered:
        return Measured(False, f"0/{total}")
    worst = max(scenes.approach(problem, results.record(problem, solver)) for problem in answered)
    fixed = counted(results, solver)[2]
    return Measured(len(answered) == total and worst <= NO_APPROACH,
                    f"{len(answered)}/{total}{f' ({fixed} fixed points)' if fixed else ''}, {digits(worst)}")


def no_internal_forces(scenes: Scenes, solver: Solver) -> Measured:
    """Nothing is measured of a solver under which contacts never stick."""
    found = scenes.excesses(solver, sticking=True).values()
    if not found:
        return Measured(None, "")
    return Measured(max(found) <= SMALL_EXCESS, percent(max(found)))


def robust(stacks: Results, solver: Solver) -> Measured:
    solved, _, fixed = counted(stacks, solver)
    total = len(stacks.problems)
    return Measured(solved == total, f"{solved}/{total}{f' and {fixed} fixed points' if fixed else ''}")


def converges(runs: Sequence[Results], solver: Solver) -> Measured:
    pairs = [(results, problem) for results in runs for problem in results.problems]
    lost = sum(not arrives(results, problem, solver) for results, problem in pairs)
    return Measured(lost == 0, f"{lost} of {len(pairs)} lost")


def by_mass_ratio(stacks: Results) -> dict[float, list[Problem]]:
    """Stacks by the ratio of their masses, ascending."""
    found: dict[float, list[Problem]] = defaultdict(list)
    for problem in stacks.problems:
        match = MASS_RATIO.search(problem.id)
        found[float(match[1]) if match else 1.0].append(problem)
    return dict(sorted(found.items()))


def solved_share(stacks: Results, problems: Sequence[Problem], solver: Solver) -> float:
    return counted(stacks, solver, problems)[0] / len(problems)


def median_iterations(stacks: Results, problems: Sequence[Problem], solver: Solver) -> float | None:
    """Of those that are solved; None if none is."""
    solved = [problem for problem in problems if stacks.solved(problem, solver)]
    if not solved:
        return None
    return statistics.median(member(stacks.record(problem, solver), "iterations", stacks.path) for problem in solved)
