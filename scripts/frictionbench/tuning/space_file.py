"""Reading SPACE.toml; README.md describes its keys."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from frictionbench.results import CRITERIA
from frictionbench.tuning.space import (
    COUNTERS, Choices, Limits, Range, SampleRules, ScoreRules, SearchRules, Setting, Space, Value,
)
from frictionbench.tuning.toml_table import TomlTable, at_least, list_of, number, one_of, positive, text, whole


def load_space(file: Path) -> Space:
    """Raises ResultsError if the file is not a space; the message names the key."""
    root = TomlTable.load(file)
    solver = root.take("solver", text)
    settings = _settings(root.table("settings"))
    names = [setting.name for setting in settings]
    if not settings:
        raise root.error("settings", "is empty; it names what is tuned")
    fixed = root.table("fixed", optional=True)
    fixed_settings = fixed.take_all(_value)
    for name in fixed_settings:
        if name in names:
            raise fixed.error(name, "is in `settings` too; it is one or the other")
    default = root.table("default", optional=True)
    default_settings = default.take_all(_value)
    for name in default_settings:
        if name not in names:
            raise default.error(name, f"is not in `settings`: {', '.join(names)}")
    space = Space(
        file=file,
        sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
        solver=solver,
        settings=settings,
        fixed=fixed_settings,
        default=default_settings,
        limits=_limits(root.table("run")),
        sample=_sample(root.table("sample"), root.table("families", optional=True)),
        search=_search(root.table("search")),
        score=_score(root.table("score")),
    )
    root.finish()
    return space


def _value(value: Any) -> Value:
    if not isinstance(value, (str, bool)):
        return number(value)
    return value


def _settings(table: TomlTable) -> tuple[Setting, ...]:
    return tuple(_range(name, table.table(name)) if table.has_table(name)
                 else Choices(name, table.take(name, list_of(_value)))
                 for name in table.keys())


def _range(name: str, table: TomlTable) -> Range:
    scale = table.take("scale", one_of("linear", "log"), otherwise="linear")
    low = table.take("low", positive if scale == "log" else number)
    high = table.take("high", number)
    if high <= low:
        raise table.error("high", f"is {high!r}; it must be > low, which is {low!r}")
    steps = table.take("steps", whole(1), otherwise=8)
    table.finish()
    return Range(name, low, high, scale, steps)


def _limits(table: TomlTable) -> Limits:
    limits = Limits(
        tolerances=table.take("tolerances", list_of(positive)),
        criterion=table.take("criterion", one_of(*CRITERIA), otherwise="ncp"),
        max_iterations=table.take("max_iterations", whole(1)),
        time_limit=table.take("time_limit", positive),
        memory_limit=table.take("memory_limit", text, otherwise=None),
    )
    table.finish()
    return limits


def _sample(table: TomlTable, families: TomlTable) -> SampleRules:
    folders: dict[str, str] = {}
    merged = {}
    for family in families.keys():
        merged[family] = families.take(family, list_of(text))
        for folder in merged[family]:
            if folders.setdefault(folder, family) != family:
                raise families.error(family, f"has '{folder}', which is in `{folders[folder]}` too")
    rules = SampleRules(
        seed=table.take("seed", whole(0)),
        problems_per_family=table.take("problems_per_family", whole(1)),
        max_contacts=table.take("max_contacts", whole(1), otherwise=None),
        filter=table.take("filter", _pattern, otherwise=None),
        families=merged,
    )
    table.finish()
    return rules


def _pattern(value: Any) -> str:
    try:
        re.compile(text(value))
    except re.error as failure:
        raise ValueError(f"it is not a regular expression: {failure}") from None
    return value


def _search(table: TomlTable) -> SearchRules:
    rules = SearchRules(
        seed=table.take("seed", whole(0)),
        candidates=table.take("candidates", whole(0)),
        passes=table.take("passes", whole(0)),
    )
    table.finish()
    return rules


def _score(table: TomlTable) -> ScoreRules:
    weights = table.table("weights")
    rules = ScoreRules(
        weights={counter: weights.take(counter, at_least(0), otherwise=0) for counter in COUNTERS},
        unsolved=table.take("unsolved", positive),
        solved_slack=table.take("solved_slack", at_least(0), otherwise=0),
    )
    weights.finish()
    if not any(rules.weights.values()):
        raise table.error("weights", "has no weight > 0, so that all work would be free")
    table.finish()
    return rules
