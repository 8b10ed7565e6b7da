"""Residuals of an answer under a criterion, from the verdict of its record."""

from __future__ import annotations

from typing import Any, Iterable


def residual(record: dict[str, Any], model: str, criterion: str) -> float | None:
    """What a criterion of CRITERIA compares with the tolerance; None where it is not known. `model` is the solver's."""
    verdict = record["verdict"]
    if verdict is None:
        return None
    asked, _, scale = criterion.partition("_")
    of_model = verdict[model if asked == "native" else asked]
    if asked == "native":
        of_model = own_residuals(record["own_model"], verdict) or of_model
    return at_scale(of_model, scale or "absolute", verdict.get("time_step"))


def own_residuals(own: dict[str, Any] | None, verdict: dict[str, Any]) -> dict[str, Any] | None:
    """Residuals of the model that the solver made, with what follows from them; None if it made none."""
    if own is None:
        return None
    return own | {"max": in_units(own, 1, 1), "scaled": in_units(own, **verdict["scale"])}


def at_scale(residuals: dict[str, Any], scale: str, time_step: float | None) -> float | None:
    """The largest residual of a model at a scale of SCALES; forces need a time step."""
    if scale == "force":
        return None if time_step is None else in_units(residuals, time_step, 1)
    return residuals["max" if scale == "absolute" else scale]


def in_units(residuals: dict[str, Any], impulse: float, velocity: float) -> float | None:
    """The largest residual with impulses and velocities in these units."""
    units = {"primal": impulse, "dual": velocity, "complementarity": impulse * velocity}
    return largest(None if residuals[name] is None else residuals[name] / unit for name, unit in units.items())


def largest(values: Iterable[float | None]) -> float | None:
    """None if one is not finite."""
    found = list(values)
    finite = [value for value in found if value is not None]
    return max(finite) if len(finite) == len(found) else None
