"""Comparisons of ours and peers as tables and sentences, for the text of frictionbench-versus and the report's page."""

from __future__ import annotations

import math
from typing import Sequence

from frictionbench.results import different_limits
from frictionbench.results.groups import compared_on, contacts
from frictionbench.statistics.shares import FEWEST_CLUSTERS
from frictionbench.tables import ABSENT, Grid, Line
from frictionbench.text import short
from frictionbench.versus.contest import (
    ALL_SIZES, FACTOR, OURS_ALONE, PEERS_ALONE, Contest, Loss, Ratio, Row, contributions, rows,
)

MEANING = (
    "Solved: the impulse satisfies the criterion at the tolerance, recomputed from the impulse alone, whatever the solver "
    "reports, and repetitions gave the same answer. Times are medians of the repetitions, and are compared only on "
    "problems that both sides solve. Every solver stops by its own test: a peer whose test is laxer than the judge fails, "
    "and one whose test is stricter takes longer than it would have to.",
    "Together: the virtual best, which takes the fastest of several solvers on each problem; the more solvers a side has, "
    "the better it is. A single solver of ours is one for the whole table, the one that solves the most. The best single "
    "peer is chosen anew in every line, as the one that solves the most of it; it need not be a fast one. None of our "
    "solvers counts as a peer.",
    "Ratio: the time of the peers divided by ours, so above 1 where ours are faster. The geometric mean has a 95 % interval "
    "from a bootstrap over simulations (time steps of one simulation are nearly the same problem, and are drawn together) "
    f"if there are at least {FEWEST_CLUSTERS} of them; the number after “of” counts the problems; quartiles follow. Peers "
    "together divided by a single solver of ours is the ratio that favours the peers.",
    f"Wins are problems that our side solves more than {short(FACTOR)} times as fast as the other, each side together, or "
    "that it alone solves, which are counted in brackets. Losses are the same the other way round.",
    "What a solver adds to all others, of both sides: “alone”, problems that no other solver solves; “first”, problems on "
    "which no other is faster; “slower without it”, how much longer (geometric mean) all others together take for what "
    "they solve.",
)
PIPE = ("An external program is sent each problem as a line of text and answers with another, while the arrays are in memory "
        "that both share; this exchange is part of its time. Plug-ins and our own solvers are called within the process.")


def title(contest: Contest) -> str:
    return f"{contest.results.judged}, tolerance {short(contest.results.tolerance)}"


def sides(contest: Contest) -> list[str]:
    """Who is compared, on what, and which limits differ."""
    names = [", ".join(f"`{solver.id}`" for solver in side) for side in (contest.ours, contest.peers)]
    parts = contest.results.parts
    external = [PIPE] if any("command" in solver.settings for solver in (*contest.ours, *contest.peers)) else []
    return [f"Ours ({len(contest.ours)}): {names[0]}. Peers ({len(contest.peers)}): {names[1]}.",
            f"They are {compared_on(len(contest.problems), contest.missing)}.",
            *different_limits(parts, [part.path.name for part in parts]), *external]


def solved_grid(contest: Contest, name: str = "") -> Grid:
    """Who solves what, how much faster, by family and size class. `name`: of the problems, in the title."""
    ours = contest.champion.id
    several = len(contest.ours) > 1  # of a single one, what is together is what it does itself
    columns = [("", "problems"), ("", "simulations"), ("solved by", ours),
               *([("solved by", "ours together")] if several else []),
               ("solved by", "best single peer"), ("solved by", "peers together"), ("", "wins"), ("", "losses"),
               (f"best single peer / {ours}", "ratio"),
               (f"peers together / {ours}", "ratio"), (f"peers together / {ours}", "quartiles"),
               *([("peers together / ours together", kind) for kind in ("ratio", "quartiles")] if several else [])]
    sections: dict[str, list[Line]] = {}
    for row in rows(contest):
        label = row.size if row.size == ALL_SIZES else f"{row.size} contacts"
        sections.setdefault(row.family, []).append(Line(label, cells(row, several)))
    return Grid(f"Solved{f', {name}' if name else ''}: {title(contest)}", columns, list(sections.items()))


def cells(row: Row, several: bool) -> list[str]:
    """A line of solved_grid; `several`: there are several solvers of ours."""
    return [str(row.problems), str(row.simulations), str(row.champion_solves), *([str(row.ours_solve)] if several else []),
            f"{row.best_peer_solves}, {row.best_peer}" if row.best_peer_solves else "0", str(row.peers_solve),
            outcome(row.wins, row.outcomes[OURS_ALONE]), outcome(row.losses, row.outcomes[PEERS_ALONE]),
            ratio_cells(row.single)[0], *ratio_cells(row.all_against_one), *(ratio_cells(row.together) if several else [])]


def ratio_cells(ratio: Ratio | None) -> list[str]:
    if ratio is None:
        return [ABSENT, ABSENT]
    between = "" if ratio.interval is None else f" [{factor(ratio.interval[0])}, {factor(ratio.interval[1])}]"
    return [f"{factor(ratio.mean)}{between} of {ratio.problems}", ", ".join(map(factor, ratio.quartiles))]


def factor(value: float) -> str:
    """Two digits, and those before the point in full."""
    return f"{value:.0f}" if value >= 9.95 else f"{value:#.2g}"


def outcome(count: int, alone: int) -> str:
    return f"{count} ({alone})" if alone else str(count)


def contributions_grid(contest: Contest, name: str = "") -> Grid:
    """What each solver adds to the virtual best of all."""
    columns = [("", "solves"), ("", "alone"), ("", "first"), ("", "slower without it")]
    lines: dict[str, list[Line]] = {"ours": [], "peers": []}
    for c in contributions(contest):
        slowdown = ABSENT if c.slowdown is None else f"{100 * (c.slowdown - 1):.3g} %"
        lines["ours" if c.ours else "peers"].append(
            Line(f"`{c.solver}`", [str(c.solves), str(c.alone), str(c.first), slowdown]))
    return Grid(f"What each solver adds to all together{f', {name}' if name else ''}: {title(contest)}", columns,
                list(lines.items()))


def loss_sentence(loss: Loss) -> str:
    """One line: the problem, what happened, and the two commands that repeat it."""
    size = contacts(loss.problem)
    head = f"`{loss.problem.id}` ({size} contact{'s' * (size != 1)}): `{loss.peer.id}` {seconds(loss.seconds)}, "
    if math.isinf(loss.our_seconds):
        head += "none of ours solves it"
    else:
        head += f"`{loss.ours.id}` {seconds(loss.our_seconds)}, {factor(loss.factor)} times as long"
    return f"{head}; `{loss.commands[0]}`; `{loss.commands[1]}`"


def seconds(value: float) -> str:
    """A time with the unit that makes it short."""
    unit, name = next(((unit, name) for unit, name in ((1, "s"), (1e-3, "ms")) if value >= unit), (1e-6, "µs"))
    return f"{value / unit:.3g} {name}"


def loss_sentences(found: Sequence[Loss]) -> list[str]:
    return [loss_sentence(loss) for loss in found] or ["None."]
