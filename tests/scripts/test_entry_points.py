"""scripts/bench.sh and scripts/test.sh, with stand-ins for what they build and run."""

import os
import subprocess
import unittest

from checkout_support import PROGRAM, CheckoutTest
from support import SCRIPTS

CORES = len(os.sched_getaffinity(0))


class EntryPoints(CheckoutTest):
    def test_help_from_another_directory(self):
        for script in ("bench.sh", "test.sh", "setup.sh", "check_baseline.sh", "update_baseline.sh",
                       "slurm/submit.sh", "tidy.sh", "docs.sh"):
            for flag in ("--help", "-h"):
                result = subprocess.run([SCRIPTS / script, flag], cwd=self.away, text=True,
                                        capture_output=True, check=False)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertTrue(result.stdout.startswith(f"usage: scripts/{script}"))

    def test_bench_leaves_results_and_pictures(self):
        result = self.call("bench.sh")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (run,) = self.runs()
        self.assertRegex(run.name, r"^[0-9]{8}T[0-9]{6}Z$")
        self.assertEqual(sorted(file.name for file in run.iterdir()),
                         ["performance_profile.png", "performance_profile.svg", "report.html", "results.json"])
        output = f"../a checkout/results/runs/{run.name}/results.json"
        self.assertEqual(self.calls(), [
            "setup --quiet",
            f"cmake --preset app in {self.root}",
            f"cmake --build --preset app --target frictionbench_app in {self.root}",
            f"frictionbench run ../a checkout/datasets/default --output {output} "
            f"--jobs {CORES} --time-limit 2 --repeat-time 0.01",
        ])
        self.assertIn("a table", result.stdout)
        lines = result.stdout.splitlines()
        for line, name in zip(lines[-5:], ("results.json", "performance_profile.svg", "performance_profile.png",
                                           "report.html")):
            self.assertTrue((self.away / line[len("profiles  "):]).exists(), line)
            self.assertTrue(line.endswith(f"{run.name}/{name}"))
        # The last line is a command after which the program is found by its name.
        command = lines[-1].removeprefix("program ")
        found = subprocess.run(["bash", "-c", f"{command}\ncommand -v frictionbench"], cwd=self.away, text=True,
                               capture_output=True, check=True).stdout
        self.assertEqual(found, f"{self.root}/build/release/apps/frictionbench\n")

    def test_bench_passes_arguments_on(self):
        self.call("bench.sh", "--solver", "ncp-admm(rho_update=linear,tau=4)", "--filter", "a b", cwd=self.root)
        self.assertRegex(self.calls()[3], r"^frictionbench run datasets/default --output results/runs/\w+/results.json "
                                          rf"--jobs {CORES} --time-limit 2 --repeat-time 0.01 "
                                          r"--solver ncp-admm\(rho_update=linear,tau=4\) --filter a b$")

    def test_bench_options_of_the_user_replace_its_own(self):
        self.call("bench.sh", "--jobs=1", "--time-limit", "60")
        self.assertTrue(self.calls()[-1].endswith("results.json --repeat-time 0.01 --jobs=1 --time-limit 60"))

    def test_bench_runs_nothing_that_is_in_an_argument(self):
        result = self.call("bench.sh", "--filter", "$(touch ran)", "a]b")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertFalse((self.away / "ran").exists())
        self.assertTrue(self.calls()[3].endswith("--repeat-time 0.01 --filter $(touch ran) a]b"))

    def test_a_configured_build_is_left_as_it_is(self):
        self.program(self.root / "build/release/build.ninja", "")
        self.call("bench.sh")
        self.assertEqual([call for call in self.calls() if call.startswith("cmake")],
                         [f"cmake --build --preset app --target frictionbench_app in {self.root}"])

    def test_progress_in_a_log_is_a_line_per_tenth(self):
        self.program(self.folder / "bin/cmake", """#!/bin/bash
if [[ $1 != --build ]]; then exit; fi
for ((k = 1; k <= 40; ++k)); do echo "${NINJA_STATUS/\\[%f\\/%t\\]/[$k/40]}Building $k.o"; done
echo 'FAILED: 41.o'
""")
        lines = self.call("test.sh").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines if " % " in line], [str(10 * k) for k in range(1, 11)])
        self.assertIn("FAILED: 41.o", lines)
        self.assertFalse([line for line in lines if "Building" in line])

    def test_bench_with_something_left_out_still_draws(self):
        result = self.call("bench.sh", RUN_EXIT="1")
        self.assertEqual(result.returncode, 1)
        self.assertTrue((self.runs()[0] / "performance_profile.png").exists())

    def test_bench_that_was_given_bad_input_leaves_nothing(self):
        result = self.call("bench.sh", "--solver", "nonsense", RUN_EXIT="2")
        self.assertEqual((result.returncode, self.runs()), (2, []))

    def test_bench_with_nothing_to_draw_keeps_the_reasons(self):
        # All files unreadable: exit code 2, and a document that says why.
        self.program(self.root / "build/release/apps/frictionbench", PROGRAM.replace("-ne 2", "-ne 9"))
        result = self.call("bench.sh", RUN_EXIT="2")
        self.assertEqual((result.returncode, result.stderr), (2, ""))
        self.assertEqual([file.name for file in self.runs()[0].iterdir()], ["results.json"])

    def test_bench_keeps_its_output(self):
        for argument in ("--output", "--output=x.json", "-o", "-ox.json"):
            result = self.call("bench.sh", argument)
            self.assertEqual((result.returncode, self.calls()), (2, []))
            self.assertTrue(result.stderr.startswith("error: "))

    def test_the_baseline_is_checked_by_a_program_of_the_working_directory(self):
        self.program(self.away / "prog", """#!/bin/bash
echo "$0 $1" >>"$LOG"
if [[ $1 == run ]]; then echo {} >"${!#}"; fi
""")
        for name in ("./prog", "prog"):
            result = self.call("check_baseline.sh", "--program", name)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(self.calls(), [f"{self.away}/prog run", f"{self.away}/prog compare"])

    def test_a_build_that_fails_ends_it(self):
        self.program(self.folder / "bin/cmake", "#!/bin/bash\necho broken >&2\nexit 3\n")
        for script in ("bench.sh", "test.sh"):
            result = self.call(script)
            self.assertEqual((result.returncode, result.stderr), (3, "broken\n"))
            self.assertIn("setup ", self.calls()[0])
            self.assertEqual(len(self.calls()), 1)

    def test_test_runs_everything(self):
        result = self.call("test.sh")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.calls(), [
            "setup --tests --quiet",
            f"cmake --preset release in {self.root}",
            f"cmake --build --preset release in {self.root}",
            f"ctest --preset release --parallel {CORES + 1} in {self.root}",
        ])
        self.assertEqual(result.stdout.splitlines()[-1], "100% tests passed")

    def test_test_takes_a_preset_and_arguments_of_ctest(self):
        self.call("test.sh", "sanitize", "-R", "Fclib Reader")
        self.assertIn("cmake --preset sanitize", self.calls()[1])
        self.assertRegex(self.calls()[-1], "^ctest --preset sanitize --parallel [0-9]+ -R Fclib Reader in ")
        self.call("test.sh", "-R", "Fclib")
        self.assertRegex(self.calls()[-1], "^ctest --preset release --parallel [0-9]+ -R Fclib in ")

    def test_test_ends_as_ctest_ends(self):
        result = self.call("test.sh", CTEST_EXIT="8")
        self.assertEqual(result.returncode, 8)


if __name__ == "__main__":
    unittest.main()
