"""scripts/paper_admm.sh, with stand-ins for what it builds and runs."""

import os
import shutil
import unittest

from checkout_support import SCRIPT, CheckoutTest
from paper_admm_support import COSTS, LINEAR, admm_document
from support import ROOT

STACK = ROOT / "datasets/default/Stack"
BALL = "Stack-boxes15-mass_ratio10000-ball_mass1000-ball_speed2-global-61-00000"
PUBLISHED = "ncp-admm(variant=rss2024"
GAUSS_SEIDEL = "ncp-pgs(relaxation=1,tangent_divisor=smallest_entry)"
TABLES = {"admm-tables.md", "s7.svg", "s7.png", "s7-variants.svg", "s7-variants.png"}
STACK_PARTS = {"s4.svg", "s4.png", "s4.md"}
DOCUMENTS = {"fclib-1e-6.json", "fclib-1e-8.json", "stack-1e-9.json"}
LISTS = {"arguments.txt", "fclib.txt", "stack.txt"}


# Stands for scripts that take long: leaves empty files.
FIGURES = """import sys
for option, value in zip(sys.argv, sys.argv[1:]):
    if option == "-o":
        open(value, "w").close()
sys.exit()
"""


class PaperAdmm(CheckoutTest):
    def setUp(self) -> None:
        super().setUp()
        self.figures = (self.root / "scripts/frictionbench/papers/figures.py").read_text(encoding="utf-8")
        self.program(self.root / "scripts/frictionbench/papers/figures.py", FIGURES)
        self.program(self.root / "scripts/frictionbench/papers/stack.py", FIGURES)
        self.program(self.root / "scripts/frictionbench/papers/impulses.py", SCRIPT)
        self.made = self.folder / "made"
        self.made.mkdir()
        self.write("made/fclib-1e-6.json", admm_document())
        self.write("made/fclib-1e-8.json", admm_document(1e-8))
        self.write("made/stack-1e-9.json", self.stack_document())
        self.put("fclib/Chain/gen-1.hdf5", "fclib/BoxesStack/b.hdf5")
        shipped = self.root / "datasets/default/Stack"
        shipped.mkdir()
        shutil.copy(STACK / f"{BALL}.hdf5", shipped)

    @staticmethod
    def stack_document():
        """The stack of datasets/default and one of a folder, with histories."""
        costs = {"Stack": {solver: by[:1] for solver, by in COSTS["BoxesStack"].items()},
                 "IllConditionedStack": {solver: by[:1] for solver, by in COSTS["Chain"].items()}}
        return admm_document(1e-9, costs, history=True)

    def put(self, *names):
        for name in names:
            path = self.away / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(STACK / "Stack-boxes1-local-4-00000.hdf5", path)

    def run_it(self, *arguments, **environment):
        return self.call("paper_admm.sh", *arguments, RESULTS=str(self.made), **environment)

    def program_calls(self):
        return [call for call in self.calls() if call.startswith("frictionbench ")]

    def names(self, folder):
        return {path.name for path in folder.iterdir()}

    def test_leaves_documents_tables_and_pictures(self):
        self.program(self.root / "scripts/frictionbench/papers/figures.py", self.figures)
        result = self.run_it("fclib")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (run,) = self.runs()
        self.assertRegex(run.name, r"^[0-9]{8}T[0-9]{6}Z-paper-admm$")
        self.assertEqual(self.names(run), DOCUMENTS | LISTS | TABLES | STACK_PARTS)
        self.assertEqual(self.calls()[:3], [
            "setup --papers --quiet",
            f"cmake --preset app in {self.root}",
            f"cmake --build --preset app --target frictionbench_app frictionbench_python in {self.root}"])
        text = (run / "admm-tables.md").read_text(encoding="utf-8")
        self.assertIn("tolerance 1e-8, PGS", text)
        self.assertIn("ADMM (S), solved", text)
        for name, words in (("s7", {"ADMM", "PGS"}), ("s7-variants", {"ADMM", "ADMM (S)", "PGS"}),
                            ("s4", {"ADMM", "PGS", "ADMM (S), spectral", "ADMM (S), linear"})):
            svg = (run / f"{name}.svg").read_text(encoding="utf-8")
            self.assertTrue(all(f">{word}<" in svg for word in words), name)
        self.assertNotIn("ADMM (S)", (run / "s7.svg").read_text(encoding="utf-8"))
        shown = result.stdout.splitlines()
        for name in DOCUMENTS | TABLES | STACK_PARTS:
            self.assertIn(os.path.relpath(run / name, self.away), shown)

    def test_what_is_run(self):
        self.run_it("fclib", "--jobs", "2", "--repeat-time", "0")
        run = os.path.relpath(self.runs()[0], self.away)
        contenders = f"--solver ncp-admm --solver {PUBLISHED}) --solver {GAUSS_SEIDEL}"
        stack, fclib, tighter = self.program_calls()
        limit, passed = "--max-iterations 20000 --scale absolute", "--jobs 2 --repeat-time 0"
        self.assertEqual(stack, f"frictionbench run @{run}/stack.txt --output {run}/stack-1e-9.json {limit} "
                                f"--tolerance 1e-9 --history {contenders} --solver {LINEAR} "
                                f"--solver ncp-ipm --solver ncp-newton {passed}")
        self.assertEqual(tighter, f"frictionbench run @{run}/fclib.txt --output {run}/fclib-1e-8.json {limit} "
                                  f"--tolerance 1e-8 {contenders} {passed}")
        self.assertTrue(fclib.startswith(f"frictionbench run @{run}/fclib.txt --output {run}/fclib-1e-6.json {limit} "
                                         f"--tolerance 1e-6 {contenders} --solver "))
        ablation = fclib.removesuffix(f" {passed}").split(" --solver ")[4:]
        self.assertEqual(ablation, [f"{PUBLISHED},rho_update=linear,tau={tau})" for tau in (2, 4, 8, 16)]
                         + [f"{start}p={p})" for p in ("0.01", "0.05", "0.08")
                            for start in (f"{PUBLISHED},", "ncp-admm(")]
                         + [f"{PUBLISHED},rho_update=constant)"]
                         + [f"{PUBLISHED},rho_update=linear,tau={tau},stop=admm)" for tau in (2, 4, 8, 16)]
                         + [f"{PUBLISHED},p={p},stop=admm)" for p in ("0.01", "0.05", "0.08")])
        lists = {name: (self.runs()[0] / name).read_text(encoding="utf-8").split() for name in ("fclib.txt", "stack.txt")}
        self.assertEqual([line.split("/")[-2:] for line in lists["fclib.txt"]],
                         [["BoxesStack", "b.hdf5"], ["Chain", "gen-1.hdf5"]])
        self.assertTrue(lists["stack.txt"][0].endswith(f"/{BALL}.hdf5"))

    def test_a_filter_leaves_parts_out(self):
        self.assertEqual(self.run_it("fclib", "--filter", "^Chain/", "--output-dir", "a").returncode, 0)
        self.assertEqual(self.names(self.away / "a"), DOCUMENTS - {"stack-1e-9.json"} | LISTS | TABLES)
        self.assertFalse(any("--filter" in call for call in self.program_calls()))
        self.assertEqual(self.run_it("fclib", "--filter=^Stack/", "--output-dir=b").returncode, 0)
        self.assertEqual(self.names(self.away / "b"), {"stack-1e-9.json"} | LISTS | STACK_PARTS)
        result = self.run_it("fclib", "--filter", "Tower", "--output-dir", "c")
        self.assert_refused(result, "Tower")
        self.assertFalse((self.away / "c").exists())

    def test_stacks_of_the_folder(self):
        self.put(*[f"fclib/IllConditionedStack/i{index}.hdf5" for index in range(4)])
        self.assertEqual(self.run_it("fclib", "--output-dir", "a").returncode, 0)
        self.assertLessEqual({"s4-fclib.svg", "s4-fclib.png"}, self.names(self.away / "a"))
        lines = (self.away / "a/stack.txt").read_text(encoding="utf-8").splitlines()
        self.assertEqual([line.split("/")[-1] for line in lines[1:]], ["i1.hdf5", "i3.hdf5"])

    def test_going_on_after_an_interruption(self):
        run = self.away / "a"
        self.assertEqual(self.run_it("fclib", "--output-dir", "a").returncode, 0)
        (run / "fclib-1e-8.json").unlink()
        (run / "fclib-1e-6.json.journal").write_text("", encoding="utf-8")
        (run / "s7.png").unlink()
        result = self.run_it("fclib", "--output-dir", "a", "--resume")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        first, second = self.program_calls()
        self.assertIn("fclib-1e-6.json", first)
        self.assertTrue(first.endswith(" --resume"))
        self.assertIn("fclib-1e-8.json", second)
        self.assertNotIn("--resume", second)
        self.assertTrue((run / "s7.png").exists())
        self.assertIn("finished before: a/stack-1e-9.json", result.stdout)

    def test_the_newest_run_goes_on(self):
        for name in ("20250101T000000Z-paper-admm", "20260101T000000Z-paper-admm", "20270101T000000Z"):
            (self.root / "results/runs" / name).mkdir(parents=True)
        self.assertEqual(self.run_it("fclib").returncode, 0)
        newest = self.runs()[-2]
        (newest / "fclib-1e-8.json").unlink()
        self.assertEqual(self.run_it("fclib", "--resume").returncode, 0)
        self.assertEqual(len(self.program_calls()), 1)
        self.assertTrue((newest / "fclib-1e-8.json").exists())

    def test_only_the_same_run_goes_on(self):
        self.run_it("fclib", "--output-dir", "a")
        self.assert_refused(self.run_it("fclib", "--output-dir", "a"), "a: not empty", "--resume")
        self.assert_refused(self.run_it("fclib", "--output-dir", "a", "--resume", "--jobs", "2"), "other arguments")
        self.assert_refused(self.run_it("fclib", "--output-dir", "b", "--resume"), "nothing to resume")
        self.assert_refused(self.run_it("fclib", "--resume"), "nothing to resume")
        self.assertEqual(self.calls(), [])

    def test_a_run_that_stops_says_how_to_go_on(self):
        self.run_it("fclib", "--output-dir", "a")
        (self.away / "a/fclib-1e-8.json").unlink()
        result = self.run_it("fclib", "--output-dir", "a", "--resume", RUN_EXIT="2")
        self.assertEqual(result.returncode, 2)
        self.assertIn("repeat the command with --resume --output-dir a", result.stderr)

    def test_bad_input_leaves_nothing(self):
        result = self.run_it("fclib", "--jobs", "none", RUN_EXIT="2")
        self.assertEqual((result.returncode, self.runs()), (2, []))
        result = self.run_it("nowhere")
        self.assert_refused(result, "nowhere")
        self.assertEqual(self.runs(), [])

    def test_files_that_cannot_be_read_are_told_by_the_exit_code(self):
        result = self.run_it("fclib", "--output-dir", "a", RUN_EXIT="1")
        self.assertEqual(result.returncode, 1)
        self.assertLessEqual(TABLES, self.names(self.away / "a"))

    def test_dry_run_leaves_nothing(self):
        result = self.run_it("fclib", "--dry-run")
        self.assertEqual((result.returncode, self.runs()), (0, []))
        self.assertEqual([call.split()[-1] for call in self.program_calls()], ["--dry-run"] * 3)

    def test_bad_command_lines(self):
        self.assert_refused(self.run_it(), "folder of FCLIB files")
        self.assert_refused(self.run_it("--filter", "Chain"), "folder of FCLIB files")
        self.assert_refused(self.run_it("fclib", "--filter"), "--filter: the value is missing")
        for argument in ("--output", "-ox.json", "--solver=ncp-pgs", "--tolerance", "--scale=force", "--criterion",
                         "--max-iterations=3", "--dimension", "--history", "--force", "--shard=1/2", "--max-contacts"):
            self.assert_refused(self.run_it("fclib", argument), "paper_admm.sh chooses")
        self.assertEqual(self.calls(), [])


if __name__ == "__main__":
    unittest.main()
