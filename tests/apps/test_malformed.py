"""Files that are broken in every way at hand, given to each command that reads problems."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import ProgramTest, problem


class MalformedFileTest(ProgramTest):
    files: Path
    expected: dict[str, list[str]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.files = Path(tempfile.mkdtemp(prefix="frictionbench malformed "))
        cls.addClassCleanup(shutil.rmtree, cls.files)
        subprocess.run([os.environ["FRICTIONBENCH_MAKE_MALFORMED_FILES"], cls.files], check=True)
        table = (cls.files / "expectations.tsv").read_text(encoding="utf-8").splitlines()
        cls.expected = {name: texts for name, *texts in (line.split("\t") for line in table)}

    def test_there_are_enough(self) -> None:
        self.assertGreaterEqual(len(self.expected), 25)
        contents = [(self.files / name).read_bytes() for name in self.expected if (self.files / name).is_file()]
        self.assertGreaterEqual(len(set(contents)), 25)
        for name, texts in self.expected.items():
            self.assertTrue(all(texts), name)

    def check_each(self, *command: str) -> None:
        for name, texts in self.expected.items():
            path = self.files / name
            if path.is_dir():
                continue  # to the program, a folder of problems
            with self.subTest(file=name):
                line = self.refused(command[0], path, *command[1:], saying=[str(path), *texts])
                self.assertEqual(line.count(str(path)), 1, line)
                self.assertTrue(line.isprintable(), line)

    def test_info(self) -> None:
        self.check_each("info")

    def test_solve(self) -> None:
        self.check_each("solve", "--solver", "ncp-pgs")

    def test_list_problems(self) -> None:
        for name, texts in self.expected.items():
            path = self.files / name
            if path.is_dir():
                continue
            with self.subTest(file=name):
                finished = self.program("list", "problems", path, code=2)
                self.assertEqual(len(finished.stderr.splitlines()), 1, finished.stderr)
                for text in ["error: ", str(path), *texts]:
                    self.assertIn(text, finished.stderr)

    def test_run(self) -> None:
        for name, texts in self.expected.items():
            path = self.files / name
            if path.is_dir():
                continue
            with self.subTest(file=name):
                finished = self.program("run", path, "--solver", "ncp-pgs", "-o", "out.json", "--force", code=2)
                errors = [line for line in finished.stderr.splitlines() if line.startswith("error: ")]
                self.assertEqual(len(errors), 1, finished.stderr)
                for text in [str(path), *texts]:
                    self.assertIn(text, errors[0])
                if path.exists():
                    self.check_unreadable(self.load("out.json"), [name])

    def check_unreadable(self, document: dict, names: list[str]) -> None:
        """Exactly these files are listed, each with a reason that says what is expected."""
        entries = {Path(entry["path"]).name: entry["reason"] for entry in document["unreadable"]}
        self.assertEqual(sorted(entries), sorted(names))
        for name, reason in entries.items():
            self.assertEqual(len(reason.splitlines()), 1)
            for text in self.expected[name]:
                self.assertIn(text, reason)

    def test_quiet_run_says_only_what_is_wrong(self) -> None:
        name = "q_short.hdf5"
        finished = self.program("run", self.files / name, "--solver", "ncp-pgs", "--quiet", "-o", "out.json", code=2)
        self.assertEqual(finished.stdout, "")
        self.assertEqual(len(finished.stderr.splitlines()), 1, finished.stderr)

    def test_broken_files_among_good_ones(self) -> None:
        """The broken ones are reported and counted; the good ones are solved as if they were alone."""
        folder = self.folder / "mixed"
        folder.mkdir()
        broken = [name for name in self.expected if (self.files / name).is_file() and name.endswith(".hdf5")]
        for name in broken:
            shutil.copyfile(self.files / name, folder / name)
        good = ["Stack-boxes2-local-8-00000", "Stack-boxes1-global-4-00000"]
        for name in good:
            shutil.copyfile(problem(name), folder / f"{name}.hdf5")

        finished = self.program("run", folder, "--solver", "ncp-pgs", "--repeat-time", 0, "-o", "mixed.json", code=1)
        document = self.load("mixed.json")
        self.check_unreadable(document, broken)
        self.assertEqual(sorted(record["problem"] for record in document["records"]),
                         sorted(f"mixed/{name}" for name in good))
        self.assertTrue(all(record["verdict"] for record in document["records"]))
        errors = [line for line in finished.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), len(broken))
        for name in broken:
            self.assertIn(name, finished.stdout)  # of the summary

        self.assertEqual(self.program("info", folder, code=1).stdout.count("form  "), len(good))


if __name__ == "__main__":
    unittest.main()
