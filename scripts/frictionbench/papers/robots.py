"""Writes what solvers solve of the contact problems of robots, and how fast: tables beside what papers say."""

from __future__ import annotations

import math
import statistics
from typing import Any

from frictionbench.papers.documents import folders, write_document
from frictionbench.papers.grids import decimals
from frictionbench.results import Problem, Record, Results, Solver, load
from frictionbench.results.circumstances import circumstances
from frictionbench.tables import ABSENT, Grid, Line, markdown
from frictionbench.text import bullets, listed, paragraphs, short

DESCRIPTION = """\
Writes robots.md: what is solved of the problems of robots, times and iterations, cold and warm, beside what papers say.
"""
MICROSECONDS = 1e6

HOW = [
    "The robots of the papers (UR5, Solo-12, Cassie, Allegro, Talos) are replaced by those of `datasets/models`, of as many "
    "joints and made of primitive shapes, which MuJoCo moves. The quadruped of [LeLidec24] stands and is pushed, this one trots.",
    "Blocks are contacts with friction at a point. MuJoCo's forces of limits, closed loops and dry friction of joints are given "
    "(`extract --contacts-only`), except under “Joints in the problem”.",
    "A problem is solved if the impulse satisfies the criterion of the solver's own model, recomputed from the impulse alone. "
    "The papers stop solvers by their own tests.",
    "Times are medians over all steps, solved or not, where the papers have means, which other work on a machine decides; the "
    "pictures have means. Forming W from M and H is not in them. Where a peer tells its own time, as MuJoCo's constraint solver "
    "does, it is that one, without building a model for it; the others' includes all that it takes to ask them.",
]


def own_time(record: Record) -> float | None:
    """Seconds that a peer's library spent, where the peer tells them apart from what surrounds it."""
    return next((value for name, value in (record["reported"] or {}).items() if name.endswith("time")), None)


def seconds(run: Results, record: Record) -> float | None:
    """Of a solve; None if it was not timed."""
    if (own := own_time(record)) is not None:
        return own
    if record["status"] == "time_limit":
        return run.document["run"]["time_limit"]
    solve = record["time"]["solve"]
    return None if solve is None else solve["median"]


def records(run: Results, family: str, solver: Solver) -> list[tuple[Problem, Record]]:
    """Of a solver on a family, without problems that it refuses."""
    found = [(problem, run.record(problem, solver)) for problem in run.problems if problem.family == family]
    return [(problem, record) for problem, record in found if record["status"] != "refused"]


def median_seconds(run: Results, family: str, solver: Solver) -> float:
    """NaN if nothing was timed."""
    times = [time for _, record in records(run, family, solver) if (time := seconds(run, record)) is not None]
    return statistics.median(times) if times else math.nan


def mean_iterations(run: Results, family: str, solver: Solver) -> float:
    """NaN if every problem was refused."""
    counts = [record["iterations"] for _, record in records(run, family, solver) if record["iterations"] is not None]
    return statistics.fmean(counts) if counts else math.nan


def rounded(value: float) -> str:
    return ABSENT if math.isnan(value) else f"{value:.{decimals(value)}f}"


def share(run: Results, family: str, solver: Solver) -> str:
    """Solved problems of those that the solver takes."""
    taken = records(run, family, solver)
    return f"{sum(run.solved(problem, solver) for problem, _ in taken)}/{len(taken)}" if taken else "refused"


def problems_grid(runs: dict[str, Results]) -> Grid:
    """What was solved: sizes of the problems of every motion."""
    sections = []
    for name, run in runs.items():
        lines = []
        for family in run.families():
            facts: list[dict[str, Any]] = [problem.facts for problem in run.problems if problem.family == family]
            contacts = [fact["contacts"] for fact in facts]
            lines.append(Line(family, [
                str(len(facts)), str(facts[0]["dofs"]), f"{statistics.fmean(contacts):.1f}",
                f"{min(contacts)} to {max(contacts)}", str(max(fact["unknowns"] for fact in facts))]))
        sections.append((name, lines))
    columns = [("", name) for name in ("problems", "degrees of freedom", "contacts, mean", "least to most", "unknowns, most")]
    return Grid("Problems", columns, sections)


def times_grid(title: str, run: Results) -> Grid:
    """Solved problems, mean times and iterations by robot and solver."""
    def line(family: str, solver: Solver) -> Line:
        return Line(solver.id, [share(run, family, solver), rounded(MICROSECONDS * median_seconds(run, family, solver)),
                                rounded(mean_iterations(run, family, solver))])

    columns = [("", name) for name in ("solved", "time, median (µs)", "iterations, mean")]
    return Grid(f"{title}: {run.judged}, {short(run.tolerance)}", columns, [
        (family, [line(family, solver) for solver in run.solvers if records(run, family, solver)])
        for family in run.families()])


