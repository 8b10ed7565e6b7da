"""`frictionbench convert`: forms, storages, subsets and islands of FCLIB files."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from oracle import dense, integer
from program import DATASET, ProgramTest, problem
from test_conformance import write_fclib


def content(path: Path) -> dict[str, np.ndarray]:
    """Matrices, dense, and vectors of the problem in a file, by their names in it, and `spacedim`."""
    with h5py.File(path, "r") as file:
        (name,) = (name for name in file if name.startswith("fclib"))
        group = file[name]
        found = {matrix: dense(group[matrix]) for matrix in ("W", "V", "R", "M", "H", "G") if matrix in group}
        found |= {vector: data[()] for vector, data in group["vectors"].items()}
        return found | {"spacedim": np.array(integer(group["spacedim"]))}


def bodies(path: Path) -> list[list[int]]:
    with h5py.File(path, "r") as file:
        return file["frictionbench/bodies"][()].reshape(-1, 3).tolist()


class ConvertTest(ProgramTest):
    def with_bodies(self, name: str) -> Path:
        """A copy of a problem that says who its contacts are."""
        path = Path(shutil.copy(problem(name), self.folder))
        with h5py.File(path, "a") as file:
            (group,) = (file[name] for name in file if name.startswith("fclib"))
            numbers = np.arange(3 * len(group["vectors/mu"]), dtype=np.int32)
            file["frictionbench/bodies"] = np.ascontiguousarray(numbers[::-1])
        return path

    def convert(self, *arguments: Any) -> str:
        return self.program("convert", *arguments).stdout

    def assert_same(self, path: Path, expected: dict[str, np.ndarray]) -> None:
        """Bit by bit."""
        found = content(path)
        self.assertEqual(sorted(found), sorted(expected))
        for name, values in expected.items():
            np.testing.assert_array_equal(found[name], values, err_msg=name)

    def description(self, path: Path) -> str:
        with h5py.File(path, "r") as file:
            (name,) = (name for name in file if name.startswith("fclib"))
            return bytes(file[name]["info/description"][()]).decode()


class StorageTest(ConvertTest):
    def test_every_storage_and_compression(self) -> None:
        for name in ("Disks2D-default-local-61-00100", "Disks2D-grains100*", "Wall-rows3-columns2-local*",
                     "Stack-boxes1-global*"):
            original = problem(name)
            for storage, code in (("triplet", None), ("csc", -1), ("csr", -2)):
                for gzip in (0, 9):
                    with self.subTest(name=name, storage=storage, gzip=gzip):
                        output = self.folder / f"{storage}{gzip}.hdf5"
                        self.convert(original, "-o", output, "--storage", storage, "--gzip", gzip, "--force")
                        self.assert_same(output, content(original))
                        with h5py.File(output, "r") as file:
                            (group,) = (file[name] for name in file if name.startswith("fclib"))
                            matrix = group["W" if "W" in group else "M"]
                            found = integer(matrix["nz"])
                            self.assertTrue(found == code or (code is None and found == len(matrix["x"])))
                            if len(matrix["x"]) > 1000:
                                self.assertEqual(matrix["x"].compression_opts, gzip or None)
                sizes = [(self.folder / f"{storage}{gzip}.hdf5").stat().st_size for gzip in (9, 0)]
                if sizes[1] > 50_000:
                    self.assertLess(*sizes)

    def test_without_choices_only_the_description_changes(self) -> None:
        original = problem("Stack-boxes1-local*")
        said = self.convert(original, "-o", "new.hdf5")
        self.assertEqual(said, "new.hdf5: local, 3D, 4 contacts, 12 unknowns\n")
        new = self.folder / "new.hdf5"
        self.assert_same(new, content(original))
        before = self.description(original)
        self.assertEqual(self.description(new), f"{before}\nfrictionbench convert: from {original.name} (FCLIB)")
        with h5py.File(original, "r") as a, h5py.File(new, "r") as b:
            self.assertEqual(sorted(a), sorted(b))
            if "frictionbench" in a:
                np.testing.assert_array_equal(a["frictionbench/bodies"], b["frictionbench/bodies"])

    def test_refusals(self) -> None:
        original = problem("Stack-boxes1-local*")
        self.refused("convert", original, "-o", "x.hdf5", "--storage", "dense", saying=["dense", "triplet, csc and csr"])
        self.refused("convert", original, "-o", "x.hdf5", "--gzip", 10, saying=["--gzip", "[0, 9]"])
        self.refused("convert", original, "-o", "x.hdf5", "--form", "global", saying=[original.name, "local form"])
        self.refused("convert", original, saying=["--output"])
        (self.folder / "there.hdf5").write_text("mine", encoding="utf-8")
        self.refused("convert", original, "-o", "there.hdf5", saying=["there.hdf5", "--force"])
        self.assertEqual((self.folder / "there.hdf5").read_text(encoding="utf-8"), "mine")
        self.convert(original, "-o", "there.hdf5", "--force")
        self.refused("convert", "there.hdf5", "-o", "there.hdf5", "--force", saying=["there.hdf5", "read by this command"])
        self.refused("convert", original, problem("Stack-boxes2-local*"), "-o", "both.hdf5", saying=["both.hdf5", "folder"])
        self.refused("convert", original, "-o", "-", "--islands", saying=["standard output"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["there.hdf5"])


class FormTest(ConvertTest):
    def test_global_to_local(self) -> None:
        for name in ("Stack-boxes1-global*", "PushedBox2D-default-global*", "PackedSpheres-default-global-82*"):
            with self.subTest(name=name):
                original = problem(name)
                self.convert(original, "-o", "local.hdf5", "--form", "local", "--force")
                new = self.folder / "local.hdf5"
                found, given = content(new), content(original)
                inverse_H = np.linalg.solve(given["M"], given["H"])
                rounding = 1e-13 * np.abs(given["H"]).max() * np.abs(inverse_H).max()
                np.testing.assert_allclose(found["W"], given["H"].T @ inverse_H, rtol=0, atol=rounding)
                free = given["H"].T @ np.linalg.solve(given["M"], given["f"]) + given["w"]
                np.testing.assert_allclose(found["q"], free, rtol=1e-12, atol=1e-14)
                np.testing.assert_array_equal(found["mu"], given["mu"])
                self.assertIn("reduced to local form", self.description(new))
                # An impulse is as good for one as for the other.
                self.program("solve", original, "--solver", "ncp-hybrid", "--write-impulse", "r.txt", "--force")
                for file in (original, new):
                    self.program("judge", file, "--impulse", "r.txt")

    def test_a_folder_of_both_forms(self) -> None:
        self.convert(DATASET / "Stack", "-o", "local", "--form", "local")
        converted = sorted((self.folder / "local").iterdir())
        self.assertEqual([path.stem for path in converted], sorted(path.stem for path in (DATASET / "Stack").iterdir()))
        for path in converted:
            self.assertIn("W", content(path))


class ContactsTest(ConvertTest):
    def rows(self, contacts: list[int], dimension: int) -> list[int]:
        return [dimension * contact + k for contact in contacts for k in range(dimension)]

    def test_a_subset(self) -> None:
        kept = [0, 3, 5, 6, 7]
        for name, dimension in (("Stack-default-local*", 3), ("Disks2D-default-local-61*", 2),
                                ("PackedSpheres-default-global-82*", 3), ("Disks2D-grains100*", 2)):
            with self.subTest(name=name):
                original = self.with_bodies(name)
                given = content(original)
                self.convert(original, "-o", "few.hdf5", "--contacts", "5-7,0,3,6", "--force")
                few = self.folder / "few.hdf5"
                rows = [dimension * contact + k for contact in kept for k in range(dimension)]
                found = content(few)
                np.testing.assert_array_equal(found["mu"], given["mu"][kept])
                if "W" in given:
                    np.testing.assert_array_equal(found["W"], given["W"][np.ix_(rows, rows)])
                    np.testing.assert_array_equal(found["q"], given["q"][rows])
                else:
                    np.testing.assert_array_equal(found["M"], given["M"])
                    np.testing.assert_array_equal(found["H"], given["H"][:, rows])
                    np.testing.assert_array_equal(found["f"], given["f"])
                    np.testing.assert_array_equal(found["w"], given["w"][rows])
                self.assertIn(f"contacts 5-7,0,3,6 of {len(given['mu'])}", self.description(few))
                self.assertEqual(bodies(few), [bodies(original)[contact] for contact in kept])

    def test_solution_and_guesses(self) -> None:
        """The solution goes with contacts that others act on; guesses stay."""
        original = self.folder / "pair.hdf5"
        W = np.kron([[2, 1, 0], [1, 2, 0], [0, 0, 2]], np.eye(2))  # two contacts that touch, and one alone
        write_fclib(original, {"dimension": 2, "W": W.ravel().tolist(), "q": [-1, 0] * 3, "mu": [0.5] * 3, "compliance": None})
        r = np.array([1 / 3, 0, 1 / 3, 0, 0.5, 0])
        with h5py.File(original, "a") as file:
            for name in ("solution", "guesses/1"):
                file[f"{name}/r"] = r
                file[f"{name}/u"] = np.zeros(6)
            file["guesses/number_of_guesses"] = np.array([1], dtype=np.int32)
        for contacts, rows, closed in (("0", [0, 1], False), ("0-1", [0, 1, 2, 3], True), ("2", [4, 5], True),
                                       ("1,2", [2, 3, 4, 5], False)):
            with self.subTest(contacts=contacts):
                finished = self.program("convert", original, "-o", "part.hdf5", "--contacts", contacts, "--force")
                self.assertEqual("pair.hdf5: left out: the solution" in finished.stderr, not closed)
                with h5py.File(self.folder / "part.hdf5", "r") as file:
                    self.assertEqual("solution" in file, closed)
                    np.testing.assert_array_equal(file["guesses/1/r"], r[rows])
                    np.testing.assert_array_equal(file["guesses/1/u"], np.zeros(len(rows)))
                    if closed:
                        np.testing.assert_array_equal(file["solution/r"], r[rows])

    def test_lists_that_are_none(self) -> None:
        original = problem("Stack-boxes1-local*")
        for text in ("", "x", "1-", "-1", "3-1", "0,,1", "0;1", "1-2-3", "99999999999999999999"):
            with self.subTest(text=text):
                if text:
                    self.refused("convert", original, "-o", "x.hdf5", f"--contacts={text}", saying=["--contacts"])
        self.refused("convert", original, "-o", "x.hdf5", "--contacts", "4", saying=["4 contacts, from 0"])
        self.assertEqual(list(self.folder.iterdir()), [])


class IslandsTest(ConvertTest):
    def solve(self, path: Path) -> np.ndarray:
        self.program("solve", path, "--solver", "ncp-hybrid", "--tolerance", 1e-10, "--write-impulse", "r.txt", "--force")
        return np.array((self.folder / "r.txt").read_text(encoding="utf-8").split(), dtype=float)

    def test_inputs_without_islands_are_told(self) -> None:
        empty = problem("PackedSpheres-default-local-0-*")
        finished = self.program("convert", empty, problem("Stack-boxes1-local*"), "-o", "parts/", "--islands")
        self.assertEqual(len(finished.stdout.splitlines()), 1)
        self.assertIn(f"{empty.name}: has no contact, so no file is written for it", finished.stderr)

    def test_answers_of_islands_solve_the_whole(self) -> None:
        for name in ("PackedSpheres-grains20-width0.3-local-33*", "PackedSpheres-default-global-82*",
                     "Disks2D-default-local-61*"):
            with self.subTest(name=name):
                original = self.with_bodies(name)
                expected = json.loads(self.program("info", original, "--json").stdout)[0]["islands"]
                folder = self.folder / original.stem
                said = self.convert(original, "-o", f"{folder}/", "--islands")
                parts = sorted(folder.iterdir(), key=lambda path: int(re.findall(r"island(\d+)", path.name)[-1]))
                self.assertEqual([path.name for path in parts],
                                 [f"{original.stem}-island{k}.hdf5" for k in range(expected)])
                self.assertEqual(len(said.splitlines()), expected)
                given = content(original)
                dimension = int(given["spacedim"])
                free = given["q" if "q" in given else "w"]
                r, left = np.full(len(free), np.nan), list(range(len(given["mu"])))
                for part in parts:
                    answer = self.solve(part).reshape(-1, dimension)
                    for who, impulse in zip(bodies(part), answer, strict=True):
                        contact = next(k for k in left if bodies(original)[k] == who)
                        left.remove(contact)
                        r[dimension * contact: dimension * contact + dimension] = impulse
                self.assertEqual(left, [])
                (self.folder / "whole.txt").write_text("".join(f"{x!r}\n" for x in r.tolist()), encoding="utf-8")
                self.program("judge", original, "--impulse", "whole.txt", "--tolerance", 1e-8)
                if "M" in given:  # no body twice
                    self.assertLessEqual(sum(len(content(part)["f"]) for part in parts), len(given["f"]))
