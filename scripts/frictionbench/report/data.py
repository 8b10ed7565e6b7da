"""What the page shows of results documents, in columns, as small as it can be. Statistics of them are in report.statistics."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from dataclasses import dataclass
from typing import Any, Iterable, Sequence

import numpy

from frictionbench.files import ResultsError
from frictionbench.plots.looks import looks, standing
from frictionbench.profiles import MEASURES
from frictionbench.report.combine import Combined, CombinedRecord, combine
from frictionbench.report.graphs import graphs_data
from frictionbench.report.numbers import rounded, thinned
from frictionbench.report.statistics import Table, selections, statistics_data
from frictionbench.results import NO_TEST, SCALES, Results, hyperstaticity, member, repeatable
from frictionbench.results.commands import missing_options, repeat_options, solver_spec
from frictionbench.results.findings import schema_findings, validator_of
from frictionbench.results.frames import value_at
from frictionbench.results.impulses import asked_for
from frictionbench.results.residuals import residual

# Tolerances that the page offers in addition to those of the runs.
TOLERANCES = tuple(float(f"1e-{exponent}") for exponent in range(2, 13))
# Rows of all histories together, and of one: what keeps a page of many records small.
HISTORY_ROWS = 100_000
LONGEST_HISTORY = 200
SHORTEST_HISTORY = 6
HISTORY_COLUMNS = ("iteration", "primal", "dual", "complementarity", "penalty")
CRITERIA = {f"{model}_{scale}".removesuffix("_absolute"): f"{label}, {scale}"
            for model, label in (("ncp", "NCP"), ("ccp", "CCP"), ("lcp", "LCP"), ("native", "each solver's own model"))
            for scale in SCALES}


@dataclass(frozen=True)
class Quantity:
    """A number of a record."""

    path: str  # member of the record, dotted
    label: str
    unit: str = ""  # "s" and "B" are shown with prefixes
    digits: int = 3  # significant ones that are kept


QUANTITIES = {
    "time": Quantity("time.solve.median", "solve time, median", "s", digits=5),
    "time_min": Quantity("time.solve.min", "solve time, least", "s"),
    "time_mad": Quantity("time.solve.mad", "solve time, median deviation", "s"),
    "samples": Quantity("time.solve.samples", "timed solves (1: a cold sample)"),
    "cholesky": Quantity("time.cholesky_equivalents", "solve time in Cholesky factorisations of the same problem"),
    "setup": Quantity("time.setup", "set-up, part of the solve time", "s"),
    "read": Quantity("time.read", "reading the file", "s"),
    "assembly": Quantity("time.assembly", "reduction to local form", "s"),
    "beside": Quantity("time.concurrent_pairs", "other pairs at the same time"),
    "iterations": Quantity("iterations", "iterations"),
    "factorizations": Quantity("work.factorizations.all", "factorisations"),
    "analyses": Quantity("work.analyses", "symbolic analyses"),
    "triangular_solves": Quantity("work.triangular_solves", "triangular solves"),
    "products": Quantity("work.products", "products with W"),
    "sweeps": Quantity("work.sweeps", "sweeps"),
    "pivots": Quantity("work.pivots", "pivots"),
    "line_search": Quantity("work.line_search", "line-search evaluations"),
    "instructions": Quantity("hardware.instructions", "instructions"),
    "cycles": Quantity("hardware.cycles", "processor cycles"),
    "memory": Quantity("memory_peak", "peak memory", "B"),
    **{name: Quantity(f"residuals.{name}", f"residual: {label}") for name, label in CRITERIA.items()},
    "primal": Quantity("verdict.ncp.primal", "NCP, primal: impulse outside the cone"),
    "dual": Quantity("verdict.ncp.dual", "NCP, dual: velocity outside the dual cone"),
    "complementarity": Quantity("verdict.ncp.complementarity", "NCP, complementarity"),
    "natural_map": Quantity("verdict.natural_map", "natural map"),
    "dissipation": Quantity("verdict.dissipation", "departure from maximum dissipation"),
    "momentum": Quantity("verdict.momentum", "momentum balance, relative"),
    "creep": Quantity("verdict.creep", "creep: slip of loaded contacts inside their cone"),
    "lift": Quantity("verdict.lift", "lift: opening speed of loaded contacts"),
    "model_gap": Quantity("own_model.gap", "model gap: velocity that the chosen compliance makes, relative"),
    "compliance_max": Quantity("own_model.compliance_max", "largest compliance that the solver chose"),
    "sticking": Quantity("states.sticking", "sticking contacts"),
    "sliding": Quantity("states.sliding", "sliding contacts"),
    "separated": Quantity("states.separated", "separated contacts"),
    "impulse_norm": Quantity("impulse_norm", "norm of the impulse"),
}

# What profiles and comparisons go by, and the floor that makes ratios defined (see MEASURES).
REPORT_MEASURES = {name: floor for name, (_, floor) in MEASURES.items()} | {
    "triangular_solves": 1, "products": 1, "sweeps": 1, "cholesky": 1e-6,
}

PROBLEM_FACTS = ("form", "dimension", "contacts", "dofs", "nonzeros", "condition", "asymmetry",
                 "mu_min", "mu_max", "compliance_max", "islands", "bilateral", "hyperstaticity")


class Texts:
    """Texts that occur often, each kept once."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, text: str | None) -> int | None:
        return None if text is None else self.places.setdefault(text, len(self.places))


