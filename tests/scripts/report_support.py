"""What the tests of the report share: made-up documents of any size, and a judge of HTML."""

from __future__ import annotations

import copy
import hashlib
import random
import subprocess
from typing import Any

from support import factorizations, full_document

FAMILIES = ("Stack", "Chain", "Rolling spheres", "Walls & <b>arches</b>")


def large_document(
    problems: int, solvers: int, *, history_rows: int = 0, condition: bool = True, seed: int = 1
) -> dict[str, Any]:
    """A document of made-up numbers that look like those of a run: valid, and consistent in itself."""
    draw = random.Random(seed)
    template = full_document()
    document = {**template, "problems": [], "solvers": [], "records": []}
    document["unreadable"] = [{"path": "data/it's broken.hdf5", "reason": "/W: no such group"}]
    for solver in range(solvers):
        id = f"ncp-pgs(relaxation={1 + solver / 10:g})" if solver % 2 else f"ncp-admm(tau={solver + 2})"
        model = ("ncp", "ccp")[solver % 3 == 2]
        document["solvers"].append({
            "id": id, "name": id.partition("(")[0], "model": model, "exact": True, "settings": {}})
    for index in range(problems):
        contacts = round(10 ** draw.uniform(0, 3.5))
        family = FAMILIES[index % len(FAMILIES)]
        document["problems"].append({
            **template["problems"][0], "id": f"{family}/problem-{index:05}",
            "path": f"../data of ours/{family}/problem-{index:05}.hdf5", "family": family,
            "sha256": hashlib.sha256(str(index).encode()).hexdigest(), "dimension": 3,
            "contacts": contacts, "unknowns": 3 * contacts, "nonzeros": 9 * contacts,
            "condition": 10 ** draw.uniform(1, 12) if condition and index % 7 else None,
        })
        for place in range(solvers):
            document["records"].append(
                made_up_record(template, document["problems"][-1], document["solvers"][place], place,
                               history_rows, draw))
    return document


def made_up_record(
    template: dict[str, Any], problem: dict[str, Any], solver: dict[str, Any], place: int,
    history_rows: int, draw: random.Random,
) -> dict[str, Any]:
    record = copy.deepcopy(template["records"][1])
    hardness = draw.gauss(0, 1) + problem["contacts"] / 1500
    solved = hardness < 1.6 - 0.3 * place
    residual = 10 ** draw.uniform(-9, -6.1) if solved else 10 ** draw.uniform(-5.9, -1)
    for model, factor in (("ncp", 1), ("ccp", 2 if solver["model"] == "ncp" else 0.5), ("lcp", 3)):
        largest = residual * factor
        record["verdict"][model].update(primal=largest / 3, dual=largest / 2, complementarity=largest,
                                        max=largest, scaled=largest * 2, relative=largest * 3, worst_contact=0)
        record["verdict"]["scale"] = {"impulse": 0.5, "velocity": 1}
        record["solved"][model] = {"relative": largest * 3 <= 1e-6, "absolute": largest <= 1e-6,
                                   "scaled": largest * 2 <= 1e-6, "force": None}
    record["solved"]["native"] = record["solved"][solver["model"]]
    iterations = round(10 ** draw.uniform(0.5, 3)) if solved else 20000
    median = 1e-5 * problem["contacts"] ** 1.3 * iterations ** 0.5 * 10 ** draw.uniform(-0.2, 0.2)
    failures = ("max_iterations", "wrong", "stalled", "time_limit", "crashed")
    record.update(
        problem=problem["id"], solver=solver["id"], iterations=iterations,
        status="converged" if solved else failures[draw.randrange(len(failures))],
        states={"sticking": problem["contacts"], "sliding": 0, "separated": 0},
        history=made_up_history(history_rows, residual, iterations) if history_rows else None)
    record["work"].update(factorizations=factorizations(draw.randrange(12)) | {"lu": place, "ldlt": 2 * place},
                          triangular_solves=iterations, products=2 * iterations, sweeps=iterations * (place % 2))
    record["time"]["solve"].update(min=median * 0.98, median=median, mean=median * 1.01, mad=median * 0.01)
    return record


def made_up_history(rows: int, residual: float, iterations: int) -> list[dict[str, Any]]:
    """Residuals that fall from 1 to the last one, in at most so many rows."""
    rows = min(rows, iterations)
    history = []
    for row in range(rows):
        iteration = 1 + row * (iterations - 1) // max(1, rows - 1)
        size = residual ** (iteration / iterations)
        history.append({"iteration": iteration, "primal": size / 3.1, "dual": size / 1.7,
                        "complementarity": size, "penalty": 10.0 + row})
    return history


def tidy_findings(html: str) -> list[str]:
    """What HTML Tidy has to say against a page: errors, and warnings of elements that are not HTML5."""
    result = subprocess.run(["tidy", "-quiet", "-errors", "-utf8", "--drop-empty-elements", "no"], input=html.encode(),
                            capture_output=True, check=False)
    return result.stderr.decode().splitlines()
