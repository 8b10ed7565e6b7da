"""Lines through measurements."""

from __future__ import annotations

import math
from typing import Sequence

import numpy as np
from scipy.stats import linregress


def power_law(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """p of y = c x^p and its standard error, by least squares on logarithms; NaN for fewer than two points.

    Points at or below zero, which have no logarithm, are left out.
    """
    kept = [(a, b) for a, b in zip(x, y) if a > 0 and b > 0]
    if len(kept) < 2:
        return math.nan, math.nan
    fit = linregress(*np.log(kept).T)
    return float(fit.slope), float(fit.stderr)