def report_data(documents: Sequence[Results], graphs: bool = False) -> dict[str, Any]:
    """Everything that the page draws; `graphs`: of the problems' files, too. Raises ResultsError, or see graphs_data."""
    for document in documents:
        check_frame(document)
    combined = combine(documents)
    texts = Texts()
    families = list(dict.fromkeys(problem.facts["family"] for problem in combined.problems))
    of_runs = [tolerance for document in documents for tolerance in (document.tolerance, asked_for(document)[1])]
    tolerances = sorted({*TOLERANCES, *of_runs}, reverse=True)
    criteria = known_criteria(combined)
    numbers = numbers_of(combined)
    columns = {name: numpy.array([math.nan if value is None else value for value in values], dtype=float)
               for name, values in numbers.items()}
    table = Table(combined, selections(combined, families), {name: columns[name] for name in CRITERIA if name in columns},
                  columns, REPORT_MEASURES)
    data = {
        "files": [file_data(*pair) for pair in zip(combined.names, combined.documents)],
        "criteria": criteria,
        "tolerances": tolerances,
        "measures": {name: measure_data(name, floor) for name, floor in REPORT_MEASURES.items()},
        "families": families,
        "problems": problem_data(combined, families),
        "solvers": solver_data(combined),
        "records": record_data(combined, texts),
        "quantities": {name: {"label": QUANTITIES[name].label, "unit": QUANTITIES[name].unit,
                              "values": [None if value is None else rounded(value, QUANTITIES[name].digits) for value in values]}
                       for name, values in numbers.items()},
        "statistics": statistics_data(table, list(criteria), tolerances),
        "histories": history_data(combined),
        "graphs": graphs_data(combined) if graphs else None,
        "unreadable": list(unreadable_data(combined)),
    }
    data["texts"] = list(texts.places)
    return data


def solver_data(combined: Combined) -> list[dict[str, Any]]:
    records: list[list[dict[str, Any]]] = [[] for _ in combined.solvers]
    for record in combined.records:
        records[record.solver].append(record.record)
    criterion = combined.documents[0].criterion
    known = looks({solver.label: standing(solver.facts["model"], of_solver, criterion)
                   for solver, of_solver in zip(combined.solvers, records)})
    return [{"label": s.label, "id": s.id, **known[s.label]._asdict(), "settings": s.facts["settings"],
             "quoted": shlex.quote(solver_spec(s.id, s.facts["settings"])),
             "ends": dict(Counter(record["status"] for record in of_solver).most_common())}
            for s, of_solver in zip(combined.solvers, records)]


