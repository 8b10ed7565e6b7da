"""Solvers compared with each other, problem by problem, from the table of `costs`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy
import pandas
import scipy.stats

from frictionbench.statistics.means import geometric_mean


class Paired(NamedTuple):
    """Two solvers on what both of them solve; all of the second over the first, above 1 where the first is faster."""

    pairs: int
    ratio: float  # geometric mean
    p: float  # two-sided, that neither is faster
    effect: float  # from -1 to 1: the share of the evidence for the first, less that for the second


def virtual_best(costs: pandas.DataFrame) -> pandas.Series:
    """The cost of the best solver of each problem, [L. Xu et al., SATzilla, JAIR 32 (2008)]; inf if none solves it."""
    return costs.min(axis=1).fillna(math.inf)  # the best of no solvers, too


def contributions(costs: pandas.DataFrame) -> pandas.DataFrame:
    """What each solver adds to the virtual best of all, [L. Xu, F. Hutter, H. Hoos, K. Leyton-Brown, SAT 2012].

    `solves`, `alone`: problems that no other solves, `first`: on which no other is faster, `slowdown`: of the virtual
    best without it, over what that still solves; NaN if that is nothing.
    """
    found = {}
    for solver, own in costs.items():
        without = virtual_best(costs.drop(columns=solver))
        still, solves = numpy.isfinite(without), numpy.isfinite(own)
        slower = (without[still] / own[still]).clip(lower=1)
        found[solver] = {"solves": solves.sum(), "alone": (solves & ~still).sum(), "first": (solves & (own <= without)).sum(),
                         "slowdown": geometric_mean(slower)}
    return pandas.DataFrame.from_dict(found, orient="index").astype({name: int for name in ("solves", "alone", "first")})


def paired(first: pandas.Series, second: pandas.Series, clusters: pandas.Series | None = None) -> Paired:
    """Wilcoxon's signed-rank test on logarithms of ratios, and its rank-biserial correlation.

    [F. Wilcoxon, Biometrics Bulletin 1 (1945)], [D. S. Kerby, Comprehensive Psychology 3 (2014)]. With `clusters`, of the
    same index, a pair is the mean of a cluster, so that many time steps of one simulation do not count as evidence each.
    """
    both = numpy.isfinite(first) & numpy.isfinite(second)
    logs = numpy.log(second[both] / first[both])
    if clusters is not None:
        logs = logs.groupby(clusters[both]).mean()
    different = logs[logs != 0]
    ratio = math.exp(logs.mean()) if len(logs) else math.nan
    if different.empty:
        return Paired(len(logs), ratio, 1.0, 0.0)
    ranks = scipy.stats.rankdata(different.abs())
    return Paired(len(logs), ratio, float(scipy.stats.wilcoxon(different).pvalue),
                  float((ranks * numpy.sign(different)).sum() / ranks.sum()))


def paired_by(groups: pandas.Series, first: pandas.Series, second: pandas.Series,
              clusters: pandas.Series | None = None) -> pandas.DataFrame:
    """`paired` for each group of problems, e.g. by family; all of the same index."""
    return pandas.DataFrame({name: paired(first[index], second[index], None if clusters is None else clusters[index])._asdict()
                             for name, index in groups.groupby(groups, sort=False).groups.items()}).T.astype({"pairs": int})
