"""Tables that compare ncp-hybrid with its constituent solvers, from results documents."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Mapping, Sequence

from frictionbench.files import ResultsError
from frictionbench.papers.grids import measured
from frictionbench.profiles import ALL_FAMILIES, Profile, cost, family_profiles, performance_profiles
from frictionbench.results import Problem, Results, Solver, member
from frictionbench.results.circumstances import families
from frictionbench.tables import ABSENT, Grid, Line, median_cell
from frictionbench.text import listed, percent, short

HYBRID = "ncp-hybrid"
TAUS = (1, 4)  # where performance profiles are compared
ALL_FILES = "all files"
# What ncp-hybrid says in `stage`, in the order in which it tries them.
STAGES = ("active set", "sweeps", "interior point", "ADMM", "momentum", "path", "Newton", "long path", "natural map",
          "other path", "full interior point", "final ADMM")
NO_STAGE = "none of them"


def by_form(results: Results) -> Results:
    """The same with families of local and of global files apart, as `local Chain`."""
    return replace(results, problems=[
        replace(problem, family=f"{member(problem.facts, 'form', results.path)} {problem.family}")
        for problem in results.problems])


def hybrid(results: Results) -> Solver:
    """Raises ResultsError if it was not run."""
    for solver in results.solvers:
        if solver.id == HYBRID:
            return solver
    raise ResultsError(f"{results.path}: no {HYBRID} in it; frictionbench-paper run second-order makes such documents")


def groups(runs: Sequence[Results]) -> list[str]:
    """Families, and all of them together."""
    return families(runs) + [ALL_FILES]


def of_group(results: Results, group: str) -> list[Problem]:
    return [problem for problem in results.problems if group in (ALL_FILES, problem.family)]


def solved_problems(results: Results, group: str, solver: Solver, criterion: str | None = None) -> list[Problem]:
    return [problem for problem in of_group(results, group) if results.solved(problem, solver, criterion)]


def both_counts(results: Results, group: str, solver: Solver) -> str:
    """How many files are solved under the run's criterion, and by relative residuals."""
    absolute, relative = (solved_problems(results, group, solver, criterion) for criterion in (None, results.relative))
    return f"{len(absolute)} / {len(relative)}"


def grid_by_tolerance(title: str, columns: Sequence[tuple[str, str]], runs: Sequence[Results], cells) -> Grid:
    """A section a family, a line a tolerance, and what `cells` has of a run and a family."""
    return Grid(title, list(columns), [
        (group, [Line(short(run.tolerance), cells(run, group)) for run in runs if of_group(run, group)])
        for group in groups(runs)])


# Solved


def solved_grid(runs: Sequence[Results]) -> Grid:
    ids = list(dict.fromkeys(solver.id for run in runs for solver in run.solvers))

    def cells(run: Results, group: str) -> list[str]:
        known = {solver.id: solver for solver in run.solvers}
        counts = [both_counts(run, group, known[id]) if id in known else ABSENT for id in ids]
        return [str(len(of_group(run, group))), *counts]

    columns = [("", "files"), *(("", id) for id in ids)]
    return grid_by_tolerance("Files that each solver solves, absolute / relative, by family and tolerance", columns,
                             runs, cells)


# Performance profiles


Profiles = Mapping[str, Mapping[str, Profile]]  # by group and solver id


def profiles(results: Results, criterion: str | None = None) -> Profiles:
    """Profiles by solve time, of all solvers, by family; that of all files is always there, and the last."""
    found = family_profiles(results, results.problems, results.solvers, "time", criterion)
    together = found.pop(ALL_FAMILIES, None) or next(iter(found.values()))
    return found | {ALL_FILES: together}


def highest(profiles: Mapping[str, Profile], tau: float) -> list[str]:
    """The solvers whose profile is highest; none if all are at 0."""
    most = max(profile.share(tau) for profile in profiles.values())
    return [id for id, profile in profiles.items() if profile.share(tau) == most > 0]


def profile_grid(results: Results) -> Grid:
    """The highest of each line in bold."""
    def cell(by_solver: Mapping[str, Profile], id: str, tau: float) -> str:
        share = percent(by_solver[id].share(tau))
        return f"**{share}**" if id in highest(by_solver, tau) else share

    judged = (("", profiles(results)), (", relative", profiles(results, results.relative)))
    sections = [
        (group, [Line(f"τ = {tau}{label}", [cell(of[group], solver.id, tau) for solver in results.solvers])
                 for label, of in judged for tau in TAUS])
        for group in judged[0][1]]
    return Grid(f"Share of the files that each solver solves within τ times the time of the fastest, tolerance "
                f"{short(results.tolerance)}", [("", solver.id) for solver in results.solvers], sections)


