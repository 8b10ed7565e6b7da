"""What a run is going to do: dry runs, shards, and folders in which much is broken."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from program import DATASET, ProgramTest, problem, without_measurements

GOOD, BROKEN = 1000, 50


class DryRunTest(ProgramTest):
    def test_says_what_would_be_run_and_writes_nothing(self) -> None:
        finished = self.program("run", DATASET, "--filter", "Stack|PushedBox2D", "--solver", "ncp-pgs",
                                "--solver", "ccp-pgs", "--dry-run")
        problems = len([*DATASET.glob("Stack/*.hdf5"), *DATASET.glob("PushedBox2D/*.hdf5")])
        self.assertIn(f"{problems} problems x 2 solvers = {2 * problems} pairs", finished.stdout)
        self.assertRegex(finished.stdout, rf"(?m)^Stack +\d+ +{2 * len([*DATASET.glob('Stack/*.hdf5')])} ")
        self.assertIn("estimated time: ", finished.stdout)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_earlier_results_make_the_estimate(self) -> None:
        """Repeated for a second, a pair takes a second, whatever its size."""
        self.run_document(problem("Stack-boxes2-local-8-00000"), "--solver", "ncp-pgs")
        plan = self.program("run", problem("Stack-boxes2-local-8-00000"), "--solver", "ncp-pgs", "--dry-run",
                            "--repeat-time", 90, "--times-from", "results.json").stdout
        self.assertIn("estimated time: 1:30 min", plan)
        plan = self.program("run", problem("Stack-boxes2-local-8-00000"), "--solver", "ncp-pgs", "--dry-run",
                            "--repeat-time", 90, "--times-from", "results.json", "--rounds", 4).stdout
        self.assertIn("estimated time: 6:00 min with --jobs 1 and --rounds 4\n", plan)

    def test_names_what_it_cannot_use(self) -> None:
        (self.folder / "broken.hdf5").write_text("nothing of the kind", encoding="utf-8")
        finished = self.program("run", problem("Stack-boxes2-local-8-00000"), "broken.hdf5", "--dry-run", code=1)
        self.assertIn("unreadable: broken.hdf5", finished.stdout)
        self.program("run", "broken.hdf5", "--dry-run", code=2)


class ShardTest(ProgramTest):
    def test_merged_shards_are_the_whole_run(self) -> None:
        chosen = [DATASET, "--filter", "Box|Disks", "--max-iterations", 300]
        whole = self.run_document(*chosen)
        names = [f"shard-{number}.json" for number in range(1, 6)]
        for number, name in enumerate(names, start=1):
            shard = self.run_document(*chosen, "--shard", f"{number}/{len(names)}", output=name)
            self.assertEqual(shard["run"]["shard"], f"{number}/{len(names)}")
            self.assertEqual([p["id"] for p in shard["run"]["plan"]], [p["id"] for p in whole["problems"]])
            self.assertLess(len(shard["records"]), len(whole["records"]) / 2)
        self.program("merge", *reversed(names), "-o", "all.json", "--quiet")
        merged = self.load("all.json")
        self.assertEqual([part["shard"] for part in merged["run"].pop("shards")],
                         [f"{number}/{len(names)}" for number in range(1, 6)])
        del whole["run"]["shards"]
        self.assertEqual(without_measurements(merged), without_measurements(whole))

        finished = self.program("merge", *names[1:], "-o", "some.json", code=2)
        first = self.load(names[0])["records"]
        self.assertEqual(sorted(finished.stdout.splitlines()),
                         sorted(f"missing: {record['problem']} {record['solver']}" for record in first))
        self.assertFalse((self.folder / "some.json").exists())

    def test_a_shard_resumes_as_itself_only(self) -> None:
        arguments = ["run", DATASET, "--filter", "Box", "--repeat-time", 0, "-o", "out.json", "--quiet"]
        self.program(*arguments, "--shard", "1/2")
        (self.folder / "out.json").unlink()
        (self.folder / "broken.json").write_text("", encoding="utf-8")
        self.refused(*arguments, "--shard", "3/2", saying=["3/2", "i/n"])
        self.refused(*arguments, "--shard", "slurm", saying=["Slurm job array"])


class BadFolderTest(ProgramTest):
    def test_many_good_files_and_many_broken_ones(self) -> None:
        """Every good problem has its record, every broken file its reason."""
        data = self.folder / "data"
        (data / "Good").mkdir(parents=True)
        small = sorted(DATASET.glob("PushedBox2D/*.hdf5"))
        for number in range(GOOD):
            os.link(shutil.copy(small[number % len(small)], self.folder / f"{number % len(small)}.hdf5"),
                    data / "Good" / f"problem-{number:04}.hdf5")
        broken = self.broken_files(data / "Broken")
        arguments = ["data", "--solver", "ncp-pgs", "--max-iterations", 50]
        document = self.run_document(*arguments, code=1)
        self.assertEqual(len(document["problems"]), GOOD)
        self.assertEqual(len(document["records"]), GOOD)
        self.assertEqual(sorted(file["path"] for file in document["unreadable"]),
                         sorted(str(path.relative_to(self.folder)) for path in broken))
        for file in document["unreadable"]:
            self.assertTrue(file["reason"].startswith(file["path"] + ": "), file)
        summary = self.program("summary", "results.json").stdout
        for file in document["unreadable"]:
            self.assertIn(f"unreadable: {file['reason']}\n", summary)
        self.run_document(*arguments, "--allow-unreadable", code=0)

    def broken_files(self, folder: Path) -> list[Path]:
        """Of different kinds, no two with the same contents."""
        made = self.folder / "made"
        made.mkdir()
        subprocess.run([os.environ["FRICTIONBENCH_MAKE_MALFORMED_FILES"], made], check=True)
        folder.mkdir()
        files: dict[bytes, Path] = {}
        for path in sorted(made.glob("*.hdf5")):
            if path.is_file() and len(files) < BROKEN and path.read_bytes() not in files:
                files[path.read_bytes()] = Path(shutil.copy(path, folder))
        self.assertEqual(len(files), BROKEN)
        return list(files.values())
