"""frictionbench-tune as a user calls it: with a made-up world, and with the program itself."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from support import ROOT, SCRIPTS, TemporaryFolderTest
from tuning_support import SPACE, TuningTest

from frictionbench.tuning import command as tune

STAND_IN = Path(__file__).resolve().parent / "tuning_support.py"
PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")

# The best over all families is a = 1, by X alone; without X it is a = 2.
WORLD = {
    "X": [lambda a: (100, 1, 50)[a]],
    "Y": [lambda a: (100, 200, 50)[a], lambda a: (100, 200, 50)[a]],
    "Z": [lambda a: (100, 200, 50)[a]],
}


class MadeUpWorld(TuningTest):
    def setUp(self) -> None:
        super().setUp()
        self.make_world(WORLD, {"a": [0, 1, 2]})

    ARGUMENTS = ("problems", "--program", STAND_IN, "--work", "work", "-o", "report.md")

    def tune(self, *arguments, space="space.toml"):
        return self.call_script(tune, space, *self.ARGUMENTS, "--force", *arguments)

    def tuned(self, *arguments):
        result = self.tune("--quiet", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result

    def test_leave_one_family_out_by_hand(self):
        result = self.tuned()
        document = self.document()
        self.assertEqual(document["choice"], {"solver": "made-up(a=1)", "settings": {"a": 1}})
        folds = {fold["family"]: {way: (fold[way]["settings"]["a"], round(fold[way]["work"], 9))
                                  for way in ("default", "held_out", "choice", "best")} for fold in document["folds"]}
        self.assertEqual(folds, {
            "X": {"default": (0, 100), "held_out": (2, 50), "choice": (1, 1), "best": (1, 1)},
            "Y": {"default": (0, 100), "held_out": (1, 200), "choice": (1, 200), "best": (2, 50)},
            "Z": {"default": (0, 100), "held_out": (1, 200), "choice": (1, 200), "best": (2, 50)},
        })
        works = {way: members["work"] for way, members in document["summary"].items()}
        for way, work in (("default", 100), ("held_out", (50 * 200 * 200) ** (1 / 3)),
                          ("choice", (1 * 200 * 200) ** (1 / 3)), ("best", (1 * 50 * 50) ** (1 / 3))):
            self.assertAlmostEqual(works[way], work)
        self.assertEqual(document["chosen_values"],
                         {"a": [{"value": 0, "folds": 0}, {"value": 1, "folds": 2}, {"value": 2, "folds": 1}]})
        self.assertEqual([(one["value"], one["chosen"], round(one["work"], 6)) for one in document["sensitivity"]["a"]],
                         [(0, False, 100), (1, True, round(40000 ** (1 / 3), 6)), (2, False, 50)])
        self.assertTrue(document["settled"])
        self.assertEqual(document["endings"], {"converged": 12})
        self.assertIn("made-up(a=1)", result.stdout)
        self.assertEqual(len(self.runs()), 1)  # all candidates at once, and nothing twice

    def test_report(self):
        self.tuned()
        report = self.report()
        for text in (
            "    made-up(a=1)\n",
            "3 candidates on 4 problems of 3 families, at tolerance 1e-6 of the `ncp` criterion.",
            "| chosen without the family | 100.0 % | 126 | 1.26 | 100.0 % | 126 |",
            "| X | 1 | 100.0 % | 100 | 100.0 % | 50.0 | 100.0 % | 1.0 | 100.0 % | 1.0 | 0.50 | 50.00 |",
            "worse than the default (fewer solved, or as many with more work) in 2 of 3 families: Y, Z.",
            "12 solves: converged 12. None reached the time limit",
            "| X | a = 2 | the same |",
            "| `a` | 0 | **1** | 0: 0, 1: 2, 2: 1 |",
            "| `a` | 2 | 100.0 % | 50.0 | 1.46 |",
            "| Y | 2 | 2 | 1–2 |",
            self.document()["sample"]["sha256"],
        ):
            self.assertIn(text, report)
        self.assertNotIn(str(self.folder), report + json.dumps(self.document()))

    def test_unsolved_problems_and_the_time_limit(self):
        self.make_world({"X": [lambda a: (100, None)[a]], "Y": [lambda a: (100, 1)[a]]}, {"a": [0, 1]},
                        SPACE.replace("[0, 1, 2]", "[0, 1]"))
        self.tuned()
        document = self.document()
        self.assertEqual(document["choice"]["settings"], {"a": 0})
        x = document["folds"][0]
        self.assertEqual((x["held_out"]["settings"], x["held_out"]["solved"]), ({"a": 1}, 0))
        self.assertAlmostEqual(x["held_out"]["work"], 10000)
        self.assertIn("worse than the default (fewer solved, or as many with more work) in 1 of 2 families: X.",
                      self.report())
        (file,) = (self.folder / "work").glob("run-*.json")
        text = file.read_text(encoding="utf-8")
        unsolved = [record["status"] for record in json.loads(text)["records"] if not record["solved"]["ncp"]["absolute"]]
        file.write_text(text.replace(f'"{unsolved[0]}"', '"time_limit"'), encoding="utf-8")
        self.tuned()
        self.assertIn("**1 ended at the time limit of 10 s**", self.report())

    def test_a_default_outside_the_space_and_several_tolerances(self):
        space = SPACE.replace("[0, 1, 2]", "[1, 2]\n[default]\na = 0").replace("[1e-6]", "[1e-6, 1e-8]")
        self.make_world(WORLD, {"a": [0, 1, 2]}, space)
        self.tuned()
        document = self.document()
        self.assertEqual(document["default"]["settings"], {"a": 0})
        self.assertEqual([one["value"] for one in document["sensitivity"]["a"]], [1, 2])
        self.assertEqual([one["tolerance"] for one in document["summary"]["choice"]["tolerances"]], [1e-6, 1e-8])
        self.assertEqual(document["endings"], {"converged": 24})
        self.assertEqual(len(self.runs()), 2)

    def test_a_search_that_has_not_settled(self):
        self.write("space.toml", SPACE.replace("candidates = 20", "candidates = 0").replace("passes = 1", "passes = 0"))
        self.tuned()
        self.assertEqual((self.document()["choice"]["settings"], self.document()["settled"]), ({"a": 0}, False))
        self.assertIn("the search ended before it settled", self.report())

    def test_more_of_a_finished_tuning_runs_only_what_is_new(self):
        self.write("space.toml", SPACE.replace("passes = 1", "passes = 0").replace("candidates = 20", "candidates = 1"))
        self.tuned()
        ran = self.runs()
        self.write("space.toml", SPACE.replace("unsolved = 10000", "unsolved = 500"))
        self.tuned()
        specs = [name for run in self.runs() for name in run]
        self.assertEqual(sorted(specs), ["made-up(a=0)", "made-up(a=1)", "made-up(a=2)"])
        self.assertEqual(self.runs()[:len(ran)], ran)

    def test_stopped_and_resumed(self):
        space = SPACE.replace("candidates = 20", "candidates = 1") + "b = [0, 1, 2]\n"
        world = {family: [lambda a, b, best=best: 10 + (a - best[0]) ** 2 + (b - best[1]) ** 2]
                 for family, best in {"X": (2, 1), "Y": (1, 2), "Z": (2, 2)}.items()}
        values = {"a": [0, 1, 2], "b": [0, 1, 2]}
        self.make_world(world, values, space)
        self.tuned()
        whole = self.report(), self.document()
        runs = self.runs()
        self.assertGreater(len(runs), 2)
        for stop in range(1, len(runs) + 1):
            with self.subTest(stop):
                for name in ("work", "calls", "report.md", "report.json"):
                    path = self.folder / name
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                self.make_world(world, values, space, interrupt_at=stop)
                stopped = self.run_script("frictionbench-tune", "space.toml", *self.ARGUMENTS, "--quiet")
                self.assertEqual((stopped.returncode, stopped.stdout), (1, ""))
                self.assertEqual(stopped.stderr, "interrupted; finished runs are in work: repeat the command to continue\n")
                self.assertFalse((self.folder / "report.md").exists())
                self.make_world(world, values, space)
                self.tuned()
                self.assertEqual((self.report(), self.document()), whole)
                again = [*runs[stop - 1], "--resume"]
                self.assertEqual(self.runs(), [*runs[:stop], again, *runs[stop:]])

    def test_a_work_folder_of_another_tuning(self):
        self.tuned()
        self.write("space.toml", SPACE.replace("time_limit = 10", "time_limit = 20"))
        self.assert_refused(self.tune(), "work", "another time_limit", "--work")
        self.write("space.toml", SPACE.replace("problems_per_family = 5", "problems_per_family = 1"))
        self.assert_refused(self.tune(), "work", "another sample")
        self.write("space.toml", SPACE)
        self.write("work/tuning.json", "[]")
        self.assert_refused(self.tune(), "work", "another program")

    def test_a_work_folder_in_use(self):
        (self.folder / "work").mkdir()
        with open(self.folder / "work/lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assert_refused(self.tune(), "work", "another tuning")

    def test_dry_run(self):
        result = self.call_script(tune, "space.toml", "problems", "--program", STAND_IN, "--dry-run")
        self.assertEqual((result.returncode, result.stderr, self.runs()), (0, "", []))
        self.assertIn("Y: 2 of 2 problems, 1 to 2 contacts", result.stdout)

    def test_files_that_cannot_be_read(self):
        self.make_world(WORLD, {"a": [0, 1, 2]}, unlisted=["problems/Rolling/0.hdf5"])
        self.tuned()
        self.assertIn("1 file that cannot be read", self.report())
        shutil.rmtree(self.folder / "work")
        self.make_world(WORLD, {"a": [0, 1, 2]}, unreadable=["Y/1"])
        self.assert_refused(self.tune("--quiet"), "Y/1 could not be read", "sample.filter")

    def test_settings_that_the_solver_does_not_take(self):
        for good, bad, words in (
            ('solver = "made-up"', 'solver = "other"', ("unknown solver 'other'",)),
            ("a = [0, 1, 2]", "b = [0, 1]", ("`settings.b` is not a setting of made-up", "known: a")),
            ("a = [0, 1, 2]", "a = [0, -1]", ("`settings.a`", "out of range")),
            ("a = [0, 1, 2]", "a = { low = -1, high = 2 }", ("`settings.a`", "out of range")),
            ("a = [0, 1, 2]", "a = [0, 1]\n[default]\na = -1", ("`default`", "out of range")),
            ("a = [0, 1, 2]", "a = [0, 1]\n[fixed]\nc = 1", ("`fixed.c` is not a setting of made-up",)),
        ):
            with self.subTest(bad):
                self.write("space.toml", SPACE.replace(good, bad))
                self.assert_refused(self.tune(), "space.toml", *words)
                self.assertFalse((self.folder / "work").exists())

    def test_a_shorthand_without_a_single_default(self):
        self.make_world(WORLD, {"a": [0, 1, 2]}, SPACE.replace("a = [0", "both = [0"),
                        shorthands=[{"name": "both", "settings": ["a", "b"]}])
        self.assert_refused(self.tune(), "space.toml: `default.both` is missing")

    def test_bad_arguments(self):
        self.assert_refused(self.tune(space="absent.toml"), "absent.toml: No such file")
        self.assert_refused(self.tune("-o", "report.txt"), "report.txt", ".md")
        self.assert_refused(self.tune("-o", "absent/report.md"), "absent/report.md", "no such folder")
        self.assert_refused(self.tune("--jobs", "0"), "--jobs")
        self.assert_refused(self.tune("--program", "absent"), "absent: no such program")
        result = self.call_script(tune, "space.toml", "problems")
        self.assert_refused(result, "--work and --output are needed")

    def test_help(self):
        result = self.run_script("frictionbench-tune", "--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("frictionbench-tune scripts/frictionbench/tuning/ncp-admm.toml", result.stdout)


REAL_SPACE = """\
solver = "ncp-admm"
[run]
tolerances = [1e-4, 1e-6]
max_iterations = 200
time_limit = 60
[sample]
seed = 1
problems_per_family = 2
max_contacts = 35
[search]
seed = 1
candidates = 2
passes = 1
[score]
unsolved = 4000
weights = { factorizations = 10, triangular_solves = 1, products = 1 }
[fixed]
rho_update = "spectral"
[settings]
p = [0.05, 0.1]
alpha = { low = 2, high = 50, scale = "log", steps = 2 }
"""


@unittest.skipUnless(PROGRAM, "FRICTIONBENCH_PROGRAM does not name the program")
class TheProgram(TemporaryFolderTest):
    def command(self, name):
        return [SCRIPTS / "frictionbench-tune", "space.toml", ROOT / "datasets/default", "--program", PROGRAM,
                "--work", f"{name} work", "-o", f"{name}.md"]

    def results(self, name):
        return [(self.folder / f"{name}{suffix}").read_bytes() for suffix in (".md", ".json")]

    @staticmethod
    def contents(work):
        """What changes when a run does something."""
        return {path.name: path.stat().st_size for path in work.glob("run-*.journal")}

    def test_resumed_is_as_never_stopped(self):
        self.write("space.toml", REAL_SPACE)
        whole = subprocess.run(self.command("whole"), cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        documents = len(list(self.folder.glob("whole work/run-*.json")))
        self.assertGreater(documents, 2)
        document = json.loads((self.folder / "whole.json").read_text(encoding="utf-8"))
        self.assertGreater(document["endings"]["converged"], 0)
        self.assertNotIn("time_limit", document["endings"])

        work = self.folder / "stopped work"
        for how in (signal.SIGINT, signal.SIGTERM):
            before = self.contents(work)
            process = subprocess.Popen([*self.command("stopped"), "--quiet"], cwd=self.folder, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while process.poll() is None and self.contents(work) == before:
                time.sleep(0.01)
            process.send_signal(how)
            out, errors = process.communicate(timeout=120)
            self.assertEqual((process.returncode, out), (1, ""), errors)
            self.assertIn("repeat the command to continue", errors)
        resumed = subprocess.run(self.command("stopped"), cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertEqual(self.results("stopped"), self.results("whole"))
        self.assertEqual(len(list(work.glob("run-*.json"))), documents)


if __name__ == "__main__":
    unittest.main()
