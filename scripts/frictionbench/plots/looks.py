"""How solvers are drawn, and which in colour: the same in every picture of a document and in its report."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

from frictionbench.plots.pictures import COLORS
from frictionbench.results import Results, criterion_name, repeatable
from frictionbench.results.frames import value_at
from frictionbench.statistics import geometric_mean

# Okabe and Ito's palette, and Tol's wine.
SOLVER_COLORS = (*COLORS, "#882255")
GREY = "#b9bec7"
MODELS = ("ncp", "ccp", "lcp")
# Two of each model, which the best eight of the model alternate between: all look different in a picture of several models.
DASHES: dict[str, tuple[Any, Any]] = {
    "ncp": ("solid", (0, (6, 1.5))), "ccp": ((0, (1.2, 1.6)), (0, (5, 1.5, 1.2, 1.5))),
    "lcp": ((0, (11, 1.8)), (0, (11, 1.8, 1.2, 1.8))),
}


class Look(NamedTuple):
    """A solver's in every picture of a document."""

    model: str
    colour: int | None  # place in SOLVER_COLORS; None for grey


class Standing(NamedTuple):
    """How a solver does under its own model on all problems."""

    model: str
    solved: int
    seconds: float  # geometric mean of the solved ones; inf if that is not known


def looks(standings: Mapping[str, Standing]) -> dict[str, Look]:
    """The best of each model have the colours of SOLVER_COLORS, the rest are grey.

    Of equally many solved problems the faster solver is the better. Colours go by name among the best, so that they
    rarely change when a solver gets better or worse.
    """
    found = {name: Look(standing.model, None) for name, standing in standings.items()}
    for model in {standing.model for standing in standings.values()}:
        members = [name for name, standing in standings.items() if standing.model == model]
        best = sorted(members, key=lambda name: (-standings[name].solved, standings[name].seconds, name))
        found |= {name: Look(model, place) for place, name in enumerate(sorted(best[:len(SOLVER_COLORS)]))}
    return found


def own_criterion(model: str, criterion: str) -> str:
    """The criterion of a model at the scale of another criterion."""
    return criterion_name(model, criterion.partition("_")[2] or "absolute")


def standing(model: str, records: Iterable[Mapping[str, Any]], criterion: str) -> Standing:
    """That of the solver whose records these are, judged at the scale of a criterion."""
    _, _, scale = criterion.partition("_")
    solved = [record for record in records
              if value_at(record, f"solved.native.{scale or 'absolute'}") and repeatable(record.get("status"))]
    seconds = [value_at(record, "time.solve.median") for record in solved]
    positive = [value for value in seconds if isinstance(value, (int, float)) and value > 0]
    return Standing(model, len(solved), geometric_mean(positive) if positive else math.inf)


def solver_looks(results: Results) -> dict[str, Look]:
    """Of the solvers of a document, by id."""
    records: dict[str, list] = defaultdict(list)  # results may have records of solvers that they leave out
    for (_, solver), record in results.records.items():
        records[solver].append(record)
    return looks({solver.id: standing(solver.model, records[solver.id], results.criterion) for solver in results.solvers})


def chosen_looks(known: Mapping[str, Look], chosen: Sequence[str]) -> dict[str, Look]:
    """The looks of solver_looks where some solvers were asked for by name: none of them is grey, and each has its own colour.

    Each that shares its colour with an earlier one, or has none, gets one that is free. More than there are colours stay as
    they are.
    """
    if len(chosen) > len(SOLVER_COLORS):
        return dict(known)
    owners: dict[int, str] = {}
    for solver in chosen:
        if (colour := known[solver].colour) is not None:
            owners.setdefault(colour, solver)
    free = [colour for colour in range(len(SOLVER_COLORS)) if colour not in owners]
    others = [solver for solver in chosen if solver not in owners.values()]
    return {**known, **{solver: known[solver]._replace(colour=colour) for solver, colour in zip(others, free)}}


def solver_style(look: Look) -> dict[str, Any]:
    """The line of a solver, a thin one if it is grey."""
    if look.colour is None:
        return {"color": GREY, "linestyle": "solid", "linewidth": 0.9, "zorder": 1.5}
    return {"color": SOLVER_COLORS[look.colour], "linestyle": DASHES[look.model][look.colour % 2], "linewidth": 1.8}
