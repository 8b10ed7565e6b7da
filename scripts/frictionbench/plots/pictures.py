"""What the project's pictures have in common: colours, line styles, axes, labels that do not overlap."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Mapping, Sequence

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from frictionbench.files import ResultsError
from frictionbench.profiles import Profile

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

# For a printed page, where a figure has its final size: smaller type, and text that stays text.
PRINT_STYLE = STYLE | {
    "font.size": 7,
    "axes.titlesize": 7.5,
    "axes.labelsize": 7,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "legend.fontsize": 6.5,
    "svg.fonttype": "none",
}


def picture_path(text: str) -> Path:
    """The path of a picture. Raises ResultsError if its suffix says no kind that can be written."""
    path = Path(text)
    if path.suffix not in SUFFIXES:
        raise ResultsError(f"{path}: the name of a picture must end in one of {', '.join(SUFFIXES)}")
    return path


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


def style(settings: Mapping = STYLE):
    """Context in which the project's figures are made and saved."""
    return matplotlib.rc_context(settings)


def largest_ratio(panels: Mapping[str, Mapping[str, Profile]]) -> float:
    """Where the last curve of performance profiles stops rising; 1 if none does."""
    profiles = [profile for panel in panels.values() for profile in panel.values()]
    return max((profile.ratios[-1] for profile in profiles if profile.ratios), default=1.0)


def nice_tau_max(panels: Mapping[str, Mapping[str, Profile]]) -> float:
    """End of the tau axis: past the largest ratio, and never less than 2."""
    largest = largest_ratio(panels)
    for end in (2.0, 5.0, 10.0):
        if largest <= 0.9 * end:
            return end
    return largest * 1.3


def log_ticks(axis) -> None:
    """Labels 2, 5, 20, ... of a logarithmic axis, too, where it has less than two decades: powers of ten would leave one or none.

    Its ends must be set, or its points drawn.
    """
    low, high = sorted(axis.get_view_interval())
    decades = math.log10(high / low)
    if decades >= 2:
        return
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)) if decades > 0.6 else MaxNLocator(5))
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick_label(value)))
    axis.set_minor_formatter(NullFormatter())


def tick_label(value: float) -> str:
    """A number as matplotlib writes powers of ten, or in full where that is short."""
    if 1e-2 <= value < 1e5:
        return f"{value:g}"
    factor, _, exponent = f"{value:e}".partition("e")
    times = "" if float(factor) == 1 else rf"{float(factor):g}\times"
    return rf"${times}10^{{{int(exponent)}}}$"


def draw_profiles(
    axes, profiles: Mapping[str, Profile], styles: Mapping[str, dict], tau_max: float
) -> None:
    """Performance profiles by solver id in one panel, with its axes but without their names."""
    axes.set_xscale("log")
    axes.set_xlim(1, tau_max)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100 %"])
    log_ticks(axes.xaxis)
    axes.grid(True)
    axes.set_axisbelow(True)
    for solver, profile in profiles.items():
        steps = [step for step in profile.steps() if step[0] <= tau_max]
        taus = [tau for tau, _ in steps] + [tau_max]
        shares = [count / profile.problems for _, count in steps]
        axes.step(taus, shares + shares[-1:], where="post", clip_on=False, **styles[solver])
