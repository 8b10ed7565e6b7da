"""scripts/paper_models.sh, with stand-ins for what it builds and runs."""

import os
import unittest

from checkout_support import PROGRAM, SCRIPT, CheckoutTest

SOLVERS = '[{"name": "ncp-one", "model": "ncp", "contacts": true}, {"name": "ccp-two", "model": "ccp", "contacts": true}]'
REGISTERED = PROGRAM.replace("  run)", f"""  list) echo '{SOLVERS}' ;;
  run)""")


class PaperModels(CheckoutTest):
    def setUp(self) -> None:
        super().setUp()
        self.program(self.root / "build/release/apps/frictionbench", REGISTERED)
        for name in ("impulses.py", "models.py"):
            self.program(self.root / "scripts/frictionbench/papers" / name, SCRIPT)

    def run_it(self, *arguments, **environment):
        return self.call("paper_models.sh", *arguments, **environment)

    def calls_of(self, command):
        return [call for call in self.calls() if call.startswith(command)]

    def test_leaves_documents_in_a_folder_of_its_own(self):
        result = self.run_it()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (run,) = self.runs()
        self.assertRegex(run.name, r"^[0-9]{8}T[0-9]{6}Z-paper-models$")
        self.assertEqual({path.name for path in run.iterdir()}, {"scenes.json", "friction.json", "stacks.json"})
        for name in ("scenes", "friction", "stacks"):
            self.assertIn(os.path.relpath(run / f"{name}.json", self.away), result.stdout.splitlines())
        self.assertEqual(self.calls()[:3], [
            "setup --papers --quiet",
            f"cmake --preset app in {self.root}",
            f"cmake --build --preset app --target frictionbench_app in {self.root}"])

    def test_every_registered_solver_is_run(self):
        self.run_it("--output-dir", "a", "--jobs", "2")
        solvers = ("--solver lcp-staggered(inner=admm) --solver ncp-staggered(inner=admm) "
                   "--solver lcp-pgs(tangents=together) --solver ccp-admm(variant=rss2024) --solver ccp-admm(start_sweeps=0) "
                   "--solver ncp-pgs(relaxation=1,tangent_divisor=smallest_entry) "
                   "--solver ncp-one --solver ccp-two")
        how = f"--criterion native --scale absolute --history --repeat-time 0 {solvers}"
        self.assertEqual(self.calls_of("frictionbench run"), [
            f"frictionbench run a/problems/scenes --output a/scenes.json {how} --tolerance 1e-8 --jobs 2",
            f"frictionbench run a/problems/friction --output a/friction.json {how} --tolerance 1e-6 --jobs 2",
            f"frictionbench run a/problems/stacks --output a/stacks.json {how} --tolerance 1e-6 "
            "--max-iterations 10000 --jobs 2"])
        program = self.root / "build/release/apps/frictionbench"
        self.assertEqual(self.calls()[-2:], [
            f"frictionbench-paper impulses a/scenes.json --program {program} -o a/impulses",
            "frictionbench-paper models a -o a"])

    def test_what_the_scenes_are(self):
        self.run_it("--output-dir", "a")
        made = self.calls_of("frictionbench generate")
        self.assertIn("frictionbench generate sliding_box --direction 30 -o a/problems/scenes", made)
        self.assertIn("frictionbench generate pushed_box --push 2 --direction 30 -o a/problems/scenes", made)
        self.assertIn("frictionbench generate stack --boxes 2 --mass 0.001 --mass-ratio 1e6 --mu 0.3 "
                      "-o a/problems/stacks", made)
        ratios = [call.split("--mass-ratio ")[1].split()[0] for call in made if "--mass-ratio" in call]
        self.assertEqual({ratio: ratios.count(ratio) for ratio in ratios},
                         dict.fromkeys(("1", "10", "1e2", "1e3", "1e4", "1e5", "1e6"), 6))
        self.assertEqual(len(made), len(set(made)))

    def test_a_failure_ends_it_with_its_exit_code(self):
        self.assertEqual(self.run_it("--jobs", "none", RUN_EXIT="2").returncode, 2)
        self.assertEqual((self.calls_of("paper_"), self.runs()), ([], []))

    def test_bad_command_lines(self):
        (self.away / "full").mkdir()
        (self.away / "full/file").touch()
        self.assert_refused(self.run_it("--output-dir", "full"), "full: not empty")
        self.assert_refused(self.run_it("--output-dir"), "--output-dir: the value is missing")
        for argument in ("--output", "-ox.json", "--solver=ncp-pgs", "--tolerance", "--criterion", "--scale",
                         "--max-iterations=3", "--history", "--resume", "--dry-run", "--filter", "--shard=1/2"):
            self.assert_refused(self.run_it(argument), "paper_models.sh chooses")
        self.assertEqual(self.calls(), [])


if __name__ == "__main__":
    unittest.main()
