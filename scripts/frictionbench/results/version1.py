"""Results documents of version 1 in the form of version 2, and names that have changed since."""

from __future__ import annotations

from typing import Any

FORMER_SOLVERS = {"ccp-desaxce": "ncp-desaxce"}

# `fired` was the name of a test or of a stage of the method.
TESTS = {"residuals": "residuals", "absolute": "residuals", "no contacts": "no_contacts",
         "momentum": "momentum", "polyhedral residuals": "polyhedral_residuals", "fixed point": "fixed_point"}
COUNTERS = ("factorizations", "analyses", "triangular_solves", "products", "sweeps", "pivots", "line_search")
MODELS = ("ncp", "ccp", "lcp")
ENDS = {"max_iterations": "iteration_limit", "time_limit": "time_limit", "stalled": "no_progress"}


def updated(document: Any) -> Any:
    """A document of version 1 as version 2 has it; anything else as it is, with today's names of solvers."""
    if not isinstance(document, dict):
        return document
    old = document.get("schema_version") == 1
    changes = {"run": run, "problems": problem, "solvers": solver, "records": record}
    parts: dict[str, Any] = {"schema_version": 2} if old else {}
    for name, change in changes.items():
        if name in document:
            part = document[name]
            one = [change(item, old) for item in part] if isinstance(part, list) else change(part, old)
            parts[name] = one
    updated_document = document | parts
    if old:
        complete(updated_document)
    return updated_document


def run(run: Any, old: bool) -> Any:
    if not old or not isinstance(run, dict):
        return run
    criterion = run.get("criterion")
    scale = "absolute"
    if isinstance(criterion, str) and criterion.endswith("_scaled"):
        criterion, scale = criterion.removesuffix("_scaled"), "scaled"
    later = {"warm_start": "zero", "sequence": False, "history": False, "condition": False, "plan": None,
             "shards": None, "facets": 4, "time_step": None, "compliance": None}
    named = {"criterion": criterion, "scale": scale} if "criterion" in run else {}
    return later | run | named


def problem(problem: Any, old: bool) -> Any:
    if not old or not isinstance(problem, dict):
        return problem
    return {"compliance_min": 0, "compliance_max": 0, "islands": None} | problem


def current_id(id: Any) -> Any:
    if not isinstance(id, str):
        return id
    name, bracket, settings = id.partition("(")
    return FORMER_SOLVERS.get(name, name) + bracket + settings


def solver(solver: Any, old: bool) -> Any:
    if not isinstance(solver, dict):
        return solver
    named = {name: current_id(solver[name]) for name in ("id", "name") if name in solver}
    return ({"exact": None} if old else {}) | solver | named


def record(record: Any, old: bool) -> Any:
    if not isinstance(record, dict):
        return record
    record = record | ({"solver": current_id(record["solver"])} if "solver" in record else {})
    if not old:
        return record
    if "claimed" in record:
        record["reported"] = record.pop("claimed")
    if "fired" in record:
        fired, status = record.pop("fired"), record.get("status")
        record["stop_reason"] = TESTS.get(fired, "residuals") if fired else ENDS.get(str(status), "none")
        record["stage"] = None if fired in TESTS else fired
    if isinstance(solved := record.get("solved"), dict) and not isinstance(solved.get("ncp"), dict):
        record["solved"] = {model: {"relative": False, "absolute": solved[model] is True,
                                    "scaled": solved.get(f"{model}_scaled") is True, "force": None}
                            for model in MODELS if model in solved}
    if record.get("iterations", 0) is None:
        record["iterations"] = 0
    if (work := record.get("work", 0)) is None:
        work = dict.fromkeys(COUNTERS, 0)
    if isinstance(work, dict) and not isinstance(work.get("factorizations", {}), dict):
        kinds = {"cholesky": 0, "lu": 0, "ldlt": 0, "unspecified": work["factorizations"]}
        record["work"] = work | {"factorizations": kinds}
    if isinstance(time := record.get("time"), dict):
        time = {"concurrent_pairs": time.get("beside", 0), "cholesky": None, "cholesky_equivalents": None,
                "rounds": None} | time
        time.pop("beside", None)
        if isinstance(time.get("solve"), dict):
            time["solve"] = {"values": []} | time["solve"]
        record["time"] = time
    if isinstance(verdict := record.get("verdict"), dict):
        not_measured = dict.fromkeys(("creep", "lift", "time_step"))
        verdict = {"scale": {"impulse": 1, "velocity": 1}} | not_measured | verdict
        for model in MODELS:
            if isinstance(found := verdict.get(model), dict):
                verdict[model] = {"relative": None} | found
        record["verdict"] = verdict
    no_counts = {"instructions": None, "cycles": None}
    return {"start": "zero", "previous": None, "hardware": no_counts, "own_model": None,
            "impulse_sha256": None} | record


def complete(document: dict[str, Any]) -> None:
    """What version 1 did not record and the rest of it tells: whether the scaled LCP and the solver's own
    model are solved."""
    run = document.get("run")
    tolerance = run.get("tolerance") if isinstance(run, dict) else None
    solvers = [solver for solver in document.get("solvers") or [] if isinstance(solver, dict)]
    models = {solver.get("id"): solver.get("model") for solver in solvers}
    for record in document.get("records") or []:
        try:
            verdict, solved = record["verdict"], record["solved"]
            if verdict is not None:
                residual = verdict["lcp"]["scaled"]
                solved["lcp"]["scaled"] = residual is not None and residual <= tolerance
            solved.setdefault("native", dict(solved[models[record["solver"]]]))
        except (KeyError, TypeError):
            continue  # there is nothing to complete
