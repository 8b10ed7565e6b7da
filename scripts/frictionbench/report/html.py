"""Text as HTML."""

from __future__ import annotations

import html
from typing import Iterable, Sequence

from frictionbench.tables import Grid


def escaped(text: str) -> str:
    return html.escape(text, quote=True)


def list_of(lines: Iterable[str]) -> str:
    """A list of lines; nothing for none."""
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return f'<ul class="notes">{items}</ul>' if items else ""


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], kind: str) -> str:
    """A table whose first column has the names of the rows; `kind` is its class."""
    columns = "".join(f'<th scope="col">{escaped(name)}</th>' for name in head)
    body = "".join(f'<tr><th scope="row">{escaped(first)}</th>{"".join(f"<td>{escaped(cell)}</td>" for cell in cells)}</tr>'
                   for first, *cells in rows)
    return (f'<table class="{kind}"><caption><span>{escaped(caption)}</span></caption>'
            f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>")


def grid_table(grid: Grid) -> str:
    """A table of a text as HTML: lines are named by their section and label, columns by group and label."""
    head = ["", *(f"{group}: {label}" if group else label for group, label in grid.columns)]
    rows = [[f"{section}, {line.label.replace('`', '')}", *line.cells] for section, lines in grid.sections for line in lines]
    return table(grid.title, head, rows, "numbers") + list_of(grid.notes)


def scrolled(content: str, label: str) -> str:
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{content}</div>'
