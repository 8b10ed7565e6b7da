"""The statistics of the page, computed once: the page's program chooses among them and draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Callable, Iterator, Sequence

import numpy

from frictionbench.profiles import Profile, performance_profiles
from frictionbench.report.combine import Combined
from frictionbench.report.numbers import rounded
from frictionbench.results import SIZE_CLASSES, Results, repeatable, size_class
from frictionbench.results.groups import simulation_of
from frictionbench.results.impulses import asked_for
from frictionbench.statistics import geometric_mean, share_interval, shifted_geometric_mean

# What a document tells of a criterion and a tolerance. A solver stops at the tolerance that it was run for: what it would
# have done under another criterion, or at a tighter tolerance, is not known.
NOTHING, SOLVED, ALL = range(3)  # SOLVED: a looser tolerance: what is solved, and costs that are upper bounds

TIME_SHIFT = 1e-4  # s, as in `frictionbench summary`
TAUS = (1, 1.5, 2, 5, 10, 100, math.inf)
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
CURVE_POINTS = 300_000  # of all curves together, and of one: what keeps the page of many records small
LONGEST_CURVE, SHORTEST_CURVE = 200, 12
SUMMARY = ("problems", "solved", "time", "cold", "cholesky", "iterations", "factorizations", "own", "wrong", "other", "failed",
           "creep", "lift", "gap")
FAILED = ("crashed", "error", "diverged", "not_repeatable", "time_limit", "memory_limit", "refused")


def tells(document: Results, criterion: str, tolerance: float) -> int:
    """NOTHING, SOLVED or ALL. Solvers stop by the residuals of their own model, at the scale of the run."""
    asked, least = asked_for(document)
    own = "native" + asked.removeprefix(asked.partition("_")[0])
    if criterion not in (asked, own) or tolerance < least:
        return NOTHING
    return SOLVED if tolerance > least else ALL


@dataclass(frozen=True)
class Selection:
    """Problems that statistics are of."""

    name: str
    group: str  # "", "family" or "size"
    problems: numpy.ndarray  # places in Combined.problems


def selections(combined: Combined, families: Sequence[str]) -> list[Selection]:
    """All problems, those of each family, and those of each size class."""
    everything = numpy.arange(len(combined.problems))
    found = [Selection("all problems", "", everything)]
    of_problem = [problem.facts["family"] for problem in combined.problems]
    classes = [size_class(problem.facts["contacts"]) for problem in combined.problems]
    for group, kinds, names in (("family", families, of_problem), ("size", [name for name, _ in SIZE_CLASSES], classes)):
        members = [(kind, numpy.array([k for k, name in enumerate(names) if name == kind], dtype=int)) for kind in kinds]
        members = [(kind, problems) for kind, problems in members if len(problems)]
        if len(members) > 1:
            found += [Selection(kind if group == "family" else f"{kind} contacts", group, problems) for kind, problems in members]
    return found


@dataclass(frozen=True)
class Table:
    """The records in columns of numbers; NaN where a number is not known."""

    combined: Combined
    selections: list[Selection]
    residuals: dict[str, numpy.ndarray]  # by criterion
    quantities: dict[str, numpy.ndarray]
    floors: dict[str, float]  # by measure

    @cached_property
    def place(self) -> numpy.ndarray:
        """Of the record of a solver (row) on a problem (column); -1 without one."""
        found = numpy.full((len(self.combined.solvers), len(self.combined.problems)), -1)
        for row, record in enumerate(self.combined.records):
            found[record.solver, record.problem] = row
        return found

    @cached_property
    def status(self) -> numpy.ndarray:
        return numpy.array([record.record["status"] for record in self.combined.records], dtype=object)

    def rows(self, solver: int, problems: numpy.ndarray) -> numpy.ndarray:
        places = self.place[solver, problems]
        return places[places >= 0]

    def solved(self, criterion: str, tolerance: float) -> numpy.ndarray:
        """As Results.solved, at any tolerance."""
        return (self.residuals[criterion] <= tolerance) & repeatable(self.status)  # NaN is not

    def known(self, criterion: str, tolerance: float) -> list[int]:
        """What is known of each solver: what all documents that have it tell."""
        documents = [tells(document, criterion, tolerance) for document in self.combined.documents]
        return [min((documents[file] for file in of_solver), default=ALL) for of_solver in self.files]

    @cached_property
    def files(self) -> list[set[int]]:
        """The documents that have each solver."""
        found: list[set[int]] = [set() for _ in self.combined.solvers]
        for record in self.combined.records:
            found[record.solver].add(record.file)
        return found

    def costs(self, measure: str, solved: numpy.ndarray, rows: numpy.ndarray) -> numpy.ndarray:
        """What records cost; inf where they are not solved, or where the measure is not known."""
        if measure not in self.quantities:
            return numpy.full(len(rows), math.inf)
        values = self.quantities[measure][rows]
        good = solved[rows] & ~numpy.isnan(values)
        return numpy.where(good, numpy.maximum(values, self.floors[measure]), math.inf)


def statistics_data(table: Table, criteria: Sequence[str], tolerances: Sequence[float]) -> dict[str, Any]:
    """Judgements by criterion and tolerance: how many answers satisfy each, and all else where something is known."""
    points = curve_points(table, criteria, tolerances)
    judgements = {}
    for criterion in criteria:
        if criterion not in table.residuals:
            continue
        for place, tolerance in enumerate(tolerances):
            judgements[f"{criterion}@{place}"] = judgement(table, criterion, tolerance, points)
    groups = [{"name": chosen.name, "group": chosen.group, "problems": chosen.problems.tolist() if chosen.group else None,
               "count": len(chosen.problems)} for chosen in table.selections]
    return {"selections": groups, "judgements": judgements, "taus": [tau if math.isfinite(tau) else None for tau in TAUS],
            "quantiles": QUANTILES, "summary": SUMMARY}


def curve_points(table: Table, criteria: Sequence[str], tolerances: Sequence[float]) -> int:
    """How many points a curve may have so that all together are about CURVE_POINTS; those of all problems have more."""
    levels = [level for criterion in criteria for tolerance in tolerances for level in table.known(criterion, tolerance)]
    curves = len(table.floors) * (levels.count(SOLVED) + 2 * levels.count(ALL))

    def total(points: int) -> int:
        return curves * sum(min(points, len(chosen.problems)) for chosen in table.selections)

    return next((points for points in range(LONGEST_CURVE, SHORTEST_CURVE, -4) if total(points) <= CURVE_POINTS), SHORTEST_CURVE)


def judgement(table: Table, criterion: str, tolerance: float, points: int) -> dict[str, Any]:
    solved, known = table.solved(criterion, tolerance), table.known(criterion, tolerance)
    everything = table.selections[0].problems
    found: dict[str, Any] = {"tells": known, "satisfied": [
        int(solved[table.rows(solver, everything)].sum()) for solver in range(len(known))]}
    if max(known, default=NOTHING) == NOTHING:
        return found
    own = table.solved(f"native{criterion.removeprefix(criterion.partition('_')[0])}", tolerance)
    summaries = [[summary(table, solved, own, table.rows(solver, chosen.problems)) for solver in range(len(known))]
                 for chosen in table.selections]
    found |= {
        "solved": "".join("01"[value] for value in solved.tolist()),
        "summaries": summaries,
        "order": [order(table, rows, criterion) for rows in summaries],
        "profiles": {
            measure: [profiles(table, measure, solved, known, chosen.problems, points if chosen.group else LONGEST_CURVE)
                      for chosen in table.selections]
            for measure in table.floors},
        "shares": {fact: [shares(table, solved, chosen.problems, fact) for chosen in table.selections]
                   for fact in ("contacts", "condition")},
    }
    if ALL in known:
        found["intervals"] = [interval(table, solved, solver) for solver in range(len(known))]
    return found


def summary(table: Table, solved: numpy.ndarray, own: numpy.ndarray, rows: numpy.ndarray) -> list[float | None]:
    """A solver on some problems: times and work are of solved problems; members are SUMMARY."""
    good = rows[solved[rows]]
    answers = rows[solved[rows] | own[rows]]

    def values(name: str, of: numpy.ndarray) -> list[float]:
        column = table.quantities.get(name)
        return [] if column is None else column[of][~numpy.isnan(column[of])].tolist()

    def over(how: Callable[[list[float]], float], name: str, of: numpy.ndarray) -> float | None:
        found = values(name, of)
        return rounded(float(how(found)), 4) if found else None

    def mean(numbers: list[float]) -> float:
        return math.fsum(numbers) / len(numbers)

    samples = values("samples", good)
    equivalents = [value for value in values("cholesky", good) if value > 0]  # 0: below what the clock resolves
    cholesky = rounded(geometric_mean(equivalents), 4) if equivalents else None
    return [
        len(rows), len(good), over(lambda v: shifted_geometric_mean(v, TIME_SHIFT), "time", good),
        int(bool(samples) and set(samples) == {1}), cholesky,
        over(mean, "iterations", good), over(mean, "factorizations", good), int(own[rows].sum()),
        *(int((table.status[rows] == name).sum()) for name in ("wrong", "other_model")),
        int(numpy.isin(table.status[rows], FAILED).sum()), over(max, "creep", answers), over(max, "lift", answers),
        over(max, "model_gap", rows),
    ]


def order(table: Table, summaries: Sequence[Sequence[float | None]], criterion: str) -> list[int]:
    """Solvers by model, that of the criterion first, and from the largest share down; the faster first among equals."""
    def key(solver: int) -> tuple:
        problems, solved, seconds, *_ = summaries[solver]
        model = table.combined.solvers[solver].facts["model"]
        return (model != criterion.partition("_")[0], ("ncp", "ccp", "lcp").index(model), -((solved or 0) / (problems or 1)),
                math.inf if seconds is None else seconds)

    return sorted(range(len(summaries)), key=key)


def interval(table: Table, solved: numpy.ndarray, solver: int) -> tuple[float, float] | None:
    """Of the share of all problems that a solver solves, over simulations; see share_interval."""
    clusters: dict[str, list[float]] = {}
    for row in table.rows(solver, table.selections[0].problems):
        record = table.combined.records[row]
        facts = table.combined.problems[record.problem].facts
        clusters.setdefault(simulation_of(facts["family"], record.path, facts["contacts"]), []).append(float(solved[row]))
    return share_interval([clusters[name] for name in sorted(clusters)])  # in the order of verified_shares


def profiles(table: Table, measure: str, solved: numpy.ndarray, known: Sequence[int], problems: numpy.ndarray,
             points: int) -> dict[str, Any]:
    """Performance profiles of the solvers whose costs are known, and data profiles of those of which anything is.

    Each is on the problems that all of its solvers were run on. A curve is [x, problems solved up to x], thinned if it is
    long, and what it is at TAUS or at QUANTILES.
    """
    found: dict[str, Any] = {}
    for kind, least in (("performance", ALL), ("data", SOLVED)):
        solvers = [solver for solver, level in enumerate(known) if level >= least]
        common = problems[(table.place[solvers][:, problems] >= 0).all(axis=0)] if solvers else problems[:0]
        costs = {str(solver): table.costs(measure, solved, table.place[solver, common]) for solver in solvers}
        unmeasured = sum(int((solved[table.place[solver, common]] & numpy.isinf(costs[str(solver)])).sum()) for solver in solvers)
        curves: dict[str, Any] = {}
        if len(common):
            if kind == "performance":
                curves = {solver: ratio_curve(profile, points)
                          for solver, profile in performance_profiles({s: c.tolist() for s, c in costs.items()}).items()}
            else:
                curves = {solver: cost_curve(values, points) for solver, values in costs.items()}
        found[kind] = {"problems": len(common), "unmeasured": unmeasured, "curves": curves}
    return found


def ratio_curve(profile: Profile, points: int) -> list[Any]:
    at = [rounded(profile.share(tau), 4) for tau in TAUS]
    return [*packed(profile.steps(), points), at]


def cost_curve(costs: numpy.ndarray, points: int) -> list[Any]:
    values = numpy.sort(costs[numpy.isfinite(costs)])
    last = numpy.append(values[1:] > values[:-1], True)[:len(values)]  # of equal ones
    counts = (numpy.arange(len(values)) + 1)[last]
    at = [rounded(float(values[needed - 1]), 4) if (needed := max(1, math.ceil(share * len(costs)))) <= len(values) else None
          for share in QUANTILES]
    return [*packed(list(zip(values[last].tolist(), counts.tolist())), points), at]


def packed(steps: Sequence[tuple[float, int]], points: int) -> Iterator[list[float]]:
    """Places and heights of at most so many steps, the first and the last among them."""
    last = len(steps) - 1
    kept = range(len(steps)) if last < points else sorted({round(k * last / (points - 1)) for k in range(points)})
    yield [rounded(steps[k][0], 5) for k in kept]
    yield [steps[k][1] for k in kept]


def shares(table: Table, solved: numpy.ndarray, problems: numpy.ndarray, fact: str) -> dict[str, Any] | None:
    """What each solver solves of the problems in groups of a fact; None if it is not known of any."""
    known = [(value, problem) for problem in problems.tolist()
             if (value := table.combined.problems[problem].facts.get(fact)) is not None and (fact == "contacts" or value > 0)]
    if not known:
        return None
    edge, name = (count_edge, count_name) if fact == "contacts" else (decade_edge, decade_name)
    groups: dict[int, list[int]] = {}
    for value, problem in known:
        groups.setdefault(edge(value), []).append(problem)
    places = range(min(groups), max(groups) + 1)  # empty groups between others are gaps worth seeing
    members = [numpy.array(groups.get(place, []), dtype=int) for place in places]

    def share(solver: int, of: numpy.ndarray) -> float | None:
        rows = table.rows(solver, of)
        return rounded(float(solved[rows].mean()), 4) if len(rows) else None

    return {"names": [name(place) for place in places], "problems": [len(of) for of in members],
            "unknown": len(problems) - len(known),
            "shares": [[share(solver, of) for of in members] for solver in range(len(table.combined.solvers))]}


def count_edge(contacts: int) -> int:
    """The place of a number of contacts among 0, 1, 2-4, 5-9, 10-19, 20-49, ..."""
    if contacts < 2:
        return int(contacts)
    digits = len(str(int(contacts))) - 1
    leading = contacts / 10**digits
    return 1 + 3 * digits + (leading >= 2) + (leading >= 5)


def count_name(place: int) -> str:
    def start(at: int) -> int:
        digits, step = divmod(at - 1, 3)
        return int((1, 2, 5)[step] * 10**digits)

    if place == 0:
        return "0"
    low, high = start(place), start(place + 1) - 1
    return str(low) if low == high else f"{low}–{high}"


def decade_edge(value: float) -> int:
    return math.floor(math.log10(value))


def decade_name(place: int) -> str:
    return "10" + str(place).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
