"""Several runs of the same solvers over time: what each version solves, and how fast."""

from __future__ import annotations

from typing import Iterator, Sequence

import pandas

from frictionbench.report.about import instant
from frictionbench.report.html import escaped, scrolled, table
from frictionbench.results import SAME_JUDGE, Results, frame_of, same_run_value
from frictionbench.results.circumstances import revision
from frictionbench.statistics import shifted_geometric_mean
from frictionbench.text import short
from frictionbench.versus.text import seconds

TIME_SHIFT = 1e-4  # s, as in `frictionbench summary`
LINK = '<a href="#versions">Versions over time</a>'


def alike(documents: Sequence[Results]) -> list[list[Results]]:
    """Documents that are judged alike, the oldest of each first."""
    groups: dict[tuple, list[Results]] = {}
    for document in sorted(documents, key=started):
        groups.setdefault(tuple(same_run_value(document, name) for name in SAME_JUDGE), []).append(document)
    return list(groups.values())


def started(document: Results) -> str:
    return same_run_value(document, "started")


def versions_section(documents: Sequence[Results]) -> str:
    """The section; nothing if no two documents have the same solver on the same problem."""
    tables = [found for group in alike(documents) if (found := versions_table(group))]
    if not tables:
        return ""
    return ('<section id="versions" class="card" aria-labelledby="versions-title">'
            '<h2 id="versions-title">Versions over time</h2>'
            "<p>Shares and times (shifted geometric means) are of the problems that all runs of a solver have in common; "
            f"times of those that it solves in all of them.</p>{''.join(tables)}</section>")


def versions_table(group: Sequence[Results]) -> str:
    """A row for each solver of two documents or more, a column for each document; nothing without such a solver."""
    rows = [[solver, *cells] for solver, cells in versions_of(group)] if len(group) > 1 else []
    if not rows:
        return ""
    first = group[0]
    head = ["solver", "problems in common", *(f"{instant(started(run))[:16]}, {revision(run)}" for run in group)]
    caption = f"Solved, {first.judged} at {short(first.tolerance)}"
    return scrolled(table(caption, head, rows, "numbers"), escaped(caption))


def versions_of(group: Sequence[Results]) -> Iterator[tuple[str, list[str]]]:
    frames = [frame_of(run).drop_duplicates(["problem.sha256", "solver.id"]) for run in group]
    everything = pandas.concat(frames, keys=range(len(frames)), names=["run"]).reset_index("run")
    for solver, rows in everything.groupby("solver.id", sort=False):
        runs = sorted(rows["run"].unique())
        counts = rows.groupby("problem.sha256")["run"].nunique()
        common = rows[rows["problem.sha256"].isin(counts[counts == len(runs)].index)]
        if len(runs) < 2 or common.empty:
            continue
        always = common.groupby("problem.sha256")["solved"].all()
        timed = common[common["problem.sha256"].isin(always[always].index)]
        cells = []
        for run in range(len(group)):
            mine, times = common[common["run"] == run], timed[timed["run"] == run]["time.solve.median"].dropna()
            time = f", {seconds(shifted_geometric_mean(times.astype(float), TIME_SHIFT))}" if len(times) else ""
            cells.append(f"{mine['solved'].sum()} of {len(mine)}{time}" if len(mine) else "–")
        yield str(solver), [str(int((counts == len(runs)).sum())), *cells]
