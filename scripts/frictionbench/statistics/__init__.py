"""Statistics of results: each is computed here, and nowhere else.

Most take the rows of `results.frame`, or the table of `costs` made of them.
"""

from frictionbench.statistics.comparison import Paired, contributions, paired, paired_by, virtual_best
from frictionbench.statistics.costs import TARGETS, costs, strata, times_to_targets
from frictionbench.statistics.fits import FEWEST, Exponent, exponent, power_law
from frictionbench.statistics.means import PENALTIES, geometric_mean, penalised_means, shifted_geometric_mean
from frictionbench.statistics.shares import mean_interval, share_interval, simulations, verified_shares

__all__ = [
    "FEWEST", "PENALTIES", "TARGETS", "Exponent", "Paired", "contributions", "costs", "exponent", "geometric_mean",
    "mean_interval", "paired", "paired_by", "penalised_means", "power_law", "share_interval", "shifted_geometric_mean",
    "simulations", "strata", "times_to_targets", "verified_shares", "virtual_best",
]
