"""Made-up documents of the runs that frictionbench-paper run admm makes."""

from __future__ import annotations

from typing import Any

from support import made_up_document

# Ids and settings of solvers, as `frictionbench run` writes them.
SOLVERS: dict[str, tuple[str, dict[str, Any]]] = {
    "ncp-admm": ("ncp-admm", {"variant": "accelerated", "rho_update": "spectral", "p_inc": 0.05, "p_dec": 0.05}),
    "ncp-admm(variant=rss2024)": ("ncp-admm", {
        "variant": "rss2024", "rho_update": "spectral", "p_inc": 0.05, "p_dec": 0.05, "stop": "verified"}),
    "ncp-pgs(relaxation=1,tangent_divisor=smallest_entry)": ("ncp-pgs", {
        "relaxation": 1.0, "tangent_divisor": "smallest_entry"}),
    "ncp-admm(variant=rss2024,rho_update=linear)": ("ncp-admm", {
        "variant": "rss2024", "rho_update": "linear", "tau_inc": 2.0, "tau_dec": 2.0, "stop": "verified"}),
}
ADMM, PAPERS_ADMM, PGS, LINEAR = SOLVERS
# Seconds; a hundred times as many factorisations.
COSTS = {
    "BoxesStack": {ADMM: [0.01, 0.02, 0.03], PAPERS_ADMM: [0.02, 0.04, None], PGS: [0.05, 0.3, None],
                   LINEAR: [0.03, 0.05, 0.04]},
    "Chain": {ADMM: [0.02, 0.06], PAPERS_ADMM: [0.03, 0.05], PGS: [0.01, 0.02], LINEAR: [0.04, None]},
}


def admm_document(tolerance: float = 1e-6, costs=COSTS, history: bool = False) -> dict[str, Any]:
    made = made_up_document(costs)
    made["run"] = {**made["run"], "tolerance": tolerance}
    for solver in made["solvers"]:
        solver["name"], solver["settings"] = SOLVERS[solver["id"]]
    if history:
        for record in made["records"]:
            record["history"] = [{"iteration": k, "primal": 0, "dual": 10.0**-k, "complementarity": 0.1**k,
                                  "penalty": None} for k in range(1, 9)]
    return made


def before_variants(document: dict[str, Any]) -> dict[str, Any]:
    """As it was when the paper's algorithm was the only ADMM, and had no setting `variant`."""
    kept = {PAPERS_ADMM: ADMM, LINEAR: "ncp-admm(rho_update=linear)", PGS: PGS}
    solvers = [{**solver, "id": kept[solver["id"]],
                "settings": {name: value for name, value in solver["settings"].items() if name != "variant"}}
               for solver in document["solvers"] if solver["id"] in kept]
    records = [{**record, "solver": kept[record["solver"]]} for record in document["records"]
               if record["solver"] in kept]
    return {**document, "solvers": solvers, "records": records}
