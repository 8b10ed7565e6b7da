"""Numbers in few characters."""

from __future__ import annotations

from typing import Sequence, TypeVar

Item = TypeVar("Item")


def rounded(value: float, digits: int) -> float:
    """To significant digits; an integer stays what it is, however long."""
    if isinstance(value, int):
        return value
    return shortest(float(f"{value:.{digits - 1}e}"))


def shortest(value: float) -> float:
    """1 for 1.0: JSON has one kind of number."""
    return int(value) if value.is_integer() and abs(value) < 1e6 else value


def thinned(rows: Sequence[Item], count: int) -> list[Item]:
    """About `count` of the rows, close together at the start; the first and the last among them.

    So that curves over a logarithmic axis keep their shape.
    """
    if len(rows) <= count or count < 2:
        return list(rows)
    last = len(rows) - 1
    picked = {round((last + 1) ** (k / (count - 1))) - 1 for k in range(count)}
    return [rows[index] for index in sorted(picked)]
