"""Draws what problems cost against a fact of them, and how the cost grows with it."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy
import pandas

from frictionbench.command_line import ArgumentParser, pattern
from frictionbench.files import ResultsError, check_outputs
from frictionbench.plots.looks import Look, chosen_looks, own_criterion, solver_looks, solver_style
from frictionbench.plots.pictures import SUFFIXES, Figure, log_ticks, picture_path, save, style, text_size, wrap_solver_id
from frictionbench.profiles.performance import MEASURES
from frictionbench.results import SAME_JUDGE, Results, frame_of, load_all
from frictionbench.statistics import Exponent, costs, exponent, geometric_mean, simulations
from frictionbench.text import short

DESCRIPTION = """\
Draws what each solved problem costs a solver (vertical) against a fact of the problem (horizontal): points, and
their geometric means by group. Beside a solver stands the exponent b of cost ~ fact^b with a 95 % interval. Solvers are
those of the criterion's model.
"""
EPILOG = """\
The exponent is the median of the slopes between any two simulations (Theil and Sen), of which each is the mean of its time
steps, because these are nearly the same problem. It is of solved problems alone: a solver that gives up on the large
ones may seem to scale well, so look at its profile too.

  frictionbench-plot results.json --x contacts --y time -o scaling.svg
  frictionbench-plot results.json --x sliding --y iterations --solvers 'admm|pgs' -o sliding.png --csv sliding.csv
