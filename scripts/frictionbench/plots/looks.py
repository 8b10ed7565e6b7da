"""Which solvers are drawn in colour, and in which: the same in every picture of a document and in its report."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

from frictionbench.plots.pictures import COLORS
from frictionbench.results import Results, criterion_name
from frictionbench.results.frames import value_at
from frictionbench.statistics import geometric_mean

# Okabe and Ito's palette, and Tol's wine.
SOLVER_COLORS = (*COLORS, "#882255")
GREY = "#b9bec7"
MODELS = ("ncp", "ccp", "lcp")


class Standing(NamedTuple):
    """How a solver does under its own model on all problems."""

    model: str
    solved: int
    seconds: float  # geometric mean of the solved ones; inf if that is not known


def colours(standings: Mapping[str, Standing]) -> dict[str, int | None]:
    """A place in SOLVER_COLORS for the best of each model, None for the rest, which are grey.

    Of equally many solved problems the faster solver is the better. Colours go by name among the best, so that they
    rarely change when a solver gets better or worse.
    """
    found: dict[str, int | None] = dict.fromkeys(standings)
    for model in {standing.model for standing in standings.values()}:
        members = [name for name, standing in standings.items() if standing.model == model]
        best = sorted(members, key=lambda name: (-standings[name].solved, standings[name].seconds, name))
        found |= {name: place for place, name in enumerate(sorted(best[:len(SOLVER_COLORS)]))}
    return found


def own_criterion(model: str, criterion: str) -> str:
    """The criterion of a model at the scale of another criterion."""
    return criterion_name(model, criterion.partition("_")[2] or "absolute")


def standing(model: str, records: Iterable[Mapping[str, Any]], criterion: str) -> Standing:
    """That of the solver whose records these are, judged at the scale of a criterion."""
    _, _, scale = criterion.partition("_")
    solved = [record for record in records if value_at(record, f"solved.native.{scale or 'absolute'}")]
    seconds = [value_at(record, "time.solve.median") for record in solved]
    positive = [value for value in seconds if isinstance(value, (int, float)) and value > 0]
    return Standing(model, len(solved), geometric_mean(positive) if positive else math.inf)


def solver_colours(results: Results) -> dict[str, int | None]:
    """Of the solvers of a document, by id."""
    records: dict[str, list] = defaultdict(list)  # results may have records of solvers that they leave out
    for (_, solver), record in results.records.items():
        records[solver].append(record)
    return colours({solver.id: standing(solver.model, records[solver.id], results.criterion) for solver in results.solvers})


def chosen_colours(places: Mapping[str, int | None], chosen: Sequence[str]) -> dict[str, int | None]:
    """The places of solver_colours where some solvers were asked for by name: none of them is grey, and no two look alike.

    Each that shares its place with an earlier one, or has none, gets one that is free. More than there are colours stay as
    they are.
    """
    if len(chosen) > len(SOLVER_COLORS):
        return dict(places)
    owners: dict[int, str] = {}
    for solver in chosen:
        if (place := places[solver]) is not None:
            owners.setdefault(place, solver)
    free = [place for place in range(len(SOLVER_COLORS)) if place not in owners]
    others = [solver for solver in chosen if solver not in owners.values()]
    return {**places, **dict(zip(others, free))}


def solver_style(place: int | None) -> dict[str, Any]:
    """The line of a solver with a place in SOLVER_COLORS, or a thin grey one; dashes tell colours apart in black and white."""
    if place is None:
        return {"color": GREY, "linestyle": "solid", "linewidth": 0.9, "zorder": 1.5}
    return {"color": SOLVER_COLORS[place], "linestyle": ("solid", (0, (6, 1.5)))[place % 2], "linewidth": 1.8}
