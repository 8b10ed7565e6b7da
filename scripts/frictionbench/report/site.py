"""A leaderboard of many results documents: a folder that any web server can serve."""

from __future__ import annotations

import math
import re
from pathlib import Path
from string import Template
from typing import Sequence

import pandas

from frictionbench.files import ResultsError, check_outputs
from frictionbench.report.about import different_machines, instant
from frictionbench.report.combine import document_names
from frictionbench.report.html import escaped, list_of, scrolled, table
from frictionbench.report.page import PARTS, report_page
from frictionbench.report.versions import TIME_SHIFT, alike, started, versions_table
from frictionbench.results import Results, different_limits, frame_of, repeatable
from frictionbench.results.circumstances import revision
from frictionbench.results.groups import compared_on
from frictionbench.statistics import shifted_geometric_mean, verified_shares
from frictionbench.text import percent, short
from frictionbench.versus.text import seconds

HEAD = ("solver", "model", "solved", "95 % interval", "own model", "mean time", "wrong", "run")


def write_site(documents: Sequence[Results], folder: Path, title: str, ours: Sequence[str], graphs: bool,
               force: bool) -> None:
    """Writes index.html and a report of each document, which it links. Raises ResultsError; `force`: overwrites files."""
    names = dict(zip((document.path for document in documents), document_names([document.path for document in documents])))
    pages: dict[Path, str] = {}
    for document in documents:
        stem = re.sub(r"[^\w.-]+", "-", names[document.path].removesuffix(".json")).strip("-.") or "report"
        page = f"{stem}.html" if stem != "index" else "index-report.html"
        if page in pages.values():
            raise ResultsError(f"{document.path}: another document has the page {page}, too; rename one of them")
        pages[document.path] = page
    check_outputs([folder / page for page in (*pages.values(), "index.html")], force)
    reports = {pages[document.path]: report_page([document], names[document.path], ours, graphs) for document in documents}
    sections = "".join(section(group, pages, names) for group in alike(documents))
    index = Template((PARTS / "site.html").read_text(encoding="utf-8")).substitute(
        title=escaped(title), style=(PARTS / "page.css").read_text(encoding="utf-8"), sections=sections)
    folder.mkdir(parents=True, exist_ok=True)
    for page, text in [*reports.items(), ("index.html", index)]:
        (folder / page).write_text(text, encoding="utf-8")


def section(group: Sequence[Results], pages: dict[Path, str], names: dict[Path, str]) -> str:
    """Runs that are judged alike: the newest record of each pair, ranked; versions over time; links to the reports."""
    first = group[0]
    heading = escaped(f"{first.judged}, tolerance {short(first.tolerance)}")
    caption, rows, ranked_runs = ranking(group, names)
    notes = [*different_limits(ranked_runs, [names[run.path] for run in ranked_runs]), *different_machines(ranked_runs)]
    links = "".join(
        f'<li><a href="{escaped(pages[run.path])}">{escaped(names[run.path])}</a>: {escaped(instant(started(run)))}, '
        f"{escaped(revision(run))}, {len(run.problems)} problems, {len(run.solvers)} solvers</li>" for run in reversed(group))
    ranked = scrolled(table(caption, HEAD, rows, "numbers"), f"Ranking: {heading}") if rows else list_of([caption])
    ranked += list_of(notes) if notes else ""
    return f'<section class="card"><h2>{heading}</h2>{ranked}{versions_table(group)}<h3>Reports</h3><ul>{links}</ul></section>'


def ranking(group: Sequence[Results], names: dict[Path, str]) -> tuple[str, list[list[str]], list[Results]]:
    """What is compared, in words, a row for each solver, and the runs that these are of; none if nothing is common.

    Solvers are in order of their model, the largest share first.
    """
    scale = group[0].criterion.partition("_")[2] or "absolute"
    rows = pandas.concat([frame_of(run).assign(run=names[run.path]) for run in group], ignore_index=True)
    rows = rows.drop_duplicates(["problem.sha256", "solver.id"], keep="last")  # the newest
    counts = rows.groupby("problem.sha256")["solver.id"].nunique()
    solvers = rows["solver.id"].nunique()
    common = rows[rows["problem.sha256"].isin(counts[counts == solvers].index)]
    words = compared_on(int((counts == solvers).sum()), int((counts < solvers).sum()))
    if common.empty:
        return f"There is no ranking: no problem was given to all {solvers} solvers. The reports have each run by itself.", [], []
    shares = verified_shares(common)
    model = group[0].criterion.partition("_")[0]
    found = []
    for solver, of in common.groupby("solver.id", sort=False):
        share = shares.loc[solver]
        own = (of[f"solved.native.{scale}"].fillna(False).astype(bool) & repeatable(of["status"])).mean()
        solved = of[of["solved"]]["time.solve.median"].dropna().astype(float)
        mean = shifted_geometric_mean(solved, TIME_SHIFT)
        interval = "–" if math.isnan(share["low"]) else f"{percent(share['low'])} to {percent(share['high'])}"
        kind = of["solver.model"].iloc[0]
        found.append(((kind != model, kind, -share["share"], mean), [
            str(solver), kind, percent(share["share"]), interval, percent(own), seconds(mean) if len(solved) else "–",
            str(int((of["status"] == "wrong").sum())), of["run"].iloc[0]]))
    runs = [run for run in group if (common["run"] == names[run.path]).any()]
    return f"The newest record of each pair, {words}", [row for _, row in sorted(found, key=lambda pair: pair[0])], runs
