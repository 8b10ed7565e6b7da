"""scripts/paper_versus.sh, with stand-ins for what it builds, runs and writes with."""

import os
import shutil
import unittest

from checkout_support import SCRIPT, CheckoutTest
from support import ROOT
from test_paper_models import REGISTERED


class PaperVersus(CheckoutTest):
    def setUp(self) -> None:
        super().setUp()
        self.program(self.root / "build/release/apps/frictionbench", REGISTERED)
        self.program(self.root / "scripts/frictionbench/versus/command.py", SCRIPT)
        (self.root / "results/paper").mkdir()
        (self.away / "local").mkdir()
        shutil.copy(ROOT / "datasets/default/Stack/Stack-boxes1-local-4-00000.hdf5", self.away / "local/a.hdf5")

    def runs_of_solvers(self):
        return [call for call in self.calls() if call.startswith("frictionbench run")]

    def test_runs_both_sides_at_three_tolerances_and_writes_into_the_project(self):
        result = self.call("paper_versus.sh", "local", "--solver", "mine-*", "--plugin=./libmine.so",
                           "--solver=external(command='a b')", "--time-limit=5")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (run,) = self.runs()
        self.assertRegex(run.name, r"^[0-9]{8}T[0-9]{6}Z-paper-versus$")
        there = os.path.relpath(run, self.away)
        self.assertEqual(self.runs_of_solvers(), [
            f"frictionbench run @{there}/problems.txt --output {there}/versus-{tolerance}.json --max-iterations 20000 "
            f"--time-limit 5 --tolerance {tolerance} --plugin ./libmine.so --solver ncp-* --solver mine-* "
            "--solver external(command='a b')" for tolerance in ("1e-4", "1e-6", "1e-8")])
        documents = " ".join(f"{there}/versus-{tolerance}.json" for tolerance in ("1e-4", "1e-6", "1e-8"))
        self.assertEqual(self.calls()[-1], f"frictionbench-versus {documents} --ours ncp-* "
                                           f"--split {self.root}/datasets/split.toml -o ../a checkout/results/paper/versus.md")
        self.assertIn("../a checkout/results/paper/versus.md", result.stdout.splitlines())

    def test_all_solvers_of_a_peer_unless_some_are_chosen(self):
        self.call("paper_versus.sh", "local", "--peer", "siconos", "--peer=other")
        self.assertTrue(self.runs_of_solvers()[0].endswith(
            "--peer siconos --peer other --solver ncp-* --solver siconos-* --solver other-*"))
        self.call("paper_versus.sh", "local", "--peer", "siconos", "--solver", "siconos-nsgs", "--output-dir", "b")
        self.assertTrue(self.runs_of_solvers()[0].endswith("--peer siconos --solver ncp-* --solver siconos-nsgs"))

    def test_solvers_of_ours(self):
        self.call("paper_versus.sh", "local", "--solver", "p", "--ours", "ncp-hybrid", "--ours=ccp-ipm", "--jobs", "1")
        self.assertTrue(self.runs_of_solvers()[0].endswith(
            "--jobs 1 --solver ncp-hybrid --solver ccp-ipm --solver p"))
        self.assertIn(" --ours ncp-hybrid --ours ccp-ipm --split ", self.calls()[-1])

    def test_an_interrupted_run_is_continued_with_the_same_solvers_only(self):
        self.call("paper_versus.sh", "local", "--solver", "p", "--output-dir", "a")
        (self.away / "a/versus-1e-8.json").rename(self.away / "a/versus-1e-8.json.journal")
        self.assert_refused(self.call("paper_versus.sh", "local", "--solver", "q", "--output-dir", "a", "--resume"),
                            "other arguments")
        self.assertEqual(self.call("paper_versus.sh", "local", "--solver", "p", "--output-dir", "a", "--resume").returncode, 0)
        (call,) = self.runs_of_solvers()
        self.assertTrue(call.endswith("--tolerance 1e-8 --solver ncp-* --solver p --resume"), call)

    def test_bad_command_lines(self):
        for arguments, words in ((["--solver", "p"], "a folder of FCLIB files is missing"),
                                 (["local"], "--peer or --solver is missing"),
                                 (["local", "--peer"], "--peer: the value is missing"),
                                 (["local", "--solver", "p", "--tolerance", "1"], "no option --tolerance")):
            self.assert_refused(self.call("paper_versus.sh", *arguments), words)
        self.assertEqual(self.calls(), [])


if __name__ == "__main__":
    unittest.main()
