"""What is tuned: the solver and its settings, on which problems, under which limits, judged how."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping

from frictionbench.text import short

Value = str | bool | int | float
Candidate = tuple[Value, ...]  # a value for each of Space.settings, in their order

# The counters of a record's `work` (results/results.schema.json).
COUNTERS = ("factorizations", "analyses", "triangular_solves", "products", "sweeps", "pivots", "line_search")


def spell(value: Value) -> str:
    """A value as `frictionbench` reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return short(value) if float(short(value)) == value else repr(value)
    return str(value)


@dataclass(frozen=True)
class Choices:
    """A setting that is one of some values."""

    name: str
    values: tuple[Value, ...]

    def draw(self, numbers: random.Random) -> Value:
        # Of all that `random` offers only random() is promised to stay the same in later Pythons.
        return self.values[int(numbers.random() * len(self.values))]

    def others(self, value: Value) -> list[Value]:
        """What to try instead of a value."""
        return [other for other in self.values if other != value]

    def extremes(self) -> tuple[Value, ...]:
        """If a solver takes these, it takes every value."""
        return self.values

    def __str__(self) -> str:
        return ", ".join(map(spell, self.values))


@dataclass(frozen=True)
class Range:
    """A setting that is any number of an interval, rounded to three digits."""

    name: str
    low: int | float
    high: int | float
    scale: str  # linear or log: what random numbers are uniform on
    steps: int  # of which a refinement takes one, up and down

    def draw(self, numbers: random.Random) -> Value:
        return self._value(numbers.random())

    def others(self, value: Value) -> list[Value]:
        """The values one step below and above, inside the interval."""
        place = self._place(value)
        found = [self._value(min(max(place + step / self.steps, 0.0), 1.0)) for step in (-1, 1)]
        return [other for other in dict.fromkeys(found) if other != value]

    def extremes(self) -> tuple[Value, ...]:
        return self.low, self.high

    def __str__(self) -> str:
        return f"{spell(self.low)} to {spell(self.high)}, {self.scale}, {self.steps} steps"

    def _place(self, value: Any) -> float:
        low, high, value = (math.log(x) if self.scale == "log" else x
                            for x in (self.low, self.high, min(max(value, self.low), self.high)))
        return (value - low) / (high - low)

    def _value(self, place: float) -> int | float:
        if self.scale == "log":
            exact = self.low * (self.high / self.low) ** place
        else:
            exact = self.low + place * (self.high - self.low)
        if isinstance(self.low, int) and isinstance(self.high, int):
            return round(exact)
        return min(max(float(f"{exact:.3g}"), self.low), self.high)


Setting = Choices | Range


@dataclass(frozen=True)
class Limits:
    """What a run of `frictionbench` is told."""

    tolerances: tuple[float, ...]
    criterion: str
    max_iterations: int
    time_limit: float  # seconds
    memory_limit: str | None  # as 4G


@dataclass(frozen=True)
class SampleRules:
    seed: int
    problems_per_family: int
    max_contacts: int | None
    filter: str | None  # regular expression that an id must contain a match of
    families: Mapping[str, tuple[str, ...]]  # folders that are one family, by its name


@dataclass(frozen=True)
class SearchRules:
    seed: int
    candidates: int  # random ones, besides the default
    passes: int  # of the refinement over all settings, at most


@dataclass(frozen=True)
class ScoreRules:
    weights: Mapping[str, float]  # of COUNTERS
    unsolved: float  # work that an unsolved problem counts as, and the most that a solved one does
    solved_slack: float  # solved shares that differ by no more count as equal


@dataclass(frozen=True)
class Space:
    file: Path
    sha256: str
    solver: str
    settings: tuple[Setting, ...]
    fixed: Mapping[str, Value]  # settings that every candidate has
    default: Mapping[str, Value]  # of `settings`, where not the solver's own
    limits: Limits
    sample: SampleRules
    search: SearchRules
    score: ScoreRules

    def named(self, candidate: Candidate) -> dict[str, Value]:
        return {setting.name: value for setting, value in zip(self.settings, candidate)}

    def spec(self, candidate: Candidate) -> str:
        """The candidate as `frictionbench run --solver` takes it."""
        settings = {**self.fixed, **self.named(candidate)}
        return f"{self.solver}({','.join(f'{name}={spell(value)}' for name, value in settings.items())})"
