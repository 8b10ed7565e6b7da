"""Lines through measurements."""

from __future__ import annotations

import math
from typing import NamedTuple, Sequence

import numpy as np
import pandas
import scipy.stats

FEWEST = 5  # simulations that an exponent is of


class Exponent(NamedTuple):
    """Of a power law, with its 95 % interval; both ends are None where too many measurements are equal for one."""

    value: float
    low: float | None
    high: float | None


def exponent(x: pandas.Series, y: pandas.Series, clusters: pandas.Series) -> Exponent | None:
    """That of y ~ x^b over means of clusters; None for fewer than FEWEST, or for one x only. All are of one index, and
    positive; those that are NaN are left out.

    The median of the slopes between any two means, and its interval by their ranks [P. K. Sen, J. Am. Stat. Assoc. 63 (1968)].
    """
    logs = np.log(pandas.DataFrame({"x": x, "y": y}).dropna()).groupby(clusters).mean()
    if len(logs) < FEWEST or logs["x"].nunique() < 2:
        return None
    with np.errstate(invalid="ignore"):  # a variance below zero, of very many that are equal
        found = scipy.stats.theilslopes(logs["y"], logs["x"], 0.95)
    if not (math.isfinite(found.low_slope) and math.isfinite(found.high_slope)):
        return Exponent(found.slope, None, None)
    return Exponent(found.slope, found.low_slope, found.high_slope)


def power_law(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """p of y = c x^p and its standard error, by least squares on logarithms; NaN for fewer than two points.

    Points at or below zero, which have no logarithm, are left out.
    """
    kept = [(a, b) for a, b in zip(x, y) if a > 0 and b > 0]
    if len(kept) < 2:
        return math.nan, math.nan
    fit = scipy.stats.linregress(*np.log(kept).T)
    return float(fit.slope), float(fit.stderr)
