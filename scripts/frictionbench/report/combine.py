"""Several results documents as one set of problems, solvers and records."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence

from frictionbench.files import ResultsError
from frictionbench.results import Record, Results, member


@dataclass(frozen=True)
class CombinedProblem:
    """A problem file, known by its SHA-256: the same in every document that has it."""

    label: str  # its id; with the document's name where two documents mean different files by one id
    facts: dict[str, Any]  # its entry in the first document that has it


@dataclass(frozen=True)
class CombinedSolver:
    """A solver; one of each document where documents have records of the same pairs."""

    label: str  # its id; with the document's name where there is one of each document
    id: str
    facts: dict[str, Any]


@dataclass(frozen=True)
class CombinedRecord:
    problem: int  # index in Combined.problems
    solver: int  # index in Combined.solvers
    file: int  # index in Combined.documents
    path: str  # of the problem's file, as this document has it
    record: Record


@dataclass(frozen=True)
class Combined:
    documents: list[Results]
    names: list[str]  # what the documents are called, each differently
    problems: list[CombinedProblem]
    solvers: list[CombinedSolver]
    records: list[CombinedRecord]


def combine(documents: Sequence[Results]) -> Combined:
    """Puts documents together: problems by SHA-256, solvers by id.

    A solver of which two documents have a record of the same problem, or other settings, becomes a
    solver of each document, so that the documents can be compared. Raises ResultsError.
    """
    names = document_names([document.path for document in documents])
    problems, places = combine_problems(documents, names)
    solvers, solver_places = combine_solvers(documents, names, places)
    records = []
    for file, document in enumerate(documents):
        paths = {entry["id"]: member(entry, "path", document.path)
                 for entry in document.document["problems"]}
        for (problem, solver), record in document.records.items():
            records.append(CombinedRecord(places[file, problem], solver_places[file, solver], file,
                                          paths[problem], record))
    return Combined(list(documents), names, problems, solvers, records)


def document_names(paths: Sequence[Path]) -> list[str]:
    """Names of documents in the page: the file's name, its path where names are equal.

    Raises ResultsError if a document is given twice.
    """
    for path, count in Counter(path.resolve() for path in paths).items():
        if count > 1:
            raise ResultsError(f"{path}: given {count} times; a document is compared with others only")
    times = Counter(path.name for path in paths)
    return [path.name if times[path.name] == 1 else str(path) for path in paths]


def combine_problems(
    documents: Sequence[Results], names: Sequence[str]
) -> tuple[list[CombinedProblem], dict[tuple[int, str], int]]:
    """The problems, and where in them those of each document are, by (document, problem id)."""
    problems: list[CombinedProblem] = []
    known: dict[tuple[str, int], int] = {}  # by SHA-256; copies of one file count from 0
    labels: set[str] = set()
    places = {}
    for file, document in enumerate(documents):
        copies: Counter[str] = Counter()
        for entry in document.document["problems"]:
            sha256 = member(entry, "sha256", document.path)
            key = sha256, copies[sha256]
            copies[sha256] += 1
            if key not in known:
                known[key] = len(problems)
                label = entry["id"] if entry["id"] not in labels else f"{entry['id']} [{names[file]}]"
                labels.add(label)
                problems.append(CombinedProblem(label, entry))
            places[file, entry["id"]] = known[key]
    return problems, places


def combine_solvers(
    documents: Sequence[Results], names: Sequence[str], places: dict[tuple[int, str], int]
) -> tuple[list[CombinedSolver], dict[tuple[int, str], int]]:
    """The solvers, and where in them those of each document are, by (document, solver id)."""
    of_each_document = solvers_to_compare(documents, places)
    solvers: list[CombinedSolver] = []
    known: dict[str, int] = {}
    solver_places = {}
    for file, document in enumerate(documents):
        for entry in document.document["solvers"]:
            id = entry["id"]
            label = f"{id} [{names[file]}]" if id in of_each_document else id
            if label not in known:
                known[label] = len(solvers)
                solvers.append(CombinedSolver(label, id, entry))
            solver_places[file, id] = known[label]
    return solvers, solver_places


def solvers_to_compare(
    documents: Sequence[Results], places: dict[tuple[int, str], int]
) -> set[str]:
    """Ids that mean a solver of each document: of the same problems, or with other settings."""
    settings: dict[str, Any] = {}
    seen: dict[str, set[int]] = {}
    found = set()
    for file, document in enumerate(documents):
        here: dict[str, set[int]] = {}
        for problem, solver in document.records:
            if (file, problem) in places:
                here.setdefault(solver, set()).add(places[file, problem])
        for entry in document.document["solvers"]:
            id = entry["id"]
            before, now = seen.setdefault(id, set()), here.get(id, set())
            if before & now or settings.setdefault(id, entry.get("settings")) != entry.get("settings"):
                found.add(id)
            before |= now
    return found
