"""Our solvers against peers, problem by problem: who solves what, how much faster, and what each adds.

Two solvers are compared where both solve a problem: their answers satisfy the same criterion at the same tolerance,
by the same judge. Together, several solvers need what the fastest of them needs, their virtual best.
"""

from __future__ import annotations

import fnmatch
import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Callable, Iterator, Sequence

import numpy
import pandas

from frictionbench import statistics
from frictionbench.files import ResultsError
from frictionbench.profiles import ALL_FAMILIES, cost
from frictionbench.results import SAME_JUDGE, Problem, Results, Solver, united_runs
from frictionbench.results.commands import solve_command
from frictionbench.results.groups import by_class, by_family, common_problems, simulation
from frictionbench.results.impulses import judged_again

FACTOR = 2.0  # a solver that needs less than a half is faster; what lies between is a tie
ALL_SIZES = "all sizes"

OURS_ALONE, OURS_FASTER, TIE, PEERS_FASTER, PEERS_ALONE, NEITHER = OUTCOMES = (
    "ours alone", "ours faster", "tie", "peers faster", "peers alone", "neither")


@dataclass(frozen=True)
class Ratio:
    """Times of peers divided by ours, over problems that both solve: above 1 where ours are faster."""

    problems: int
    simulations: int
    mean: float  # geometric
    quartiles: tuple[float, float, float]  # interpolated between logarithms
    interval: tuple[float, float] | None  # of the mean, over simulations, see statistics.mean_interval


@dataclass(frozen=True)
class Row:
    """What both sides do on some problems. Numbers of problems, if nothing else is said."""

    family: str
    size: str  # a class of SIZE_CLASSES, or ALL_SIZES
    problems: int
    simulations: int
    champion_solves: int
    ours_solve: int  # at least one of them
    best_peer: str  # id of the peer that solves the most here, the fastest of equals
    best_peer_solves: int
    peers_solve: int
    single: Ratio | None  # best peer / champion; None if they solve nothing in common
    all_against_one: Ratio | None  # virtual best of the peers / champion
    together: Ratio | None  # virtual bests of both
    outcomes: dict[str, int]  # OUTCOMES, of the virtual bests

    @property
    def wins(self) -> int:
        return self.outcomes[OURS_ALONE] + self.outcomes[OURS_FASTER]

    @property
    def losses(self) -> int:
        return self.outcomes[PEERS_ALONE] + self.outcomes[PEERS_FASTER]


@dataclass(frozen=True)
class Contribution:
    """What a solver adds to the virtual best of all solvers, ours and peers."""

    solver: str
    ours: bool
    solves: int
    alone: int  # no other solver solves them
    first: int  # no other solver is faster
    slowdown: float | None  # of the virtual best without it, over what that still solves; None if that is nothing


@dataclass(frozen=True)
class Loss:
    """A problem that only peers solve, or that one of them solves FACTOR times as fast as the fastest of ours."""

    problem: Problem
    peer: Solver  # the fastest
    seconds: float
    ours: Solver  # the fastest; the champion if none solves it
    our_seconds: float  # inf if none solves it
    commands: tuple[str, str]  # that repeat the peer's solve, and ours

    @property
    def factor(self) -> float:
        return self.our_seconds / self.seconds


