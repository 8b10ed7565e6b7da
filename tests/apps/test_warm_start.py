"""Where solves start: at zero, at what a file has, or at the answer to the time step before."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import unittest
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from program import DATASET, PROGRAM, ProgramTest, problem, without_measurements

# A few disks that come to rest: more and more contacts, and then always the same.
SCENE = ("generate", "disks_2d", "--grains", 6, "--steps", 400, "--snapshots", 10, "-o", "data")
KILLS = 10


def starts(document: dict[str, Any]) -> dict[str, str | None]:
    """Problem -> the problem whose answer it started from."""
    return {record["problem"]: record["previous"] for record in document["records"]}


class WarmStartTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.file = Path(shutil.copyfile(problem("Stack-boxes2-local-8-00000"), self.folder / "box.hdf5"))
        with h5py.File(self.file, "r+") as file:
            for name in ("solution", "guesses"):
                if name in file:
                    del file[name]

    def add_guess(self, r: np.ndarray) -> None:
        with h5py.File(self.file, "r+") as file:
            if "guesses" in file:
                del file["guesses"]
            file["guesses/number_of_guesses"] = np.array([1], dtype=np.int32)
            file["guesses/1/r"] = r

    def solved(self, start: str) -> tuple[dict[str, Any], str]:
        """The record of a solve, and what was printed. `run` must record the same."""
        arguments = [self.file, "--solver", "ncp-pgs", "--warm-start", start]
        text = self.program("solve", *arguments, "--json", "solve.json", "--force").stdout
        ran = self.run_document(*arguments)
        self.assertEqual(ran["run"]["warm_start"], start)
        documents = [without_measurements(document) for document in (self.load("solve.json"), ran)]
        self.assertEqual(documents[0]["records"], documents[1]["records"])
        return documents[0]["records"][0], text

    def test_from_the_solution_one_sweep_is_enough(self) -> None:
        cold, text = self.solved("zero")
        self.assertEqual((cold["start"], cold["previous"]), ("zero", None))
        self.assertNotIn("started", text)
        self.assertGreater(cold["work"]["sweeps"], 1)
        self.program("solve", self.file, "--solver", "ncp-pgs", "--write-solution")
        warm, text = self.solved("solution")
        self.assertEqual((warm["start"], warm["iterations"], warm["work"]["sweeps"]), ("solution", 1, 1))
        self.assertIn("started from the solution in the file\n", text)

    def test_from_a_zero_guess_the_work_is_the_same(self) -> None:
        self.add_guess(np.zeros(24))
        document = [self.run_document(self.file, "--warm-start", start) for start in ("zero", "guess")]
        for cold, warm in zip(*(without_measurements(part)["records"] for part in document)):
            self.assertEqual((cold.pop("start"), warm.pop("start")), ("zero", "guess"))
            self.assertEqual(cold, warm)

    def test_what_does_not_fit_is_not_started_from(self) -> None:
        cold, _ = self.solved("zero")
        unfit = np.ones(24)
        unfit[5] = np.nan
        for r, reason in ((np.ones(23), "/guesses/1/r: has 23 values, expected 24"),
                          (np.ones(0), "/guesses/1/r: has 0 values, expected 24"),
                          (unfit, "/guesses/1/r: entry 5 is nan")):
            with self.subTest(reason):
                self.add_guess(r)
                record, text = self.solved("guess")
                self.assertEqual(record, cold)
                self.assertIn(f"started from zero: {reason}", text)
                document = self.load("results.json")
                self.assertIn("1 of 1 pairs started from zero: their files have no guess that fits",
                              document["run"]["warnings"])
                self.assertIn(f"not used: {reason}", self.program("info", self.file).stdout)

    def test_what_is_not_there_is_told(self) -> None:
        for start in ("guess", "solution"):
            record, text = self.solved(start)
            self.assertEqual(record["start"], "zero")
            self.assertIn(f"started from zero: the file has no {start}\n", text)

    def test_unknown_starts_are_refused(self) -> None:
        for command in (["solve", self.file, "--solver", "ncp-pgs"], ["run", self.file]):
            self.refused(*command, "--warm-start", "gues", saying=["--warm-start", "'gues'", "guess"])
            self.refused(*command, "--warm-start", "previous", saying=["--warm-start", "'previous'"])

    def test_runs_that_started_differently_are_not_compared(self) -> None:
        self.run_document(self.file, "--solver", "ncp-pgs", output="cold.json")
        self.run_document(self.file, "--solver", "ncp-pgs", "--warm-start", "guess", output="warm.json")
        self.run_document(self.file, "--solver", "ncp-pgs", "--sequence", output="sequence.json")
        self.refused("compare", "cold.json", "warm.json", code=3,
                     saying=["--warm-start is zero in the baseline and guess"])
        self.refused("compare", "cold.json", "sequence.json", code=3,
                     saying=["--sequence is false in the baseline and true"])
        self.program("compare", "warm.json", "warm.json")


class SequenceTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        for seed in (1, 2):
            self.program(*SCENE, "--seed", seed)
        self.arguments = ["data", "--solver", "ncp-pgs", "--solver", "ncp-admm", "--sequence", "--scale", "absolute"]

    def test_time_steps_start_one_from_another(self) -> None:
        document = self.run_document("data", "--solver", "ncp-pgs", "--sequence")
        self.assertTrue(document["run"]["sequence"])
        contacts = {item["id"]: item["contacts"] for item in document["problems"]}
        self.assertEqual(list(contacts), sorted(contacts))  # not the order of time
        expected = dict.fromkeys(contacts)
        for scene in ("Disks2D/Disks2D-grains6-local-", "Disks2D/Disks2D-grains6-seed2-local-"):
            steps = sorted((name for name in contacts if name.startswith(scene)), key=lambda name: name[-5:])
            self.assertEqual(len(steps), 10)
            for before, after in zip(steps, steps[1:]):
                if contacts[before] == contacts[after] > 0:
                    expected[after] = before
        self.assertTrue(8 < sum(previous is not None for previous in expected.values()) < 18)
        self.assertEqual(starts(document), expected)
        for record in document["records"]:
            self.assertEqual(record["start"], "previous" if record["previous"] else "zero")

    def test_at_rest_a_few_sweeps_are_enough(self) -> None:
        judged = ["--solver", "ncp-pgs", "--scale", "absolute"]
        warm, cold = (self.run_document("data", *judged, *more) for more in (["--sequence"], []))
        pairs = list(zip(warm["records"], cold["records"], strict=True))
        for record, other in pairs:
            self.assertTrue(record["solved"]["ncp"]["absolute"] and other["solved"]["ncp"]["absolute"])
            if record["start"] == "zero":
                self.assertEqual(record["work"], other["work"])
        last = [(record["work"]["sweeps"], other["work"]["sweeps"]) for record, other in pairs
                if record["problem"].endswith("-00400")]
        self.assertEqual(len(last), 2)
        for sweeps, from_zero in last:
            self.assertLessEqual(sweeps, 4)
            self.assertGreater(from_zero, 40)

    def test_repetitions_start_where_the_first_solve_did(self) -> None:
        once, often = (self.run_document(*self.arguments, "--repeat-time", time) for time in (0, 0.01))
        self.assertGreater(max(record["time"]["solve"]["samples"] for record in often["records"]), 1)
        self.assertEqual(without_measurements(once), without_measurements(often))

    def test_guesses_are_for_those_without_a_previous_answer(self) -> None:
        for path in (self.folder / "data").glob("*/*.hdf5"):
            self.program("solve", path, "--solver", "ncp-pgs", "--scale", "absolute", "--write-solution")
        document = self.run_document("data", "--solver", "ncp-pgs", "--sequence", "--scale", "absolute",
                                     "--warm-start", "solution")
        for record in document["records"]:
            self.assertEqual(record["start"], "previous" if record["previous"] else "solution")
            if record["start"] == "solution":
                self.assertEqual(record["work"]["sweeps"], 1)

    def test_other_scenes_stay_apart(self) -> None:
        """Scenes of one family and step, in names that tell that they differ."""
        document = self.run_document(DATASET / "Stack", "--solver", "ncp-pgs", "--max-iterations", 5, "--sequence")
        self.assertEqual(set(starts(document).values()), {None})

    def test_dry_run_tells_the_chains(self) -> None:
        plan = self.program("run", *self.arguments, "--dry-run").stdout
        document = self.run_document("data", "--solver", "ncp-pgs", "--sequence")
        scenes = {"Disks2D-grains6-local": 0, "Disks2D-grains6-seed2-local": 0}
        for record in document["records"]:
            scene = record["problem"].removeprefix("Disks2D/").rsplit("-", 2)[0]
            scenes[scene] += record["start"] == "previous"
        for scene, count in scenes.items():
            self.assertIn(f"sequence: data/Disks2D/{scene}: 10 problems in {10 - count} chains, "
                          f"{count} start from the one before\n", plan)
        self.assertIn(f"sequences in all: {sum(scenes.values())} of 20 problems start from the one before\n", plan)
        self.assertNotIn("sequence", self.program("run", "data", "--dry-run").stdout)

    def test_jobs_change_nothing_but_times(self) -> None:
        whole = self.run_document(*self.arguments)
        finished = self.program("run", *self.arguments, "--repeat-time", 0, "--jobs", 2, "--quiet", "-o", "two.json",
                                code=None)
        if "processors" in finished.stderr:
            self.skipTest("this machine has one processor")
        self.assertEqual(without_measurements(self.load("two.json")), without_measurements(whole))

    def test_merged_shards_are_the_whole_run(self) -> None:
        whole = self.run_document(*self.arguments)
        names = [f"{number}.json" for number in (1, 2, 3)]
        for number, name in enumerate(names, start=1):
            self.run_document(*self.arguments, "--shard", f"{number}/3", output=name)
        self.program("merge", *names, "-o", "all.json", "--quiet")
        merged = self.load("all.json")
        for document in (merged, whole):
            del document["run"]["shards"]
        self.assertEqual(without_measurements(merged), without_measurements(whole))

    def test_killed_at_any_moment_it_goes_on(self) -> None:
        whole = self.run_document(*self.arguments)
        pairs = len(whole["records"])
        command = [PROGRAM, "run", *map(str, self.arguments), "--repeat-time", "0.02", "-o", "out.json"]
        journal = self.folder / "out.json.journal"
        moments = random.Random(1)
        kills = 0
        while kills < KILLS:
            if not journal.exists():  # the start, or killed after the end
                (self.folder / "out.json").unlink(missing_ok=True)
            resume = ["--resume"] if journal.exists() else []
            process = subprocess.Popen([*command, *resume], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(moments.uniform(0, 0.1 * pairs / KILLS))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
            else:  # it was quicker than its killer: begin again
                self.assertEqual(process.returncode, 0)
                (self.folder / "out.json").unlink()
        if not (self.folder / "out.json").exists():
            resume = ["--resume"] if journal.exists() else []
            self.program(*command[1:], *resume)
        self.assertEqual(without_measurements(self.load("out.json")), without_measurements(whole))


if __name__ == "__main__":
    unittest.main()
