"""What the project's pictures have in common: colours, line styles, labels that do not overlap."""

from __future__ import annotations

import logging
import textwrap
from pathlib import Path
from typing import Sequence

from frictionbench_results import ResultsError

# A cache that is being built or cannot be kept is no news for who wants a picture.
logging.getLogger("matplotlib").setLevel(logging.ERROR)

try:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
except ImportError as failure:
    raise SystemExit(
        f"error: {failure}; run scripts/setup.sh, and this script with /usr/bin/python3"
    ) from None

SUFFIXES = (".svg", ".png", ".pdf")

# Okabe and Ito's palette, without the yellow that is lost on white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
# As many as are still told apart; 7 and 4 have no common divisor, so 28 pairs differ.
DASHES = ("solid", (0, (6, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.edgecolor": "#444444",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "pdf.fonttype": 42,  # fonts that printers and editors of papers accept
    "svg.hashsalt": "frictionbench",  # the same picture is the same file
}


def line_style(index: int) -> dict:
    """Line of the index-th solver of a document: the same in every picture of it."""
    return {
        "color": COLORS[index % len(COLORS)],
        "linestyle": DASHES[index % len(DASHES)],
        # Later curves are drawn over earlier ones; being thinner they do not hide them.
        "linewidth": max(1.1, 2.0 - 0.12 * index),
    }


def wrap_solver_id(solver: str, width: int = 28) -> str:
    """Breaks a long solver id after commas and the opening parenthesis, never inside a setting."""
    if len(solver) <= width:
        return solver
    spaced = solver.replace("(", "( ").replace(",", ", ")
    lines = textwrap.wrap(spaced, width, subsequent_indent="\0\0", break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join(line.replace("( ", "(").replace(", ", ",") for line in lines).replace("\0", " ")


def spread(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> list[float]:
    """Centres of labels, as near to where they are wanted as they can be without overlapping.

    `wanted` is descending; the labels keep that order and stay within [low, high] if they fit there.
    """
    # Labels that touch form a block, centred on the mean of what its labels want.
    blocks: list[list[int]] = []
    centres: list[float] = []

    def height(block: list[int]) -> float:
        return sum(heights[label] for label in block)

    def settle(block: list[int]) -> float:
        offset, total = 0.0, 0.0
        for label in block:
            total += wanted[label] + offset + heights[label] / 2  # where it wants the block's top
            offset += heights[label]
        centre = total / len(block) - offset / 2
        return min(max(centre, low + offset / 2), high - offset / 2)

    for label in range(len(wanted)):
        blocks.append([label])
        centres.append(settle([label]))
        while len(blocks) > 1 and (
            centres[-2] - height(blocks[-2]) / 2 < centres[-1] + height(blocks[-1]) / 2
        ):
            merged = blocks[-2] + blocks[-1]
            blocks[-2:] = [merged]
            centres[-2:] = [settle(merged)]

    positions = [0.0] * len(wanted)
    for block, centre in zip(blocks, centres):
        top = centre + height(block) / 2
        for label in block:
            positions[label] = top - heights[label] / 2
            top -= heights[label]
    return positions


def text_size(text: str, **font) -> tuple[float, float]:
    """Width and height of a text, inches."""
    figure = Figure(dpi=72)
    canvas = FigureCanvasAgg(figure)
    box = figure.text(0, 0, text, **font).get_window_extent(canvas.get_renderer())
    return box.width / 72, box.height / 72


def save(figure: Figure, path: Path) -> None:
    """Writes a picture; its suffix says which kind. Raises ResultsError if it cannot be written."""
    # Without a date the same picture is the same file.
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    try:
        figure.savefig(path, dpi=200, metadata=metadata)
    except OSError as failure:
        raise ResultsError(f"{path}: {failure.strerror}") from None


def style():
    """Context in which the project's figures are made and saved."""
    return matplotlib.rc_context(STYLE)
