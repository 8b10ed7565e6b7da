"""Runs the program as a user does, and checks what must hold of every run."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from frictionbench.files import load_json
from frictionbench.results.findings import findings
from frictionbench.results.version1 import updated

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["FRICTIONBENCH_PROGRAM"]
DATASET = ROOT / "datasets" / "default"
# The commands, in the order of help.
COMMANDS = ["run", "solve", "list", "conformance", "judge", "inverse", "info", "summary", "export", "merge", "rejudge", "compare",
            "generate", "simulate", "convert", "dump", "extract", "datasets", "fetch", "make"]

# What the C++ runtime, HDF5, the sanitizers and CLI11 print where an error was not caught.
SIGNS_OF_AN_ABORT = ("HDF5-DIAG", "terminate called", "what():", "Sanitizer", "runtime error", "core dumped")

Finished = subprocess.CompletedProcess[str]


def problem(name: str) -> Path:
    """A problem of the data set that ships, by its name without extension: the first, if the name has
    wildcards. How many contacts a settled scene has is up to the generator."""
    found = sorted(DATASET.glob(f"*/{name}.hdf5"))
    if not found:
        raise FileNotFoundError(f"{DATASET}: no problem of the name {name}")
    return found[0]


def without_measurements(document: dict[str, Any]) -> dict[str, Any]:
    """A document without what may differ from run to run: when, where and how it was made, times,
    memory and the processor's counts."""
    document = copy.deepcopy(document)
    for name in ("command", "started", "finished", "host", "warnings", "jobs", "repeat_time"):
        del document["run"][name]
    for record in document["records"]:
        del record["time"], record["memory_peak"], record["hardware"]
    return document


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, where the program runs."""

    def setUp(self) -> None:
        # A blank in the name, because users have them.
        self.folder = Path(tempfile.mkdtemp(prefix="frictionbench test "))
        self.addCleanup(shutil.rmtree, self.folder)

    def program(self, *arguments: Any, code: int | None = 0, timeout: float = 300) -> Finished:
        """Runs the program. It must end with this exit code; None is for tests that look themselves."""
        finished = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, check=False,
                                  capture_output=True, encoding="utf-8", timeout=timeout)
        shown = f"frictionbench {' '.join(map(str, arguments))}\n{finished.stdout}{finished.stderr}"
        for sign in SIGNS_OF_AN_ABORT:
            self.assertNotIn(sign, finished.stderr, shown)
        if code is not None:
            self.assertEqual(finished.returncode, code, shown)
        return finished

    def refused(self, *arguments: Any, saying: tuple[str, ...] | list[str] = (), code: int = 2) -> str:
        """Runs the program on bad input: exit code 2 (3: not comparable), nothing on standard output and one line of
        the form `error: ...`, fit to be read, on standard error. Returns the line."""
        finished = self.program(*arguments, code=code)
        lines = finished.stderr.splitlines()
        self.assertEqual(len(lines), 1, finished.stderr)
        self.assertTrue(lines[0].startswith("error: "), lines[0])
        for text in saying:
            self.assertIn(text, lines[0])
        self.assertEqual(finished.stdout, "")
        return lines[0]

    def load(self, path: Path | str) -> dict[str, Any]:
        """A results document, which must be valid."""
        path = self.folder / path
        self.assertEqual(findings(updated(load_json(path))), [])
        return json.loads(path.read_text(encoding="utf-8"))

    def run_document(self, *arguments: Any, code: int = 0, output: str = "results.json") -> dict[str, Any]:
        """What `frictionbench run` with these arguments writes. One sample each, for speed."""
        timing = () if "--repeat-time" in arguments else ("--repeat-time", 0)
        self.program("run", *arguments, *timing, "-o", output, "--force", "--quiet", code=code)
        return self.load(output)

    def solve_document(self, *arguments: Any, code: int | None = None) -> dict[str, Any]:
        """What `frictionbench solve --json` with these arguments writes."""
        finished = self.program("solve", *arguments, "--json", "solve.json", "--force", code=code)
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return self.load("solve.json")
