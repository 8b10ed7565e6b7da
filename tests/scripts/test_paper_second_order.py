"""scripts/paper_second_order.sh, with stand-ins for what it builds, runs and writes with."""

import os
import shutil
import unittest

from checkout_support import SCRIPT, CheckoutTest
from support import ROOT

STACK = ROOT / "datasets/default/Stack"
DOCUMENTS = {"second-order-1e-6.json", "second-order-1e-8.json"}
LISTS = {"arguments.txt", "problems.txt"}
SOLVERS = " ".join(f"--solver ncp-{name}" for name in ("hybrid", "newton", "prox", "ipm", "admm", "nsgs", "pgs"))


class PaperSecondOrder(CheckoutTest):
    def setUp(self) -> None:
        super().setUp()
        self.program(self.root / "scripts/frictionbench/papers/second_order.py", SCRIPT)
        (self.root / "results/paper").mkdir()
        self.put("local/Chain", "local", 3)
        self.put("global/Chain", "global", 2)

    def put(self, folder, form, count):
        (self.away / folder).mkdir(parents=True)
        for index in range(count):
            shutil.copy(STACK / f"Stack-boxes1-{form}-4-00000.hdf5", self.away / folder / f"{form}{index}.hdf5")

    def run_it(self, *arguments, **environment):
        return self.call("paper_second_order.sh", *arguments, **environment)

    def calls_of(self, command):
        return [call for call in self.calls() if call.startswith(command)]

    def listed(self, run):
        return [os.path.basename(line) for line in (run / "problems.txt").read_text(encoding="utf-8").split()]

    def names(self, folder):
        return {path.name for path in folder.iterdir()}

    def test_documents_in_a_folder_of_their_own_and_texts_in_the_project(self):
        result = self.run_it("local", "global")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (run,) = self.runs()
        self.assertRegex(run.name, r"^[0-9]{8}T[0-9]{6}Z-paper-second-order$")
        self.assertEqual(self.names(run), DOCUMENTS | LISTS)
        there = os.path.relpath(run, self.away)
        self.assertEqual(self.calls_of("frictionbench-paper"), [
            f"frictionbench-paper second-order {there}/second-order-1e-6.json {there}/second-order-1e-8.json "
            "-o ../a checkout/results/paper"])
        self.assertIn("../a checkout/results/paper/second-order.md", result.stdout.splitlines())
        self.assertEqual(self.calls()[:3], [
            "setup --papers --quiet",
            f"cmake --preset app in {self.root}",
            f"cmake --build --preset app --target frictionbench_app in {self.root}"])

    def test_what_is_run(self):
        self.run_it("--output-dir", "a", "--jobs=2", "--repeat-time", "0", "local", "global", "--quiet")
        self.assertEqual(self.calls_of("frictionbench run"), [
            f"frictionbench run @a/problems.txt --output a/second-order-{tolerance}.json --scale absolute "
            f"--max-iterations 20000 --time-limit 20 --tolerance {tolerance} {SOLVERS} --jobs 2 --repeat-time 0 --quiet"
            for tolerance in ("1e-6", "1e-8")])
        self.assertEqual(self.listed(self.away / "a"),
                         ["local0.hdf5", "local1.hdf5", "local2.hdf5", "global0.hdf5", "global1.hdf5"])

    def test_fewer_files_and_shorter_solves(self):
        self.run_it("local", "global", "--every", "2", "--time-limit", "3", "--output-dir", "a")
        self.assertEqual(self.listed(self.away / "a"), ["local0.hdf5", "local2.hdf5", "global0.hdf5"])
        self.assertIn("--time-limit 3 ", self.calls_of("frictionbench run")[1])

    def test_peers_end_where_names_of_tables_end(self):
        for name in ("a.csv", "b c.csv"):
            (self.away / name).touch()
        self.assertEqual(self.run_it("--peers", "a.csv", "b c.csv", "local", "--output-dir", "a").returncode, 0)
        self.assertTrue(self.calls()[-1].endswith("second-order-1e-8.json --peers a.csv b c.csv -o a"))
        self.assertEqual(self.listed(self.away / "a")[0], "local0.hdf5")

    def test_a_dry_run_leaves_nothing(self):
        self.assertEqual(self.run_it("local", "--dry-run").returncode, 0)
        self.assertTrue(all(call.endswith("--dry-run") for call in self.calls_of("frictionbench run")))
        self.assertEqual((self.runs(), self.calls_of("frictionbench-paper")), ([], []))

    def test_going_on_after_an_interruption(self):
        run = self.away / "a"
        self.run_it("local", "--output-dir", "a")
        (run / "second-order-1e-8.json").rename(run / "second-order-1e-8.json.journal")
        self.assertEqual(self.run_it("local", "--output-dir", "a", "--resume").returncode, 0)
        (call,) = self.calls_of("frictionbench run")
        self.assertTrue(call.endswith(f"--tolerance 1e-8 {SOLVERS} --resume"))
        self.assert_refused(self.run_it("local", "--output-dir", "a"), "not empty")
        self.assert_refused(self.run_it("local", "--output-dir", "a", "--resume", "--every", "2"), "other arguments")

    def test_failures(self):
        self.assertEqual(self.run_it("local", RUN_EXIT="2").returncode, 2)
        self.assertEqual((self.calls_of("frictionbench-paper"), self.runs()), ([], []))
        self.assertEqual(self.run_it("local", RUN_EXIT="1").returncode, 1)
        self.assertEqual(len(self.calls_of("frictionbench-paper")), 1)

    def test_bad_input(self):
        (self.away / "empty").mkdir()
        self.assert_refused(self.run_it("empty"), "empty: no 3D problem")
        self.assert_refused(self.run_it("local", "--every", "0"), "--every 0")
        self.assertEqual(self.runs(), [])

    def test_bad_command_lines(self):
        for arguments, words in ((["--output-dir", "a"], "a folder of FCLIB files is missing"),
                                 (["local", "--output-dir"], "--output-dir: the value is missing"),
                                 (["--peers", "local"], "--peers: names of .csv files"),
                                 (["--peers", "none.csv", "local"], "none.csv: no such file"),
                                 (["local", "--tolerance", "1"], "no option --tolerance")):
            self.assert_refused(self.run_it(*arguments), words)
        self.assertEqual(self.calls(), [])


if __name__ == "__main__":
    unittest.main()
