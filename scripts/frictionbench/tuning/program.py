"""Calling `frictionbench`: what it knows of a solver and of folders, and its runs."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

from frictionbench.files import ResultsError
from frictionbench.tuning.space import Limits, Value

ERROR = "error: "


@dataclass(frozen=True)
class SolverInterface:
    """The settings of a registered solver."""

    defaults: Mapping[str, Value]
    shorthands: Mapping[str, Sequence[str]]  # a name that sets several settings, and which

    def default(self, name: str) -> Value | None:
        """Of a setting or a shorthand; None if it has no single one."""
        values = {self.defaults.get(setting) for setting in self.shorthands.get(name, [name])}
        return values.pop() if len(values) == 1 else None

    def expanded(self, settings: Mapping[str, Value]) -> dict[str, Value]:
        """Every setting of the solver, as its entry in a results document has it."""
        full = dict(self.defaults)
        for name, value in settings.items():
            full |= {setting: value for setting in self.shorthands.get(name, [name])}
        return full


class Program:
    """The program of a build."""

    def __init__(self, path: Path) -> None:
        if not os.access(path, os.X_OK) or path.is_dir():
            raise ResultsError(f"{path}: no such program; build it first, e.g. with scripts/test.sh")
        self._path = path.resolve()

    def sha256(self) -> str:
        return hashlib.sha256(self._path.read_bytes()).hexdigest()

    def solver(self, name: str) -> SolverInterface:
        """Raises ResultsError if there is no such solver."""
        (entry,) = json.loads(self._output("list", "solvers", name, "--json"))
        return SolverInterface(
            {setting["name"]: setting["default"] for setting in entry["settings"]},
            {shorthand["name"]: shorthand["settings"] for shorthand in entry["shorthands"]},
        )

    def problems(self, folders: Sequence[str]) -> tuple[list[dict[str, Any]], int]:
        """Every problem in folders (id, path, family, contacts), and how many files cannot be read."""
        finished = self._call("list", "problems", *folders, "--json")
        if finished.returncode not in (0, 1):
            raise ResultsError(_reason(finished.stderr))
        left_out = sum(line.startswith(ERROR) for line in finished.stderr.splitlines())
        return json.loads(finished.stdout), left_out

    def check(self, problem: Path, specs: Sequence[str]) -> None:
        """Raises ResultsError if one of the solvers cannot be made; nothing is solved."""
        self._output("run", problem, *_solvers(specs), "--dry-run")

    def run(self, problems: Path, specs: Sequence[str], tolerance: float, limits: Limits, *, jobs: int,
            output: Path, quiet: bool, keep_open: int) -> None:
        """Runs solvers on a list of problems; resumes if an earlier run left a journal.

        Its progress goes to standard error. `keep_open` is a descriptor that stays open until the run
        ends, even if this process ends before. Raises ResultsError if no document was written.
        """
        model, _, scale = limits.criterion.partition("_")
        command = [self._path, "run", f"@{problems}", *_solvers(specs), "--tolerance", repr(tolerance),
                   "--criterion", model, "--scale", scale or "absolute",
                   "--max-iterations", str(limits.max_iterations),
                   "--time-limit", repr(limits.time_limit), "--repeat-time", "0", "--jobs", str(jobs),
                   "--output", output]
        if limits.memory_limit:
            command += ["--memory-limit", limits.memory_limit]
        if Path(f"{output}.journal").exists():
            command.append("--resume")
        reason = ""
        with subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, encoding="utf-8", pass_fds=[keep_open]) as process:
            assert process.stderr is not None  # it is a pipe
            try:
                for line in process.stderr:
                    if line.startswith(ERROR):
                        reason = line
                    elif not quiet:
                        print(f"  {line}", end="", file=sys.stderr, flush=True)
            except KeyboardInterrupt:
                process.send_signal(signal.SIGINT)  # it ends after the pairs under way
                process.stderr.read()
                process.wait()
                raise
        if not output.exists():
            raise ResultsError(_reason(reason or f"the run for {output} ended with exit code {process.returncode}"))

    def _call(self, *arguments: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self._path, *arguments], capture_output=True, encoding="utf-8", check=False)

    def _output(self, *arguments: Any) -> str:
        finished = self._call(*arguments)
        if finished.returncode != 0:
            raise ResultsError(_reason(finished.stderr))
        return finished.stdout


def _solvers(specs: Sequence[str]) -> list[str]:
    return [argument for spec in specs for argument in ("--solver", spec)]


def _reason(errors: str) -> str:
    """What the program said, without the word that this script's own error line begins with."""
    lines = errors.strip().splitlines() or ["the program failed and said nothing"]
    return lines[0].removeprefix(ERROR)
