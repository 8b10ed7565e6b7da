"""Panels on a printed page: a figure of a given width with one legend below, and what is drawn on it."""

from __future__ import annotations

import math
from typing import Mapping, Sequence

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullFormatter

from frictionbench.plots.curves import MeanTime, Points
from frictionbench.plots.looks import GREY
from frictionbench.plots.pictures import (
    COLORS, Figure, draw_profiles, line_style, log_ticks, nice_tau_max, spread, text_size, wrap_solver_id,
)
from frictionbench.profiles import Profile

WIDTHS = {"column": 3.5, "page": 7.16}  # of a two-column paper, inches
LEGEND_FONT, TITLE_FONT = 6.5, 7.5  # points
HATCHES = ("", "/////", ".....", "xxxxx", "-----", "\\\\\\\\\\", "+++++", "ooo")
MARKERS = "os^Dv<>P"  # 8 of them and of the hatches: no common divisor with the 7 colours
FLOOR = 1e-16  # on logarithmic axes: a residual below the rounding of 1 is drawn at it


def curve_style(index: int) -> dict:
    """Line and marker of the index-th curve where its points are few."""
    return line_style(index) | {"marker": MARKERS[index % len(MARKERS)], "markersize": 2.8, "clip_on": False}


def bar_style(index: int) -> dict:
    return {
        "facecolor": COLORS[index % len(COLORS)], "hatch": HATCHES[index % len(HATCHES)],
        "edgecolor": "white", "linewidth": 0,
    }


class Page:
    """Panels in rows and columns above one legend, whose entries are labels and their handles.

    Lengths are inches.
    """

    TOP, LEFT, RIGHT, BOTTOM, TITLE = 0.24, 0.52, 0.1, 0.4, 0.2

    def __init__(
        self, panels: int, width: str, panel_height: float, caption: str, legend: Mapping[str, object],
        columns: int | None = None, left: float = LEFT, between: float = 0.42, titled: bool = True,
    ) -> None:
        self.columns = min(panels, columns or (2 if width == "column" else 4))
        self.width = WIDTHS[width]
        rows = math.ceil(panels / self.columns)
        labels = [wrap_solver_id(label) for label in legend]
        legend_columns, legend_height = self._legend_size(labels)
        row_height = self.TITLE * titled + panel_height + self.BOTTOM
        height = self.TOP + rows * row_height + legend_height
        self.figure = Figure(figsize=(self.width, height))
        self.figure.text(0.06 / self.width, 1 - 0.13 / height, fit(caption, self.width - 0.12, LEGEND_FONT),
                         va="center", color="#444444", fontsize=LEGEND_FONT)
        self.panel_width = (self.width - left - self.RIGHT - (self.columns - 1) * between) / self.columns
        self.axes = []
        for index in range(panels):
            row, column = divmod(index, self.columns)
            x = left + column * (self.panel_width + between)
            y = height - self.TOP - (row + 1) * row_height + self.BOTTOM
            self.axes.append(self.figure.add_axes(
                (x / self.width, y / height, self.panel_width / self.width, panel_height / height)))
        if legend:
            self.figure.legend(
                list(legend.values()), labels, loc="lower center", ncol=legend_columns, frameon=False,
                bbox_to_anchor=(0.5, 0.03 / height), borderaxespad=0, handlelength=3,
                columnspacing=1.2, fontsize=LEGEND_FONT)

    def _legend_size(self, labels: Sequence[str]) -> tuple[int, float]:
        """(columns, height) of the legend that fits below the panels."""
        if not labels:
            return 1, 0.0
        sizes = [text_size(label, fontsize=LEGEND_FONT) for label in labels]
        entry = max(width for width, _ in sizes) + 0.55
        columns = max(1, min(len(labels), int((self.width - 0.1) / entry)))
        by_column = np.array_split([height + 0.06 for _, height in sizes], columns)  # as a legend fills them
        return columns, max(heights.sum() for heights in by_column) + 0.06

    def label(self, titles: Sequence[str], x: str, y: Sequence[str]) -> None:
        """Titles of panels, the x axis' name under each column, and y axes' names where they change."""
        for index, (axes, title) in enumerate(zip(self.axes, titles)):
            # A title may run on over panels to the right that have none.
            free = 1
            while (index + free) % self.columns and index + free < len(titles) and not titles[index + free]:
                free += 1
            axes.set_title(fit(title, free * self.panel_width, TITLE_FONT), loc="left")
            if index % self.columns == 0 or y[index] != y[index - 1]:
                axes.set_ylabel(y[index])
                axes.yaxis.set_label_coords(-0.37 / self.panel_width, 0.5)
            if index + self.columns >= len(self.axes):
                axes.set_xlabel(x)
            axes.grid(True)
            axes.set_axisbelow(True)


