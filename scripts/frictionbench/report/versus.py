"""The report's section on our solvers and those of others; only where a run has both."""

from __future__ import annotations

import math
from typing import Sequence

from frictionbench.files import ResultsError
from frictionbench.report.html import escaped, grid_table, list_of, scrolled, table
from frictionbench.results import Results, Solver
from frictionbench.results.commands import is_peer
from frictionbench.versus.contest import Contest, Loss, contests, losses, matching
from frictionbench.versus.text import MEANING, contributions_grid, factor, seconds, sides, solved_grid, title

OURS = ("ncp-*",)
MOST_LOSSES = 100  # in the page; frictionbench-versus lists all
LINK = '<a href="#versus">Ours and others</a>'


def by_origin(ours: Sequence[str], solvers: Sequence[Solver]) -> tuple[list[Solver], list[Solver]]:
    """Solvers of the project that match a pattern, and those of plug-ins and external programs."""
    peers = [solver for solver in solvers if is_peer(solver.settings)]
    return matching([solver for solver in solvers if solver not in peers], ours), peers


def versus_section(documents: Sequence[Results], ours: Sequence[str]) -> str:
    """The section, or nothing where no solver of ours or no peer is in the documents."""
    solvers = [solver for document in documents for solver in document.solvers]
    if not all(by_origin(ours, solvers)):
        return ""
    try:
        found, without = contests(documents, lambda some: by_origin(ours, some))
    except ResultsError as failure:  # such as two runs of one pair, which the rest of the page tells apart
        found, without = [], [str(failure)]
    parts = [contest_html(contest) for contest in found]
    if without:
        parts.append(f"<h3>Not compared</h3>{list_of(without)}")
    return ('<section id="versus" class="card" aria-labelledby="versus-title">'
            '<h2 id="versus-title">Our solvers and those of others</h2>'
            f"<p>Ours are those that match {escaped(' or '.join(ours))}; others are those of plug-ins and external programs. "
            "By the criterion and tolerance of each run, whatever is chosen above.</p>"
            f"{''.join(parts)}"
            f"<details class=\"behind\"><summary>What is counted</summary>{list_of(MEANING)}</details></section>")


def contest_html(contest: Contest) -> str:
    """The tables of one criterion and tolerance."""
    lost = losses(contest)
    name = escaped(title(contest))
    lines = [line.replace("`", "") for line in sides(contest)]
    return (f"<h3>{name}</h3>{list_of(lines)}"
            f"{scrolled(grid_table(solved_grid(contest)), f'Solved by ours and others: {name}')}"
            f"{behind('What each solver adds', grid_table(contributions_grid(contest)), name)}"
            f"{behind(f'Losses: {len(lost)}', losses_table(lost), name)}")


def losses_table(lost: Sequence[Loss]) -> str:
    if not lost:
        return "<p>None.</p>"
    rows = [[loss.problem.id, f"{loss.peer.id}: {seconds(loss.seconds)}",
             "none of ours solves it" if math.isinf(loss.our_seconds) else
             f"{loss.ours.id}: {seconds(loss.our_seconds)}, {factor(loss.factor)} times as long", "\n".join(loss.commands)]
            for loss in lost[:MOST_LOSSES]]
    more = len(lost) - MOST_LOSSES
    note = f"<p>And {more} more, which frictionbench-versus lists.</p>" if more > 0 else ""
    return table("Problems that only others solve, or solve faster",
                 ["problem", "peer", "ours", "commands that repeat both"], rows, "failures losses") + note


def behind(summary: str, content: str, name: str) -> str:
    return (f'<details class="behind"><summary>{escaped(summary)}</summary>'
            f"{scrolled(content, f'{escaped(summary)}: {name}')}</details>")