@dataclass(frozen=True)
class Contest:
    """Ours and peers on the problems that all of them were run on, judged by one criterion at one tolerance."""

    results: Results
    ours: tuple[Solver, ...]
    peers: tuple[Solver, ...]
    problems: tuple[Problem, ...]
    missing: int  # problems that are left out, because not every solver was run on them
    champion: Solver  # of ours, the one that solves the most of all problems, the fastest of equals

    @cached_property
    def times(self) -> dict[tuple[str, str], float]:
        """Seconds by (problem id, solver id); inf if it is not solved."""
        return {(problem.id, solver.id): cost(self.results, problem, solver, "time", None)
                for solver in (*self.ours, *self.peers) for problem in self.problems}

    def fastest(self, problem: Problem, solvers: Sequence[Solver]) -> tuple[float, Solver]:
        """Seconds of the virtual best of some solvers, inf if none of them solves the problem; and which it is."""
        return min(((self.times[problem.id, solver.id], solver) for solver in solvers), key=lambda pair: pair[0])

    def restricted(self, problems: Sequence[Problem]) -> Contest:
        """The same contest, on those of these problems that are in it."""
        wanted = {problem.id for problem in problems}
        return replace(self, problems=tuple(problem for problem in self.problems if problem.id in wanted))

    def best_single(self, solvers: Sequence[Solver], problems: Sequence[Problem]) -> Solver:
        """The solver that solves the most of the problems, the fastest (geometric mean) of equals."""
        def key(solver: Solver) -> tuple[int, float]:
            logs = [math.log(time) for p in problems if math.isfinite(time := self.times[p.id, solver.id])]
            return -len(logs), math.fsum(logs)

        return min(solvers, key=key)

    def outcome(self, problem: Problem) -> str:
        """One of OUTCOMES."""
        ours, peers = (self.fastest(problem, side)[0] for side in (self.ours, self.peers))
        if math.isinf(ours) or math.isinf(peers):
            return NEITHER if ours == peers else OURS_ALONE if math.isinf(peers) else PEERS_ALONE
        return OURS_FASTER if peers > FACTOR * ours else PEERS_FASTER if ours > FACTOR * peers else TIE


def matching(solvers: Sequence[Solver], patterns: Sequence[str]) -> list[Solver]:
    """Solvers whose name or id matches one of the patterns, `ncp-*`."""
    return [solver for solver in solvers
            if any(fnmatch.fnmatchcase(text, pattern) for pattern in patterns for text in (solver.name, solver.id))]


def contest(results: Results, ours: Sequence[Solver], peers: Sequence[Solver]) -> Contest:
    """Raises ResultsError if a side has no solver, if there is no problem that all solvers were run on, or if a document
    was judged again by what its solvers were not run for: their times are those of something else.
    """
    if other := judged_again(results.parts or (results,)):
        raise ResultsError(" ".join(other))
    said = f"{results.judged}, tolerance {results.tolerance:g}"
    for side, name in ((ours, "solver of ours"), (peers, "peer")):
        if not side:
            known = ", ".join(solver.id for solver in results.solvers) or "none"
            raise ResultsError(f"{results.path}: no {name} under {said}; solvers: {known}")
    problems = common_problems(results, [*ours, *peers])
    if not problems:
        raise ResultsError(f"{results.path}: no problem that every solver was run on under {said}")
    whole = Contest(results, tuple(ours), tuple(peers), tuple(problems), len(results.problems) - len(problems), ours[0])
    return replace(whole, champion=whole.best_single(ours, problems))


Sides = Callable[[Sequence[Solver]], tuple[list[Solver], list[Solver]]]


def contests(documents: Sequence[Results], sides: Sides) -> tuple[list[Contest], list[str]]:
    """A contest for each criterion and tolerance, loose ones first; and why there is none for the others.

    `sides` tells ours and peers among solvers. Raises ResultsError if documents of one criterion and tolerance
    contradict each other (see results.document.united).
    """
    found, without = [], []
    for run in sorted(united_runs(documents, SAME_JUDGE), key=lambda run: (run.criterion, -run.tolerance)):
        try:
            found.append(contest(run, *sides(run.solvers)))
        except ResultsError as failure:
            without.append(str(failure))
    return found, without


def rows(contest: Contest) -> Iterator[Row]:
    """By family and size class, the families one by one and then together; each family's sizes together last."""
    groups = by_family(contest.problems)
    for family, members in (groups if len(groups) == 1 else groups | {ALL_FAMILIES: list(contest.problems)}).items():
        sizes = by_class(members)
        for size, problems in (sizes if len(sizes) == 1 else sizes | {ALL_SIZES: members}).items():
            yield row(contest, family, size, problems)


