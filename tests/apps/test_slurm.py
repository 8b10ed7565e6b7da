"""scripts/slurm on a Slurm of one node: what comes out is the document that one machine would have written."""

from __future__ import annotations

import subprocess
import time
import unittest
from pathlib import Path
from typing import Any

from program import DATASET, PROGRAM, ROOT, ProgramTest, without_measurements
from single_node_slurm import SingleNodeSlurm, missing_programs

SCRIPTS = ROOT / "scripts" / "slurm"
SHARDS = 8
QUEUE_SECONDS = 240
# Small problems, and few iterations of the solvers that do not get there.
ARGUMENTS = (DATASET, "--max-contacts", 20, "--max-iterations", 300)
Finished = subprocess.CompletedProcess[str]


class SlurmTest(ProgramTest):
    slurm: SingleNodeSlurm

    @classmethod
    def setUpClass(cls) -> None:
        missing = missing_programs()
        if missing:
            raise unittest.SkipTest(f"Slurm is not installed: {', '.join(missing)}; scripts/setup.sh --tests installs it")
        cls.slurm = cls.enterClassContext(SingleNodeSlurm())

    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "out"

    def call(self, *command: Any) -> Finished:
        """Runs a command where Slurm is, and the program."""
        return subprocess.run(list(map(str, command)), cwd=self.folder, capture_output=True, text=True,
                              env={**self.slurm.environment, "FRICTIONBENCH": PROGRAM}, check=False)

    def submit(self, *arguments: Any, shards: int = SHARDS) -> str:
        """Submits a run in shards; returns the number of its array."""
        finished = self.call(SCRIPTS / "submit.sh", shards, self.out, "--", *arguments)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""), finished.stdout)
        self.assertIn("squeue --job=", finished.stdout)
        return (self.out / "submission.txt").read_text(encoding="utf-8").splitlines()[1]

    def wait(self) -> None:
        self.slurm.wait_for_jobs(QUEUE_SECONDS)

    def logs(self) -> str:
        return "\n".join(f"--- {log.name}\n{log.read_text(encoding='utf-8')}" for log in sorted(self.out.glob("*.log")))

    def shard(self, index: int) -> Path:
        return self.out / f"shard-{index}.json"

    def shards(self) -> list[str]:
        return sorted(path.name for path in self.out.glob("shard-*.json"))

    def merged(self) -> dict[str, Any]:
        """The merged document, as far as it may be compared with that of one machine."""
        self.assertTrue((self.out / "results.json").exists(), self.logs())
        document = without_measurements(self.load(self.out / "results.json"))
        document["run"]["shards"] = None  # as of a run that was not sharded
        return document

    def test_shards_are_the_run(self) -> None:
        self.submit(*ARGUMENTS, "--repeat-time", 0)
        self.wait()
        self.assertEqual(self.shards(), [f"shard-{index}.json" for index in range(1, SHARDS + 1)], self.logs())
        whole = without_measurements(self.run_document(*ARGUMENTS))
        self.assertEqual(self.merged(), whole)
        self.assertEqual(len(self.load(self.out / "results.json")["run"]["shards"]), SHARDS)
        parts = [self.load(self.shard(index))["records"] for index in range(1, SHARDS + 1)]
        self.assertEqual(sum(map(len, parts)), len(whole["records"]))
        self.assertTrue(all(parts), "a shard without work")

        # A shard is lost. The merge names its pairs, and the same submission makes that shard again, no other.
        (self.out / "results.json").unlink()
        self.shard(3).unlink()
        self.call("env", f"FRICTIONBENCH_OUT={self.out}", "sbatch", f"--output={self.out}/merge.log",
                  SCRIPTS / "merge.sbatch")
        self.wait()
        lines = (self.out / "merge.log").read_text(encoding="utf-8").splitlines()
        self.assertEqual(sorted(line for line in lines if line.startswith("missing: ")),
                         sorted(f"missing: {record['problem']} {record['solver']}" for record in parts[2]))
        self.assertEqual(len([line for line in lines if line.startswith("error: ")]), 1, lines)
        self.assertFalse((self.out / "results.json").exists())

        kept = self.shard(2).read_bytes()
        self.submit(*ARGUMENTS, "--repeat-time", 0)
        self.wait()
        self.assertEqual(self.merged(), whole)
        self.assertEqual(self.shard(2).read_bytes(), kept)

    def wait_for_records(self, *indices: int) -> None:
        """Waits until the journals of these shards hold two records each."""
        deadline = time.monotonic() + QUEUE_SECONDS
        for index in indices:
            journal = Path(f"{self.shard(index)}.journal")
            while not journal.exists() or journal.read_bytes().count(b'"record"') < 2:
                self.assertFalse(self.shard(index).exists(), "it was too quick to be interrupted")
                self.assertLess(time.monotonic(), deadline, self.logs() + self.slurm.logs())
                time.sleep(0.05)

    def test_interrupted_tasks_go_on(self) -> None:
        # Slow enough to be caught at work.
        arguments = (*ARGUMENTS, "--filter", "PushedBox", "--repeat-time", 0.5)
        array = self.submit(*arguments, shards=2)
        self.wait_for_records(1)
        # As the signal before the time limit, to the batch process alone.
        self.call("scancel", "--batch", "--signal=INT", f"{array}_1")
        self.wait_for_records(2)
        # As a preemption does.
        self.call("scontrol", "requeue", f"{array}_2")
        self.wait()
        self.assertEqual(self.shards(), ["shard-2.json"], self.logs())
        self.assertIn("resuming from the journal", (self.out / "shard-2.log").read_text(encoding="utf-8"))
        self.assertIn("missing: ", (self.out / "merge.log").read_text(encoding="utf-8"))

        self.submit(*arguments, shards=2)
        self.wait()
        self.assertIn("resuming from the journal", (self.out / "shard-1.log").read_text(encoding="utf-8"))
        self.assertEqual(self.merged(), without_measurements(self.run_document(*ARGUMENTS, "--filter", "PushedBox")))

    def test_what_does_not_fit_is_refused(self) -> None:
        def refused(*arguments: Any, saying: str) -> None:
            finished = self.call(SCRIPTS / "submit.sh", *arguments)
            self.assertEqual((finished.returncode, finished.stdout), (2, ""), finished.stderr)
            self.assertRegex(finished.stderr, r"\Aerror: .*\n\Z")
            self.assertIn(saying, finished.stderr)

        refused("2", self.out, DATASET, saying="--help")
        refused("2", self.out, "--", saying="--help")
        refused("none", self.out, "--", DATASET, saying="'none' is not a number of shards")
        refused("2", self.out, "--", DATASET, "--output=x.json", saying="chooses --output itself")
        refused("2", self.out, "--", DATASET, "--resume", saying="chooses --resume itself")
        self.assertFalse(self.out.exists(), "a refused submission leaves a folder")

        array = self.submit(*ARGUMENTS, "--repeat-time", 1, shards=2)
        refused("3", self.out, "--", *ARGUMENTS, "--repeat-time", 1, saying="another submission")
        refused("2", self.out, "--", *ARGUMENTS, "--repeat-time", 1, saying=f"job {array} is still at work")
        self.call("scancel", f"--user={self.slurm.user}")
        self.wait()

    def test_outside_an_array(self) -> None:
        finished = self.call("bash", SCRIPTS / "frictionbench.sbatch", *ARGUMENTS)
        self.assertEqual(finished.returncode, 2)
        self.assertIn("submit.sh", finished.stderr)


if __name__ == "__main__":
    unittest.main()
