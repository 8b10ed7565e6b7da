"""Runs of other programs on the same FCLIB files, from CSV files, compared with one of our solvers."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Sequence

from frictionbench.files import ResultsError
from frictionbench.papers.grids import decimals
from frictionbench.profiles import MEASURES
from frictionbench.results import Problem, Results, Solver, number
from frictionbench.results.groups import by_family
from frictionbench.statistics import geometric_mean
from frictionbench.tables import ABSENT, Grid, Line
from frictionbench.text import short

FILE, SOLVER, TOLERANCE, RESIDUAL, SECONDS = "file", "solver", "tol", "err_ncp_abs", "cpu_min"


@dataclass(frozen=True)
class PeerRun:
    """What a program left on a file."""

    tolerance: float  # of its own stopping test
    residual: float  # largest absolute NCP residual of its answer; NaN without an answer
    seconds: float  # the least thread CPU time of its repetitions; NaN without an answer


Peer = Mapping[str, Sequence[PeerRun]]  # runs by name of the file


def load_peers(paths: Sequence[Path]) -> dict[str, Peer]:
    """Runs by solver, those of several files together. Raises ResultsError if one is not such a table."""
    peers: dict[str, dict[str, list[PeerRun]]] = defaultdict(lambda: defaultdict(list))
    for path in paths:
        try:
            with path.open(encoding="utf-8", newline="") as text:
                rows = csv.DictReader(text)
                for name in (FILE, SOLVER, TOLERANCE, RESIDUAL, SECONDS):
                    if name not in (rows.fieldnames or ()):
                        raise ResultsError(f"{path}: no column `{name}` in its first line")
                for row in rows:
                    peers[row[SOLVER]][Path(row[FILE]).name].append(
                        PeerRun(*(float(row[name]) for name in (TOLERANCE, RESIDUAL, SECONDS))))
        except OSError as failure:
            raise ResultsError(f"{path}: {failure.strerror}") from None
        except (csv.Error, TypeError, ValueError) as failure:
            raise ResultsError(f"{path}: not a table of runs ({failure})") from None
    return {solver: dict(files) for solver, files in sorted(peers.items())}


def file_name(problem: Problem) -> str:
    return Path(problem.facts["path"]).name


def peer_time(peer: Peer, problem: Problem, tolerance: float) -> float:
    """Seconds of the fastest run that solves the problem, whatever its own tolerance; inf if none does."""
    times = [run.seconds for run in peer.get(file_name(problem), ()) if run.residual <= tolerance]
    return min(times, default=math.inf)


def tried(peer: Peer, problem: Problem, tolerance: float) -> bool:
    """Whether a run was to be as accurate as that, or is: stopping sooner as told is not a failure."""
    asked = any(run.tolerance <= tolerance for run in peer.get(file_name(problem), ()))
    return asked or math.isfinite(peer_time(peer, problem, tolerance))


def mean_time(seconds: Sequence[float]) -> float:
    _, floor = MEASURES["time"]
    return geometric_mean(max(value, floor) for value in seconds)


def milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.{decimals(1e3 * seconds)}f}"


def peer_cells(results: Results, problems: Sequence[Problem], ours: Solver, peer: Peer) -> list[str]:
    """A line of `peers_grid`, of problems that were tried with the peer."""
    solved = {problem: peer_time(peer, problem, results.tolerance) for problem in problems}
    theirs = [problem for problem, seconds in solved.items() if math.isfinite(seconds)]
    common = [problem for problem in theirs if results.solved(problem, ours)]
    alone = [problem for problem in problems if problem not in theirs and results.solved(problem, ours)]
    counts = [f"{len(theirs)}/{len(problems)}", str(len(common)), str(len(alone))]
    if not common:
        return counts + [ABSENT] * 3
    their_mean = mean_time([solved[problem] for problem in common])
    our_mean = mean_time([number(results.record(problem, ours), "time.solve.min", results.path)
                          for problem in common])
    return counts + [milliseconds(their_mean), milliseconds(our_mean), f"{their_mean / our_mean:.2f}"]


def peers_grid(results: Results, ours: Solver, peers: Mapping[str, Peer]) -> Grid:
    """One of our solvers compared with each peer, family by family."""
    columns = [("", "solves"), (ours.id, "of these"), (ours.id, "of the others"),
               ("time, ms", "peer"), ("time, ms", ours.id), ("", "ratio")]
    grid = Grid(f"{ours.id} beside other programs, tolerance {short(results.tolerance)}", columns, [])
    groups = by_family(results.problems) | {"all files": results.problems}
    for family, problems in groups.items():
        lines = []
        for name, peer in peers.items():
            if known := [problem for problem in problems if tried(peer, problem, results.tolerance)]:
                lines.append(Line(f"`{name}`", peer_cells(results, known, ours, peer)))
        if lines:
            grid.sections.append((family, lines))
    return grid


def solved_by_peers_alone(results: Results, ours: Solver, peers: Mapping[str, Peer]) -> dict[Problem, list[str]]:
    """What our solver does not solve and which peers do."""
    found = {problem: [name for name, peer in peers.items()
                       if math.isfinite(peer_time(peer, problem, results.tolerance))]
             for problem in results.problems if not results.solved(problem, ours)}
    return {problem: names for problem, names in found.items() if names}
