"""Means."""

from __future__ import annotations

import math
from typing import Iterable


def shifted_geometric_mean(values: Iterable[float], shift: float) -> float:
    """exp(mean(log(v + shift))) - shift: a mean that neither the largest nor the smallest values dominate.

    NaN for no values. Raises ValueError if a value + shift is not positive.
    """
    logarithms = [math.log(value + shift) for value in values]
    if not logarithms:
        return math.nan
    return math.exp(math.fsum(logarithms) / len(logarithms)) - shift
