"""Means of costs that range over orders of magnitude, and what they are if some problems are not solved."""

from __future__ import annotations

import math
from typing import Iterable, Sequence

import pandas

PENALTIES = (1.0, 3.0, 10.0)


def shifted_geometric_mean(values: Iterable[float], shift: float) -> float:
    """exp(mean(log(v + shift))) - shift: a mean that neither the largest nor the smallest values dominate.

    [T. Achterberg, Constraint Integer Programming, PhD thesis, TU Berlin 2007, app. A.3]. NaN for no values. Raises
    ValueError if a value + shift is not positive.
    """
    logarithms = [math.log(value + shift) for value in values]
    if not logarithms:
        return math.nan
    return math.exp(math.fsum(logarithms) / len(logarithms)) - shift


def geometric_mean(values: Iterable[float]) -> float:
    return shifted_geometric_mean(values, 0)


def penalised_means(costs: pandas.DataFrame, limit: float, shift: float,
                    penalties: Sequence[float] = PENALTIES) -> pandas.DataFrame:
    """Shifted geometric means by solver, what is unsolved counted at each of the penalties times the limit.

    `costs` is that of `statistics.costs`, with the unit of `limit` and `shift`. The column `common` is over what every
    solver solves, `solved` over what the solver itself does: which of them ranks a solver first depends on how many it
    solves, so look at all. Penalties as PAR10 in [F. Hutter et al., ParamILS, JAIR 36 (2009)]. Unsolved is inf. NaN, a pair
    without a record, says nothing of its solver and is left out of its means; those of such solvers are of fewer problems.
    """
    finite = costs.apply(lambda column: column.map(math.isfinite))
    means = {f"{penalty:g} x limit": costs.where(costs != math.inf, penalty * limit) for penalty in penalties}
    means |= {"solved": costs.where(finite), "common": costs[finite.all(axis=1)]}
    return pandas.DataFrame({name: {solver: shifted_geometric_mean(table[solver].dropna(), shift) for solver in costs.columns}
                             for name, table in means.items()})
