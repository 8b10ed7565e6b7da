"""The FCLIB comparison of [Carpentier24], section V-C, measured: one Markdown document, generated from results."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Callable, Sequence

from frictionbench.files import ResultsError
from frictionbench.papers.grids import answered, citation, decimals, make_grid, measured
from frictionbench.papers.numbers import OURS, Reading, Table, has_all, tables
from frictionbench.profiles import family_profiles
from frictionbench.results import Problem, Results, Solver
from frictionbench.results.circumstances import by_tolerance, circumstances, families, files_of
from frictionbench.tables import ABSENT, Grid, Line, markdown, median_cell
from frictionbench.text import bullets, listed, paragraphs, percent, short

TAU = 2  # where performance profiles are compared


@dataclass(frozen=True)
class Contender:
    """A solver that stands for a curve of [Carpentier24] Fig. 7: with the settings that it is registered with."""

    label: str
    id: str

    def find(self, results: Results) -> Solver | None:
        return next((solver for solver in results.solvers if solver.id == self.id), None)


ADMM = Contender("ADMM", "ncp-admm")
PAPERS_ADMM = Contender("ADMM (S)", "ncp-admm(variant=rss2024)")
PGS = Contender("PGS", "ncp-pgs(relaxation=1,tangent_divisor=smallest_entry)")  # [LeLidec24] Alg. 6
READINGS = (
    Reading(PAPERS_ADMM.label, {"variant": "rss2024", "stop": "verified"}),
    Reading(f"{PAPERS_ADMM.label}, own test", {"variant": "rss2024", "stop": "admm"}, own_test=True),
    Reading(ADMM.label, {"variant": "accelerated"}),
)

Shares = dict[str, tuple[float, float]]  # of two solvers, by family


def document(runs: Sequence[Results], readings: Sequence[Reading] = ()) -> str:
    """The document of runs that differ in their limits; one of them must have the paper's.

    `readings` say which solvers stand in the paper's tables; each variant of ADMM on lines of its own
    if none are given.
    """
    known = tables()
    main = at_papers_tolerance(known["s3"], runs)
    readings = readings or variants(main)

    def beside_ours(id: str) -> str:
        grid = make_grid(main, known[id], readings=readings)
        grid.notes.remove(citation(known[id]))  # that is the first line of the text
        return markdown(grid)

    parts = [
        "# ADMM on the FCLIB problems of [Carpentier24], section V-C",
        f"{known['s3'].paper.name} is {known['s3'].paper}. This text is generated from results documents by "
        "`frictionbench-paper tables --document admm`; `frictionbench-paper run admm` makes both.",
        "## How it was measured", bullets(circumstances(runs)),
        "## The problems", beside_ours("s2"), provenance(main, known["s2"]),
        "## What is counted", bullets(what_is_counted(main)),
        "## Cholesky factorisations", beside_ours("s3"),
        "## Time", beside_ours("s4"),
        "## Medians", markdown(median_grid(main, known["s3"])),
        "## Solved", markdown(solved_grid(runs)),
        f"## Performance profiles at τ = {TAU}", *profile_parts(runs),
    ]
    return paragraphs(parts)


def at_papers_tolerance(table: Table, runs: Sequence[Results]) -> Results:
    """The run that answers the table. Raises ResultsError if there is none, or two of one tolerance."""
    known = by_tolerance(runs)
    asked = float(table.limits["tolerance"])
    if asked not in known:
        raise ResultsError(f"{files_of(runs)}: no run at the tolerance of {table.source}; "
                           f"what makes it: {table.command()}")
    return known[asked]


def variants(results: Results) -> list[Reading]:
    """Readings of the variants of ADMM in the document; documents of before variants have one."""
    known = [solver.settings for solver in results.solvers if solver.name == ADMM.id]
    return [reading for reading in READINGS if any(has_all(settings, reading.settings) for settings in known)] or [OURS]


def provenance(results: Results, table: Table) -> str:
    """Whether these can be the problems of the paper."""
    ours = {family: table.problems.of_family(results, family) for family in table.rows}
    here = listed([f"{len(problems)} {family}" for family, problems in ours.items()])
    there = listed([printed[0] for printed in table.rows.values()])
    everyone = [problem for problems in ours.values() for problem in problems]
    made_anew = sum(problem.id.split("/")[-1].startswith("gen") for problem in everyone)
    said = [f"Here are {here} problems; the paper has {there}."]
    if made_anew:
        said.append(f"{made_anew} of these {len(everyone)} files are named `gen…`: they were simulated anew for "
                    "the same families and are not in the published collection, from which the paper takes its files. "
                    "Compare distributions, not digits.")
    elif any(str(len(problems)) != table.rows[family][0] for family, problems in ours.items()):
        said.append("So they are not the paper's set: compare distributions, not digits.")
    else:
        said.append("The paper does not name its files, so that nobody can tell whether they are the same.")
    return " ".join(said)


def what_is_counted(results: Results) -> list[str]:
    said = [
        "Factorisations: numeric Cholesky factorisations of a solve, including the first. Updates: "
        "factorisations − 1, i.e. those caused by changes of the penalty. The paper counts “updates” and does "
        "not say which of the two it means.",
        "Triangular solves: solves with a factorisation, each a forward and a backward substitution.",
        "Solved: the impulse satisfies the criterion, recomputed from the impulse alone, whatever the solver "
        "reports.",
        "Means and medians of a solver are over the problems that it solved. A solver that solves fewer problems "
        "omits the hard ones from its means: read them together with the number of solved problems.",
        "The paper's τ is both factors of its (44), its p both increments of its (46).",
    ]
    if papers := PAPERS_ADMM.find(results):
        stop = (", continued until its answer satisfies the residuals as well (`stop=verified`)"
                if papers.settings.get("stop") == "verified" else "")
        said.append(f"{PAPERS_ADMM.label}: `variant=rss2024`, Algorithm 1 of the paper{stop}. "
                    f"{ADMM.label}: `{ADMM.id}` with default settings.")
    if ADMM.find(results):
        said.append(f"The default settings of `{ADMM.id}` were set by hand on files of BoxesStack, Chain and Capsules: "
                    "what it does here, it does on families that its settings have seen. "
                    "`ncp-admm-tuning.md` has settings that were found without the family that they are judged on.")
    if any(solver.settings.get("stop") == "admm" for solver in results.solvers):
        said.append(f"{PAPERS_ADMM.label}, own test: the same algorithm, ended by the paper's test (43) alone "
                    "(`stop=admm`), which looks at the residuals of the ADMM and not at those of the problem.")
    return said


def median_grid(results: Results, table: Table) -> Grid:
    """Medians of what every solver of the document spent on the problems that it solved."""
    grid = Grid("Medians over the problems that each solver solved",
                [("", name) for name in ("solved", "solved, relative", "iterations", "factorisations", "updates",
                                         "triangular solves", "time, ms")], [])
    for family in table.rows:
        problems = table.problems.of_family(results, family)
        lines = [Line(f"`{solver.id}`", median_cells(results, known, solver)) for solver in results.solvers
                 if (known := answered(results, problems, solver))]
        if lines:
            grid.sections.append((family, lines))
    return grid


def median_cells(results: Results, problems: Sequence[Problem], solver: Solver) -> list[str]:
    solved = [problem for problem in problems if results.solved(problem, solver)]
    relative = sum(results.solved(problem, solver, results.relative) for problem in problems)

    def median(path: str, show=lambda value: f"{value:g}") -> str:
        values = measured(results, solved, solver, path)
        return show(statistics.median(values)) if values else ABSENT

    return [
        f"{len(solved)}/{len(problems)}", f"{relative}/{len(problems)}", median("iterations"),
        median("work.factorizations.all"),
        median("work.factorizations.all", lambda count: f"{max(count - 1, 0):g}"),
        median("work.triangular_solves"),
        median("time.solve.median", lambda seconds: f"{1e3 * seconds:.{decimals(1e3 * seconds)}f}"),
    ]


def solved_grid(runs: Sequence[Results]) -> Grid:
    """How many problems of each family the contenders solve in each run."""
    entries = [(run, contender, solver) for run in runs for contender in (ADMM, PAPERS_ADMM, PGS)
               if (solver := contender.find(run))]
    grid = Grid("Solved, family by family",
                [(f"tolerance {short(run.tolerance)}", contender.label) for run, contender, _ in entries], [])
    for family in families(runs):
        lines = []
        for label, criterion in (("solved", lambda run: run.criterion), ("relative", lambda run: run.relative)):
            cells = []
            for run, _, solver in entries:
                problems = [problem for problem in run.problems if problem.family == family]
                known = answered(run, problems, solver)
                count = sum(run.solved(problem, solver, criterion(run)) for problem in known)
                cells.append(f"{count}/{len(known)}" if known else ABSENT)
            lines.append(Line(label, cells))
        grid.sections.append((family, lines))
    grid.notes = ["Relative: of the same answers, those that satisfy the relative criterion at the same tolerance; "
                  "solvers stop by the other."]
    return grid


def profile_parts(runs: Sequence[Results]) -> list[str]:
    """Profiles of each ADMM and of PGS, by tolerance: a table, and a sentence for each two curves."""
    profiles = {(contender, run.tolerance): shares for run in runs for contender in (ADMM, PAPERS_ADMM)
                if (shares := shares_within(run, contender, PGS))}
    if not profiles:
        return [f"The results do not have both `{ADMM.id}` and `{PGS.id}`."]
    relative = {(contender, run.tolerance): shares_within(run, contender, PGS, run.relative)
                for run in runs for contender in (ADMM, PAPERS_ADMM)}
    tolerances = [run.tolerance for run in runs]
    grid = Grid(f"Share of the problems that each ADMM, and PGS, solves within {TAU} times the time of the "
                "faster of the two",
                [(f"tolerance {short(tolerance)}", label) for tolerance in tolerances
                 for label in (ADMM.label, PGS.label)], [])
    for family in families(runs):
        lines = []
        for contender in dict.fromkeys(contender for contender, _ in profiles):
            for label, found in (("", profiles), (", relative", relative)):
                pairs = [found.get((contender, tolerance), {}).get(family) for tolerance in tolerances]
                cells = [[percent(share) for share in pair] if pair else [ABSENT, ABSENT] for pair in pairs]
                lines.append(Line(f"{contender.label} and {PGS.label}{label}", sum(cells, [])))
        grid.sections.append((family, lines))
    grid.notes = ["Two solvers per profile, as in [Carpentier24] Fig. 7: a third one would change the best "
                  "times, and with them the ratios. Relative: what counts as solved is the relative criterion."]
    said = [comparison(*key, shares) for key, shares in profiles.items()]
    said += [why_below(run, family) for run in runs
             for family, (admm, pgs) in profiles.get((ADMM, run.tolerance), {}).items() if admm < pgs]
    return [markdown(grid), bullets(said)]


def why_below(run: Results, family: str) -> str:
    """What ADMM and PGS spend on a family in which the profile of ADMM is below that of PGS."""
    problems = [problem for problem in run.problems if problem.family == family]
    solvers = [ADMM.find(run), PGS.find(run)]
    solved = [[problem for problem in problems if run.solved(problem, solver)] for solver in solvers]
    parts = []
    for contender, solver, of_solver in zip((ADMM, PGS), solvers, solved):
        sweeps, products, factorizations = (
            measured(run, of_solver, solver, f"work.{name}") for name in ("sweeps", "products", "factorizations.all"))
        if of_solver:
            parts.append(f"{contender.label} solves {len(of_solver)} of {len(problems)}, by {median_cell(sweeps)} sweeps, "
                         f"{median_cell(products)} products and {median_cell(factorizations)} factorisations")
        else:
            parts.append(f"{contender.label} solves none of {len(problems)}")
    both = [problem for problem in solved[0] if problem in solved[1]]
    said = f"Tolerance {short(run.tolerance)}, {family}: {'; '.join(parts)} (medians)"
    if not both:
        return f"{said}."
    times = [statistics.median(measured(run, both, solver, "time.solve.median")) for solver in solvers]
    return (f"{said}. Where both solve, the median times are {1e3 * times[0]:.2g} ms of {ADMM.label} and "
            f"{1e3 * times[1]:.2g} ms of {PGS.label}.")


def shares_within(run: Results, first: Contender, second: Contender, criterion: str | None = None) -> Shares:
    """Values at TAU of the profiles of two solvers by time, by family; empty if one is not there.

    What is solved says the criterion, that of the run if none is given.
    """
    solvers = [contender.find(run) for contender in (first, second)]
    if None in solvers:
        return {}
    problems = [problem for problem in run.problems
                if all((problem.id, solver.id) in run.records for solver in solvers)]
    profiles = family_profiles(run, problems, solvers, "time", criterion)
    kept = dict.fromkeys(problem.family for problem in problems)
    one, other = (solver.id for solver in solvers)
    return {family: (profiles[family][one].share(TAU), profiles[family][other].share(TAU)) for family in kept}


def comparison(contender: Contender, tolerance: float, shares: Shares) -> str:
    """Where the profile of ADMM is above that of PGS, and where it is not."""
    above = [family for family, (admm, pgs) in shares.items() if admm > pgs]
    rest = [f"{family} ({percent(admm)} against {percent(pgs)})" for family, (admm, pgs) in shares.items()
            if not admm > pgs]
    said = f"Tolerance {short(tolerance)}: the profile of {contender.label} is "
    if not rest:
        return f"{said}above that of PGS in every family."
    if not above:
        return f"{said}not above that of PGS in any family: {listed(rest)}."
    return f"{said}above that of PGS in {listed(above)}; it is not in {listed(rest)}."


DOCUMENTS: dict[str, Callable[..., str]] = {"admm": document}