def best_known(combined: Combined) -> list[str]:
    """Of each problem, a sentence: its fastest solve, or how close its answers come, under the criterion of each run."""
    fastest: dict[int, tuple[float, str]] = {}
    closest: dict[int, tuple[float, str]] = {}
    for record in combined.records:
        document = combined.documents[record.file]
        model, _, scale = document.criterion.partition("_")
        solver = combined.solvers[record.solver].label
        judged = value_at(record.record, f"solved.{model}.{scale or 'absolute'}")
        if judged and repeatable(record.record["status"]):
            seconds = value_at(record.record, "time.solve.median")
            fastest[record.problem] = min(fastest.get(record.problem, (math.inf, solver)),
                                          (math.inf if seconds is None else seconds, solver))
        reached = residual(record.record, combined.solvers[record.solver].facts["model"], document.criterion)
        if reached is not None:
            closest[record.problem] = min(closest.get(record.problem, (math.inf, solver)), (reached, solver))

    def sentence(problem: int) -> str:
        if problem not in closest:
            return "No solver has an answer."
        reached, by = closest[problem]
        near = f"smallest residual {reached:.1e}, by {by}"
        if problem not in fastest:
            return f"No solver of the report solves it: {near}."
        seconds, solver = fastest[problem]
        time = "in a time that is not known" if math.isinf(seconds) else f"in {seconds:.2g} s"
        return f"Best known: solved {time} by {solver}; {near}."

    return [sentence(problem) for problem in range(len(combined.problems))]


def known_criteria(combined: Combined) -> dict[str, str]:
    """All but the forces, which only documents with a time step have."""
    steps = any(document.document["run"]["time_step"] is not None for document in combined.documents)
    return {name: label for name, label in CRITERIA.items() if steps or not name.endswith("_force")}


def check_frame(document: Results) -> None:
    """Checks all but the problems and the records, which are many, and checked as they are read.

    Raises ResultsError.
    """
    frame: dict[str, Any] = {**document.document, "problems": [], "records": []}
    for finding in schema_findings(frame, validator_of()):
        raise ResultsError(f"{document.path}: {finding}; "
                           f"frictionbench-validate {document.path} says what else is wrong")
    if not document.solvers:
        raise ResultsError(f"{document.path}: no solver in it, so there is nothing to report")


def measure_data(name: str, floor: float) -> dict[str, Any]:
    quantity = QUANTITIES[name]
    label = "solve time" if name == "time" else quantity.label
    return {"label": label, "unit": quantity.unit, "floor": floor}


def file_data(name: str, document: Results) -> dict[str, Any]:
    """How a document's solves were judged and limited, and the program that made them."""
    run = document.document["run"]
    criterion, tolerance = asked_for(document)
    return {
        "name": name,
        "criterion": document.criterion,
        "tolerance": document.tolerance,
        "asked": {"criterion": criterion, "tolerance": tolerance},
        "time_limit": run["time_limit"],
        "memory_limit": run["memory_limit"],
        "program": shlex.quote(run["command"][0]),
    }


def problem_data(combined: Combined, families: list[str]) -> dict[str, list]:
    """Columns of the problems. Facts that no document has are left out."""
    places = {family: place for place, family in enumerate(families)}
    facts: list[dict[str, Any]] = [problem.facts | {"hyperstaticity": hyperstaticity(problem.facts)}
                                   for problem in combined.problems]
    columns: dict[str, list] = {
        "label": [problem.label for problem in combined.problems],
        "family": [places[fact["family"]] for fact in facts],
        "best": best_known(combined),
    }
    for name in PROBLEM_FACTS:
        values = [fact.get(name) for fact in facts]
        if any(value is not None for value in values):
            columns[name] = [rounded(v, 4) if isinstance(v, float) else v for v in values]
    return columns


def started(record: dict[str, Any]) -> str | None:
    """Where a solve started, in words; None for zero."""
    start = record.get("start", "zero")
    if start == "previous":
        return f"at the answer to {record['previous']}"
    return None if start == "zero" else f"at the {start} in the file"


