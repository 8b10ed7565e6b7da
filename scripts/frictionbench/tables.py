"""A table of a paper with measured lines in it, as Markdown and as LaTeX (package booktabs)."""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass, field
from itertools import groupby
from typing import Callable, Sequence

ABSENT = "–"  # what is not measured; a note says why


def median_cell(values: Sequence[float], spec: str = "g") -> str:
    return f"{statistics.median(values):{spec}}" if values else ABSENT


def mean_cell(values: Sequence[float], digits: int = 1) -> str:
    return f"{statistics.fmean(values):.{digits}f}" if values else ABSENT


@dataclass(frozen=True)
class Line:
    """One line of a section: whose numbers, and a cell a column."""

    label: str
    cells: list[str]


@dataclass
class Grid:
    title: str
    columns: list[tuple[str, str]]  # (group, label)
    sections: list[tuple[str, list[Line]]]  # (family, lines)
    notes: list[str] = field(default_factory=list)  # a sentence each; code in `backticks`


def markdown(grid: Grid) -> str:
    def row(cells: list[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    labels = [f"{group}, {label}" if group else label for group, label in grid.columns]
    lines = [f"**{grid.title}**", "", row(["", ""] + labels),
             row(["---", "---"] + ["---:"] * len(labels))]
    for family, section in grid.sections:
        for index, line in enumerate(section):
            lines.append(row([f"**{family}**" if index == 0 else "", line.label] + line.cells))
    lines += [""] + [f"* {note}" for note in grid.notes]
    return "\n".join(lines) + "\n"


def latex(grid: Grid) -> str:
    end = r" \\"
    width = len(grid.columns)
    # A double-column table takes what does not fit into one column of a paper.
    environment = "table*" if width > 4 else "table"
    lines = [
        rf"\begin{{{environment}}}", r"\centering", r"\footnotesize", r"\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{escape(grid.title)}}}",
        rf"\begin{{tabular}}{{ll{'r' * width}}}", r"\toprule",
    ]
    if any(group for group, _ in grid.columns):
        lines += _group_header(grid)
    lines.append(" & ".join(["", ""] + [escape(label) for _, label in grid.columns]) + end)
    for family, section in grid.sections:
        lines.append(r"\midrule")
        for index, line in enumerate(section):
            head = rf"\emph{{{escape(family)}}}" if index == 0 else ""
            lines.append(" & ".join([head, escape(line.label)] + [escape(cell) for cell in line.cells]) + end)
    lines += [r"\bottomrule", r"\end{tabular}", r"\par\smallskip\raggedright\scriptsize"]
    lines += [escape(note) + r"\par" for note in grid.notes]
    lines.append(rf"\end{{{environment}}}")
    return "% needs \\usepackage{booktabs}\n" + "\n".join(lines) + "\n"


FORMATS: dict[str, Callable[[Grid], str]] = {"markdown": markdown, "latex": latex}


def _group_header(grid: Grid) -> list[str]:
    """The line of group names, each over its columns, and the rules below them."""
    cells, rules, column = ["", ""], [], 3
    for group, members in groupby(group for group, _ in grid.columns):
        span = len(list(members))
        cells.append(rf"\multicolumn{{{span}}}{{c}}{{{escape(group)}}}")
        if group:
            rules.append(rf"\cmidrule(lr){{{column}-{column + span - 1}}}")
        column += span
    return [" & ".join(cells) + r" \\", " ".join(rules)]


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#",
    "$": r"\$", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "–": "--", "±": r"$\pm$",
    "τ": r"$\tau$", "μ": r"$\mu$", "−": "$-$", "<": "$<$", ">": "$>$", '"': "''", "|": r"\textbar{}",
    "“": "``", "”": "''",
}


def escape(text: str) -> str:
    """Plain text, with code in backticks, as LaTeX."""
    parts = re.split(r"`([^`]*)`", text)
    for index, part in enumerate(parts):
        escaped = "".join(_LATEX.get(character, character) for character in part)
        # A command line may be broken after every comma, and two hyphens are not a dash.
        code = escaped.replace("--", "-{}-").replace(",", r",\allowbreak{}")
        parts[index] = rf"\texttt{{{code}}}" if index % 2 else escaped
    return "".join(parts)
