"""Nested performance profiles: an order of solvers that does not depend on who else is compared."""

from __future__ import annotations

from typing import Mapping, Sequence

from frictionbench.profiles.performance import Profile, performance_profiles


def nested_profiles(measures: Mapping[str, Sequence[float]], tau: float = 2.0) -> dict[str, Profile]:
    """The best solver with its profile among all, then the best of the others with its profile among those, and so on.

    Profiles of [Dolan, Moré 2002] measure against the best of the set, and the order of all but the first may change when
    the first is left out [N. Gould, J. Scott, A note on performance profiles, ACM TOMS 43 (2016)]; removing the best again
    and again gives each the place that it has among what is not better [A. Hekmati, M. Mirhajianmoghadam, Nested
    performance profiles for benchmarking software, arXiv 1809.06270]. The best is here the one that solves most within tau
    times the best of each problem, of equals the one that solves most at all. `measures` as of performance_profiles; the
    result is in order.
    """
    left = dict(measures)
    found: dict[str, Profile] = {}
    while left:
        profiles = performance_profiles(left)
        best = max(profiles, key=lambda solver: (profiles[solver].share(tau), profiles[solver].share()))
        found[best] = profiles[best]
        del left[best]
    return found
