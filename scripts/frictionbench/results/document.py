"""Reading results documents, for every script that draws or tabulates them.

Members and their units are described in results/results.schema.json. Reading checks what is read, not
the whole document: frictionbench-validate does that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Mapping, Sequence

from frictionbench.files import ResultsError, load_json
from frictionbench.results.residuals import residual
from frictionbench.results.version1 import updated

SCHEMA = "frictionbench-results"
SCHEMA_VERSION = 2
MODELS = ("ncp", "ccp", "lcp", "native")
SCALES = ("relative", "absolute", "scaled", "force")
# A model and a scale, `ncp_relative`; a model alone means residuals in the units of the file.
CRITERIA = tuple(model + ("" if scale == "absolute" else f"_{scale}") for model in MODELS for scale in SCALES)

# Reasons to stop that no test of the solver's own gave.
NO_TEST = ("none", "iteration_limit", "time_limit", "forecast", "no_progress", "secondary_ray",
           "repeated_basis", "memory_limit", "not_finite", "failure")

# Problems by number of contacts: name and largest number.
SIZE_CLASSES = (("1-10", 10), ("11-100", 100), ("101-1 000", 1000), ("1 001-6 000", 6000), ("above 6 000", math.inf))
# The same by largest friction coefficient.
FRICTION_CLASSES = (("0", 0.0), ("up to 0.3", 0.3), ("0.3 to 0.7", 0.7), ("above 0.7", math.inf))

Record = dict[str, Any]

loaded: list[Path] = []  # results documents that load() has read, whatever is wrong in them


@dataclass(frozen=True)
class Problem:
    id: str
    family: str
    facts: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # its whole entry


@dataclass(frozen=True)
class Solver:
    id: str
    name: str
    model: str
    settings: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Results:
    """A results document, its records found by problem and solver."""

    path: Path
    document: dict[str, Any]
    problems: list[Problem]
    solvers: list[Solver]
    records: dict[tuple[str, str], Record]  # by (problem id, solver id)
    parts: tuple[Results, ...] = ()  # the documents that it was united from

    @property
    def criterion(self) -> str:
        """One of CRITERIA."""
        return criterion_name(*(member(self.document, f"run.{name}", self.path) for name in ("criterion", "scale")))

    @property
    def relative(self) -> str:
        """The run's model with relative residuals, one of CRITERIA."""
        return f"{self.criterion.partition('_')[0]}_relative"

    @property
    def judged(self) -> str:
        """The run's criterion in words, and the compliance if one was asked for."""
        return self.judged_by(self.criterion)

    def judged_by(self, criterion: str) -> str:
        """A criterion in words, and the compliance if the run asked for one."""
        compliance = member(self.document, "run", self.path).get("compliance")
        return criterion_words(criterion) + (f" with compliance {compliance}" if compliance else "")

    @property
    def tolerance(self) -> float:
        return number(self.document, "run.tolerance", self.path)

    def families(self) -> list[str]:
        """Families in the order in which the document has them."""
        return list(dict.fromkeys(problem.family for problem in self.problems))

    def record(self, problem: Problem, solver: Solver) -> Record:
        """The record of a pair. Raises ResultsError if there is none."""
        try:
            return self.records[problem.id, solver.id]
        except KeyError:
            raise ResultsError(
                f"{self.path}: no record of {solver.id} on {problem.id}; "
                "is this one shard of a run that must be merged first?"
            ) from None

    def residual(self, problem: Problem, solver: Solver) -> float | None:
        """Of a pair's answer under the run's criterion; None where it is not known."""
        return residual(self.record(problem, solver), solver.model, self.criterion)

    def solved(self, problem: Problem, solver: Solver, criterion: str | None = None) -> bool:
        """Whether the verdict calls a pair solved, whatever its solver reported, and repetitions gave the same answer.

        Under the run's tolerance, and the run's criterion if none is given.
        """
        record = self.record(problem, solver)
        if criterion is None:
            criterion = self.criterion
        model, _, scale = criterion.partition("_")
        judged = member(record, f"solved.{model}.{scale or 'absolute'}", self.path)
        return judged is True and bool(repeatable(record.get("status")))


def repeatable(status: Any) -> Any:
    """Whether records of a status, or of each of an array of them, may count as solved.

    The verdict is of the first answer of several. If a repetition gave another one, it is luck which of them was judged,
    and times and work are not of one solve.
    """
    return status != "not_repeatable"


