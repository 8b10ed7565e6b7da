"""A run that is interrupted, at any moment, goes on and ends with the document of one that was not."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import time
import unittest
from typing import Any

from program import DATASET, PROGRAM, ProgramTest, without_measurements

KILLS = 50


class ResumeTest(ProgramTest):
    whole: dict[str, Any] | None = None
    length = 0

    def setUp(self) -> None:
        super().setUp()
        # A data set of its own: small problems, one broken file among them.
        self.data = self.folder / "data"
        self.data.mkdir()
        for path in sorted(DATASET.glob("*/*.hdf5")):
            if path.stat().st_size < 25_000:
                (self.data / path.parent.name).mkdir(exist_ok=True)
                shutil.copy(path, self.data / path.parent.name)
        (self.data / "Stack" / "broken.hdf5").write_text("nothing of the kind", encoding="utf-8")
        self.arguments = ["run", "data", "--repeat-time", "0", "--max-iterations", "300", "-o", "out.json"]
        for solver in ("ncp-pgs", "ccp-pgs", "ncp-admm", "raisim"):
            self.arguments += ["--solver", solver]
        self.output = self.folder / "out.json"
        self.journal = self.folder / "out.json.journal"

    def start(self, *more: str) -> subprocess.Popen[str]:
        return subprocess.Popen([PROGRAM, *self.arguments, *more], cwd=self.folder, encoding="utf-8",
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def uninterrupted(self) -> tuple[dict[str, Any], int]:
        """The document of a run that was left alone, without what is measured, and about how long its journal
        is. It is the same in each test."""
        if self.whole is None:
            self.program(*self.arguments, code=1)  # 1: the broken file was left out
            self.assertFalse(self.journal.exists())
            ResumeTest.whole = without_measurements(self.load("out.json"))
            ResumeTest.length = self.output.stat().st_size
            self.output.unlink()
        return self.whole, self.length

    def wait_for_journal(self, process: subprocess.Popen[str], size: int) -> None:
        """Waits until the journal is at least this long, or the run has ended."""
        while process.poll() is None and (not self.journal.exists() or self.journal.stat().st_size < size):
            time.sleep(0.0005)

    def journal_size(self) -> int:
        return self.journal.stat().st_size if self.journal.exists() else 0

    def test_killed_at_any_moment(self) -> None:
        """Kills at random lengths of the journal, a random moment later; starts anew when it is done."""
        whole, length = self.uninterrupted()
        moments = random.Random(1)
        finished = 0
        for _ in range(KILLS):
            process = self.start("--resume")
            self.wait_for_journal(process, self.journal_size() + moments.randrange(length // 8))
            if process.poll() is None:
                time.sleep(moments.uniform(0, 0.01))
            while process.poll() is not None:  # it was quicker than its killer: begin again
                process.communicate()
                finished += 1
                self.assertEqual(without_measurements(self.load("out.json")), whole)
                self.output.unlink()
                self.assertFalse(self.journal.exists())
                process = self.start("--resume")
                time.sleep(moments.uniform(0, 0.05))
            process.kill()
            process.communicate()
        self.assertGreater(finished, 0)
        if not self.output.exists():
            self.program(*self.arguments, "--resume", code=1)
        self.assertEqual(without_measurements(self.load("out.json")), whole)

    def test_killed_in_any_round(self) -> None:
        """Later rounds change no record, so the document is that of one round, except for their number."""
        rounds = ["--rounds", "3", "--seed", "7"]
        self.program(*self.arguments, *rounds, code=1)
        whole = self.load("out.json")
        for record in whole["records"]:
            self.assertEqual(len(record["time"]["rounds"] or []), 3 if record["time"]["solve"] else 0)
        length = self.output.stat().st_size
        self.output.unlink()
        moments = random.Random(2)
        for _ in range(KILLS):
            process = self.start("--resume", *rounds)
            self.wait_for_journal(process, self.journal_size() + moments.randrange(length // 10))
            if process.poll() is not None:
                process.communicate()
                break
            process.kill()
            process.communicate()
        if not self.output.exists():
            self.program(*self.arguments, *rounds, "--resume", code=1)
        self.assertFalse(self.journal.exists())
        resumed = self.load("out.json")
        self.output.unlink()
        self.assertEqual([len(record["time"]["rounds"] or []) for record in resumed["records"]],
                         [len(record["time"]["rounds"] or []) for record in whole["records"]])
        resumed, once = without_measurements(resumed), self.uninterrupted()[0]
        self.assertEqual(resumed, without_measurements(whole))
        self.assertEqual((resumed["run"].pop("rounds"), resumed["run"].pop("seed")), (3, 7))
        self.assertEqual(resumed["records"], once["records"])

    def interrupted(self, *more: str) -> subprocess.Popen[str]:
        """A run that has got a Ctrl-C half-way."""
        length = self.uninterrupted()[1]
        process = self.start(*more)
        self.wait_for_journal(process, length // 2)
        process.send_signal(signal.SIGINT)
        return process

    def test_first_interrupt_finishes_the_pair_and_says_how_to_go_on(self) -> None:
        process = self.interrupted()
        _, text = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, text)
        self.assertIn("interrupted: finishing the pairs under way; press Ctrl-C again to stop now\n", text)
        self.assertIn("out.json.journal has what is done; to continue, run the same command with --resume\n", text)
        self.assertFalse(self.output.exists())
        self.assertTrue(self.journal.read_text(encoding="utf-8").endswith("}\n"))
        self.program(*self.arguments, "--resume", code=1)
        self.assertEqual(without_measurements(self.load("out.json")), self.whole)

    def test_second_interrupt_ends_the_pairs_under_way(self) -> None:
        """Repeated for a minute, the pair under way would take that long."""
        path = next(self.data.glob("*/*.hdf5"))
        process = subprocess.Popen([PROGRAM, "run", path, "--repeat-time", "60", "-o", "out.json",
                                    "--solver", "ncp-pgs"],
                                   cwd=self.folder, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not (self.journal.exists() and '"problem"' in self.journal.read_text(encoding="utf-8")):
            time.sleep(0.001)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertIn("finishing the pairs under way", "".join(process.stderr.readline() for _ in range(3)))
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertLess(time.monotonic() - start, 20)
        self.assertFalse(self.output.exists())

    def interrupted_journal(self) -> list[str]:
        """The lines of the journal of a run that was killed half-way."""
        length = self.uninterrupted()[1]
        process = self.start()
        self.wait_for_journal(process, length // 2)
        process.kill()
        process.communicate()
        return self.journal.read_text(encoding="utf-8").splitlines(keepends=True)

    def test_a_cut_last_line_is_repaired(self) -> None:
        lines = self.interrupted_journal()
        self.journal.write_text("".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2], encoding="utf-8")
        finished = self.program(*self.arguments, "--resume", code=1)
        self.assertIn("cut off", finished.stderr)
        self.load("out.json")

    def test_what_does_not_belong_is_refused(self) -> None:
        lines = self.interrupted_journal()
        kept = "".join(lines)
        self.refused(*self.arguments, saying=["out.json.journal", "unfinished run", "--resume"])
        self.refused(*self.arguments, "--resume", "--tolerance", "1e-5", saying=["another run", "tolerance"])
        self.refused(*self.arguments, "--resume", "--solver", "lcp-pgs", saying=["another run", "solvers"])
        self.refused(*self.arguments, "--resume", "--filter", "Stack", saying=["another run", "problems"])
        for change, complaint in ((lambda run: run["git"].update(revision="0" * 40), "git"),
                                  (lambda run: run["build"].update(flags="-O0"), "build"),
                                  (lambda run: run["solvers"][0]["settings"].update(order="other"), "solvers")):
            first_line = json.loads(lines[0])
            change(first_line["run"])
            self.journal.write_text("".join([json.dumps(first_line) + "\n", *lines[1:]]), encoding="utf-8")
            self.refused(*self.arguments, "--resume", saying=["another run", complaint])
        self.journal.write_text("".join([lines[0], "garbage\n", *lines[1:]]), encoding="utf-8")
        self.refused(*self.arguments, "--resume", saying=["out.json.journal", "damaged in the middle"])
        self.journal.write_text("nothing of the kind\n", encoding="utf-8")
        self.refused(*self.arguments, "--resume", saying=["out.json.journal", "not a frictionbench journal"])

        self.journal.write_text(kept, encoding="utf-8")
        first = sorted(self.data.glob("*/*.hdf5"))[0]
        first.write_bytes(sorted(self.data.glob("*/*.hdf5"))[-1].read_bytes())
        finished = self.program(*self.arguments, "--resume", code=2)
        self.assertIn("has changed since", finished.stderr)
        self.assertEqual(self.journal.read_text(encoding="utf-8"), kept)

    def test_nothing_to_resume(self) -> None:
        """A script that restarts a job gives --resume from the first start on."""
        finished = self.program(*self.arguments, "--resume", code=1)
        self.assertIn("no journal out.json.journal to resume: starting the run\n", finished.stderr)
        self.load("out.json")
        self.refused(*self.arguments, "--resume", saying=["finished, nothing to resume"])
        self.refused(*self.arguments, "--resume", "--force", saying=["--resume", "--force"])

    def test_force_does_not_take_the_journal_from_a_run(self) -> None:
        spec = "external(command='sleep 30',name=slow)"
        slow = subprocess.Popen([PROGRAM, "run", "data/Stack", "--solver", spec, "-o", "out.json"], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_journal(slow, 1)
        self.refused(*self.arguments, "--force", saying=["out.json.journal", "another run has this journal open"])
        self.assertTrue(self.journal.exists())
        slow.kill()
        slow.wait()

    def test_force_starts_anew(self) -> None:
        lines = self.interrupted_journal()
        self.refused(*self.arguments, "--force", "--times-from", "nothing.json", saying=["nothing.json: cannot be opened"])
        self.assertEqual(self.journal.read_text(encoding="utf-8"), "".join(lines), "there is no run to replace it")
        self.program(*self.arguments, "--force", code=1)
        self.load("out.json")
        self.assertFalse(self.journal.exists())

    def test_full_disk(self) -> None:
        """A limit on the size of files stands for a full disk."""
        whole = self.uninterrupted()[0]
        limited = ["bash", "-c", 'ulimit -f 20; trap "" XFSZ; exec "$@"', "bash", PROGRAM, *self.arguments]
        finished = subprocess.run(limited, cwd=self.folder, capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(finished.returncode, 2, finished.stderr)
        self.assertIn("error: out.json.journal: cannot be written", finished.stderr)
        self.assertTrue(self.journal.read_text(encoding="utf-8").endswith("}\n"))
        self.program(*self.arguments, "--resume", code=1)
        self.assertEqual(without_measurements(self.load("out.json")), whole)

    def test_jobs_change_nothing_but_times(self) -> None:
        whole = self.uninterrupted()[0]
        finished = self.program(*self.arguments, "--jobs", 2, code=None)
        if "processors" in finished.stderr:
            self.skipTest("this machine has one processor")
        self.assertEqual(without_measurements(self.load("out.json")), whole)
        self.refused(*self.arguments, "--force", "--quiet", "--jobs", 100_000, saying=["100000 jobs", "processors"])


if __name__ == "__main__":
    unittest.main()