def fit(text: str, inches: float, size: float) -> str:
    """The text, its middle left out if it would be wider than so many inches."""
    shown, keep = text, len(text)
    while text_size(shown, fontsize=size)[0] > inches and keep > 2:
        keep -= 1
        shown = f"{text[: (keep + 1) // 2]}…{text[-(keep // 2):]}"
    return shown


def logarithmic(axis, low: float, high: float) -> None:
    """Makes an axis (`xaxis` or `yaxis`) logarithmic, from the power of ten below to the one above, which have labels."""
    name = axis.axis_name
    getattr(axis.axes, f"set_{name}scale")("log")
    ends = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    getattr(axis.axes, f"set_{name}lim")(10.0 ** ends[0], 10.0 ** max(ends[1], ends[0] + 1))
    axis.set_minor_formatter(NullFormatter())


def name_ends(axes, ends: Mapping[str, tuple[float, str]]) -> None:
    """Names of curves to the right of a panel, by where each ends, as a share of the panel's height, and its colour."""
    width, height = axes.get_window_extent().size / axes.figure.dpi
    order = sorted(ends, key=lambda name: -ends[name][0])
    labels = {name: wrap_solver_id(name) for name in order}
    sizes = [text_size(labels[name], fontsize=LEGEND_FONT)[1] + 0.03 for name in order]
    centres = spread([ends[name][0] * height for name in order], sizes, 0, height)
    for name, centre in zip(order, centres):
        end, colour = ends[name]
        axes.plot([1.01, 1 + 0.12 / width], [end, centre / height], color=colour, linewidth=0.5, transform=axes.transAxes,
                  clip_on=False)
        axes.text(1 + 0.15 / width, centre / height, labels[name], color="#5a6475" if colour == GREY else colour,
                  va="center_baseline", fontsize=LEGEND_FONT, transform=axes.transAxes)


def lines_legend(styles: Mapping[str, dict]) -> dict[str, Line2D]:
    return {label: Line2D([], [], **style) for label, style in styles.items()}


def residual_axes(axes, curves: Mapping[str, Points], styles: Mapping[str, dict], tolerance: float) -> None:
    """Residuals by iteration, both logarithmic, and the tolerance as a thin line."""
    for name, points in curves.items():
        axes.plot([x for x, _ in points], [max(y, FLOOR) for _, y in points], **styles[name])
    values = [(x, max(y, FLOOR)) for points in curves.values() for x, y in points]
    logarithmic(axes.xaxis, 1, max((x for x, _ in values), default=1))
    heights = [tolerance / 2] + [y for _, y in values]  # so that its line is not the axis
    logarithmic(axes.yaxis, min(heights), max(heights))
    thin_line(axes, tolerance)


def thin_line(axes, height: float) -> None:
    axes.axhline(height, color="#777777", linewidth=0.6, linestyle=(0, (1, 1)), zorder=1)


def profiles_page(panels: Mapping[str, Mapping[str, Profile]], styles: Mapping[str, dict], width: str,
                  caption: str) -> Figure:
    """Performance profiles, a panel per family."""
    page = Page(len(panels), width, 1.5, caption, lines_legend(styles))
    tau_max = nice_tau_max(panels)
    titles = []
    for axes, (family, profiles) in zip(page.axes, panels.items()):
        draw_profiles(axes, profiles, styles, tau_max)
        titles.append(f"{family} ({next(iter(profiles.values())).problems})")
    page.label(titles, "τ: solve time / best", ["problems solved"] * len(panels))
    return page.figure


