"""Shares and means with intervals that respect that time steps of one simulation are nearly the same problem."""

from __future__ import annotations

import math
from typing import Sequence

import numpy
import pandas
import scipy.stats

from frictionbench.results.groups import simulation_of

CONFIDENCE = 0.95
RESAMPLES = 9999
SEED = 0
FEWEST_CLUSTERS = 5  # for an interval: of fewer, resampling says little


def mean_interval(clusters: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """CONFIDENCE interval of the mean of all values, from percentiles of a bootstrap that draws whole clusters.

    [C. A. Field, A. H. Welsh, Bootstrapping clustered data, J. R. Stat. Soc. B 69 (2007)]. Drawn one by one, values of a
    cluster would seem to be more evidence than they are. None for fewer than FEWEST_CLUSTERS.
    """
    if len(clusters) < FEWEST_CLUSTERS:
        return None
    sums, counts = numpy.array([(math.fsum(values), len(values)) for values in clusters]).T
    random = numpy.random.default_rng(SEED)
    means = numpy.empty(RESAMPLES)
    batch = max(1, 1_000_000 // len(clusters))  # draws at a time, so that memory does not grow with the clusters
    for start in range(0, RESAMPLES, batch):
        drawn = random.integers(len(clusters), size=(min(batch, RESAMPLES - start), len(clusters)))
        means[start:start + batch] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = numpy.percentile(means, (50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE))).tolist()
    return low, high


def share_interval(clusters: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """CONFIDENCE interval of the share of values that are 1, all others being 0.

    That of `mean_interval`. Where all values are 1, or none is, every draw is alike, although others of the kind may differ:
    there it is the exact one of a share of as many independent trials as there are clusters [C. J. Clopper, E. S. Pearson,
    Biometrika 26 (1934)]. None for fewer than FEWEST_CLUSTERS, and where clusters are mixed and draws are alike all the same.
    """
    if len(clusters) < FEWEST_CLUSTERS:
        return None
    found = set().union(*clusters)
    if len(found) == 1:
        of = scipy.stats.binomtest(len(clusters) if 1 in found else 0, len(clusters)).proportion_ci(CONFIDENCE, "exact")
        return float(of.low), float(of.high)
    between = mean_interval(clusters)
    return between if between and between[0] < between[1] else None


def simulations(rows: pandas.DataFrame) -> pandas.Series:
    """The simulation that each row's problem is a time step of."""
    names = rows[["problem.family", "problem.id", "problem.path", "problem.contacts"]]
    return pandas.Series([simulation_of(family, path or id, contacts)
                          for family, id, path, contacts in names.itertuples(index=False)], index=rows.index, dtype=object)


def verified_shares(rows: pandas.DataFrame, by: str | Sequence[str] = "solver.id") -> pandas.DataFrame:
    """What is solved of the rows of `results.frame` (see Results.solved): `share`, its interval from `low` to `high`, and counts.

    The interval is that of `share_interval` over simulations; NaN for too few of them.
    """
    def summary(group: pandas.DataFrame) -> pandas.Series:
        clusters = [values.tolist() for _, values in group["solved"].astype(float).groupby(group["simulation"])]
        low, high = share_interval(clusters) or (math.nan, math.nan)
        return pandas.Series({"problems": len(group), "simulations": len(clusters), "solved": int(group["solved"].sum()),
                              "share": group["solved"].mean(), "low": low, "high": high})

    keys = [by] if isinstance(by, str) else list(by)
    groups = rows.assign(simulation=simulations(rows)).groupby(keys, sort=False, dropna=False)
    columns = {"problems": int, "simulations": int, "solved": int, "share": float, "low": float, "high": float}
    if rows.empty:
        return pandas.DataFrame([], groups.size().index, columns).astype(columns)
    return groups.apply(summary).astype(columns)