def criterion_name(model: str, scale: str) -> str:
    """One of CRITERIA."""
    return model + ("" if scale == "absolute" else f"_{scale}")


def criterion_words(criterion: str) -> str:
    """A model and a scale, `ncp (absolute)`, for one of CRITERIA."""
    model, _, scale = criterion.partition("_")
    return f"{model} ({scale or 'absolute'})"


def size_class(contacts: int) -> str:
    """The name of the class of SIZE_CLASSES; problems without contacts are in the first."""
    return class_of(contacts, SIZE_CLASSES)


def class_of(value: float, classes: Sequence[tuple[str, float]]) -> str:
    """The name of the first class that the value is not too large for. `classes`: names and largest values, increasing."""
    return next(name for name, largest in classes if value <= largest)


def hyperstaticity(facts: Mapping[str, Any]) -> float | None:
    """Unknowns per degree of freedom, 3 n_c / n in 3D; None for a local problem, which does not tell n."""
    return facts["dimension"] * facts["contacts"] / facts["dofs"] if facts.get("dofs") else None


def member(value: Any, path: str, file: Path) -> Any:
    """The member at a dotted path. Raises ResultsError if the document does not have it."""
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            raise ResultsError(
                f"{file}: no member `{path}` where there should be one; "
                f"frictionbench-validate {file} says what else is wrong"
            )
        value = value[name]
    return value


def number(value: Any, path: str, file: Path) -> float:
    """The number at a dotted path. Raises ResultsError if there is none."""
    found = member(value, path, file)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise ResultsError(f"{file}: member `{path}` is not a number: {found!r}")
    return found


def load(file: str | Path) -> Results:
    """Reads a results document, of version 1 as if it were of today's.

    Counts of factorisations gain `all`, the sum of all kinds. Raises ResultsError if the file is not a
    results document of these versions, or if its ids and records do not fit together.
    """
    path = Path(file)
    document = updated(load_json(path))
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ResultsError(f'{path}: not a results document (no "schema": "{SCHEMA}")')
    if document.get("schema_version") != SCHEMA_VERSION:
        raise ResultsError(
            f"{path}: schema_version {document.get('schema_version')!r}; "
            f"this script reads versions 1 and {SCHEMA_VERSION}"
        )
    loaded.append(path)

    def items(name: str) -> list[Any]:
        value = member(document, name, path)
        if not isinstance(value, list):
            raise ResultsError(f"{path}: member `{name}` is not a list")
        return value

    def text(value: Any, name: str) -> str:
        found = member(value, name, path)
        if not isinstance(found, str):
            raise ResultsError(f"{path}: member `{name}` is not text: {found!r}")
        return found

    problems = [Problem(text(p, "id"), text(p, "family"), p) for p in items("problems")]
    solvers = [
        Solver(text(s, "id"), text(s, "name"), text(s, "model"), member(s, "settings", path))
        for s in items("solvers")
    ]
    known = {"problem": {problem.id for problem in problems}, "solver": {solver.id for solver in solvers}}
    for kind, count in (("problem", len(problems)), ("solver", len(solvers))):
        if len(known[kind]) < count:
            raise ResultsError(f"{path}: two {kind}s have one id; frictionbench-validate {path} says which")
    records: dict[tuple[str, str], Record] = {}
    for record in items("records"):
        pair = text(record, "problem"), text(record, "solver")
        if pair in records:
            raise ResultsError(f"{path}: two records of {pair[1]} on {pair[0]}")
        for kind, id in zip(known, pair):
            if id not in known[kind]:
                raise ResultsError(f"{path}: there is a record of {pair[1]} on {pair[0]}, but no {kind} '{id}' is listed")
        member(record, "verdict", path)
        records[pair] = record
        work = record.get("work")
        if isinstance(work, dict) and isinstance(kinds := work.get("factorizations"), dict):
            kinds["all"] = sum(kinds.values())
    return Results(path, document, problems, solvers, records)


# What two documents must agree in before their records are put side by side: what is solved and from where,
# and for most purposes within which limits.
SAME_JUDGE = ("criterion", "scale", "tolerance", "time_step", "compliance", "facets", "warm_start", "sequence")
SAME_RUN = (*SAME_JUDGE, "max_iterations", "time_limit")


