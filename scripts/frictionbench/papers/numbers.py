"""The papers' own numbers, from numbers.toml, and which records of a document answer them."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

from frictionbench.files import ResultsError, load_toml
from frictionbench.results import Problem, Results, Solver
from frictionbench.text import short

NUMBERS = Path(__file__).resolve().parent / "numbers.toml"

_NUMBER = r"\d+(?:\.\d+)?"
PRINTED = re.compile(rf"{_NUMBER}(?: ± {_NUMBER})?|\[{_NUMBER}:{_NUMBER}\]")


@dataclass(frozen=True)
class Paper:
    name: str  # the letter that the project calls it by
    authors: str
    title: str
    venue: str

    def __str__(self) -> str:
        return f"{self.authors}, {self.title}, {self.venue}"


@dataclass(frozen=True)
class SolverChoice:
    """A registered solver and those of its settings that matter."""

    name: str
    settings: Mapping[str, Any]

    def __str__(self) -> str:
        settings = ",".join(f"{key}={value}" for key, value in self.settings.items())
        return f"{self.name}({settings})" if settings else self.name

    def narrowed(self, settings: Mapping[str, Any]) -> SolverChoice:
        """The same with more settings asked for."""
        return SolverChoice(self.name, {**self.settings, **settings})

    def fits(self, solver: Solver) -> bool:
        return solver.name == self.name and has_all(solver.settings, self.settings)

    def find(self, results: Results) -> Solver | None:
        """The one solver of a document that fits, None without. Raises ResultsError if several do."""
        fitting = [solver for solver in results.solvers if self.fits(solver)]
        if len(fitting) > 1:
            ids = ", ".join(solver.id for solver in fitting)
            raise ResultsError(f"{results.path}: {ids} are all {self}; "
                               "`--with SETTING=VALUE` says which one is meant")
        return fitting[0] if fitting else None


@dataclass(frozen=True)
class Column:
    """A column of a table: of what one solver measured, or of one fact of the problems."""

    label: str
    group: str = ""
    solver: SolverChoice | None = None
    fact: str | None = None


@dataclass(frozen=True)
class Reading:
    """Which of the solvers that have a column's settings are meant: those that have these as well."""

    label: str  # of their lines in a table
    settings: Mapping[str, Any] = field(default_factory=dict)
    own_test: bool = False  # over what the solver's own stopping test accepts, and not what the verdict does

    def solver(self, column: Column) -> SolverChoice | None:
        return column.solver and column.solver.narrowed(self.settings)


OURS = Reading("ours")


@dataclass(frozen=True)
class ProblemChoice:
    """Problems that a paper takes; in a table, a row a family."""

    families: tuple[str, ...]  # all that there are if it names none
    where: Mapping[str, Any]  # members that a problem must have
    ids: str  # regular expression that ids of these families have a match of

    @property
    def arguments(self) -> str:
        """What chooses them from a collection, as arguments of `frictionbench run`."""
        return f"--filter '{self.ids}' --dimension {self.where['dimension']}"

    def of_family(self, results: Results, family: str) -> list[Problem]:
        return [problem for problem in results.problems
                if problem.family == family and has_all(problem.facts, self.where)]


@dataclass(frozen=True)
class Table:
    id: str
    paper: Paper
    number: str
    what: str
    problems: ProblemChoice
    columns: tuple[Column, ...]
    rows: Mapping[str, tuple[str, ...]]  # the paper's numbers as printed, by family
    measure: str | None = None  # dotted path in a record; None for a table of facts
    scale: float = 1  # from the record's unit to the table's
    limits: Mapping[str, float | str] = field(default_factory=dict)  # members of `run` that the paper had
    notes: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        return f"{self.paper.name} Table {self.number}"

    def command(self, readings: Sequence[Reading] = (OURS,)) -> str:
        """What to run for a document that this table can be made of."""
        limits = [f"--{name.replace('_', '-')} {shown(value)}" for name, value in self.limits.items()]
        solvers = [f'--solver "{reading.solver(column)}"' for reading in readings
                   for column in self.columns if column.solver]
        # The facts of problems do not depend on who solves them.
        choice = solvers or ["--solver ncp-pgs --max-iterations 1"]
        return " ".join(["frictionbench run FCLIB_FOLDER", self.problems.arguments, *limits, *choice,
                         f"-o {self.id}.json"])


def shown(limit: float | str) -> str:
    return limit if isinstance(limit, str) else short(limit)


def has_all(members: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(name in members and members[name] == value for name, value in wanted.items())


def setting(text: str) -> tuple[str, Any]:
    """NAME=VALUE of the command line; a value that reads as a number or true or false is that."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ResultsError(f"'{text}' is not SETTING=VALUE, as `stop=admm`")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def readings_of(settings: Sequence[tuple[str, Any]]) -> list[Reading]:
    """Readings of settings of the command line; a setting with several values makes one for each."""
    values: dict[str, list[Any]] = {}
    for name, value in settings:
        values.setdefault(name, []).append(value)
    several = [name for name, given in values.items() if len(given) > 1]
    found = []
    for chosen in product(*values.values()):
        wanted = dict(zip(values, chosen))
        found.append(Reading(",".join(f"{name}={wanted[name]}" for name in several) or OURS.label, wanted))
    return found


def papers(file: Path = NUMBERS) -> dict[str, Paper]:
    return {key: Paper(**members) for key, members in load_toml(file)["papers"].items()}


def tables(file: Path = NUMBERS) -> dict[str, Table]:
    """Every table by its id. Raises ResultsError if the file is not what it should be."""
    content = load_toml(file)
    with _explained(file):
        return {id: _table(content, id) for id in content["tables"]}


def problem_choices(file: Path = NUMBERS) -> dict[str, ProblemChoice]:
    """What papers take of collections of problems, by name. Raises ResultsError as `tables` does."""
    content = load_toml(file)
    with _explained(file):
        return {id: _problems(content, id) for id in content["problems"]}


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError, re.error) as failure:
        raise ResultsError(f"{file}: {failure!r}; see the comments in the file") from None


def _problems(content: Mapping[str, Any], id: str) -> ProblemChoice:
    members = dict(content["problems"][id])
    re.compile(members["ids"])
    return ProblemChoice(families=tuple(members.pop("families")), **members)


def _table(content: Mapping[str, Any], id: str) -> Table:
    members = dict(content["tables"][id])
    columns = tuple(_column(column) for column in content["columns"][members.pop("columns")])
    problems = _problems(content, members.pop("problems"))
    limits = content["limits"][members.pop("limits")] if "limits" in members else {}
    rows = {family: tuple(cells) for family, cells in members.pop("rows").items()}
    if tuple(rows) != problems.families:
        raise ValueError(f"rows of {id} are not its families")
    for family, cells in rows.items():
        if len(cells) != len(columns):
            raise ValueError(f"{id}, {family}: {len(cells)} numbers in {len(columns)} columns")
        for cell in cells:
            if not PRINTED.fullmatch(cell):
                raise ValueError(f"{id}, {family}: '{cell}' is not a number as papers print them")
    return Table(
        id=id,
        paper=Paper(**content["papers"][members.pop("paper")]),
        problems=problems,
        columns=columns,
        rows=rows,
        limits=limits,
        notes=tuple(members.pop("notes", ())),
        **members,
    )


def _column(members: Mapping[str, Any]) -> Column:
    others = dict(members)
    solver = others.pop("solver", None)
    return Column(solver=solver and SolverChoice(solver["name"], solver["settings"]), **others)
