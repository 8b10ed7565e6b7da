"""scripts/paper_ncp.sh, with stand-ins for what it builds, runs and writes with."""

import os
import shutil
import unittest

from checkout_support import SCRIPT, CheckoutTest
from support import ROOT
from test_paper_models import REGISTERED


class PaperNcp(CheckoutTest):
    def setUp(self) -> None:
        super().setUp()
        self.program(self.root / "build/release/apps/frictionbench", REGISTERED)
        self.program(self.root / "scripts/frictionbench/papers/ncp.py", SCRIPT)
        (self.root / "results/paper").mkdir()
        (self.away / "local").mkdir()
        shutil.copy(ROOT / "datasets/default/Stack/Stack-boxes1-local-4-00000.hdf5", self.away / "local/a.hdf5")

    def calls_of(self, command):
        return [call for call in self.calls() if call.startswith(command)]

    def test_runs_every_solver_of_the_ncp_by_the_default_criterion_and_writes_into_the_project(self):
        result = self.call("paper_ncp.sh", "local", "--jobs", "2", "--time-limit=5")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (run,) = self.runs()
        self.assertRegex(run.name, r"^[0-9]{8}T[0-9]{6}Z-paper-ncp$")
        there = os.path.relpath(run, self.away)
        self.assertEqual(self.calls_of("frictionbench run"), [
            f"frictionbench run @{there}/problems.txt --output {there}/ncp-{tolerance}.json --max-iterations 20000 "
            f"--time-limit 5 --tolerance {tolerance} --solver ncp-one --jobs 2" for tolerance in ("1e-6", "1e-8")])
        self.assertEqual(self.calls()[-1], f"frictionbench-paper ncp {there}/ncp-1e-6.json {there}/ncp-1e-8.json "
                                           "-o ../a checkout/results/paper/ncp-solvers.md")
        self.assertIn("../a checkout/results/paper/ncp-solvers.md", result.stdout.splitlines())

    def test_going_on_after_an_interruption(self):
        self.call("paper_ncp.sh", "local", "--output-dir", "a")
        (self.away / "a/ncp-1e-8.json").rename(self.away / "a/ncp-1e-8.json.journal")
        self.assertEqual(self.call("paper_ncp.sh", "local", "--output-dir", "a", "--resume").returncode, 0)
        (call,) = self.calls_of("frictionbench run")
        self.assertTrue(call.endswith("--tolerance 1e-8 --solver ncp-one --resume"))

    def test_bad_command_lines(self):
        for arguments, words in (([], "a folder of FCLIB files is missing"),
                                 (["local", "--peers", "a.csv"], "no option --peers"),
                                 (["local", "--scale", "absolute"], "no option --scale")):
            self.assert_refused(self.call("paper_ncp.sh", *arguments), words)
        self.assertEqual(self.calls(), [])


if __name__ == "__main__":
    unittest.main()
