"""Bad command lines: one line, exit code 2."""

from __future__ import annotations

import json
import os
import shutil

from program import COMMANDS, ProgramTest, problem


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
        self.refused(saying=[", ".join(COMMANDS)])
        self.refused("list", saying=["solvers, peers, problems, families, sets, schema"])

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
        self.refused("run", self.file, "--solver", "ncp-pgs(relaxation=1",
                     saying=["'ncp-pgs(relaxation=1'", "missing ')'"])

    def test_criterion(self) -> None:
        for command in ("run", "solve"):
            self.refused(command, self.file, "--solver", "ncp-pgs", "--criterion", "npc",
                         saying=["--criterion", "'npc'", "did you mean ncp?"])
            self.refused(command, self.file, "--solver", "ncp-pgs", "--criterion", "zzzzzzzz",
                         saying=["--criterion", "known: ncp, ccp, lcp, native"])

    def test_file_name_that_is_not_utf8(self) -> None:
        shutil.copy(self.file, os.fsencode(self.folder) + b"/a\xff.hdf5")
        self.refused("run", ".", "--solver", "ncp-pgs", "-o", "out.json", saying=["a", "not UTF-8", "rename it"])
        self.assertFalse((self.folder / "out.json.journal").exists())

    def test_results_that_name_what_they_do_not_have(self) -> None:
        document = self.run_document(self.file, "--solver", "ncp-pgs", "--max-iterations", 1)
        for member in ("problem", "solver"):
            known = document["records"][0][member]
            document["records"][0][member] = "zzz"
            (self.folder / "bad.json").write_text(json.dumps(document), encoding="utf-8")
            self.refused("summary", "bad.json", saying=["bad.json", f"records[0].{member}: 'zzz' is not in {member}s"])
            document["records"][0][member] = known

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
        self.refused("generate", "chain", "--sides", 6, "-o", "x", saying=["sides = 6", "multiple of 4"])
        self.refused("generate", "net", "--load", "cone", "-o", "x", saying=["load", "cone", "rods"])
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

    def test_a_memory_limit_needs_a_unit(self) -> None:
        self.refused("run", self.file, "--memory-limit", 16, saying=["--memory-limit: 16 bytes", "16G"])

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
                     '{"schema": "frictionbench-results", "schema_version": 3}'):
            (self.folder / "bad.json").write_text(text, encoding="utf-8")
            with self.subTest(text=text):
                self.refused("summary", "bad.json", saying=["bad.json: "])
