"""Pictures about compliance, from what frictionbench-paper run compliance measured."""

from __future__ import annotations

import math
from typing import Mapping, Sequence

from matplotlib.lines import Line2D
from matplotlib.ticker import FormatStrFormatter, MaxNLocator, NullFormatter

from frictionbench.papers.compliance_measures import Slip, Standing, complementarity, means, momentum_error
from frictionbench.papers.compliance_tables import accuracy_name, accuracy_pairs, has_momentum, scene_name
from frictionbench.plots.curves import Points
from frictionbench.plots.panels import MARKERS, Page, curve_style, lines_legend, logarithmic, thin_line
from frictionbench.plots.pictures import Figure
from frictionbench.results import Results, Solver

ESTIMATE = {"color": "#555555", "linestyle": (0, (4, 2)), "linewidth": 1.0}
HOLLOW = {"linestyle": "", "markerfacecolor": "none", "markersize": 4, "markeredgewidth": 0.8}


def plot(axes, points: Points, look: dict) -> None:
    axes.plot([x for x, _ in points], [y for _, y in points], **look)


def draw_standing(scenes: Mapping[str, Standing]) -> Figure:
    """[LeLidec24] Fig. 14: penetration, creep and norm of the impulse by compliance."""
    looks = {scene_name(family): curve_style(index) for index, family in enumerate(scenes)}
    solvers = list(dict.fromkeys(solver for scene in scenes.values() for solver in scene.rigid_norms()))
    markers = {f"rigid, {solver}": HOLLOW | {"color": "black", "marker": MARKERS[index + 2]}
               for index, solver in enumerate(solvers)}
    page = Page(3, "page", 1.5, "[LeLidec24] Fig. 14: answers of ncp-hybrid with compliance R, judged on the rigid problem",
                lines_legend(looks) | {name: Line2D([], [], **look) for name, look in markers.items()}, columns=3,
                between=0.62)
    penetration, creep, norm = page.axes
    curves: dict = {axes: [] for axes in page.axes}
    rigid = min(min(scene.compliant) for scene in scenes.values()) / 100  # where the axis has rigid answers
    largest = 1.02
    for index, (scene, look) in enumerate(zip(scenes.values(), looks.values())):
        for axes, points in ((penetration, scene.penetration), (creep, scene.creep), (norm, scene.norms())):
            plot(axes, points, look | {"clip_on": axes is norm})
            curves[axes] += points
        for solver, value in scene.rigid_norms().items():
            place = rigid * 10 ** (0.8 * (index - (len(scenes) - 1) / 2))  # side by side
            norm.plot([place], [value], **(markers[f"rigid, {solver}"] | {"color": look["color"]}))
            largest = max(largest, value)
    for axes in (penetration, creep):
        xs = [x for x, _ in curves[penetration]]
        logarithmic(axes.xaxis, min(xs), max(xs))
        ys = [y for axis in (penetration, creep) for _, y in curves[axis]]
        logarithmic(axes.yaxis, min(ys), max(ys))
    rigid_axis(norm, rigid, [x for x, _ in curves[norm]])
    # As much room below 1: the curves go on to 0 there.
    margin = 1.3 * (largest - 1)
    norm.set_ylim(1 - margin, 1 + margin)
    norm.yaxis.set_major_locator(MaxNLocator(5))
    norm.yaxis.set_major_formatter(FormatStrFormatter("%.2f"))  # so many digits fit beside the name of the axis
    thin_line(norm, 1)
    page.label(["penetration", "creep inside the cone", "internal forces"], "compliance R (m/s per N s)",
               ["speed (m/s)", "speed (m/s)", "‖r‖ / least rigid norm"])
    return page.figure


def rigid_axis(axes, rigid: float, xs: Sequence[float]) -> None:
    """A logarithmic axis with a tick for what has no compliance."""
    logarithmic(axes.xaxis, rigid / 8, max(xs))
    exponents = range(math.ceil(math.log10(min(xs)) + 0.5), math.floor(math.log10(max(xs))) + 1, 2)
    axes.set_xticks([rigid, *(10.0**exponent for exponent in exponents)],
                    ["rigid", *(rf"$10^{{{exponent}}}$" for exponent in exponents)])
    axes.set_xticks([], minor=True)


def draw_slip(slips: Mapping[str, Slip]) -> Figure:
    """[Castro22] Fig. 14: slip by slip parameter."""
    legend: dict[str, dict] = {}
    curves = []
    for index, (name, slip) in enumerate(slips.items()):
        creep, mean = ([(x, y) for x, y in points if y > 0] for points in (slip.creep(), slip.mean()))
        if not creep:
            continue
        look = curve_style(index) | {"linestyle": "solid", "linewidth": 1.2}
        hollow = look | {"linestyle": (0, (1.5, 1.2)), "markerfacecolor": "none"}
        curves += [(creep, look), (mean, hollow)]
        legend |= {f"{name}, largest": look, f"{name}, mean": hollow}
    estimates = next(iter(slips.values())).estimates()
    legend["$v_s$ = σ μ h g"] = ESTIMATE
    page = Page(1, "column", 2.0, "[Castro22] Fig. 14: slip of contacts inside their cone, ccp-sap", lines_legend(legend),
                titled=False)
    axes = page.axes[0]
    for points, look in [*curves, (estimates, ESTIMATE)]:
        plot(axes, points, look)
    values = [point for points, _ in curves for point in points] + estimates
    logarithmic(axes.xaxis, min(x for x, _ in values), max(x for x, _ in values))
    logarithmic(axes.yaxis, min(y for _, y in values), max(y for _, y in values))
    page.label([""], "slip parameter σ", ["slip (m/s)"])
    return page.figure


def legend_name(solver: Solver) -> str:
    return accuracy_name(solver).replace("ε_r", "$ε_r$")


def draw_accuracy(accuracy: Sequence[Results]) -> Figure:
    """[Castro22] Fig. 13: momentum error and complementarity by the number of bodies."""
    pairs = accuracy_pairs(accuracy)
    looks = {legend_name(solver): curve_style(index) for index, (_, solver) in enumerate(pairs)}
    page = Page(2, "page", 1.5, "[Castro22] Fig. 13: clutters between walls, means over snapshots", lines_legend(looks),
                columns=2, between=0.6)
    momentum, complement = page.axes
    tolerances = []
    for results, solver in pairs:
        look = looks[legend_name(solver)]
        if has_momentum(results, solver):
            plot(momentum, means(momentum_error, results, solver), look)
            tolerances.append((float(solver.settings["relative_tolerance"]), look["color"]))
        plot(complement, means(complementarity, results, solver), look)
    for axes in page.axes:
        counts = sorted({x for line in axes.get_lines() for x in line.get_xdata()})
        ys = [y for line in axes.get_lines() for y in line.get_ydata() if y > 0]
        ys += [tolerance for tolerance, _ in tolerances] if axes is momentum else []
        axes.set_xscale("log")
        axes.set_xticks(counts, [f"{count:g}" for count in counts])
        axes.set_xticks([], minor=True)
        axes.xaxis.set_minor_formatter(NullFormatter())
        logarithmic(axes.yaxis, min(ys) / 1.5, max(ys) * 1.5)
    for tolerance, color in tolerances:
        momentum.axhline(tolerance, color=color, linewidth=0.8, linestyle=(0, (1, 1)), zorder=1)
    page.label(["momentum error; dotted: tolerances of ccp-sap", "complementarity of the solver's own model"],
               "spheres", ["$e_m$", "max |r · u| / (F U)"])
    return page.figure