def warm_grid(cold: Results, warm: Results) -> Grid:
    """Mean times and iterations from zero and from the step before."""
    def line(family: str, solver: Solver) -> Line:
        return Line(solver.id, [
            *(share(run, family, solver) for run in (cold, warm)),
            *(rounded(MICROSECONDS * median_seconds(run, family, solver)) for run in (cold, warm)),
            *(rounded(mean_iterations(run, family, solver)) for run in (cold, warm))])

    columns = [(group, start) for group in ("solved", "time, median (µs)", "iterations, mean") for start in ("cold", "warm")]
    return Grid(f"[LeLidec24] Fig. 17: {cold.judged}, {short(cold.tolerance)}", columns, [
        (family, [line(family, solver) for solver in cold.solvers if records(cold, family, solver)])
        for family in cold.families()])


def solves_all(run: Results, family: str) -> list[Solver]:
    """Solvers that solve every problem of a family, the fastest first."""
    everything = [solver for solver in run.solvers
                  if all(run.solved(problem, solver) for problem in run.problems if problem.family == family)]
    return sorted(everything, key=lambda solver: median_seconds(run, family, solver))


def fastest(run: Results) -> list[str]:
    """By robot: which of the solvers that take its problems solve them all, the fastest of these, and which refuse them all."""
    found = []
    for family in run.families():
        solvers = solves_all(run, family)
        refuse = [solver.id for solver in run.solvers if not records(run, family, solver)]
        refused = f" {listed(refuse)} refuse{'s' * (len(refuse) == 1)} all of them." if refuse else ""
        if not solvers:
            found.append(f"{family}: no solver solves all of its problems.{refused}")
            continue
        first, taking = solvers[0], len(run.solvers) - len(refuse)
        found.append(f"{family}: {len(solvers)} of {taking} solvers solve all of its problems, each in its own model; "
                     f"the fastest is {first.id}, {rounded(MICROSECONDS * median_seconds(run, family, first))} µs.{refused}")
    return found


def warm_start_gains(cold: Results, warm: Results) -> list[str]:
    """What a warm start changes for each robot, over the solvers that solve all of its problems both ways."""
    found = []
    for family in cold.families():
        both = [solver for solver in solves_all(cold, family) if solver in solves_all(warm, family)]
        ratios = [(median_seconds(warm, family, solver) / median_seconds(cold, family, solver), solver.id) for solver in both]
        if ratios:
            (least, best), (most, worst) = min(ratios), max(ratios)
            found.append(f"{family}: from the step before, times are {least:.2f} ({best}) to {most:.2f} ({worst}) of those "
                         f"from zero, over the {len(ratios)} solvers that solve everything both ways.")
    return found


def document(runs: dict[str, Results]) -> str:
    s5, cold, warm, l16, s6, joints = (runs[name] for name in NAMES)
    parts = [
        "# Times on robots, as [Carpentier24] and [LeLidec24] measure them",
        "This text is generated by `frictionbench-paper robots`; `frictionbench-paper run robots` makes its results and "
        "problems.",
        "## How it was measured", bullets([*circumstances([s5, cold, warm, l16, s6, joints]), *HOW]),
        markdown(problems_grid({"Fig. 5 of [Carpentier24]": s5, "Figs. 16, 17 of [LeLidec24]": cold,
                                "Fig. 6 of [Carpentier24]": s6, "joints": joints})),
        "## [Carpentier24] Fig. 5",
        "The paper finds that its ADMM takes about the same time in all scenes, and that PGS and SCS do not, although they solve "
        "the CCP.",
        bullets(fastest(s5)), markdown(times_grid("[Carpentier24] Fig. 5", s5)), "![mean times](s5.svg)",
        "## [LeLidec24] Fig. 17",
        "The paper finds PGS the fastest from zero, second-order methods slower, ADMM between, and much less between them with "
        "warm starts.",
        bullets([*fastest(cold), *warm_start_gains(cold, warm)]), markdown(warm_grid(cold, warm)),
        "From zero:", "![mean times from zero](l17-cold.svg)",
        "From the step before:", "![mean times from the step before](l17-warm.svg)",
        "## [LeLidec24] Fig. 16",
        "The paper finds PGS fast to 1e-5 and stalled before high accuracy on Talos; ADMM, Newton's method and staggered "
        "projections reach it in few iterations.",
        markdown(times_grid("[LeLidec24] Fig. 16", l16)), "![residuals by iteration](l16.svg)",
        "## [Carpentier24] Fig. 6",
        "The paper counts time steps of whole simulators in a second, with collision detection and dynamics, on an Apple M1 Max. "
        "Here it is the contact problem alone, beside the solvers of other projects on the same steps, each for its own model: "
        "those of MuJoCo's default compliance solve a softer problem.",
        bullets(fastest(s6)), markdown(times_grid("[Carpentier24] Fig. 6", s6)),
        "## Joints in the problem",
        "The papers leave limits out. Here limits, closed loops (biped) and dry friction of joints are rows beside the contacts, "
        "and the hand's contacts have torsion; solvers that refuse such rows are not in the table.",
        bullets(fastest(joints)), markdown(times_grid("With limits, loops and dry friction", joints)),
    ]
    return paragraphs(parts)


NAMES = ("s5", "l17-cold", "l17-warm", "l16", "s6", "joints")


def main(words: list[str] | None = None) -> int:
    folder, output = folders("robots", DESCRIPTION, words, "robots.md")
    write_document(output, "robots", document({name: load(folder / f"{name}.json") for name in NAMES}), {})
    return 0
