"""What candidates are worth: solved shares and work, by family, from counters and verdicts alone."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import Mapping, Protocol, Sequence

from frictionbench.results import Problem, Results, Solver, member, number
from frictionbench.statistics import geometric_mean
from frictionbench.tuning.space import Candidate, ScoreRules

# Shares and logarithms of work that differ by less are equal up to rounding, which differs between machines.
ROUNDING = 1e-9

# Where the counters are in a record, if not in `work` by their name.
WORK_PATHS = {"factorizations": "work.factorizations.all"}


@dataclass(frozen=True)
class Outcome:
    """What a candidate did on a problem at a tolerance."""

    solved: bool
    work: float
    status: str


@dataclass(frozen=True)
class Score:
    """Of some families, each with the same weight, whatever the number of its problems."""

    solved: float  # mean over families of the share of problems that are solved
    work: float  # geometric mean over families of the geometric mean over problems


# What a candidate did: by (SHA-256 of the problem's file, tolerance).
Outcomes = Mapping[tuple[str, float], Outcome]


class Evaluator(Protocol):
    """Where outcomes come from."""

    def evaluate(self, candidates: Sequence[Candidate]) -> None:
        """Makes the outcomes of candidates, those that are not known yet."""

    def outcomes(self, candidate: Candidate) -> Outcomes:
        """Of a candidate that was evaluated."""


def outcome(results: Results, problem: Problem, solver: Solver, rules: ScoreRules) -> Outcome:
    """A record as it counts.

    Work is the weighted sum of its counters, at least 1 so that it has a logarithm, and at most what
    an unsolved problem counts: no candidate is better off for not solving one.
    """
    record = results.record(problem, solver)
    solved = results.solved(problem, solver)
    work = rules.unsolved
    if solved:
        spent = math.fsum(weight * number(record, WORK_PATHS.get(counter, f"work.{counter}"), results.path)
                          for counter, weight in rules.weights.items())
        work = min(max(spent, 1.0), rules.unsolved)
    return Outcome(solved, work, member(record, "status", results.path))


class Scores:
    """Scores of candidates on any families of a sample."""

    def __init__(self, evaluator: Evaluator, families: Mapping[str, Sequence[str]], rules: ScoreRules) -> None:
        """`families` are the problems of each family, by the SHA-256 of their files."""
        self._evaluator = evaluator
        self._families = {sha256: family for family, members in families.items() for sha256 in members}
        self._rules = rules
        self._known: dict[tuple[Candidate, float | None], dict[str, Score]] = {}

    def evaluate(self, candidates: Sequence[Candidate]) -> None:
        self._evaluator.evaluate(candidates)

    def of(self, candidate: Candidate, families: Sequence[str], tolerance: float | None = None) -> Score:
        """On some families, at one tolerance or, each counting as a problem of its own, at all of them."""
        by_family = self._by_family(candidate, tolerance)
        scores = [by_family[family] for family in families]
        return Score(fmean(score.solved for score in scores),
                     geometric_mean(score.work for score in scores))

    def best(self, candidates: Sequence[Candidate], families: Sequence[str]) -> Candidate:
        """Of those that solve most, up to the slack, the one with the least work; the first of equals."""
        scores = [self.of(candidate, families) for candidate in candidates]
        enough = max(score.solved for score in scores) - self._rules.solved_slack - ROUNDING
        able = [index for index, score in enumerate(scores) if score.solved >= enough]
        least = min(scores[index].work for index in able) * (1 + ROUNDING)
        return next(candidates[index] for index in able if scores[index].work <= least)

    def _by_family(self, candidate: Candidate, tolerance: float | None) -> dict[str, Score]:
        key = candidate, tolerance
        if key not in self._known:
            outcomes = defaultdict(list)
            for (sha256, at), found in self._evaluator.outcomes(candidate).items():
                if tolerance is None or at == tolerance:
                    outcomes[self._families[sha256]].append(found)
            self._known[key] = {
                family: Score(fmean(one.solved for one in found), geometric_mean(one.work for one in found))
                for family, found in outcomes.items()}
        return self._known[key]
