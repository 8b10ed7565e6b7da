"""What the tests of the scripts share."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

from frictionbench.command_line import run_main

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
FULL = Path(__file__).resolve().parent / "data" / "full.json"


def full_document() -> dict[str, Any]:
    """A document with every member of the format in it, and most of what may be null."""
    return json.loads(FULL.read_text(encoding="utf-8"))


def made_up_document(costs: dict[str, dict[str, list[float | None]]]) -> dict[str, Any]:
    """A document with what profiles read: costs[family][solver][problem], None for unsolved.

    Seconds are the costs; iterations ten times, factorizations a hundred times as many.
    """
    template = full_document()
    solvers = list(next(iter(costs.values())))
    document = {**template, "problems": [], "records": [], "unreadable": []}
    document["solvers"] = [
        {"id": solver, "name": solver, "model": "ncp", "exact": True, "settings": {}} for solver in solvers
    ]
    for family, by_solver in costs.items():
        for index in range(len(by_solver[solvers[0]])):
            id = f"{family}/{index}"
            document["problems"].append({**template["problems"][0], "id": id, "family": family})
            for solver in solvers:
                cost = by_solver[solver][index]
                document["records"].append(made_up_record(template, id, solver, cost))
    return document


def factorizations(count: int) -> dict[str, int]:
    """A record's count of factorisations, all of them Cholesky."""
    return {"cholesky": count, "lu": 0, "ldlt": 0, "unspecified": 0}


def made_up_record(template: dict[str, Any], problem: str, solver: str, cost: float | None) -> dict[str, Any]:
    record = dict(template["records"][0 if cost is None else 1], problem=problem, solver=solver)
    if cost is not None:
        times = {"min": cost, "median": cost, "mean": cost, "mad": 0, "samples": 3, "values": []}
        record["time"] = {**record["time"], "solve": times}
        record["iterations"] = round(10 * cost)
        record["work"] = {**record["work"], "factorizations": factorizations(round(100 * cost))}
        record["states"] = {"sticking": 8, "sliding": 0, "separated": 0}
    return record


class TemporaryFolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        # A blank in the name, because that is what scripts forget to quote.
        self.folder = Path(tempfile.mkdtemp(prefix="frictionbench test "))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name: str, content: Any) -> Path:
        """Writes text as it is, and anything else as JSON."""
        path = self.folder / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return path

    def run_script(self, script: str, *arguments: Any) -> subprocess.CompletedProcess[str]:
        command = [SCRIPTS / script, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False)

    def call_script(self, module: ModuleType, *arguments: Any) -> subprocess.CompletedProcess[str]:
        """As run_script, within this process: importing matplotlib takes longer than most tests."""
        words = list(map(str, arguments))
        out, err = io.StringIO(), io.StringIO()
        with (contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
              self.assertRaises(SystemExit) as end):
            run_main(lambda: module.main(words))
        return subprocess.CompletedProcess(words, end.exception.code, out.getvalue(), err.getvalue())

    def assert_refused(self, result: subprocess.CompletedProcess[str], *words: str) -> None:
        """Bad input is one `error:` line on standard error that says what is wrong, and exit code 2."""
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("error: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])
        self.assertEqual(result.returncode, 2)
