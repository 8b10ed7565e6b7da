"""`frictionbench solve`: one problem, its history, the files it writes and its exit code."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import oracle
from program import ProgramTest, problem
from test_conformance import write_fclib

KEPT_ROWS = 200  # of a history
SOLVERS = ["ncp-pgs", "ccp-pgs", "ncp-admm", "ccp-admm"]


def contents(path: Path) -> dict[str, Any]:
    """Everything in an HDF5 file: datasets with type, shape, values and attributes, groups by name."""
    found: dict[str, Any] = {}

    def note(name: str, item: h5py.HLObject) -> None:
        attributes = {key: np.array(value).tolist() for key, value in item.attrs.items()}
        if isinstance(item, h5py.Dataset):
            found[name] = (item.dtype.str, item.shape, np.asarray(item[()]).tobytes(), attributes)
        else:
            found[name] = attributes

    with h5py.File(path, "r") as file:
        file.visititems(note)
    return found


class SolveTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.file = problem("Stack-boxes2-local-8-00000")

    def test_exit_code(self) -> None:
        self.program("solve", self.file, "--solver", "ncp-pgs", code=0)
        unsolved = self.program("solve", self.file, "--solver", "ncp-pgs", "--max-iterations", 1, code=1)
        self.assertEqual(unsolved.stderr, "")
        self.assertIn("max_iterations: not solved under ncp", unsolved.stdout)
        # A good answer to another model is not an answer to this one.
        name = "Stack-pull4-mu_spread0.3-local-20-00000"
        refuted = self.program("solve", problem(name), "--solver", "ccp-pgs", "--criterion", "ncp", code=1)
        self.assertIn("other_model (solved its own model, ccp, ", refuted.stdout)
        self.program("solve", problem(name), "--solver", "ccp-pgs", "--criterion", "native", code=0)
        self.program("solve", "nowhere.hdf5", "--solver", "ncp-pgs", code=2)

    def test_what_is_printed_is_what_is_recorded(self) -> None:
        record = self.solve_document(self.file, "--solver", "ncp-admm")["records"][0]
        text = self.program("solve", self.file, "--solver", "ncp-admm").stdout
        self.assertIn(f"after {record['iterations']} iterations", text)
        for kind, count in record["work"].pop("factorizations").items():
            if kind != "unspecified":
                self.assertIn(f"{count} {kind}", text)
        for counter, count in record["work"].items():
            self.assertIn(f"{count} {counter.replace('_', ' ')}", text)
        self.assertGreater(record["time"]["read"], 0)
        for model in ("ncp", "ccp", "lcp"):
            residuals = record["verdict"][model]
            row = re.search(rf"(?m)^{model} .*$", text).group().split()[1:]
            columns = ("relative", "primal", "dual", "complementarity", "max", "scaled")
            self.assertEqual(row[:6], [f"{residuals[name]:.3e}" for name in columns])
            self.assertEqual(int(row[6]), residuals["worst_contact"])
        for name in ("creep", "lift"):
            self.assertIn(f"{name} {record['verdict'][name]:.3e}", text)
        self.assertRegex(text, r"(?m)^time: solve .* ms \(1 cold sample\), \S+ Cholesky factorisations; setup ")
        for state, count in record["states"].items():
            self.assertIn(f"{count} {state}", text)

    def test_history(self) -> None:
        for solver in SOLVERS:
            for limit in (1, 7, 30, 3000):
                with self.subTest(solver=solver, limit=limit):
                    arguments = [self.file, "--solver", solver, "--max-iterations", limit, "--tolerance", 1e-9]
                    record = self.solve_document(*arguments, "--history")["records"][0]
                    history = record["history"]
                    iterations = [row["iteration"] for row in history]
                    self.assertEqual(iterations[-1], record["iterations"])
                    if record["iterations"] <= KEPT_ROWS:
                        self.assertEqual(iterations, list(range(1, record["iterations"] + 1)))
                    else:
                        self.assertEqual(iterations, sorted(set(iterations)))
                        self.assertLessEqual(len(iterations), KEPT_ROWS)
                    if record["status"] == "converged":
                        last = history[-1]
                        self.assertLessEqual(max(last["primal"], last["dual"], last["complementarity"]), 1e-9)
                    self.check_table(self.program("solve", *arguments, "--history", code=None).stdout, history)

    def check_table(self, text: str, history: list[dict[str, Any]]) -> None:
        """The printed rows are rows of the history: all of a short one; the first and last of any."""
        title, *table = text.split("\n\n")[0].splitlines()
        self.assertEqual(title, "residuals of the solver's own stopping test")
        rows = {int(line.split()[0]): line.split()[1:] for line in table[2:]}
        recorded = {entry["iteration"]: entry for entry in history}
        self.assertEqual(len(rows), len(table) - 2)
        self.assertEqual(list(rows), sorted(rows))
        self.assertEqual(list(rows)[-1], history[-1]["iteration"])
        self.assertEqual(list(rows)[:10], list(range(1, min(10, len(history)) + 1)))
        if len(history) <= 40:
            self.assertEqual(len(rows), len(history))
        for iteration, row in rows.items():
            entry = recorded[iteration]
            columns = [entry[name] for name in ("primal", "dual", "complementarity", "penalty")]
            self.assertEqual(row, [f"{value:.3e}" for value in columns if value is not None])

    def test_no_history_unless_asked(self) -> None:
        record = self.solve_document(self.file, "--solver", "ncp-pgs")["records"][0]
        self.assertIsNone(record["history"])

    def test_history_changes_nothing_else(self) -> None:
        records = [self.solve_document(self.file, "--solver", "ncp-admm", *more)["records"][0]
                   for more in ([], ["--history"])]
        for record in records:
            del record["history"], record["time"], record["memory_peak"]
        self.assertEqual(records[0], records[1])

    def test_same_record_as_run(self) -> None:
        solved = self.solve_document(self.file, "--solver", "ncp-admm")
        ran = self.run_document(self.file, "--solver", "ncp-admm")
        for document in (solved, ran):
            for record in document["records"]:
                del record["time"], record["memory_peak"]
        for part in ("problems", "solvers", "records"):
            self.assertEqual(solved[part], ran[part])

    def test_impulse_keeps_every_digit(self) -> None:
        """The text and /solution hold the same impulse, bit for bit."""
        path = Path(shutil.copyfile(self.file, self.folder / "problem.hdf5"))
        self.program("solve", path, "--solver", "ncp-pgs", "--write-impulse", "r.txt", "--write-solution", "--force")
        with h5py.File(path, "r") as file:
            self.assertEqual(np.loadtxt(self.folder / "r.txt").tolist(), file["solution/r"][()].tolist())


class WriteSolutionTest(ProgramTest):
    def copy(self, name: str, with_solution: bool) -> Path:
        path = Path(shutil.copyfile(problem(name), self.folder / f"{name}.hdf5"))
        with h5py.File(path, "r+") as file:
            if "solution" in file:
                del file["solution"]
            if with_solution:
                file["solution/u"] = np.ones(3)
                file["solution/old"] = np.ones(3)
            # Members that the program knows nothing of are its owner's.
            file["mine/notes"] = "keep this"
            file["mine"].attrs["author"] = "me"
        return path

    def test_solution_is_added_and_nothing_else_changed(self) -> None:
        for name in ("Stack-boxes2-local-8-00000", "Stack-boxes1-global-4-00000", "PushedBox2D-default-local-2-00000"):
            with self.subTest(problem=name):
                path = self.copy(name, with_solution=False)
                before = contents(path)
                self.program("solve", path, "--solver", "ncp-pgs", "--write-solution", "--write-impulse", "r.txt",
                             "--force")
                after = contents(path)
                self.assertEqual({key: after[key] for key in before}, before)
                vectors = ["r", "u"] + (["v"] if "global" in name else [])
                self.assertEqual(sorted(set(after) - set(before)),
                                 sorted(["solution", *(f"solution/{key}" for key in vectors)]))
                self.check_solution(path)

    def check_solution(self, path: Path) -> None:
        """u and v are those of r: u = W r + q, or M v = H r + f and u = H^T v + w."""
        stated = oracle.read(path)
        with h5py.File(path, "r") as file:
            solution = {name: data[()] for name, data in file["solution"].items()}
            np.testing.assert_allclose(solution["u"], stated.W @ solution["r"] + stated.q, rtol=0,
                                       atol=1e-12 * np.abs(stated.q).max())
            if "fclib_global" in file:
                group = file["fclib_global"]
                M, H = oracle.dense(group["M"]), oracle.dense(group["H"])
                forces = H @ solution["r"] + group["vectors/f"][()]
                np.testing.assert_allclose(M @ solution["v"], forces, rtol=0, atol=1e-12 * np.abs(M).max())
                np.testing.assert_allclose(solution["u"], H.T @ solution["v"] + group["vectors/w"][()], rtol=0,
                                           atol=1e-12 * max(1, np.abs(solution["v"]).max()))

    def test_existing_solution_is_kept_without_force(self) -> None:
        path = self.copy("Stack-boxes2-local-8-00000", with_solution=True)
        before = hashlib.sha256(path.read_bytes()).hexdigest()
        self.refused("solve", path, "--solver", "ncp-pgs", "--write-solution", saying=[path.name])
        self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), before)

    def test_force_replaces_the_solution(self) -> None:
        path = self.copy("Stack-boxes2-local-8-00000", with_solution=False)
        self.program("solve", path, "--solver", "ncp-pgs", "--write-solution")
        before = contents(path)
        self.refused("solve", path, "--solver", "ncp-pgs", "--write-solution",
                     saying=[path.name, "/solution", "already exists", "--force"])
        self.assertEqual(contents(path), before)

        self.program("solve", path, "--solver", "ncp-pgs", "--write-solution", "--force", "--tolerance", 1e-10)
        after = contents(path)
        self.assertNotEqual(after["solution/r"], before["solution/r"])
        for items in (before, after):
            for key in [key for key in items if key.startswith("solution")]:
                del items[key]
        self.assertEqual(after, before)
        self.check_solution(path)

    def test_solution_is_read_back(self) -> None:
        path = self.copy("Stack-boxes2-local-8-00000", with_solution=False)
        self.assertRegex(self.program("info", path).stdout, "solution +none stored")
        self.program("solve", path, "--solver", "ncp-pgs", "--write-solution")
        self.assertRegex(self.program("info", path).stdout, "solution +ncp residual")


class DerivativesTest(ProgramTest):
    """The numbers themselves are those of tests/lib/derivatives."""

    def one_contact(self, q: list[float]) -> Path:
        path = self.folder / "one.hdf5"
        write_fclib(path, {"dimension": 3, "W": [2, 0, 0, 0, 1, 0, 0, 0, 1], "q": q, "mu": [0.5], "compliance": None})
        return path

    def derivatives(self, path: Path, *arguments: Any) -> tuple[str, dict[str, np.ndarray]]:
        shown = self.program("solve", path, "--solver", "ncp-hybrid", "--tolerance", 1e-12, *arguments, "-o", "d.h5", "--force")
        found: dict[str, np.ndarray] = {}
        with h5py.File(self.folder / "d.h5") as file:
            file.visititems(lambda name, item: found.update({name: item[()]} if isinstance(item, h5py.Dataset) else {}))
        return shown.stdout.splitlines()[-1], found

    def test_of_a_contact_that_slides(self) -> None:
        """r = (1, -mu s), u = (0, 5 s - mu s) with s = (0.6, 0.8)."""
        said, found = self.derivatives(self.one_contact([-2, 3, 4]), "--derivatives", "q,mu")
        self.assertEqual(said, "derivatives by q,mu: 4 columns")
        self.assertEqual(sorted(found), ["kinks", "law", "mu/r", "mu/u", "q/r", "q/u", "r", "u"])
        np.testing.assert_array_equal(found["law"], [2])
        np.testing.assert_allclose(found["r"], [1, -0.3, -0.4], atol=1e-9)
        np.testing.assert_allclose(found["mu/r"], [[0], [-0.6], [-0.8]], atol=1e-6)
        s, across = np.array([[0, 0.6, 0.8]]), np.array([[0, -0.8, 0.6]])
        normal = np.array([[1, 0, 0]])
        expected = -normal.T @ normal / 2 + s.T @ normal * 0.25 - across.T @ across * 0.1
        np.testing.assert_allclose(found["q/r"], expected, atol=1e-6)
        np.testing.assert_allclose(found["q/u"], np.diag([2, 1, 1]) @ expected + np.eye(3), atol=1e-6)
        said, found = self.derivatives(self.one_contact([-2, 3, 4]), "--derivatives", "mu")
        self.assertEqual(sorted(found), ["kinks", "law", "mu/r", "mu/u", "r", "u"])

    def test_kinks_and_hyperstatic_contacts_are_told(self) -> None:
        said, found = self.derivatives(self.one_contact([-2, 0.3, 0.4]), "--derivatives", "q")
        self.assertEqual(said, "derivatives by q: 3 columns; one-sided, because contact 0 is at a kink")
        np.testing.assert_array_equal(found["kinks"], [0])
        said, found = self.derivatives(problem("Stack-boxes2-local-8-00000"), "--derivatives", "q,mu")
        self.assertIn("32 columns, 24 of them NaN: hyperstatic contacts", said)
        self.assertTrue(np.isnan(found["q/r"]).all())
        self.assertFalse(np.isnan(found["mu/r"]).any())

    def test_refusals(self) -> None:
        path = self.one_contact([-2, 3, 4])
        asked = ("solve", path, "--solver")
        self.refused(*asked, "lcp-pgs", "--derivatives", "q", "-o", "d.h5", saying=["lcp-pgs", "LCP"])
        self.refused(*asked, "ncp-pgs", "--derivatives", "q", saying=["--derivatives", "--output"])
        self.refused(*asked, "ncp-pgs", "-o", "d.h5", saying=["--output", "--derivatives"])
        self.refused(*asked, "ncp-pgs", "--derivatives", "w", "-o", "d.h5", saying=["'w'", "q, mu"])
        self.refused(*asked, "ncp-pgs", "--derivatives", "q", "-o", path, saying=[path.name])
        shown = self.program("solve", problem("Stack-pull0.5-local-20-00000"), "--solver", "ncp-pgs", "--max-iterations", 1,
                             "--derivatives", "q", "-o", "d.h5", code=1)
        self.assertRegex(shown.stdout, "no derivatives: the relative ncp residual of the impulse is .*, more than 1e-06\n$")
        self.assertFalse((self.folder / "d.h5").exists())
