"""Numbers in few characters."""

from __future__ import annotations

from typing import Sequence, TypeVar

Item = TypeVar("Item")


def rounded(value: float, digits: int) -> float:
    """To significant digits; an integer stays what it is, however long."""
    if isinstance(value, int):
        return value
    return shortest(float(f"{value:.{digits - 1}e}"))


def rounded_up(value: float, digits: int) -> float:
    """To significant digits, never below the value.

    A bound of as many digits holds for the result exactly if it holds for the value.
    """
    result = float(f"{value:.{digits - 1}e}")
    if result < value:
        exponent = int(f"{value:.{digits - 1}e}".partition("e")[2])
        # By decimal digits, since adding 10**k in binary may miss the decimal number by a bit.
        result = float(f"{result + 10.0 ** (exponent - digits + 1):.{digits - 1}e}")
    return shortest(result)


def shortest(value: float) -> float:
    """1 for 1.0: JSON has one kind of number."""
    return int(value) if value.is_integer() and abs(value) < 1e6 else value


def digits_of(value: float) -> int:
    """Significant digits that a number is written with."""
    mantissa = f"{value:.16e}" if float(f"{value:.15e}") != value else f"{value:.15e}"
    return max(1, len(mantissa.partition("e")[0].replace(".", "").rstrip("0")))


def thinned(rows: Sequence[Item], count: int) -> list[Item]:
    """About `count` of the rows, close together at the start; the first and the last among them.

    So that curves over a logarithmic axis keep their shape.
    """
    if len(rows) <= count or count < 2:
        return list(rows)
    last = len(rows) - 1
    picked = {round((last + 1) ** (k / (count - 1))) - 1 for k in range(count)}
    return [rows[index] for index in sorted(picked)]
