"""A table of a TOML file, read key by key: what is wrong is said in one line that names the key."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Callable, Mapping

from frictionbench.files import ResultsError, load_toml

Check = Callable[[Any], Any]  # returns the value to use, or raises ValueError with what it must be
_REQUIRED = object()


class TomlTable:
    """The keys of a table that have not been asked for yet; whoever reads it ends with `finish`."""

    def __init__(self, file: Path, members: Mapping[str, Any], place: str = "") -> None:
        self.file = file
        self._left = dict(members)
        self._known: list[str] = []
        self._place = place

    @classmethod
    def load(cls, file: Path) -> TomlTable:
        """Raises ResultsError if there is no such file, or if it is not TOML."""
        return cls(file, load_toml(file))

    def error(self, key: str, what: str) -> ResultsError:
        return ResultsError(f"{self.file}: `{self._place}{key}` {what}")

    def take(self, key: str, check: Check, otherwise: Any = _REQUIRED) -> Any:
        """The value of a key as `check` returns it. Raises ResultsError if it is missing or wrong."""
        self._known.append(key)
        if key not in self._left:
            if otherwise is _REQUIRED:
                raise self.error(key, "is missing")
            return otherwise
        value = self._left.pop(key)
        try:
            return check(value)
        except ValueError as failure:
            raise self.error(key, f"is {value!r}; {failure}") from None

    def table(self, key: str, optional: bool = False) -> TomlTable:
        """The table below a key; an empty one if it is optional and not there."""
        found = self.take(key, a_table, otherwise={} if optional else _REQUIRED)
        return TomlTable(self.file, found, f"{self._place}{key}.")

    def keys(self) -> list[str]:
        """The keys that are left, in the order of the file."""
        return list(self._left)

    def has_table(self, key: str) -> bool:
        return isinstance(self._left.get(key), dict)

    def take_all(self, check: Check) -> dict[str, Any]:
        """Every key that is left, each checked: for tables whose keys are names of something."""
        return {key: self.take(key, check) for key in self.keys()}

    def finish(self) -> None:
        """Raises ResultsError if a key is left that was not asked for: it is misspelt."""
        for key in self._left:
            raise self.error(key, f"is not a key of this table; known: {', '.join(self._known) or 'none'}")


def a_table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("it must be a table")
    return value


def text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("it must be text")
    return value


def one_of(*words: str) -> Check:
    def check(value: Any) -> str:
        if value not in words:
            raise ValueError(f"it must be one of {', '.join(words)}")
        return value

    return check


def whole(least: int) -> Check:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"it must be a whole number >= {least}")
        return value

    return check


def number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError("it must be a number")
    return value


def positive(value: Any) -> int | float:
    if number(value) <= 0:
        raise ValueError("it must be > 0")
    return value


def at_least(least: float) -> Check:
    def check(value: Any) -> int | float:
        if number(value) < least:
            raise ValueError(f"it must be >= {least:g}")
        return value

    return check


def list_of(check_item: Check) -> Check:
    """A list of at least one value, no two of them equal."""

    def check(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not value:
            raise ValueError("it must be a list of at least one value")
        items = tuple(check_item(item) for item in value)
        if any(item in items[:index] for index, item in enumerate(items)):
            raise ValueError("its values must differ")
        return items

    return check