def bars_page(means: Mapping[str, Mapping[str, MeanTime]], solvers: Sequence[str], width: str,
              caption: str) -> Figure:
    """Mean times by family and solver; a bar says how much was solved where that is not all."""
    thick = 0.115
    height = sum(thick * len(solvers) + 0.1 for _ in means)
    legend = {solver: Patch(**bar_style(index)) for index, solver in enumerate(solvers)}
    left = 0.2 + max(text_size(family, fontsize=LEGEND_FONT)[0] for family in means)
    page = Page(1, width, height, caption, legend, left=left, titled=False)
    axes = page.axes[0]
    seconds = [mean.seconds for by_solver in means.values() for mean in by_solver.values()]
    low = 10 ** math.floor(math.log10(max(min(seconds), 1e-9)) - 0.1)
    step = len(solvers) + 0.1 / thick
    for row, by_solver in enumerate(means.values()):
        for index, solver in enumerate(solvers):
            if solver not in by_solver:
                continue
            mean, y = by_solver[solver], -row * step - index
            axes.barh(y, mean.seconds - low, left=low, height=0.88, **bar_style(index))
            if mean.solved < mean.problems:
                share = math.floor(100 * mean.solved / mean.problems)
                axes.annotate(f"{share} % solved", (mean.seconds, y), (2, 0), textcoords="offset points",
                              va="center_baseline", fontsize=6)
    axes.set_xscale("log")
    # Room for the words at the end of the longest bar.
    axes.set_xlim(low, low * (max(seconds) / low) ** 1.25 * 1.5)
    log_ticks(axes.xaxis)
    axes.set_ylim(-(len(means) - 1) * step - len(solvers) + 0.2, 0.8)
    axes.set_yticks([-row * step - (len(solvers) - 1) / 2 for row in range(len(means))], list(means))
    page.label([""], "mean time of a solve (s)", [""])
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)
    return page.figure


def points_page(
    panels: Mapping[str, Mapping[str, Points]], styles: Mapping[str, dict], width: str, caption: str,
    names: tuple[str, Sequence[str]], logs: str = "xy", line: float | None = None,
    unsolved: Mapping[str, Points] | None = None, columns: int | None = None,
) -> Figure:
    """Curves through few points, a panel a title, all with one x axis, and one y axis if it is named alike.

    `names` are of the x axis and of each panel's y axis, `logs` the letters of logarithmic axes, `line`
    the height of a thin line, and `unsolved` has the points of each panel that are crossed out.
    """
    legend = lines_legend(styles)
    cross = {"linestyle": "", "marker": "x", "color": "black", "markersize": 4, "markeredgewidth": 0.9}
    if unsolved:
        legend["unsolved"] = Line2D([], [], **cross)
    page = Page(len(panels), width, 1.45, caption, legend, columns, titled=any(panels))
    drawn = {title: [point for points in curves.values() for point in points]
             for title, curves in panels.items()}
    everything = [point for points in drawn.values() for point in points]
    xs = [x for x, _ in everything]
    for axes, (title, curves) in zip(page.axes, panels.items()):
        for name, points in curves.items():
            axes.plot([x for x, _ in points], [y for _, y in points], **styles[name])
        crossed = (unsolved or {}).get(title, [])
        axes.plot([x for x, _ in crossed], [y for _, y in crossed], clip_on=False, zorder=5, **cross)
        if "x" in logs:
            logarithmic(axes.xaxis, min(xs), max(xs))
        if "y" in logs:
            ys = [y for _, y in (everything if len(set(names[1])) == 1 else drawn[title])]
            ys += [] if line is None else [line]
            logarithmic(axes.yaxis, min(ys), max(ys))
        if line is not None:
            thin_line(axes, line)
    page.label(list(panels), names[0], names[1])
    return page.figure
