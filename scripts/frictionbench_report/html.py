"""Text as HTML."""

from __future__ import annotations

import html
from typing import Iterable


def escaped(text: str) -> str:
    return html.escape(text, quote=True)


def list_of(lines: Iterable[str]) -> str:
    """A list of lines; nothing for none."""
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return f'<ul class="notes">{items}</ul>' if items else ""
