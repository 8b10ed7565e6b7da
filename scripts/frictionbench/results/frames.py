"""Results documents as pandas data frames, one row per record, and back.

Columns are those of `frictionbench export --csv`, by the same names: members of the record, and of its problem
(`problem.family`), solver (`solver.id`) and run (`run.tolerance`), all from the JSON Schema. `solved` and `residual`
are under the run's own criterion. What is not known is NaN or <NA>. `solved` is that of Results.solved: false where
repetitions gave another answer, while `solved.ncp.relative` and the like are the verdict on the first answer.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

import pandas

from frictionbench.files import ResultsError, load_json
from frictionbench.results.document import Results, load
from frictionbench.results.findings import DEFAULT_SCHEMA, findings

# Members of a run that say how it was made, and not how its solvers were run.
PROVENANCE = ("command", "git", "plan", "shards", "joined", "impulses", "asked", "build", "host", "warnings")

Schema = Mapping[str, Any]


def frame(paths: str | Path | Sequence[str | Path]) -> pandas.DataFrame:
    """The records of one or several documents. Raises ResultsError as `load` does."""
    files = [paths] if isinstance(paths, (str, Path)) else paths
    return pandas.concat([frame_of(load(path)) for path in files], ignore_index=True)


def frame_of(results: Results) -> pandas.DataFrame:
    """The records of a document that is read already."""
    problems = {problem.id: problem for problem in results.problems}
    solvers = {solver.id: (solver, entry) for solver, entry in zip(results.solvers, results.document["solvers"])}
    pairs = [(problems[problem], *solvers[solver], record) for (problem, solver), record in results.records.items()]
    columns: dict[str, list[Any]] = {"file": [str(results.path)] * len(pairs)}
    for name in leaves(schema_of("run")):
        if name.partition(".")[0] not in PROVENANCE:
            columns[f"run.{name}"] = [value_at(results.document["run"], name)] * len(pairs)
    for name in leaves(schema_of("problems")):
        columns[f"problem.{name}"] = [value_at(problem.facts, name) for problem, *_ in pairs]
    for name in leaves(schema_of("solvers")):
        columns[f"solver.{name}"] = [value_at(entry, name) for _, _, entry, _ in pairs]
    columns["solved"] = [results.solved(problem, solver) for problem, solver, *_ in pairs]
    columns["residual"] = [results.residual(problem, solver) for problem, solver, *_ in pairs]
    for name in leaves(schema_of("records")):
        if name not in ("problem", "solver"):  # they are problem.id and solver.id
            columns[name] = [value_at(record, name) for *_, record in pairs]
    return pandas.DataFrame({name: typed(values) for name, values in columns.items()})


def document_of(rows: pandas.DataFrame, like: Results) -> dict[str, Any]:
    """The results document of rows of `frame`: the run of `like`, and those of its problems and solvers that they are of.

    Raises ResultsError if it would not be valid, e.g. if it lacks a pair of its problems and solvers.
    """
    item = schema_of("records")
    names = {name: {"problem": "problem.id", "solver": "solver.id"}.get(name, name) for name in leaves(item)}
    columns = [map(plain, rows[column]) for column in names.values()]
    records = [nested(item, "", dict(zip(names, values)))[0] for values in zip(*columns)]
    made = like.document | {"records": records}
    for kind in ("problem", "solver"):
        used = {record[kind] for record in records}
        made[f"{kind}s"] = [entry for entry in like.document[f"{kind}s"] if entry["id"] in used]
    for finding in findings(made):
        raise ResultsError(f"{like.path}: no valid document can be made of these rows: {finding}")
    return made


@functools.cache
def schema_of(kind: str) -> Schema:
    """What the JSON Schema says of a run, or of one of the problems, solvers or records."""
    found = load_json(DEFAULT_SCHEMA)["properties"][kind]
    return found.get("items", found)


def leaves(part: Schema) -> Iterator[str]:
    """Dotted paths of everything in it that is not an object of named members, in the schema's order."""
    for name, inside in part["properties"].items():
        if "properties" in inside:
            yield from (f"{name}.{path}" for path in leaves(inside))
        else:
            yield name


def value_at(value: Any, path: str) -> Any:
    """The member at a dotted path; None without, or below a null."""
    for name in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def typed(values: list[Any]) -> pandas.Series:
    """A column of the narrowest type that keeps whole numbers and truths what they are, also where some are unknown."""
    kinds = {type(value) for value in values if value is not None}
    known = None not in values
    if kinds == {bool}:
        return pandas.Series(values, dtype=bool if known else "boolean")
    if kinds == {int}:
        return pandas.Series(values, dtype="int64" if known else "Int64")
    if kinds and kinds <= {int, float}:
        return pandas.Series(values, dtype=float)
    return pandas.Series(values, dtype=object)


def plain(value: Any) -> Any:
    """What JSON has for a value of a column."""
    if isinstance(value, (list, dict, str)):
        return value
    if value is None or pandas.isna(value):
        return None
    return value.item() if hasattr(value, "item") else value


def nested(part: Schema, path: str, row: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The object of a schema whose leaves are columns of the row; and whether nothing in it is known."""
    found, unknown = {}, True
    for name, inside in part["properties"].items():
        below = f"{path}{name}"
        value = row.get(below)
        nothing = value is None
        if "properties" in inside:
            value, nothing = nested(inside, f"{below}.", row)
            if nothing and "null" in inside["type"]:
                value = None
        unknown = unknown and nothing
        if value is not None or "null" in inside["type"]:
            found[name] = value
    return found, unknown
