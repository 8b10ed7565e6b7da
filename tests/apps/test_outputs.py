"""What commands write: whole or not at all, nothing precious overwritten."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from program import PROGRAM, ProgramTest, problem


class OutputTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.file = problem("Stack-boxes2-local-8-00000")
        self.existing = self.folder / "existing"
        self.existing.write_text("precious", encoding="utf-8")

    def commands_that_write(self, path: Path | str) -> list[list]:
        """The program's ways to write a file, here to `path`."""
        solve = ["solve", self.file, "--solver", "ncp-pgs"]
        return [["run", self.file, "--solver", "ncp-pgs", "-o", path],
                [*solve, "--json", path], [*solve, "--write-impulse", path]]

    def test_existing_output_is_refused_and_left_untouched(self) -> None:
        for command in self.commands_that_write("existing"):
            with self.subTest(command=command):
                self.refused(*command, saying=["existing: ", "already exists", "--force"])
                self.assertEqual(self.existing.read_text(encoding="utf-8"), "precious")
                self.program(*command, "--force")
                self.assertNotEqual(self.existing.read_text(encoding="utf-8"), "precious")
                self.existing.write_text("precious", encoding="utf-8")

    def test_nothing_else_is_left_behind(self) -> None:
        for command in self.commands_that_write("existing"):
            self.program(*command, "--force")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["existing"])

    def test_output_that_cannot_be_written_is_refused_before_solving(self) -> None:
        """Solving may take hours; `refused` checks that nothing was printed before the error."""
        (self.folder / "a_folder").mkdir()
        for path in ("existing/below_a_file", "a_folder", "/proc/nowhere/x"):
            for command in self.commands_that_write(path):
                with self.subTest(command=command):
                    self.refused(*command, "--force", saying=[path])

    def test_what_is_read_is_never_written(self) -> None:
        shutil.copy(self.file, self.folder / "p.hdf5")
        before = (self.folder / "p.hdf5").read_bytes()
        for command in (["run", "p.hdf5", "-o", "./p.hdf5"],
                        ["solve", "p.hdf5", "--solver", "ncp-pgs", "--json", "p.hdf5"],
                        ["solve", "p.hdf5", "--solver", "ncp-pgs", "--write-impulse", "p.hdf5"]):
            self.refused(*command, "--force", saying=["p.hdf5", "is read by this command"])
        self.assertEqual((self.folder / "p.hdf5").read_bytes(), before)

    def test_two_outputs_of_one_name(self) -> None:
        self.refused("solve", self.file, "--solver", "ncp-pgs", "--json", "x", "--write-impulse", "./x",
                     saying=["x", "two outputs"])

    def test_quiet_says_nothing(self) -> None:
        finished = self.program("run", self.file, "--solver", "ncp-pgs", "-o", "quiet.json", "--quiet")
        self.assertEqual((finished.stdout, finished.stderr), ("", ""))

    @unittest.skipIf(os.geteuid() == 0, "the superuser may write anywhere")
    def test_output_in_a_folder_without_permission(self) -> None:
        closed = self.folder / "closed"
        closed.mkdir(mode=0o500)
        for command in self.commands_that_write("closed/x"):
            with self.subTest(command=command):
                self.refused(*command, saying=["closed/x"])

    def commands_with_outputs(self) -> list[list]:
        """As above, with the commands that read results files."""
        self.program("run", self.file, "--solver", "ncp-pgs", "-o", "results.json", "--quiet")
        self.program("run", self.file, "--solver", "ncp-pgs", "--shard", "1/1", "-o", "shard.json", "--quiet")
        return [["compare", "results.json", "results.json", "-o"], ["merge", "shard.json", "-o"],
                ["export", "results.json", "--csv", "-o"],
                *[command[:-1] for command in self.commands_that_write("")]]

    def test_full_disk(self) -> None:
        for command in self.commands_with_outputs():
            with self.subTest(command=command):
                finished = self.program(*command, "/dev/full", code=2)
                errors = [line for line in finished.stderr.splitlines() if line.startswith("error: ")]
                self.assertEqual(errors, ["error: /dev/full: cannot be written: No space left on device"])
        self.assertFalse(Path("/dev/full.journal").exists())

    def test_hyphen_is_standard_output(self) -> None:
        for command in self.commands_with_outputs():
            with self.subTest(command=command):
                written = self.program(*command, "-").stdout
                self.program(*command, "file", "--force")
                content = (self.folder / "file").read_text(encoding="utf-8")
                self.assertEqual(len(written.splitlines()), len(content.splitlines()))
                self.assertEqual(written[:20], content[:20])
        self.assertFalse((self.folder / "-").exists())
        self.assertFalse((self.folder / "-.journal").exists())
        solve = ["solve", self.file, "--solver", "ncp-pgs"]
        self.refused(*solve, "--json", "-", "--write-impulse", "-", saying=["two outputs"])
        self.refused("run", self.file, "--solver", "ncp-pgs", "-o", "-", "--resume", saying=["--resume"])
        self.refused("generate", "stack", "-o", "-", saying=["standard output"])

    def test_a_link_stays_a_link(self) -> None:
        (self.folder / "link").symlink_to("existing")
        self.existing.chmod(0o640)
        for command in self.commands_that_write("link"):
            self.program(*command, "--force")
            self.assertTrue((self.folder / "link").is_symlink())
            self.assertEqual(self.existing.stat().st_mode & 0o777, 0o640)
            self.assertNotEqual(self.existing.read_text(encoding="utf-8"), "precious")
            self.existing.write_text("precious", encoding="utf-8")

    def test_full_standard_output_is_an_error(self) -> None:
        """What a user redirected to a full disk is not there: that must not look like success."""
        with open("/dev/full", "w") as full:
            finished = subprocess.run([PROGRAM, "list", "solvers"], stdout=full, stderr=subprocess.PIPE,
                                      encoding="utf-8", check=False)
        self.assertEqual(finished.returncode, 2)
        self.assertTrue(finished.stderr.startswith("error: "), finished.stderr)
