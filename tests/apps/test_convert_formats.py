"""`frictionbench convert`: Siconos' text in and out, and Kamino's records in."""

from __future__ import annotations

import ctypes
import ctypes.util
import unittest
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from program import problem
from test_conformance import write_fclib
from test_convert import ConvertTest, content

STORAGES = ("dense", "blocks", "triplet", "csc")

# A problem of one contact in 2D, in every storage that Siconos writes, as it writes them.
MATRICES = {
    "dense": "0\n2\n2\n2\t2\n  2.0e+00   0.5e+00 \n  0.0e+00   1.0e+00 \n",
    "blocks": "1\n2\n2\n1\n1\n1\n2\t\n2\t\n2\n1\n0\t1\t\n0\t\n0\n  2.0\n  0.5\n  0.0\n  1.0\n",
    "triplet": "2\n2\n2\n1\nCSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n"
               "triplet: 2-by-2, nzmax: 5 nnz: 3\n    0 0 : 2\n    1 1 : 1\n    1 0 : 0.5\n",
    "columns": "2\n2\n2\n2\nCSparse Version 3.1.9\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 2.5\n"
               "    col 0 : locations 0 to 1\n      0 : 2\n      1 : 0.5\n    col 1 : locations 2 to 2\n      1 : 1\n",
    "rows": "2\n2\n2\n3\nCSparse Version 3.1.9\ncsr: 2-by-2, nzmax: 3 nnz: 3, 1-norm: 2.5\n"
            "    row 0 : locations 0 to 0\n      0 : 2\n    row 1 : locations 1 to 2\n      0 : 0.5\n      1 : 1\n",
}
W = np.array([[2.0, 0.0], [0.5, 1.0]])  # dense matrices and blocks are stored column by column


def local_text(matrix: str) -> str:
    return f"2\n1\n{matrix} -1.0   0.25 \n  0.5 \n"


