"""What frictionbench-paper run compliance measured, as numbers: curves over compliance, slip parameter and bodies."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from frictionbench.files import ResultsError, load_json
from frictionbench.papers.contact_answers import Answer, ScaledProblem, read_problem
from frictionbench.papers.impulses import read_impulse
from frictionbench.papers.internal_forces import least_norm
from frictionbench.plots.curves import Points, bodies
from frictionbench.results import Problem, Results, Solver, load, member, number
from frictionbench.statistics import power_law

GRAVITY = 9.81  # m/s^2, of all scenes
SOFT = 1e-2  # below this share of the smallest diagonal entry of W a compliance is small
SMALL_SIGMA = 1e-2
LOADED, INSIDE = 1e-2, 0.95  # as the verdict's creep has them


def slope(points: Points) -> float:
    """p of y = c x^p; NaN for fewer than two points."""
    return power_law([x for x, _ in points], [y for _, y in points])[0]


def documents(folder: Path) -> list[Path]:
    """Results documents of a folder. Raises ResultsError if there are none."""
    found = sorted(folder.glob("*.json"))
    if not found:
        raise ResultsError(f"{folder}: no results documents; frictionbench-paper run compliance makes them")
    return found


def only_solver(results: Results) -> Solver:
    """The solver whose answers are followed: the first."""
    if not results.solvers:
        raise ResultsError(f"{results.path}: no solver")
    return results.solvers[0]


# A standing scene, [LeLidec24] Fig. 14


@dataclass(frozen=True)
class Standing:
    """A scene at rest, solved with several compliances; the answers are judged on the rigid problem."""

    problem: Problem
    rigid: Results
    compliant: dict[float, Results]  # by R, ascending
    folder: Path  # what frictionbench-paper run compliance left

    def judged(self, results: Results, solver: Solver) -> dict[str, Any]:
        """The rigid problem's verdict on an answer of a document."""
        return load_json(self.folder / "judged" / results.path.stem / self.problem.id / f"{solver.id}.json")

    def curve(self, name: str) -> Points:
        """(R, a number of the rigid verdict); those that are 0 are not on logarithmic axes, and left out."""
        found = [(R, number(self.judged(results, only_solver(results)), name, results.path))
                 for R, results in self.compliant.items()]
        return [(R, value) for R, value in found if value > 0]

    @property
    def penetration(self) -> Points:
        return self.curve("verdict.signorini.velocity")

    @property
    def creep(self) -> Points:
        return self.curve("verdict.creep")

    @property
    def free_speed(self) -> float:
        """U = ||q||_inf, m/s."""
        return self.scaled.velocity

    @cached_property
    def scaled(self) -> ScaledProblem:
        return read_problem(Path(member(self.problem.facts, "path", self.rigid.path)))

    @cached_property
    def least(self) -> float:
        """The norm of the smallest impulse that solves the rigid problem as the followed solver does."""
        r = read_impulse(self.folder / "impulses/standing/rigid", self.rigid, self.problem, only_solver(self.rigid))
        if r is None:
            raise ResultsError(f"{self.rigid.path}: {only_solver(self.rigid).id} has no impulse")
        return least_norm(Answer(self.scaled, "ncp", r))

    def norms(self) -> Points:
        """(R, norm of the impulse over the least norm)."""
        return [(R, value / self.least) for R, value in self.curve("impulse_norm")]

    def rigid_norms(self) -> dict[str, float]:
        """The same of the rigid answers, by solver."""
        return {solver.id: number(self.judged(self.rigid, solver), "impulse_norm", self.rigid.path) / self.least
                for solver in self.rigid.solvers if self.rigid.solved(self.problem, solver)}

    def small(self, points: Points) -> Points:
        """Those with a small compliance."""
        most = SOFT * float(np.diag(self.scaled.W).min())
        return [(R, value) for R, value in points if R <= most]


