"""Runs of candidates on a sample, kept in a work folder so that nothing is run twice."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

from frictionbench.files import ResultsError, load_json
from frictionbench.results import Results, load
from frictionbench.text import short
from frictionbench.tuning.program import Program, SolverInterface
from frictionbench.tuning.sampling import Sample
from frictionbench.tuning.scoring import Outcome, Outcomes, outcome
from frictionbench.tuning.space import Candidate, Space, Value

IDENTITY = "tuning.json"  # in the work folder: what its documents have in common
DOCUMENTS = "run-*.json"


def identity(space: Space, sample: Sample, program: Program) -> dict[str, Any]:
    """What must be equal for documents of an earlier tuning to be of use in this one."""
    limits = space.limits
    return {
        "program": program.sha256(),
        "criterion": limits.criterion,
        "max_iterations": limits.max_iterations,
        "time_limit": limits.time_limit,
        "memory_limit": limits.memory_limit,
        "sample": sample.fingerprint(),
    }


@contextlib.contextmanager
def work_folder(folder: Path, wanted: Mapping[str, Any]) -> Iterator[int]:
    """Makes a folder, or continues in one, and locks it; gives the lock's descriptor.

    Raises ResultsError if the folder is of another tuning, or in use.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(f"{folder}: another tuning, or a run that it left, is at work here") from None
        file = folder / IDENTITY
        if file.exists():
            found = load_json(file)
            for name, value in wanted.items():
                if not isinstance(found, dict) or found.get(name) != value:
                    raise ResultsError(f"{folder}: the runs in it are of another {name}; "
                                       "name another folder with --work")
        else:
            file.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
        yield descriptor
    finally:
        os.close(descriptor)


class Evaluations:
    """An Evaluator (scoring.py) that runs `frictionbench`."""

    def __init__(self, space: Space, interface: SolverInterface, sample: Sample, program: Program,
                 folder: Path, *, lock: int, jobs: int, quiet: bool) -> None:
        self._space = space
        self._interface = interface
        self._sample = sample
        self._program = program
        self._folder = folder
        self._lock = lock
        self._jobs = jobs
        self._quiet = quiet
        self._known: dict[tuple[str, float], dict[str, Outcome]] = {}  # by problem, by (settings, tolerance)
        self.made_by: dict[str, Any] | None = None  # version, git and build of the program
        self._list = folder / "problems.txt"
        self._list.write_text("".join(f"{problem.path}\n" for problem in sample.problems), encoding="utf-8")
        for file in sorted(folder.glob(DOCUMENTS)):
            self._read(load(file))

    def evaluate(self, candidates: Sequence[Candidate]) -> None:
        for tolerance in self._space.limits.tolerances:
            missing = [candidate for candidate in dict.fromkeys(candidates)
                       if (self._key(candidate), tolerance) not in self._known]
            if missing:
                self._run(missing, tolerance)

    def outcomes(self, candidate: Candidate) -> Outcomes:
        return {(sha256, tolerance): found
                for tolerance in self._space.limits.tolerances
                for sha256, found in self._known[self._key(candidate), tolerance].items()}

    def endings(self, candidates: Sequence[Candidate]) -> Counter[str]:
        """How many pairs of candidates ended with each status."""
        return Counter(found.status for candidate in candidates for found in self.outcomes(candidate).values())

    def _run(self, candidates: Sequence[Candidate], tolerance: float) -> None:
        specs = [self._space.spec(candidate) for candidate in candidates]
        # Named by what is in it: the same tuning, begun again, finds the journal of what was stopped.
        name = hashlib.sha256("\n".join(specs).encode()).hexdigest()[:16]
        output = self._folder / f"run-{short(tolerance)}-{name}.json"
        if not self._quiet:
            print(f"{len(candidates)} candidates on {len(self._sample.problems)} problems "
                  f"at tolerance {short(tolerance)}", file=sys.stderr, flush=True)
        self._program.run(self._list, specs, tolerance, self._space.limits, jobs=self._jobs, output=output,
                          quiet=self._quiet, keep_open=self._lock)
        self._read(load(output))

    def _read(self, results: Results) -> None:
        """Takes in a document. Raises ResultsError if it lacks a problem of the sample."""
        problems = {problem.facts.get("sha256"): problem for problem in results.problems}
        for problem in self._sample.problems:
            if problem.sha256 not in problems:
                raise ResultsError(f"{results.path}: {problem.id} could not be read; "
                                   "leave it out of the sample with `sample.filter`")
        for solver in results.solvers:
            self._known[settings_key(solver.settings), results.tolerance] = {
                problem.sha256: outcome(results, problems[problem.sha256], solver, self._space.score)
                for problem in self._sample.problems}
        run = results.document["run"]
        self.made_by = {name: run.get(name) for name in ("version", "git", "build")}

    def _key(self, candidate: Candidate) -> str:
        return settings_key(self._interface.expanded({**self._space.fixed, **self._space.named(candidate)}))


def settings_key(settings: Mapping[str, Value]) -> str:
    """Equal for equal settings, however their numbers are written."""
    return json.dumps({name: float(value) if isinstance(value, int) and not isinstance(value, bool) else value
                       for name, value in settings.items()}, sort_keys=True)