class SiconosTextTest(ConvertTest):
    def text(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_every_storage_in(self) -> None:
        for name, matrix in MATRICES.items():
            for flag in ("", "0\n", "1\n"):  # of older versions
                with self.subTest(name=name, flag=flag):
                    self.convert(self.text("a.dat", local_text(matrix) + flag), "-o", "a.hdf5", "--force")
                    self.assert_same(self.folder / "a.hdf5", {"W": W, "q": np.array([-1, 0.25]), "mu": np.array([0.5]),
                                                              "spacedim": np.array(2)})

    def test_global_in(self) -> None:
        """As many degrees of freedom as rows, too: then only what follows M tells the forms apart."""
        for n in (2, 3):
            M = "".join(f"    {k} {k} : {k + 1}.5\n" for k in range(n))
            text = (f"2\n1\n2\n{n}\n{n}\n1\nCSparse\ntriplet: {n}-by-{n}, nzmax: {n} nnz: {n}\n{M}"
                    f"2\n{n}\n2\n1\nCSparse\ntriplet: {n}-by-2, nzmax: 2 nnz: 2\n    0 0 : 1\n    {n - 1} 1 : -2\n"
                    + "3 " * n + "\n0.5 0.25\n0.7\n")
            self.convert(self.text("a.dat", text), "-o", "a.hdf5", "--force")
            H = np.zeros((n, 2))
            H[0, 0], H[n - 1, 1] = 1, -2
            self.assert_same(self.folder / "a.hdf5", {
                "M": np.diag(np.arange(n) + 1.5), "H": H, "f": np.full(n, 3.0), "w": np.array([0.5, 0.25]),
                "mu": np.array([0.7]), "spacedim": np.array(2)})

    def test_there_and_back(self) -> None:
        for name in ("Stack-boxes1-local*", "Disks2D-default-local-61*", "PackedSpheres-default-local-0-*"):
            self.round_trip(problem(name), STORAGES)
        for name in ("Stack-boxes1-global*", "PushedBox2D-default-global*"):
            self.round_trip(problem(name), ("dense", "triplet", "csc"))
            self.refused("convert", problem(name), "-o", "b.dat", "--storage", "blocks", saying=["blocks", "local"])

    def round_trip(self, original: Path, storages: tuple[str, ...]) -> None:
        for storage in (*storages, None):
            with self.subTest(original=original.name, storage=storage):
                self.convert(original, "-o", "a.dat", "--force", *(("--storage", storage) if storage else ()))
                self.convert("a.dat", "-o", "a.hdf5", "--force")
                self.assert_same(self.folder / "a.hdf5", content(original))

    def test_whole_numbers_there_and_back(self) -> None:
        """q begins as a number of rows and of columns would."""
        write_fclib(self.folder / "whole.hdf5", {"dimension": 3, "W": np.eye(3).ravel().tolist(), "q": [-1, 3, 3],
                                                 "mu": [2], "compliance": None})
        self.round_trip(self.folder / "whole.hdf5", STORAGES)

    def test_rolling_there_and_back(self) -> None:
        text = ("5\n1\n0\n5\n5\n5 5\n" + "".join(f"{float(i == j) + 0.01 * (i + j)!r} " for i in range(5) for j in range(5))
                + "\n-1 0.1 0.2 0.3 0.4\n0.5\n0.01\n")
        self.convert(self.text("a.dat", text), "-o", "a.hdf5")
        found = content(self.folder / "a.hdf5")
        self.assertEqual((int(found["spacedim"]), found["mu"].tolist(), found["mu_r"].tolist()), (5, [0.5], [0.01]))
        self.round_trip(self.folder / "a.hdf5", ())
        for storage in STORAGES:
            self.convert("a.hdf5", "-o", "b.dat", "--storage", storage, "--force")
            self.convert("b.dat", "-o", "b.hdf5", "--force")
            self.assert_same(self.folder / "b.hdf5", found)

    def test_a_truncated_file_is_an_error(self) -> None:
        lines = local_text(MATRICES["columns"]).splitlines()
        for count in range(len(lines)):
            self.text("cut.dat", "\n".join(lines[:count]))
            self.assertRegex(self.refused("convert", "cut.dat", "-o", "cut.hdf5"), "cut.dat")
        self.assertFalse((self.folder / "cut.hdf5").exists())

    def test_what_is_wrong_is_said(self) -> None:
        good = local_text(MATRICES["dense"])
        for text, saying in (
                (good.replace("2\n1\n", "4\n1\n", 1), ["line 1", "expected 2, 3 or 5"]),
                (good.replace("2\n1\n", "2\n-1\n", 1), ["line 2", "at least 0"]),
                (good.replace("2\n1\n0", "2\n1\n7", 1), ["line 3", "storage 7"]),
                (good.replace("0.25", "0.25x"), ["line 9", "0.25x", "an entry of q"]),
                (good.replace("0.25", "nan"), ["q", "finite"]),
                (good.replace("  0.5 \n", " -0.5\n"), ["mu"]),
                (good + "7 8 9\n", ["line 11", "end of the file"]),
                (good.replace("2\t2", "2\t3"), ["line 6", "differently"]),
                (good.replace("2\n1\n0\n2\n2\n", "2\n1\n0\n900000000\n900000000\n"), ["line 4", "more than the rest"]),
                (local_text(MATRICES["triplet"].replace("1 0 :", "1 2 :")), ["row 1, column 2", "2 rows and 2 columns"]),
                (local_text(MATRICES["columns"]).replace("col 1", "col 7"), ["is 7, expected 1"]),
                (local_text(MATRICES["blocks"]).replace("2\n1\n0\t1\t\n0", "2\n1\n0\t1\t\n5"), ["block"]),
                ("hello\n", ["none of the formats"]),
                ("", ["none of the formats"])):
            with self.subTest(text=text):
                self.text("bad.dat", text)
                self.refused("convert", "bad.dat", "-o", "bad.hdf5", saying=["bad.dat", *saying])
        self.refused("convert", problem("Stack-boxes1-local*"), "-o", "a.dat", "--storage", "csr", saying=["csr", "csc"])
        self.refused("convert", problem("Stack-boxes1-local*"), "-o", "a.dat", "--gzip", 1, saying=["--gzip"])

    def test_what_it_cannot_hold(self) -> None:
        original = problem("Stack-boxes1-local*")
        self.program("solve", original, "--solver", "ncp-hybrid", "--write-impulse", "r.txt")
        compliant = self.folder / "compliant.hdf5"
        self.program("generate", "stack", "--boxes", 1, "--compliance", 1e-3, "-o", "made")
        (made,) = (self.folder / "made").glob("*/*local*.hdf5")
        compliant = made
        self.refused("convert", compliant, "-o", "a.dat", saying=[compliant.name, "compliance"])
        with_guess = self.folder / "guess.hdf5"
        with_guess.write_bytes(original.read_bytes())
        with h5py.File(with_guess, "a") as file:
            file["guesses/1/r"] = np.zeros(12)
            file["guesses/number_of_guesses"] = np.array([1], dtype=np.int32)
        self.assertIn("left out, because Siconos' text has no place for it: guesses", self.convert(with_guess, "-o", "a.dat"))


class FrictionContactProblem(ctypes.Structure):
    """As Siconos has it."""

    _fields_ = [("dimension", ctypes.c_int), ("numberOfContacts", ctypes.c_int), ("M", ctypes.c_void_p),
                ("q", ctypes.POINTER(ctypes.c_double)), ("mu", ctypes.POINTER(ctypes.c_double))]


@unittest.skipUnless(ctypes.util.find_library("siconos_numerics"), "Siconos is not installed")
class SiconosReadsTest(ConvertTest):
    def test_the_text(self) -> None:
        siconos: Any = ctypes.CDLL(ctypes.util.find_library("siconos_numerics"))
        siconos.frictionContact_new_from_filename.restype = ctypes.POINTER(FrictionContactProblem)
        siconos.NM_get_value.restype = ctypes.c_double
        siconos.NM_get_value.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
        for name in ("Stack-boxes1-local*", "PushedBox2D-default-local*"):
            for storage in STORAGES:
                with self.subTest(name=name, storage=storage):
                    self.convert(problem(name), "-o", "a.dat", "--storage", storage, "--force")
                    given = content(problem(name))
                    read = siconos.frictionContact_new_from_filename(bytes(self.folder / "a.dat")).contents
                    m = read.dimension * read.numberOfContacts
                    self.assertEqual((read.dimension, m), (given["spacedim"], len(given["q"])))
                    matrix = [[siconos.NM_get_value(read.M, i, j) for j in range(m)] for i in range(m)]
                    np.testing.assert_array_equal(matrix, given["W"])
                    np.testing.assert_array_equal(read.q[:m], given["q"])
                    np.testing.assert_array_equal(read.mu[:read.numberOfContacts], given["mu"])


def write_record(group: h5py.Group, joints: int, limits: int, contacts: int) -> dict[str, np.ndarray]:
    """A record as Kamino's DualProblemData stores it."""
    n = joints + limits + 3 * contacts
    random = np.random.default_rng(n)
    A = random.standard_normal((n, n + 2)).astype(np.float32).astype(np.float64)
    values = {"D": A @ A.T, "v_f": random.standard_normal(n), "mu": np.full(contacts, 0.7)}
    for name, size in (("njd", joints), ("nld", limits), ("nc", contacts), ("ncd", 3 * contacts), ("ncts", n)):
        group[f"info/{name}"] = np.int64(size)
    for name, value in values.items():
        group[f"problem/{name}"] = value
    values["lambdas"] = random.standard_normal(n)
    group["solution/lambdas"] = values["lambdas"]
    group["solution/v_plus"] = values["D"] @ values["lambdas"] + values["v_f"]
    return values


class KaminoTest(ConvertTest):
    def test_records(self) -> None:
        with h5py.File(self.folder / "data.h5", "w") as file:
            file["Worlds/boxes/info/timestep"] = 0.001
            written = {(*sizes,): write_record(file.create_group(f"Worlds/boxes/frames/{frame}/DualProblem"), *sizes)
                       for frame, sizes in ((9, (2, 1, 2)), (10, (0, 0, 1)))}
        self.refused("convert", "data.h5", "-o", "one.hdf5", saying=["one.hdf5", "folder"])
        said = self.convert("data.h5", "-o", "out")
        self.assertEqual([line.split(":")[0] for line in said.splitlines()],
                         [f"out/data-Worlds-boxes-frames-{frame}.hdf5" for frame in (9, 10)])

        plain = content(self.folder / "out/data-Worlds-boxes-frames-10.hdf5")
        given = written[0, 0, 1]
        order = [2, 0, 1]
        np.testing.assert_array_equal(plain["W"], given["D"][np.ix_(order, order)])
        np.testing.assert_array_equal(plain["q"], given["v_f"][order])
        self.assertIn("data.h5, Worlds/boxes/frames/10 (Kamino record)",
                      self.description(self.folder / "out/data-Worlds-boxes-frames-10.hdf5"))

        path = self.folder / "out/data-Worlds-boxes-frames-9.hdf5"
        found, given = content(path), written[2, 1, 2]
        contacts, joints = [5, 3, 4, 8, 6, 7], [0, 1]
        D = given["D"]
        np.testing.assert_array_equal(found["W"], D[np.ix_(contacts, contacts)])
        np.testing.assert_array_equal(found["V"], D[np.ix_(contacts, joints)])
        np.testing.assert_array_equal(found["R"], D[np.ix_(joints, joints)])
        np.testing.assert_array_equal(found["q"], given["v_f"][contacts])
        np.testing.assert_array_equal(found["s"], given["v_f"][joints])
        with h5py.File(path, "r") as file:
            self.assertIn("interval(0,inf)", bytes(file["frictionbench/sets"][()]).decode())
            np.testing.assert_array_equal(file["solution/r"], given["lambdas"][contacts])
            np.testing.assert_array_equal(file["solution/l"], given["lambdas"][joints])
            np.testing.assert_array_equal(file["solution/others"], given["lambdas"][[2]])
        self.program("solve", path, "--solver", "ncp-nsgs", "--write-impulse", "r.txt")
        self.program("judge", path, "--impulse", "r.txt")

    def test_refusals(self) -> None:
        path = self.folder / "data.h5"
        for change, saying in (({"info/nc": np.int64(2)}, ["problem/v_f", "expected 6"]),
                               ({"info/nld": np.int64(-1)}, ["info/nld", "-1"]),
                               ({"problem/D": np.zeros((3, 2))}, ["problem/D", "3 x 2"]),
                               ({"problem/D": np.zeros(9)}, ["problem/D", "extent"]),
                               ({"problem/D": np.full((3, 3), np.nan)}, ["problem/D", "nan"]),
                               ({"problem/mu": np.array([-1.0])}, ["problem/"]),
                               ({"problem/mu": None}, ["problem/mu"]), ({"info": None}, ["info"])):
            with h5py.File(path, "w") as file:
                write_record(file.create_group("a/DualProblem"), 0, 0, 1)
                for name, value in change.items():
                    del file[f"a/DualProblem/{name}"]
                    if value is not None:
                        file[f"a/DualProblem/{name}"] = value
            with self.subTest(change=list(change)):
                self.refused("convert", path, "-o", "x.hdf5", saying=["data.h5", *saying])
        with h5py.File(path, "w") as file:
            file["a/b"] = 1
            file["a/loop"] = file["a"]  # a group in itself ends, too
        self.refused("convert", path, "-o", "x.hdf5", saying=["data.h5", "neither", "DualProblem"])


if __name__ == "__main__":
    unittest.main()
