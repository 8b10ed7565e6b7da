"""Numbers and lists in words, as documents and pages have them."""

from __future__ import annotations

import re
from typing import Iterable, Sequence


def short(value: float) -> str:
    """A number in its usual spelling: 1e-6, not 1e-06."""
    return re.sub(r"e([-+])0", r"e\1", f"{value:g}")


def percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f} %"  # + 0.0: never "-0.0"


def tiny(value: float) -> str:
    return "0" if value == 0 else f"{value:.1e}"


def samples(counts: Iterable[int]) -> str:
    """How many timed solves each of these times is of, in words; a first solve alone runs with cold caches."""
    found = sorted(set(counts))
    if not found:
        return "not timed"
    few, most = found[0], found[-1]
    if most == 1:
        return "1 cold sample"
    return f"{most} samples" if few == most else f"{'1 cold sample' if few == 1 else few} to {most} samples"


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def bullets(sentences: Sequence[str]) -> str:
    return "\n".join(f"* {sentence}" for sentence in sentences)


def collapsed(sentences: Sequence[str]) -> list[str]:
    """Of three or more sentences that differ only in names and numbers (other than the tolerance), the first."""
    alike: dict[str, list[str]] = {}
    for sentence in sentences:
        kind = re.sub(r"(?<!\S)(?<!Tolerance )\S*\d\S*", "", sentence)
        alike.setdefault(kind, []).append(sentence)
    return [text for same in alike.values()
            for text in ([f"{same[0]} ({len(same) - 1} more say the same with other numbers.)"] if len(same) > 2 else same)]


def paragraphs(parts: Sequence[str]) -> str:
    """A text of parts with a blank line between any two."""
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"
