"""A run that is interrupted, at any moment, goes on and ends with the document of one that was not."""

from __future__ import annotations

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
        self.output = self.folder / "out.json"
        self.journal = self.folder / "out.json.journal"

    def start(self, *more: str) -> subprocess.Popen[str]:
        return subprocess.Popen([PROGRAM, *self.arguments, *more], cwd=self.folder, encoding="utf-8",
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def uninterrupted(self) -> tuple[dict[str, Any], float]:
        start = time.monotonic()
        self.program(*self.arguments, code=1)  # 1: the broken file was left out
        seconds = time.monotonic() - start
        document = self.load("out.json")
        self.output.unlink()
        return document, seconds

    def test_killed_at_any_moment(self) -> None:
        whole, seconds = self.uninterrupted()
        self.assertFalse(self.journal.exists())
        moments = random.Random(1)
        kills = 0
        resume: list[str] = []
        for _ in range(20 * KILLS):
            process = self.start(*resume)
            try:
                process.communicate(timeout=moments.uniform(0, seconds))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
            if self.output.exists():  # it was quicker than its killer: begin again
                self.assertEqual(without_measurements(self.load("out.json")), without_measurements(whole))
                self.output.unlink()
                self.assertFalse(self.journal.exists())
            resume = ["--resume"] if self.journal.exists() else []
            if kills == KILLS:
                break
        self.assertEqual(kills, KILLS)
        self.program(*self.arguments, *resume, code=1)
        self.assertEqual(without_measurements(self.load("out.json")), without_measurements(whole))

    def test_interrupt_finishes_the_pair_and_says_how_to_go_on(self) -> None:
        whole, seconds = self.uninterrupted()
        process = self.start()
        time.sleep(seconds / 2)
        process.send_signal(signal.SIGINT)
        _, text = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, text)
        self.assertIn("out.json.journal", text)
        self.assertIn("--resume", text)
        self.assertFalse(self.output.exists())
        self.assertTrue(self.journal.read_text(encoding="utf-8").endswith("}\n"))
        self.program(*self.arguments, "--resume", code=1)
        self.assertEqual(without_measurements(self.load("out.json")), without_measurements(whole))

    def interrupted_journal(self) -> list[str]:
        """The lines of the journal of a run that was killed half-way."""
        seconds = self.uninterrupted()[1]
        process = self.start()
        time.sleep(seconds / 2)
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
        self.refused(*self.arguments, "--resume", "--solver", "ncp-pgs", saying=["another run", "solvers"])
        self.refused(*self.arguments, "--resume", "--filter", "Stack", saying=["another run", "problems"])
        self.journal.write_text("".join([lines[0], "garbage\n", *lines[1:]]), encoding="utf-8")
        self.refused(*self.arguments, "--resume", saying=["out.json.journal", "damaged in the middle"])
        self.journal.write_text("nothing of the kind\n", encoding="utf-8")
        self.refused(*self.arguments, "--resume", saying=["out.json.journal", "no frictionbench journal"])

        self.journal.write_text(kept, encoding="utf-8")
        first = sorted(self.data.glob("*/*.hdf5"))[0]
        first.write_bytes(sorted(self.data.glob("*/*.hdf5"))[-1].read_bytes())
        finished = self.program(*self.arguments, "--resume", code=2)
        self.assertIn("has changed since", finished.stderr)
        self.assertEqual(self.journal.read_text(encoding="utf-8"), kept)

    def test_nothing_to_resume(self) -> None:
        self.refused(*self.arguments, "--resume", saying=["no journal to resume"])
        self.program(*self.arguments, code=1)
        self.refused(*self.arguments, "--resume", saying=["finished, nothing to resume"])
        self.refused(*self.arguments, "--resume", "--force", saying=["--resume", "--force"])

    def test_force_starts_anew(self) -> None:
        self.interrupted_journal()
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
        self.assertEqual(without_measurements(self.load("out.json")), without_measurements(whole))

    def test_jobs_change_nothing_but_times(self) -> None:
        whole = self.uninterrupted()[0]
        finished = self.program(*self.arguments, "--jobs", 2, code=None)
        if "processors" in finished.stderr:
            self.skipTest("this machine has one processor")
        self.assertEqual(without_measurements(self.load("out.json")), without_measurements(whole))
        self.refused(*self.arguments, "--force", "--quiet", "--jobs", 100_000, saying=["100000 jobs", "processors"])


if __name__ == "__main__":
    unittest.main()