def where_highest(results: Results) -> str:
    """In how many families the profile of ncp-hybrid is highest, and who is above it in the others."""
    found = {family: by_solver for family, by_solver in profiles(results).items()
             if family != ALL_FILES and highest(by_solver, TAUS[-1])}
    parts = []
    for tau in TAUS:
        count = sum(HYBRID in highest(by_solver, tau) for by_solver in found.values())
        parts.append(f"at τ = {tau} in {count}")
    said = (f"Tolerance {short(results.tolerance)}: of {len(found)} families in which any solver solves a file, "
            f"{HYBRID} is highest, alone or with others, {listed(parts)}")
    above = [f"{family} ({listed(highest(by_solver, TAUS[-1]))})" for family, by_solver in found.items()
             if HYBRID not in highest(by_solver, TAUS[-1])]
    return f"{said}; at τ = {TAUS[-1]} others are above it in {listed(above)}." if above else f"{said}."


# What ncp-hybrid fails


def solved_by_others(results: Results) -> dict[Problem, list[str]]:
    """What ncp-hybrid does not solve and which other solvers do."""
    ours = hybrid(results)
    found = {problem: [solver.id for solver in results.solvers if results.solved(problem, solver)]
             for problem in results.problems if not results.solved(problem, ours)}
    return {problem: ids for problem, ids in found.items() if ids}


def failures(results: Results, found: Mapping[Problem, Sequence[str]]) -> list[str]:
    """A line for each problem that ncp-hybrid fails: how it ended, and who solves it."""
    ours = hybrid(results)
    return [f"{short(results.tolerance)}, {problem.family}: `{problem.id.split('/')[-1]}` "
            f"({member(results.record(problem, ours), 'status', results.path)}), "
            f"solved by {listed(ids)}" for problem, ids in found.items()]


# Which stage finished


def stage(results: Results, problem: Problem) -> str:
    """The stage of ncp-hybrid that solved a problem, of STAGES; NO_STAGE if none says so."""
    stage = member(results.record(problem, hybrid(results)), "stage", results.path)
    return stage if stage in STAGES else NO_STAGE


def stage_grid(runs: Sequence[Results]) -> Grid:
    heads = [*STAGES, NO_STAGE]

    def cells(run: Results, group: str) -> list[str]:
        ours = hybrid(run)
        solved = solved_problems(run, group, ours)
        counts = Counter(stage(run, problem) for problem in solved)
        total = len(of_group(run, group))
        relative = len(solved_problems(run, group, ours, run.relative))
        return [*(str(counts[head]) for head in heads), f"{total - len(solved)} / {total - relative}",
                *(median_cell(measured(run, solved, ours, path)) for path in ("iterations", "work.factorizations.all"))]

    columns = [*(("", head) for head in [*heads, "unsolved, absolute / relative"]),
               ("median", "iterations"), ("median", "factorisations")]
    return grid_by_tolerance(f"Files that each stage of {HYBRID} finishes, by family and tolerance", columns, runs,
                             cells)


def what_each_costs(results: Results) -> list[str]:
    """What the methods that ncp-hybrid is made of do on their own: who is fastest, what is left unsolved."""
    by_id = {solver.id: solver for solver in results.solvers if solver.id != HYBRID}
    tolerance = short(results.tolerance)
    found = performance_profiles({id: [cost(results, problem, solver, "time", None) for problem in results.problems]
                                  for id, solver in by_id.items()}) if by_id else {}
    fastest = sorted(found.items(), key=lambda item: -item[1].share(1))
    said = [f"Tolerance {tolerance}, without {HYBRID}: fastest on "
            + listed([f"{percent(profile.share(1))} ({id})" for id, profile in fastest]) + " of the files."]
    newton, interior = by_id.get("ncp-newton"), by_id.get("ncp-ipm")
    if newton and interior:
        solved = [problem for problem in results.problems if results.solved(problem, interior)]
        trapped = [problem for problem in results.problems if problem not in solved]
        counts = measured(results, solved, interior, "work.factorizations.all")
        rescued = sum(results.solved(problem, newton) for problem in trapped)
        said.append(f"Tolerance {tolerance}: {interior.id} takes {median_cell(counts)} factorisations (median; largest "
                    f"number {max(counts, default=0):g}) where it solves, and does not solve {len(trapped)} files, of "
                    f"which {newton.id} solves {rescued}.")
    return said


def interior_point_or_newton(results: Results) -> str:
    """What the methods of the interior point stage and of the Newton stage cost by themselves on what gets so far."""
    names = ("ncp-ipm", "ncp-newton")
    solvers = [solver for name in names for solver in results.solvers if solver.id == name]
    ours = hybrid(results)
    there = [problem for problem in results.problems
             if "interior point iterations" in member(results.record(problem, ours), "reported", results.path)]
    said = f"Tolerance {short(results.tolerance)}, files that reach the interior point stage: {len(there)}"
    both = [problem for problem in there if all(results.solved(problem, solver) for solver in solvers)]
    if len(solvers) < len(names) or not both:
        return f"{said}."
    counts = [measured(results, both, solver, "work.factorizations.all") for solver in solvers]
    costs = [f"{median_cell(values)} and {max(values):g} of {name}" for name, values in zip(names, counts)]
    fewer = sum(first < second for first, second in zip(*counts))
    return (f"{said}. {names[0]} and {names[1]} on their own both solve {len(both)} of them; their factorisations, "
            f"median and largest number: {listed(costs)}, the former needs fewer on {fewer}.")
