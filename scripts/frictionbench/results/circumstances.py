"""How results were made, in words: machines, programs, runs, and what disturbed them."""

from __future__ import annotations

from typing import Sequence

from frictionbench.files import ResultsError
from frictionbench.results.document import Record, Results, member
from frictionbench.text import samples, short


def by_tolerance(runs: Sequence[Results]) -> dict[float, Results]:
    """Runs by their tolerance. Raises ResultsError if two have the same one."""
    known = {run.tolerance: run for run in runs}
    if len(known) < len(runs):
        raise ResultsError(f"{files_of(runs)}: runs at one tolerance differ in criterion, iterations or time limit; "
                           "only equal ones can be put side by side")
    return known


def files_of(runs: Sequence[Results]) -> str:
    return ", ".join(str(run.path) for run in runs)


def families(runs: Sequence[Results]) -> list[str]:
    return list(dict.fromkeys(family for run in runs for family in run.families()))


def circumstances(runs: Sequence[Results]) -> list[str]:
    """The machine, the program, the runs and what disturbed them, for every document by itself."""
    documents = [part for run in runs for part in run.parts or (run,)]
    said = list(dict.fromkeys(map(machine, documents)))
    for run in documents:
        facts = member(run.document, "run", run.path)
        limit = facts["time_limit"]
        said.append(
            f"Tolerance {short(run.tolerance)}, {revision(run)}: {len(run.problems)} problems, {len(run.solvers)} solvers, "
            f"criterion {run.judged}, at most {facts['max_iterations']} iterations"
            f"{'' if limit is None else f' and {short(limit)} s'} per solve, {facts['jobs']} at a time, "
            f"{facts['started']} to {facts['finished']}.")
        if solved := [sample for record in run.records.values() if (sample := sample_count(record)) is not None]:
            said.append(f"Tolerance {short(run.tolerance)}: times are of {samples(solved)} per solve, medians.")
        said += [f"Tolerance {short(run.tolerance)}, warning of the run: {warning}."
                 for warning in facts["warnings"]]
        if unreadable := member(run.document, "unreadable", run.path):
            said.append(f"Tolerance {short(run.tolerance)}, files that could not be read: {len(unreadable)}.")
    return said


def sample_count(record: Record) -> int | None:
    """How many timed solves a record has; None if it was not timed."""
    solve = record["time"]["solve"]
    return None if solve is None else solve["samples"]


def machine(run: Results) -> str:
    """Processor, system, compiler, libraries and revision of a run."""
    facts = member(run.document, "run", run.path)
    host, build = facts["host"], facts["build"]
    libraries = [f"{name} {version}" for name, version in build["libraries"].items() if version]
    processors = f"{host['cores']} logical processors" if host["cores"] else "processors not counted"
    return (f"{host['cpu'] or 'unknown processor'}, {processors}, {host['kernel'] or 'unknown system'}; "
            f"{build['compiler']} `{build['flags']}`, {', '.join(libraries)}; "
            f"frictionbench {facts['version']}, {revision(run)}.")


def revision(run: Results) -> str:
    """What a run's program was built from."""
    git = member(run.document, "run.git", run.path)
    if not git["revision"]:
        return "built outside a checkout"
    return f"revision {git['revision'][:12]}{' with uncommitted changes' if git['dirty'] else ''}"
