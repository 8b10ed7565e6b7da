"""`frictionbench judge`: the verdict alone, on an impulse from anywhere; and compliance, wherever it is asked for."""

from __future__ import annotations

import json
from typing import Any

import h5py
import numpy as np

import oracle
from program import ProgramTest, problem

LOCAL, GLOBAL = "Stack-boxes2-local-8-00000", "Stack-boxes1-global-4-00000"


class JudgeTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.file = problem(LOCAL)
        self.program("solve", self.file, "--solver", "ncp-pgs", "--write-impulse", "r.txt")

    def judge(self, *arguments: Any, code: int = 0) -> str:
        return self.program("judge", self.file, "--impulse", "r.txt", *arguments, code=code).stdout

    def write(self, numbers: Any, name: str = "r.txt") -> None:
        (self.folder / name).write_text("".join(f"{number}\n" for number in numbers), encoding="utf-8")

    def test_same_verdict_as_that_of_a_solve(self) -> None:
        record = self.solve_document(self.file, "--solver", "ncp-pgs")["records"][0]
        said = json.loads(self.judge("--json"))
        self.assertEqual(set(said), {"solved", "verdict", "states", "impulse_norm"})
        for name in ("verdict", "states", "impulse_norm"):
            self.assertEqual(said[name], record[name])
        del record["solved"]["native"]
        self.assertEqual(said["solved"], record["solved"])

    def test_text(self) -> None:
        said = json.loads(self.judge("--json"))
        text = self.judge()
        self.assertTrue(text.startswith("solved under ncp (relative) at 1e-06\n\nverdict "), text)
        self.assertIn(f"{said['verdict']['ncp']['relative']:.3e}", text)
        self.assertIn(f"creep {said['verdict']['creep']:.3e}   lift {said['verdict']['lift']:.3e}", text)
        self.assertIn("as forces, with a time step of 0.01 s: ncp ", self.judge("--time-step", 0.01))

    def test_exit_code(self) -> None:
        self.assertIn("not solved under ncp (relative) at 1e-09", self.judge("--tolerance", 1e-9, code=1))
        self.judge("--criterion", "ccp", "--scale", "absolute", "--tolerance", 1e-7)
        self.write([0] * 24)
        self.judge(code=1)

    def test_numbers_that_are_not_finite_are_judged_and_solve_nothing(self) -> None:
        r = np.loadtxt(self.folder / "r.txt")
        for entry in ("nan", "inf", "-inf"):
            self.write([*r[:5], entry, *r[6:]])
            said = json.loads(self.judge("--json", code=1))
            self.assertIsNone(said["verdict"]["ncp"]["relative"])
            self.assertIsNone(said["verdict"]["ncp"]["max"])
            self.assertIsNone(said["impulse_norm"])
            self.assertFalse(any(scale for model in said["solved"].values() for scale in model.values()))
            self.assertEqual(sum(said["states"].values()), 8)

    def test_layout_of_the_text(self) -> None:
        """Blank lines, blanks around a number and either kind of line end are fine."""
        expected = self.judge()
        lines = (self.folder / "r.txt").read_text(encoding="utf-8").split()
        (self.folder / "r.txt").write_bytes(b"\r\n".join(f"  {line}\t".encode() for line in lines) + b"\n\n \n")
        self.assertEqual(self.judge(), expected)

    def test_bad_impulses_name_file_and_line(self) -> None:
        r = list(np.loadtxt(self.folder / "r.txt"))
        judge = ["judge", self.file, "--impulse"]
        self.refused(*judge, "none.txt", saying=["none.txt", "cannot be read"])
        self.write(r[:-1])
        self.refused(*judge, "r.txt", saying=["r.txt: has 23 numbers, expected 24"])
        self.write([*r, 1])
        self.refused(*judge, "r.txt", saying=["r.txt: has 25 numbers, expected 24"])
        self.write([*r[:3], "", "0.5 0.25", *r[4:]])
        self.refused(*judge, "r.txt", saying=["r.txt: line 5: expected one number"])
        self.write([*r[:3], "much", *r[4:]])
        self.refused(*judge, "r.txt", saying=["r.txt: line 4: expected one number"])

    def test_bad_command_lines(self) -> None:
        self.refused("judge", self.file, saying=["--impulse", "required"])
        self.refused("judge", self.file.parent, "--impulse", "r.txt", saying=["judge takes one file"])
        self.refused("judge", "none.hdf5", "--impulse", "r.txt", saying=["none.hdf5"])
        self.refused("judge", self.file, "--impulse", "r.txt", "--criterion", "native", saying=["native", "solver"])
        self.refused("judge", self.file, "--impulse", "r.txt", "--scale", "relativ", saying=["did you mean relative?"])

    def test_problem_without_contacts(self) -> None:
        empty = problem("*-local-0-*")
        (self.folder / "empty.txt").write_text("", encoding="utf-8")
        said = json.loads(self.program("judge", empty, "--impulse", "empty.txt", "--json").stdout)
        self.assertEqual(said["verdict"]["ncp"]["relative"], 0)
        self.assertIsNone(said["verdict"]["ncp"]["worst_contact"])
        self.assertEqual(said["states"], {"sticking": 0, "sliding": 0, "separated": 0})


