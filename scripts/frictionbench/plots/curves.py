"""The numbers behind the figures of papers, from results documents; nothing is drawn here."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Sequence

from frictionbench.files import ResultsError
from frictionbench.results import Problem, Record, Results, Solver, member
from frictionbench.statistics import geometric_mean

# Of a problem's id: the scene that it is a time step of. The iterations that a reference solver
# needed, the form of the file and the contacts differ from step to step of one scene.
STEP = re.compile(r"(?P<scene>.+?)(?:-i\d+)?(?:-(?:local|global))?-\d+-(?P<step>\d+)")
MASS_RATIO = re.compile(r"mass_ratio(\d+(?:\.\d+)?(?:e\+?\d+)?)")

Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Selection:
    """What of a document is drawn."""

    results: Results
    problems: list[Problem]
    solvers: list[Solver]
    criterion: str  # one of CRITERIA

    def families(self) -> dict[str, list[Problem]]:
        found: dict[str, list[Problem]] = defaultdict(list)
        for problem in self.problems:
            found[problem.family].append(problem)
        return dict(found)

    def record(self, problem: Problem, solver: Solver) -> Record | None:
        return self.results.records.get((problem.id, solver.id))

    def solved(self, problem: Problem, solver: Solver) -> bool:
        return self.results.solved(problem, solver, self.criterion)

    def member(self, value: Any, path: str) -> Any:
        return member(value, path, self.results.path)


def histories(selection: Selection, problem: Problem) -> dict[str, list[Record]]:
    """Rows of the iteration histories on a problem by solver id, of the solvers that have one."""
    found = {}
    for solver in selection.solvers:
        record = selection.record(problem, solver)
        rows = record and selection.member(record, "history")
        if rows:
            found[solver.id] = rows
    return found


def residuals(rows: Sequence[Record], names: Sequence[str]) -> Points:
    """(iteration, largest of the named residuals); rows without one of them are left out.

    Of long histories, a row for each percent of iterations: more cannot be seen on a logarithmic axis.
    """
    points: Points = []
    for index, row in enumerate(rows):
        values = [row[name] for name in names]
        if row["iteration"] < 1 or None in values:
            continue
        last = index + 1 == len(rows)
        if not points or last or row["iteration"] >= 1.01 * points[-1][0]:
            points.append((row["iteration"], max(values)))
    return points


def spent(selection: Selection, record: Record) -> float | None:
    """Seconds of a solve, solved or not: the time limit if that ended it, None if not timed."""
    if selection.member(record, "status") == "time_limit":
        return selection.member(selection.results.document, "run.time_limit")
    times = selection.member(record, "time.solve")
    return None if times is None else selection.member(times, "median")


@dataclass(frozen=True)
class MeanTime:
    seconds: float
    problems: int  # that the mean is over
    solved: int  # of these


def mean_time(selection: Selection, problems: Sequence[Problem], solver: Solver) -> MeanTime | None:
    """Mean time of a solver over the problems that it was timed on, solved or not; None without."""
    times, solved = [], 0
    for problem in problems:
        record = selection.record(problem, solver)
        seconds = None if record is None else spent(selection, record)
        if seconds is not None:
            times.append(seconds)
            solved += selection.solved(problem, solver)
    return MeanTime(statistics.fmean(times), len(times), solved) if times else None


def scenes(problems: Sequence[Problem]) -> dict[str, list[tuple[int, Problem]]]:
    """(step, problem) by name of the scene, in time order; problems of no named step are left out."""
    found: dict[str, dict[int, Problem]] = defaultdict(dict)
    for problem in problems:
        if match := STEP.fullmatch(problem.id):
            found[match["scene"]].setdefault(int(match["step"]), problem)
    return {scene: sorted(steps.items()) for scene, steps in found.items()}


def mass_ratio_groups(problems: Sequence[Problem]) -> dict[str, list[tuple[float, Problem]]]:
    """Problems that differ in their mass ratio alone: (ratio, problem) by name, ratios ascending."""
    groups: dict[str, dict[float, Problem]] = defaultdict(dict)
    for problem in problems:
        match = MASS_RATIO.search(problem.id)
        rest = MASS_RATIO.sub("", problem.id).replace("-default-", "-")
        name = re.sub("-+", "-", rest)
        groups[name].setdefault(float(match[1]) if match else 1.0, problem)
    return {name: sorted(group.items()) for name, group in groups.items() if len(group) > 1}


def criterion_by_ratio(
    selection: Selection, group: Sequence[tuple[float, Problem]], solver: Solver
) -> Points:
    """(mass ratio, absolute NCP criterion of the impulse), where there is an impulse."""
    points: Points = []
    for ratio, problem in group:
        record = selection.record(problem, solver)
        verdict = record and selection.member(record, "verdict")
        value: Any = verdict and selection.member(verdict, "ncp.max")
        if value is not None:
            points.append((ratio, value))
    return points


def bodies(problem: Problem) -> int | None:
    """Bodies of a scene of free bodies; None where the file does not tell degrees of freedom."""
    dofs = problem.facts.get("dofs")
    return None if dofs is None else round(dofs / (6 if problem.facts["dimension"] == 3 else 3))


def last_steps(problems: Sequence[Problem]) -> list[Problem]:
    """The last time step of every scene."""
    return [steps[-1][1] for steps in scenes(problems).values()]


def speedup(selection: Selection, problem: Problem, solver: Solver, reference: Solver) -> float | None:
    """Time of the reference / time of the solver; None unless both solved the problem."""
    times = []
    for one in (reference, solver):
        record = selection.record(problem, one)
        if record is None or not selection.solved(problem, one):
            return None
        times.append(spent(selection, record))
    if None in times or min(times) <= 0:
        return None
    return times[0] / times[1]


def geometric_means(points: Points) -> Points:
    """One point for every x: the geometric mean of its y, which must be positive."""
    groups: dict[float, list[float]] = defaultdict(list)
    for x, y in points:
        groups[x].append(y)
    return [(x, geometric_mean(values)) for x, values in sorted(groups.items())]


def none_of(selection: Selection, what: str, hint: str) -> ResultsError:
    return ResultsError(f"{selection.results.path}: {what} in what is to be drawn; {hint}")
