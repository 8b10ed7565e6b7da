"""Performance profiles (E. D. Dolan, J. J. Moré, Mathematical Programming 91, 2002): the numbers."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from typing import Mapping, Sequence

from frictionbench.files import ResultsError
from frictionbench.results import Problem, Results, Solver, member, number

ALL_FAMILIES = "all families"

# Where a measure is in a record, and the floor that it is clamped to so that ratios are defined: a
# Gauss-Seidel solver factorises nothing, and a start that is already the solution costs no iteration.
MEASURES = {
    "time": ("time.solve.median", 1e-9),
    "iterations": ("iterations", 1),
    "factorizations": ("work.factorizations.all", 1),
}


@dataclass(frozen=True)
class Profile:
    """How much of a set of problems a solver solves within a factor of the best solver of each."""

    problems: int  # all of them, including those that no solver solves
    ratios: tuple[float, ...]  # measure / best measure of the solved ones, ascending, each >= 1

    def share(self, tau: float = math.inf) -> float:
        """Share of the problems that are solved within tau times the best; 0 without problems."""
        if self.problems == 0:
            return 0.0
        return bisect.bisect_right(self.ratios, tau) / self.problems

    def steps(self) -> list[tuple[float, int]]:
        """(tau, problems solved within tau) at tau = 1 and wherever the number changes."""
        points = [(1.0, bisect.bisect_right(self.ratios, 1.0))]
        for index, tau in enumerate(self.ratios):
            last_of_ties = index + 1 == len(self.ratios) or self.ratios[index + 1] > tau
            if tau > 1 and last_of_ties:
                points.append((tau, index + 1))
        return points


def performance_profiles(measures: Mapping[str, Sequence[float]]) -> dict[str, Profile]:
    """Profiles of solvers from what each problem cost them.

    `measures` has one sequence per solver, the same problems in the same order in each; a number is > 0,
    and inf where the solver did not solve the problem.
    """
    sizes = {len(values) for values in measures.values()}
    if len(sizes) > 1:
        raise ValueError("every solver needs one number for every problem")
    if any(not value > 0 for values in measures.values() for value in values):
        raise ValueError("measures must be positive; inf for unsolved")
    best = [min(values) for values in zip(*measures.values())]
    return {
        solver: Profile(
            problems=len(best),
            ratios=tuple(
                sorted(value / least for value, least in zip(values, best) if math.isfinite(value))
            ),
        )
        for solver, values in measures.items()
    }


def cost(results: Results, problem: Problem, solver: Solver, by: str, criterion: str | None) -> float:
    """What a pair cost by a measure of MEASURES; inf if it is not solved (see Results.solved)."""
    record = results.record(problem, solver)
    if not results.solved(problem, solver, criterion):
        return math.inf
    path, floor = MEASURES[by]
    if by == "time" and member(record, "time.solve", results.path) is None:
        raise ResultsError(
            f"{results.path}: {solver.id} on {problem.id} was not timed; "
            "profiles by iterations or factorizations can be drawn"
        )
    return max(number(record, path, results.path), floor)


def family_profiles(
    results: Results,
    problems: Sequence[Problem],
    solvers: Sequence[Solver],
    by: str,
    criterion: str | None = None,
) -> dict[str, dict[str, Profile]]:
    """Profiles by family, and by solver id in each; with several families, one of all comes first."""
    measures = {
        solver.id: [cost(results, problem, solver, by, criterion) for problem in problems]
        for solver in solvers
    }
    families = list(dict.fromkeys(problem.family for problem in problems))
    profiles = {}
    if len(families) > 1:
        profiles[ALL_FAMILIES] = performance_profiles(measures)
    for family in families:
        members = [index for index, problem in enumerate(problems) if problem.family == family]
        profiles[family] = performance_profiles(
            {solver: [values[index] for index in members] for solver, values in measures.items()}
        )
    return profiles
