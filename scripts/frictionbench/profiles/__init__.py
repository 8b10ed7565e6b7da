"""Profiles: how much of a set of problems each solver solves within a factor of the best."""

from frictionbench.profiles.nested import nested_profiles
from frictionbench.profiles.performance import ALL_FAMILIES, MEASURES, Profile, cost, family_profiles, performance_profiles

__all__ = ["ALL_FAMILIES", "MEASURES", "Profile", "cost", "family_profiles", "nested_profiles", "performance_profiles"]
