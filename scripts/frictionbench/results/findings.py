"""What is wrong with a results document: what its schema finds, and what a schema cannot express."""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import Any, Iterator

import jsonschema

from frictionbench.files import ResultsError, UnreadableFile, load_json
from frictionbench.results.document import SCALES, loaded
from frictionbench.results.residuals import at_scale, in_units, own_residuals
from frictionbench.results.version1 import updated

DEFAULT_SCHEMA = Path(__file__).resolve().parent / "results.schema.json"

# The comparisons below allow for the rounding of a few operations, no more.
ROUNDING = 1e-9


def schema_findings(document: Any, validator: jsonschema.Draft202012Validator) -> Iterator[str]:
    """What the schema objects to, each with the place in the document."""
    for error in validator.iter_errors(document):
        for cause in causes(error):
            yield f"{place(cause.absolute_path)}: {shorten(cause.message)}"


def causes(error: jsonschema.ValidationError) -> list[jsonschema.ValidationError]:
    """What is wrong inside a member that may be null or an object, where it is an object."""
    inside = error.context or []
    wrong_type = {part.schema_path[0] for part in inside if part.validator == "type" and not part.path}
    fitting = [part for part in inside if part.schema_path[0] not in wrong_type]
    return [cause for part in fitting for cause in causes(part)] or [error]


def place(path: Any) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.lstrip(".") or "document"


def shorten(message: str) -> str:
    """An error message may quote a whole record: the end says what is wrong with it."""
    return message if len(message) <= 160 else f"{message[:60]} ... {message[-90:]}"


def cross_findings(document: dict[str, Any]) -> Iterator[str]:
    """What is wrong in a document that the schema accepts."""
    problems = {problem["id"]: problem for problem in document["problems"]}
    solvers = {solver["id"]: solver for solver in document["solvers"]}
    for kind in ("problems", "solvers"):
        for id, times in Counter(item["id"] for item in document[kind]).items():
            if times > 1:
                yield f"{kind}: id '{id}' occurs {times} times"
    for problem in problems.values():
        yield from problem_findings(problem)

    run = document["run"]
    if run["started"] > run["finished"]:
        yield f"run: finished ({run['finished']}) before it started ({run['started']})"

    pairs = Counter((record["problem"], record["solver"]) for record in document["records"])
    for (problem, solver), times in pairs.items():
        if problem not in problems:
            yield f"records: {solver} on '{problem}', which is not a listed problem"
        if solver not in solvers:
            yield f"records: '{solver}' on {problem}, which is not a listed solver"
        if times > 1:
            yield f"records: {times} records of {solver} on {problem}"
    if run["shard"] is None:
        for problem in problems:
            for solver in solvers:
                if (problem, solver) not in pairs:
                    yield f"records: none of {solver} on {problem}"

    for record in document["records"]:
        if record["problem"] in problems and record["solver"] in solvers:
            where = f"records: {record['solver']} on {record['problem']}: "
            problem, solver = problems[record["problem"]], solvers[record["solver"]]
            for finding in record_findings(record, problem, solver, run):
                yield where + finding


def blocks_of(problem: dict[str, Any]) -> int:
    """Contacts, and blocks of other sets: "8 friction, 32 interval"."""
    sets = problem.get("sets") or f"{problem['contacts']} friction"
    return sum(int(each.split()[0]) for each in sets.split(","))


def problem_findings(problem: dict[str, Any]) -> Iterator[str]:
    where = f"problems: {problem['id']}: "
    if not problem.get("sets") and problem["unknowns"] != problem["dimension"] * problem["contacts"]:
        yield where + "unknowns are not dimension * contacts"
    low, high = problem["mu_min"], problem["mu_max"]
    if low is not None and high is not None and low > high:
        yield where + "mu_min is larger than mu_max"
    least, most = problem["compliance_min"], problem["compliance_max"]
    if least is not None and most is not None and least > most:
        yield where + "compliance_min is larger than compliance_max"
    if problem["islands"] is not None and problem["islands"] > blocks_of(problem):
        yield where + "more islands than blocks"
    if problem["form"] == "global" and problem["dofs"] is None:
        yield where + "a global problem without dofs"