def standing(folder: Path) -> dict[str, Standing]:
    """Scenes by family."""
    rigid, compliant = None, {}
    for path in documents(folder / "standing"):
        results = load(path)
        compliance = member(results.document, "run", path).get("compliance")
        if compliance is None:
            rigid = results
            continue
        try:
            compliant[float(compliance)] = results
        except ValueError:
            raise ResultsError(f"{path}: compliance {compliance} is not a number") from None
    if rigid is None or not compliant:
        raise ResultsError(f"{folder / 'standing'}: a rigid and a compliant document are needed")
    compliant = dict(sorted(compliant.items()))
    return {problem.family: Standing(problem, rigid, compliant, folder) for problem in rigid.problems}


# Rigid and compliant, [Carpentier24] Fig. 2


def solved_and_iterations(results: Results, solver: Solver) -> tuple[int, float | None]:
    """How many problems are solved, and the median of their iterations."""
    solved = [results.record(problem, solver) for problem in results.problems if results.solved(problem, solver)]
    counts = [number(record, "iterations", results.path) for record in solved]
    return len(solved), statistics.median(counts) if counts else None


# Slip parameter, [Castro22] Fig. 14


@dataclass(frozen=True)
class Slip:
    """Answers of ccp-sap on a scene at rest, by sigma."""

    results: Results
    impulses: Path

    @property
    def problem(self) -> Problem:
        return self.results.problems[0]

    @cached_property
    def scaled(self) -> ScaledProblem:
        return read_problem(Path(member(self.problem.facts, "path", self.results.path)))

    def by_sigma(self) -> dict[float, Solver]:
        return dict(sorted((float(solver.settings["sigma"]), solver) for solver in self.results.solvers))

    def creep(self) -> Points:
        """(sigma, largest slip of contacts inside their cone)."""
        return [(sigma, number(self.results.record(self.problem, solver), "verdict.creep", self.results.path))
                for sigma, solver in self.by_sigma().items()]

    def inside(self, solver: Solver) -> tuple[np.ndarray, np.ndarray]:
        """Slip of every contact, and which are loaded and inside their cone, as the verdict's creep has it.

        The unit of an impulse is the scene's and not the contact's island's, which differs little between equal bodies.
        """
        r = read_impulse(self.impulses, self.results, self.problem, solver)
        if r is None:
            raise ResultsError(f"{self.results.path}: {solver.id} has no impulse")
        answer = Answer(self.scaled, "ccp", r)
        within = np.linalg.norm(r[:, 1:], axis=1) <= INSIDE * self.scaled.mu * r[:, 0]
        return answer.slip, within & (r[:, 0] >= LOADED * self.scaled.impulse)

    def mean(self) -> Points:
        """(sigma, mean slip of the same contacts)."""
        found = []
        for sigma, solver in self.by_sigma().items():
            slips, inside = self.inside(solver)
            found.append((sigma, float(slips[inside].mean()) if inside.any() else 0.0))
        return found

    def estimates(self) -> Points:
        """(sigma, v_s = sigma mu h g), [Castro22] (31)."""
        if self.scaled.time_step is None:
            raise ResultsError(f"{self.results.path}: the problem's file does not tell its time step")
        each = float(self.scaled.mu.max()) * self.scaled.time_step * GRAVITY
        return [(sigma, sigma * each) for sigma in self.by_sigma()]


# Momentum and complementarity, [Castro22] Fig. 13


def momentum_error(results: Results, problem: Problem, solver: Solver) -> float:
    return number(results.record(problem, solver), "verdict.momentum", results.path)


def complementarity(results: Results, problem: Problem, solver: Solver) -> float:
    """max_i |<r_i, u_i>| / (F U) of the solver's own model, F and U the problem's own impulse and velocity."""
    record = results.record(problem, solver)
    scale = member(record, "verdict.scale", results.path)
    own = member(record, "own_model", results.path)
    model = own if own is not None else member(record, "verdict.ccp", results.path)
    return number(model, "complementarity", results.path) / (scale["impulse"] * scale["velocity"])


def by_bodies(problems: Sequence[Problem]) -> dict[int, list[Problem]]:
    found: dict[int, list[Problem]] = {}
    for problem in sorted(problems, key=bodies):
        found.setdefault(bodies(problem), []).append(problem)
    return found


def means(measure, results: Results, solver: Solver) -> Points:
    """(bodies, mean of a measure over the snapshots of so many)."""
    return [(count, statistics.fmean(measure(results, problem, solver) for problem in problems))
            for count, problems in by_bodies(results.problems).items()]
