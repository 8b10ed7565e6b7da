"""Bad command lines, and what must not be overwritten: one line, exit code 2, nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from program import PROGRAM, ProgramTest, problem


class UnknownNameTest(ProgramTest):
    """A name that is not known is answered with the name and the nearest known ones."""

    def setUp(self) -> None:
        super().setUp()
        self.file = problem("Stack-boxes2-local-8-00000")

    def test_command(self) -> None:
        self.refused("sovle", saying=["sovle", "did you mean solve?"])
        self.refused("sumary", "x.json", saying=["sumary", "summary"])
        self.refused("list", "solvrs", saying=["solvrs", "solvers"])
        self.refused("zzz", saying=["zzz"])

    def test_no_command(self) -> None:
        self.refused(saying=["run, solve, list, info, summary, merge, compare, generate"])
        self.refused("list", saying=["solvers, problems, families"])

    def test_option(self) -> None:
        self.refused("--verson", saying=["--verson", "--version"])
        self.refused("run", self.file, "--solvr", "ncp-pgs", saying=["--solvr", "--solver"])
        self.refused("run", self.file, "--tolerence=1e-3", saying=["--tolerence", "--tolerance"])
        self.refused("solve", self.file, "--solver", "ncp-pgs", "--write-impuls", "r.txt",
                     saying=["--write-impuls", "--write-impulse"])
        self.refused("list", "solvers", "--jsn", saying=["--jsn", "--json"])
        self.refused("info", self.file, "-x", saying=["-x"])

    def test_solver(self) -> None:
        for command in ("run", "solve"):
            self.refused(command, self.file, "--solver", "ncp-pqs", saying=["unknown solver 'ncp-pqs'", "ncp-pgs"])
        self.refused("list", "solvers", "nccp-admm", saying=["unknown solver 'nccp-admm'", "ncp-admm"])

    def test_setting(self) -> None:
        for command in ("run", "solve"):
            self.refused(command, self.file, "--solver", "ncp-admm(rho_updat=linear)",
                         saying=["ncp-admm", "'rho_updat'", "rho_update"])
        self.refused("run", self.file, "--solver", "ncp-admm(rho_update=liner)",
                     saying=["ncp-admm", "rho_update", "'liner'", "linear"])
        self.refused("run", self.file, "--solver", "ncp-pgs(relaxation=2.5)", saying=["relaxation", "2.5", "2"])
        self.refused("run", self.file, "--solver", "ncp-pgs(relaxation=much)", saying=["relaxation", "much"])
        self.refused("run", self.file, "--solver", "ncp-pgs(relaxation=1", saying=["parenthesis"])

    def test_criterion(self) -> None:
        for command in ("run", "solve"):
            self.refused(command, self.file, "--solver", "ncp-pgs", "--criterion", "npc",
                         saying=["--criterion", "'npc'", "did you mean ncp?"])
            self.refused(command, self.file, "--solver", "ncp-pgs", "--criterion", "zzzzzzzz",
                         saying=["--criterion", "known: ncp, ncp_scaled, ccp, ccp_scaled, lcp, native"])

    def test_problem(self) -> None:
        for command in (["run"], ["solve", "--solver", "ncp-pgs"], ["info"], ["list", "problems"]):
            self.refused(*command, "nowhere.hdf5", saying=["nowhere.hdf5: no such file or folder"])
        self.refused("run", "@nowhere.txt", saying=["nowhere.txt", "cannot be read"])
        (self.folder / "empty").mkdir()
        self.refused("run", "empty", saying=["empty: no *.hdf5 files"])

    def test_scene(self) -> None:
        self.refused("generate", "stak", "-o", "x", saying=["'stak'", "stack"])
        self.refused("generate", "stack", "--boxs", 3, "-o", "x", saying=["'--boxs'", "--boxes"])
        self.refused("generate", "stack", "--boxes", "-3", "-o", "x", saying=["boxes", "-3"])
        self.refused("generate", "stack", saying=["--output"])


class BadValueTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.file = problem("Stack-boxes2-local-8-00000")

    def test_numbers_out_of_range(self) -> None:
        bad = {"--tolerance": ["0", "-1", "nan", "inf", "abc", ""],
               "--time-limit": ["0", "-1", "nan", "abc"],
               "--repeat-time": ["-1", "nan", "inf", "abc"],
               "--max-iterations": ["0", "-1", "1.5", "99999999999", "abc"]}
        for option, values in bad.items():
            for value in values:
                for command in ("run", "solve"):
                    with self.subTest(command=command, option=option, value=value):
                        line = self.refused(command, self.file, "--solver", "ncp-pgs", option, value,
                                            saying=[option, value])
                        self.assertLess(len(line), 200, line)  # not the largest double in full

    def test_long_limits_are_long(self) -> None:
        """Seconds that a clock cannot count in nanoseconds must not become a limit in the past."""
        for value in ("1e10", "1e300"):
            with self.subTest(value=value):
                self.program("solve", self.file, "--solver", "ncp-pgs", "--time-limit", value)

    def test_selections(self) -> None:
        self.refused("run", self.file, "--dimension", 4, saying=["--dimension", "4", "2", "3"])
        self.refused("run", self.file, "--max-contacts", -1, saying=["--max-contacts", "-1"])
        self.refused("run", self.file, "--filter", "(", saying=["'('", "regular expression"])
        self.refused("run", self.file, "--filter", "zzz", saying=["'zzz'", "no problem"])
        self.refused("run", self.file, "--dimension", 2, "--quiet", saying=["no problem", "--dimension"])

    def test_missing_arguments(self) -> None:
        self.refused("run", saying=["PROBLEMS", "required"])
        self.refused("solve", "--solver", "ncp-pgs", saying=["PROBLEM", "required"])
        self.refused("solve", self.file, saying=["--solver", "required"])
        self.refused("summary", saying=["RESULTS", "required"])
        self.refused("run", self.file, "--solver", saying=["--solver"])

    def test_solve_takes_one_file(self) -> None:
        self.refused("solve", self.file.parent, "--solver", "ncp-pgs", saying=["solve takes one file"])

    def test_summary_of_what_is_no_document(self) -> None:
        self.refused("summary", "nowhere.json", saying=["nowhere.json: cannot be opened"])
        self.refused("summary", self.folder, saying=[str(self.folder)])
        for text in ("", "{", "{}", "[]", '{"schema": "frictionbench-results", "schema_version": 1}',
                     '{"schema": "frictionbench-results", "schema_version": 2}'):
            (self.folder / "bad.json").write_text(text, encoding="utf-8")
            with self.subTest(text=text):
                self.refused("summary", "bad.json", saying=["bad.json: "])


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
                self.refused(*command, saying=["existing: ", "exists already", "--force"])
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

    def test_full_standard_output_is_an_error(self) -> None:
        """What a user redirected to a full disk is not there: that must not look like success."""
        with open("/dev/full", "w") as full:
            finished = subprocess.run([PROGRAM, "list", "solvers"], stdout=full, stderr=subprocess.PIPE,
                                      encoding="utf-8", check=False)
        self.assertEqual(finished.returncode, 2)
        self.assertTrue(finished.stderr.startswith("error: "), finished.stderr)