def record_findings(
    record: dict[str, Any], problem: dict[str, Any], solver: dict[str, Any], run: dict[str, Any]
) -> Iterator[str]:
    scale, status = run["scale"], record["status"]
    criterion = f"{run['criterion']}.{scale}"
    solved, own = record["solved"][run["criterion"]][scale], record["solved"]["native"][scale]
    if status == "converged" and not solved:
        yield f"status is converged, but solved.{criterion} is not true"
    if status in ("wrong", "other_model") and solved:
        yield f"status is {status}, but solved.{criterion} is true"
    if status == "wrong" and own:
        yield f"status is wrong, but solved.native.{scale} is true"
    if status == "other_model" and not own:
        yield f"status is other_model, but solved.native.{scale} is not true"

    verdict = record["verdict"]
    if verdict is None:
        for name, scales in record["solved"].items():
            for scale, value in scales.items():
                if value:
                    yield f"solved.{name}.{scale} is true without a verdict"
    else:
        residuals = {model: verdict[model] for model in ("ncp", "ccp", "lcp")}
        residuals["native"] = own_residuals(record["own_model"], verdict) or residuals[solver["model"]]
        for model, of_model in residuals.items():
            yield from residual_findings(model, of_model, blocks_of(problem))
            for scale in SCALES:
                yield from solved_findings(f"{model}.{scale}", record["solved"][model][scale],
                                           at_scale(of_model, scale, verdict["time_step"]), run["tolerance"])

    states = record["states"]
    if states is not None:
        total = states["sticking"] + states["sliding"] + states["separated"]
        if total != problem["contacts"]:
            yield f"states add up to {total} of {problem['contacts']} contacts"

    time = record["time"]["solve"]
    if time is not None and time["min"] > (1 + ROUNDING) * min(time["median"], time["mean"]):
        yield "time.solve.min is larger than the median or the mean"

    rows = [row["iteration"] for row in record["history"] or []]
    if any(later <= earlier for earlier, later in zip(rows, rows[1:])):
        yield "history is not in the order of iterations"


def residual_findings(model: str, residuals: dict[str, Any], blocks: int) -> Iterator[str]:
    most = in_units(residuals, 1, 1)
    if model != "native" and most is not None and residuals["max"] != most:
        yield f"verdict.{model}.max is not the largest of its residuals"
    worst = residuals["worst_contact"]
    if model != "native" and worst is not None and worst >= blocks:
        yield f"verdict.{model}.worst_contact is {worst}, but there are {blocks} blocks"


def solved_findings(name: str, said: bool | None, value: float | None, tolerance: float) -> Iterator[str]:
    if said is True and (value is None or value > tolerance * (1 + ROUNDING)):
        yield f"solved.{name} is true, but the verdict is {value} at tolerance {tolerance:g}"
    if said is False and value is not None and value < tolerance * (1 - ROUNDING):
        yield f"solved.{name} is false, but the verdict is {value} at tolerance {tolerance:g}"


@functools.cache
def validator_of(path: Path = DEFAULT_SCHEMA) -> jsonschema.Draft202012Validator:
    """Raises ResultsError if the file is not a JSON Schema."""
    schema = load_json(path)
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as failure:
        raise ResultsError(f"{path}: not a JSON Schema: {failure.message}") from None
    return jsonschema.Draft202012Validator(schema)


def findings(document: Any, schema: Path = DEFAULT_SCHEMA) -> list[str]:
    """Everything that is wrong with a document of today's version."""
    found = list(schema_findings(document, validator_of(schema)))
    # The cross checks take the members for granted that the schema asks for.
    return found or list(cross_findings(document))


def invalid_input() -> str | None:
    """What is wrong first with the document that this process loaded last, or before; None if all are valid."""
    for path in reversed(loaded):
        try:
            found = findings(updated(load_json(path)))
        except UnreadableFile:  # gone since
            continue
        if found:
            return f"{path}: {found[0]}; frictionbench-validate {path} says what else is wrong"
    return None