def row(contest: Contest, family: str, size: str, problems: Sequence[Problem]) -> Row:
    def solved(solvers: Sequence[Solver]) -> int:
        return sum(math.isfinite(contest.fastest(problem, solvers)[0]) for problem in problems)

    peer = contest.best_single(contest.peers, problems)
    outcomes = Counter(map(contest.outcome, problems))
    return Row(
        family, size, len(problems), len(set(map(simulation, problems))),
        solved([contest.champion]), solved(contest.ours), peer.id, solved([peer]), solved(contest.peers),
        ratio(contest, problems, [contest.champion], [peer]),
        ratio(contest, problems, [contest.champion], contest.peers),
        ratio(contest, problems, contest.ours, contest.peers),
        {outcome: outcomes[outcome] for outcome in OUTCOMES})


def ratio(contest: Contest, problems: Sequence[Problem], ours: Sequence[Solver], peers: Sequence[Solver]) -> Ratio | None:
    """Of the virtual bests of some of ours and some peers, over the problems that both solve; None without any."""
    logs: dict[str, list[float]] = {}
    for problem in problems:
        our_time, peer_time = (contest.fastest(problem, side)[0] for side in (ours, peers))
        if math.isfinite(our_time) and math.isfinite(peer_time):
            logs.setdefault(simulation(problem), []).append(math.log(peer_time / our_time))
    if not logs:
        return None
    values = [value for of_simulation in logs.values() for value in of_simulation]
    low, middle, high = numpy.exp(numpy.percentile(values, (25, 50, 75))).tolist()
    around = statistics.mean_interval(list(logs.values()))
    ends = numpy.exp(around).tolist() if around else None
    return Ratio(len(values), len(logs), math.exp(math.fsum(values) / len(values)), (low, middle, high),
                 ends and (ends[0], ends[1]))


def contributions(contest: Contest) -> list[Contribution]:
    """Of every solver, those that alone solve the most problems first, and then those that are first most often."""
    everyone = (*contest.ours, *contest.peers)
    table = statistics.contributions(pandas.DataFrame({
        solver.id: [contest.times[problem.id, solver.id] for problem in contest.problems] for solver in everyone}))
    found = [Contribution(row.Index, solver in contest.ours, row.solves, row.alone, row.first,
                          None if math.isnan(row.slowdown) else row.slowdown)
             for solver, row in zip(everyone, table.itertuples())]
    return sorted(found, key=lambda c: (-c.alone, -c.first, -c.solves))


def losses(contest: Contest, *, portable: bool = False) -> list[Loss]:
    """Problems that only peers solve, then those that peers solve faster, the largest factor first.

    `portable`: commands name files of absolute paths from the folder of their families, as on any machine.
    """
    found = []
    for problem in contest.problems:
        if contest.outcome(problem) in (PEERS_ALONE, PEERS_FASTER):
            seconds, peer = contest.fastest(problem, contest.peers)
            our_seconds, ours = contest.fastest(problem, contest.ours)
            if math.isinf(our_seconds):
                ours = contest.champion
            commands = (command(contest, problem, peer, portable), command(contest, problem, ours, portable))
            found.append(Loss(problem, peer, seconds, ours, our_seconds, commands))
    return sorted(found, key=lambda loss: -loss.factor)


def command(contest: Contest, problem: Problem, solver: Solver, portable: bool) -> str:
    """What repeats a solve, as the document that has its record says. `portable` as of losses()."""
    document = next(part for part in contest.results.parts or (contest.results,)
                    if (problem.id, solver.id) in part.records)
    path = Path(next(entry.facts["path"] for entry in document.problems if entry.id == problem.id))
    if portable and path.is_absolute():
        path = Path(problem.family) / path.name
    return solve_command(document, str(path), solver)
