"""Tables of papers that have ticks instead of numbers, from marks.toml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

from frictionbench.files import ResultsError, load_toml
from frictionbench.results import Solver

MARKS = Path(__file__).resolve().parent / "marks.toml"


@dataclass(frozen=True)
class MarkRow:
    """What the paper says of a model or an algorithm, and which solvers answer for it here."""

    label: str
    marks: tuple[bool, ...]
    source: str  # where the paper says so in words
    model: str | None = None
    solvers: tuple[str, ...] = ()  # ids; the first is the paper's algorithm, the others are variants


@dataclass(frozen=True)
class Explanation:
    """Why a measured mark is not the paper's."""

    column: str
    label: str  # of the row
    solver: str  # id; of a model as a whole: empty
    text: str


@dataclass(frozen=True)
class MarkTable:
    number: str
    what: str
    columns: tuple[str, ...]
    rows: tuple[MarkRow, ...]
    explanations: tuple[Explanation, ...]

    def solvers(self, row: MarkRow, registered: Sequence[Solver]) -> list[Solver]:
        """Those of a document that answer for a row, in the row's order or that of the document."""
        if row.model is None:
            return [solver for id in row.solvers for solver in registered if solver.id == id]
        named = {id for other in self.rows for id in other.solvers}
        return [solver for solver in registered if solver.model == row.model and solver.id not in named]

    def others(self, registered: Sequence[Solver]) -> list[Solver]:
        """Those of a document that answer for no row."""
        taken = {solver.id for row in self.rows for solver in self.solvers(row, registered)}
        return [solver for solver in registered if solver.id not in taken]

    def explanation(self, row: MarkRow, solver: str, column: str) -> str:
        """Why a mark differs; empty if no reason is given yet."""
        return next((said.text for said in self.explanations
                     if (said.label, said.solver, said.column) == (row.label, solver, column)), "")


def mark_tables(file: Path = MARKS) -> dict[str, MarkTable]:
    """Every table by its name. Raises ResultsError if the file is not what it should be."""
    content = load_toml(file)
    try:
        return {name: _table(name, members) for name, members in content.items()}
    except (KeyError, TypeError, ValueError) as failure:
        raise ResultsError(f"{file}: {failure!r}; see the comments in the file") from None


def _table(name: str, members: Mapping[str, Any]) -> MarkTable:
    columns = tuple(members["columns"])
    rows = tuple(MarkRow(**{name: tuple(value) if isinstance(value, list) else value for name, value in row.items()})
                 for row in members["rows"])
    explanations = tuple(Explanation(**{"solver": "", **said}) for said in members.get("explanations", ()))
    labels = {row.label for row in rows}
    for row in rows:
        if len(row.marks) != len(columns):
            raise ValueError(f"{name}, {row.label}: {len(row.marks)} marks in {len(columns)} columns")
    for said in explanations:
        if said.label not in labels or said.column not in columns:
            raise ValueError(f"{name}: no mark of {said.label} in {said.column} to explain")
    return MarkTable(members["number"], members["what"], columns, rows, explanations)