class ComplianceTest(ProgramTest):
    def test_is_part_of_the_problem(self) -> None:
        """Against the verdict of a problem whose W has R on its diagonal."""
        for name in (LOCAL, GLOBAL):
            for rule in ("0.5", "diag:0.01"):
                with self.subTest(problem=name, compliance=rule):
                    path = problem(name)
                    document = self.solve_document(path, "--solver", "ncp-admm", "--compliance", rule,
                                                   "--write-impulse", "r.txt", code=0)
                    stated = oracle.read(path)
                    kind, _, number = rule.rpartition(":")
                    R = float(number) * (np.diag(stated.W) if kind else np.ones(len(stated.q)))
                    stated.W = stated.W + np.diag(R)
                    stated.W_size = stated.W_size + np.diag(R)
                    impulse = np.loadtxt(self.folder / "r.txt")
                    values, sizes = oracle.judge(stated, impulse)
                    said = oracle.of_record(document["records"][0])
                    self.assertEqual(oracle.disagreements(said, values, sizes), [])
                    self.assertEqual(document["run"]["compliance"], rule)
                    entry = document["problems"][0]
                    np.testing.assert_allclose([entry["compliance_min"], entry["compliance_max"]], [R.min(), R.max()])
                    self.assertEqual(self.run_document(path, "--solver", "ncp-admm", "--compliance", rule)["records"][0]
                                     ["verdict"], document["records"][0]["verdict"])
                    judged = self.program("judge", path, "--impulse", "r.txt", "--compliance", rule, "--json").stdout
                    self.assertEqual(json.loads(judged)["verdict"]["ncp"], document["records"][0]["verdict"]["ncp"])

    def test_stays_in_the_file(self) -> None:
        """`generate --compliance` writes it where other readers do not look, and every command reads it."""
        self.program("generate", "stack", "--boxes", 2, "--compliance", "0.25", "-o", "data")
        self.program("generate", "stack", "--boxes", 2, "-o", "rigid")
        soft, rigid = (next((self.folder / name).rglob("*.hdf5")) for name in ("data", "rigid"))
        self.assertRegex(self.program("info", soft).stdout, "(?m)^  compliance +0.25 to 0.25")
        self.assertNotIn("compliance ", self.program("info", rigid).stdout)
        np.testing.assert_array_equal(oracle.read(soft).W, oracle.read(rigid).W)
        with h5py.File(soft, "r") as file, h5py.File(rigid, "r") as other:
            names: set[str] = set()
            file.visit(names.add)
            other.visit(names.discard)
            self.assertEqual(len([name for name in names if isinstance(file[name], h5py.Dataset)]), 1, names)
        from_file = self.solve_document(soft, "--solver", "ncp-pgs", code=0)
        asked_for = self.solve_document(rigid, "--solver", "ncp-pgs", "--compliance", "0.25", code=0)
        self.assertEqual(from_file["records"][0]["verdict"], asked_for["records"][0]["verdict"])
        hard = self.solve_document(soft, "--solver", "ncp-pgs", "--compliance", "0", code=0)
        self.assertEqual(hard["records"][0]["verdict"],
                         self.solve_document(rigid, "--solver", "ncp-pgs")["records"][0]["verdict"])

    def test_text_says_so(self) -> None:
        text = self.program("solve", problem(LOCAL), "--solver", "ncp-pgs", "--compliance", "diag:0.001").stdout
        self.assertIn("solved under ncp (relative) with compliance diag:0.001 at 1e-06", text)

    def test_what_is_none(self) -> None:
        file = problem(LOCAL)
        (self.folder / "r.txt").write_text("0\n" * 24, encoding="utf-8")
        for command in (["run", file], ["solve", file, "--solver", "ncp-pgs"], ["judge", file, "--impulse", "r.txt"],
                        ["generate", "stack", "-o", "data"]):
            for text in ("-1", "soft", "diag:", "diag:-1", "diag:x", "nan", "inf", "1e-3x"):
                with self.subTest(command=command[0], text=text):
                    self.refused(*command, f"--compliance={text}", saying=["compliance", text])

    def test_a_solution_of_another_problem_is_not_stored(self) -> None:
        path = self.folder / "problem.hdf5"
        path.write_bytes(problem(LOCAL).read_bytes())
        self.refused("solve", path, "--solver", "ncp-pgs", "--compliance", "1", "--write-solution",
                     saying=["/solution", "--compliance"])

    def test_models_that_solvers_make(self) -> None:
        """SAP's and MuJoCo's solvers are judged on the compliant problem that they solve."""
        text = self.program("solve", problem(LOCAL), "--solver", "ccp-sap", code=None).stdout
        self.assertRegex(text, r"(?m)^own model +\S+")
        self.assertRegex(text, r"own model: compliance \S+ to \S+, model gap ")
