"""Statistics of results: each is computed here and nowhere else."""

from frictionbench.statistics.means import shifted_geometric_mean

__all__ = ["shifted_geometric_mean"]