def same_run_value(results: Results, name: str) -> Any:
    """The value of a member of SAME_RUN in a document. Raises ResultsError if it is not there."""
    return member(results.document, f"run.{name}", results.path)


def load_all(paths: Sequence[str | Path], same: Sequence[str] = SAME_RUN) -> Results:
    """Reads documents as one: their problems and solvers united, in the order of the files.

    Raises ResultsError if one cannot be read, if a member of `same` differs (criterion, limits, starts), if one
    id means two things, or if two of them have different records of the same pair.
    """
    return united([load(path) for path in paths], same)


def load_runs(paths: Sequence[str | Path], same: Sequence[str] = SAME_RUN) -> list[Results]:
    """Reads documents of several runs: those of equal criterion, limits and starts as one (see load_all)."""
    return united_runs([load(path) for path in paths], same)


def united_runs(documents: Sequence[Results], same: Sequence[str] = SAME_RUN) -> list[Results]:
    """Documents of several runs: those that agree in every member of `same` as one (see load_all)."""
    runs: dict[tuple, list[Results]] = {}
    for part in documents:
        runs.setdefault(tuple(same_run_value(part, name) for name in same), []).append(part)
    return [united(parts, same) for parts in runs.values()]


def united(parts: Sequence[Results], same: Sequence[str] = SAME_RUN) -> Results:
    """Documents as one, see load_all."""
    first = parts[0]
    if len(parts) == 1:
        return first
    problems: dict[str, tuple[Problem, Path]] = {}
    solvers: dict[str, tuple[Solver, Path]] = {}
    records: dict[tuple[str, str], tuple[Record, Path]] = {}
    for part in parts:
        for name in same:
            mine, others = (same_run_value(results, name) for results in (part, first))
            if mine != others:
                raise ResultsError(f"{part.path}: run.{name} is {mine}, but {others} in {first.path}; "
                                   "only results of equal runs can be put side by side")
        for problem in part.problems:
            known, file = problems.setdefault(problem.id, (problem, part.path))
            if known.facts.get("sha256") != problem.facts.get("sha256"):
                raise ResultsError(f"{part.path}: {problem.id} is not the file that it is in {file}")
        for solver in part.solvers:
            known_solver, file = solvers.setdefault(solver.id, (solver, part.path))
            if known_solver.settings != solver.settings:
                raise ResultsError(f"{part.path}: {solver.id} has other settings than in {file}")
        for pair, record in part.records.items():
            known_record, file = records.setdefault(pair, (record, part.path))
            if known_record != record:
                raise ResultsError(f"{part.path}: {pair[1]} on {pair[0]} has another record in {file}")
    path = Path(" + ".join(str(part.path) for part in parts))
    warnings = [line for part in parts for line in member(part.document, "run.warnings", part.path)]
    run = first.document["run"] | {"warnings": list(dict.fromkeys(warnings))}
    return Results(path, first.document | {"run": run}, [problem for problem, _ in problems.values()],
                   [solver for solver, _ in solvers.values()],
                   {pair: record for pair, (record, _) in records.items()}, tuple(parts))


def different_limits(documents: Sequence[Results], names: Sequence[object]) -> list[str]:
    """The limits in which documents differ, a sentence each. `names`: what the documents are called."""
    said = []
    for limit, meaning in (("max_iterations", "iteration"), ("time_limit", "time")):
        limits = [same_run_value(document, limit) for document in documents]
        if len(set(limits)) > 1:
            each = "; ".join(f"{name}: {value}" for name, value in zip(names, limits))
            said.append(f"The documents have different {meaning} limits ({each}).")
    return said


def renamed(results: Results, names: Mapping[str, str]) -> Results:
    """The same document with other ids of solvers. Raises ResultsError for an id that it does not have."""
    known = [solver.id for solver in results.solvers]
    for id in names:
        if id not in known:
            raise ResultsError(f"{results.path}: no solver '{id}'; solvers: {', '.join(known)}")
    ids = {id: names.get(id, id) for id in known}
    if len(set(ids.values())) < len(known):
        raise ResultsError(f"{results.path}: two solvers would have one name: {', '.join(ids.values())}")
    return replace(
        results, solvers=[replace(solver, id=ids[solver.id]) for solver in results.solvers],
        records={(problem, ids.get(solver, solver)): record
                 for (problem, solver), record in results.records.items()})