def stopped_by(record: dict[str, Any]) -> str | None:
    """The stage and the test that ended a solve, in words; None if no test did."""
    reason = record.get("stop_reason", "none")
    return record.get("stage") or (None if reason in NO_TEST else reason.replace("_", " "))


def repeated(combined: Combined, file: int, solver: int, texts: Texts) -> tuple[int | None, int | None]:
    """The options that repeat a solve of a solver in a document, and what must be added to them: places in `texts`."""
    document, id = combined.documents[file], combined.solvers[solver].id
    own = next(one for one in document.solvers if one.id == id)
    return (texts.place(shlex.join([*repeat_options(document, own), "--history"])),
            texts.place(missing_options(document, own)))


def record_data(combined: Combined, texts: Texts) -> dict[str, Any]:
    """Columns of the records: whose they are and how they ended. Texts are places in `texts`."""
    records = combined.records
    paths = [combined.documents[record.file].path for record in records]
    pairs = dict.fromkeys((record.file, record.solver) for record in records)
    repeats = {pair: repeated(combined, *pair, texts) for pair in pairs}
    return {
        "problem": [record.problem for record in records],
        "solver": [record.solver for record in records],
        "file": [record.file for record in records],
        "path": [texts.place(shlex.quote(record.path)) for record in records],
        "options": [repeats[record.file, record.solver][0] for record in records],
        "missing": [repeats[record.file, record.solver][1] for record in records],
        "status": [texts.place(member(r.record, "status", path)) for r, path in zip(records, paths)],
        "message": [texts.place(record.record.get("message")) for record in records],
        "fired": [texts.place(stopped_by(record.record)) for record in records],
        "started": [texts.place(started(record.record)) for record in records],
    }


def numbers_of(combined: Combined) -> dict[str, list[float | None]]:
    """Columns of numbers of the records. Those that no record has are left out."""
    columns = {}
    for name, quantity in QUANTITIES.items():
        steps = quantity.path.split(".")
        if name in CRITERIA:
            values = [residual(record.record, combined.solvers[record.solver].facts["model"], name)
                      for record in combined.records]
        else:
            values = [number_in(record, steps, combined) for record in combined.records]
        if any(value is not None for value in values):
            columns[name] = values
    return columns


def number_in(record: CombinedRecord, steps: list[str], combined: Combined) -> float | None:
    """The number at a path into a record; None where it, or what it is in, is null or absent.

    Raises ResultsError if something else is there.
    """
    value: Any = record.record
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    if value is None or isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    document = combined.documents[record.file].path
    raise ResultsError(f"{document}: record of {record.record['solver']} on {record.record['problem']}: "
                       f"member `{'.'.join(steps)}` is not a number: {value!r}; "
                       f"frictionbench-validate {document} says what else is wrong")


def history_data(combined: Combined) -> dict[str, Any]:
    """Columns of the histories, by the place of their record; thinned so that all fit the page."""
    histories = {place: record.record["history"] for place, record in enumerate(combined.records)
                 if record.record.get("history")}
    share = HISTORY_ROWS // max(1, len(histories))
    kept = min(LONGEST_HISTORY, max(SHORTEST_HISTORY, share))

    by_record = {}
    for place, rows in histories.items():
        rows = thinned(rows, kept)
        columns = {name: [row.get(name) for row in rows] for name in HISTORY_COLUMNS}
        by_record[place] = {
            name: [rounded(value, 3) if isinstance(value, float) else value for value in values]
            for name, values in columns.items() if any(value is not None for value in values)
        }
    thinned_ones = sum(len(rows) > kept for rows in histories.values())
    return {"by_record": by_record, "kept": kept, "thinned": thinned_ones}


def unreadable_data(combined: Combined) -> Iterable[dict[str, Any]]:
    for file, document in enumerate(combined.documents):
        for entry in document.document["unreadable"]:
            yield {"file": file, "path": entry["path"], "quoted": shlex.quote(entry["path"]),
                   "reason": entry["reason"]}