"""
FACTS = {
    "contacts": "number of contacts", "unknowns": "number of unknowns", "nonzeros": "stored entries of W",
    "condition": "condition number of W", "sliding": "share of contacts that slide",
}
COSTS = {"time": "solve time [s]", "iterations": "iterations", "factorizations": "factorisations"}
GROUPS = 8


def fact_of(rows: pandas.DataFrame, name: str) -> pandas.Series:
    """A fact of each problem, by its id; NaN where it is not known. What slides is that of the first answer that is solved."""
    problems = rows.drop_duplicates("problem.id").set_index("problem.id")
    if name != "sliding":
        return problems[f"problem.{name}"].astype(float)
    answers = rows[rows["solved"]].drop_duplicates("problem.id").set_index("problem.id")
    return (answers["states.sliding"].astype(float) / answers["problem.contacts"]).reindex(problems.index)


def grouped_means(x: pandas.Series, y: pandas.Series, logarithmic: bool) -> list[tuple[float, float]]:
    """Geometric means of y at the means of x, over at most GROUPS groups of equal width."""
    places = numpy.log(x) if logarithmic else x
    groups = pandas.cut(places, GROUPS, labels=False) if places.nunique() > GROUPS else places
    return [(math.exp(of.mean()) if logarithmic else of.mean(), geometric_mean(y[of.index])) for _, of in places.groupby(groups)]


def told(found: Exponent) -> str:
    return f"exponent {found.value:.2f}" + ("" if found.low is None else f" ({found.low:.2f} to {found.high:.2f})")


def draw(points: dict[str, pandas.DataFrame], exponents: dict[str, Exponent | None], looks: dict[str, Look],
         x: str, y: str, title: str) -> Figure:
    labels = {solver: wrap_solver_id(solver) for solver in points}
    for solver, found in exponents.items():
        if found:
            labels[solver] += f"\n   {told(found)}"
    beside = max(text_size(label, fontsize=7.5)[0] for label in labels.values()) + 0.7
    height = max(3.6, sum(text_size(label, fontsize=7.5)[1] + 0.08 for label in labels.values()) + 1.2)
    width = max(0.75 + 4.6 + beside, text_size(title, fontsize=10)[0] + 0.24)
    figure = Figure(figsize=(width, height))
    figure.text(0.12 / width, 1 - 0.2 / height, title, fontsize=10, va="center")
    axes = figure.add_axes((0.75 / width, 0.5 / height, 4.6 / width, (height - 0.95) / height))
    for solver, of in points.items():
        look = solver_style(looks[solver])
        axes.plot(of["x"], of["y"], linestyle="", marker=".", markersize=3, alpha=0.35, color=look["color"], zorder=1)
        means = grouped_means(of["x"], of["y"], x != "sliding")
        if len(means) == 1:  # which do not make a line
            look |= {"marker": "D", "markersize": 6}
        axes.plot([at for at, _ in means], [mean for _, mean in means], label=labels[solver], **look)
    axes.set_yscale("log")
    if x != "sliding":
        axes.set_xscale("log")
        log_ticks(axes.xaxis)
    log_ticks(axes.yaxis)
    axes.set_xlabel(FACTS[x])
    axes.set_ylabel(f"{COSTS[y]}, solved problems")
    axes.grid(True)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, frameon=False, fontsize=7.5,
                handlelength=4.5)
    return figure


def select(results: Results, solvers) -> list[str]:
    """Ids of the solvers that are drawn: of the criterion's model, the best in colour; or those that match."""
    if solvers:
        chosen = [solver.id for solver in results.solvers if solvers.search(solver.id)]
    else:
        looks = solver_looks(results)
        own = [solver.id for solver in results.solvers if own_criterion(solver.model, results.criterion) == results.criterion]
        chosen = [id for id in own or looks if looks[id].colour is not None]
    if not chosen:
        known = ", ".join(solver.id for solver in results.solvers) or "none"
        raise ResultsError(f"{results.path}: no solver to draw; solvers in it: {known}")
    return chosen


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-plot", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="+", help="results document of `frictionbench run`; several are taken as one")
    add("-o", "--output", metavar="PICTURE", action="append", required=True,
        help=f"picture, in the format of its suffix ({', '.join(SUFFIXES)}); repeatable")
    add("--x", choices=FACTS, default="contacts", help="fact of the problems (default: contacts)")
    add("--y", choices=MEASURES, default="time", help="what they cost (default: median solve time)")
    add("--families", metavar="REGEX", type=pattern, help="only families that match")
    add("--solvers", metavar="REGEX", type=pattern,
        help="only solver ids that match; up to eight are all in colour (default: the best eight of the criterion's model)")
    add("--csv", metavar="FILE", type=Path, help="also write the points")
    parser.add_force()
    arguments = parser.parse_args(words)
    pictures = [picture_path(name) for name in arguments.output]
    check_outputs([*pictures, arguments.csv], arguments.force)
    results = load_all(arguments.results, SAME_JUDGE)
    chosen = select(results, arguments.solvers)
    rows = frame_of(results)
    if arguments.families:
        rows = rows[rows["problem.family"].map(lambda family: bool(arguments.families.search(family)))]
    if rows.empty:
        raise ResultsError(f"{results.path}: no problem to draw; families in it: {', '.join(results.families()) or 'none'}")
    fact = fact_of(rows, arguments.x)
    cluster = pandas.Series(simulations(rows).to_numpy(), index=rows["problem.id"]).groupby(level=0).first()
    table = costs(rows, arguments.y)
    points, exponents = {}, {}
    for solver in chosen:
        of = pandas.DataFrame({"x": fact, "y": table[solver]}).replace(math.inf, math.nan).dropna()
        of = of[(of["x"] > 0) | (arguments.x == "sliding")]
        if not of.empty:
            points[solver] = of
            exponents[solver] = None if arguments.x == "sliding" else exponent(of["x"], of["y"], cluster[of.index])
    if not points:
        hint = "; `frictionbench run --condition` computes condition numbers" if arguments.x == "condition" else ""
        raise ResultsError(f"{results.path}: no solved problem with a known {arguments.x} and {arguments.y}{hint}")
    title = (f"{COSTS[arguments.y].partition(' [')[0].capitalize()} by {FACTS[arguments.x]}: {results.judged}, "
             f"tolerance {short(results.tolerance)}")
    with style():
        looks = solver_looks(results)
        if arguments.solvers:
            looks = chosen_looks(looks, list(points))
        figure = draw(points, exponents, looks, arguments.x, arguments.y, title)
        for picture in pictures:
            save(figure, picture)
    for solver, found in exponents.items():
        if found:
            print(f"{solver}: {told(found)}, {len(points[solver])} problems")
    if arguments.csv:
        with arguments.csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["solver", "problem", arguments.x, arguments.y])
            writer.writerows([solver, problem, x, y] for solver, of in points.items()
                             for problem, x, y in zip(of.index, of["x"], of["y"]))
    return 0
