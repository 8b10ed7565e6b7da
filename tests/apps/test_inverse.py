"""`frictionbench inverse`: impulses from velocities."""

from __future__ import annotations

import json
from typing import Any

import h5py
import numpy as np
from program import ProgramTest
from test_conformance import write_fclib


class InverseTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.file = self.folder / "one.hdf5"
        write_fclib(self.file, {"dimension": 3, "W": [2, 0, 0, 0, 1, 0, 0, 0, 1], "q": [-2, 3, 4], "mu": [0.5],
                                "compliance": None})

    def text(self, name: str, numbers: Any) -> str:
        (self.folder / name).write_text("".join(f"{number}\n" for number in numbers), encoding="utf-8")
        return name

    def numbers(self, name: str) -> list[float]:
        return [float(line) for line in (self.folder / name).read_text(encoding="utf-8").split()]

    def test_forward_and_back(self) -> None:
        """With compliance: solve writes r, and (W r + q) without R r is what inverse is given."""
        compliance = ("--compliance", 0.25)
        self.program("solve", self.file, "--solver", "ncp-hybrid", "--tolerance", 1e-12, *compliance, "--write-impulse", "r.txt")
        r = np.array(self.numbers("r.txt"))
        velocity = self.text("u.txt", np.diag([2, 1, 1]) @ r + [-2, 3, 4])
        shown = self.program("inverse", self.file, "--velocity", velocity, *compliance, "--tolerance", 1e-10,
                             "--write-impulse", "back.txt").stdout
        self.assertRegex(shown, "^found after [0-9]+ iterations, ncp at 1e-10\n")
        np.testing.assert_allclose(self.numbers("back.txt"), r, atol=1e-5)

    def test_velocities_of_the_solution(self) -> None:
        self.refused("inverse", self.file, saying=["one.hdf5", "/solution", "--velocity"])
        self.program("solve", self.file, "--solver", "ncp-hybrid", "--tolerance", 1e-12, "--write-solution")
        start = self.text("start.txt", [1, 0, 0])
        found = json.loads(self.program("inverse", self.file, "--start", start, "--json").stdout)
        self.assertEqual((found["converged"], found["iterations"]), (True, 1))
        self.assertLess(found["residuals"]["max"], 1e-6)
        normal, *tangents = found["r"]
        np.testing.assert_allclose(tangents, [-0.3 * normal, -0.4 * normal], rtol=1e-6)

    def test_the_ccp_has_no_impulses_for_sliding(self) -> None:
        velocity = self.text("u.txt", [0, 0.3, 0.4])
        shown = self.program("inverse", self.file, "--velocity", velocity, "--model", "ccp", code=1).stdout
        self.assertRegex(shown, "^not found after 100 iterations, ccp at 1e-06\n")

    def test_other_sets_are_refused(self) -> None:
        # A bilateral row behind a contact in 2D: three rows, as a contact in 3D has.
        write_fclib(self.file, {"dimension": 2, "W": [1, 0, 0, 1], "q": [-1, 0.3], "mu": [0.5], "compliance": None})
        with h5py.File(self.file, "a") as file:
            group = file["fclib_local"]
            for name, rows, starts in (("V", 2, [0, 1, 1]), ("R", 1, [0, 1])):
                for member, value in (("m", rows), ("n", 1), ("nz", -2), ("nzmax", 1)):
                    group[f"{name}/{member}"] = np.array([value], dtype=np.int32)
                group[f"{name}/p"] = np.array(starts, dtype=np.int32)
                group[f"{name}/i"] = np.array([0], dtype=np.int32)
                group[f"{name}/x"] = np.array([0.5])
            group["vectors/s"] = np.array([4.0])
        velocity = self.text("u.txt", [-1, 0.3, 4])
        self.refused("inverse", self.file, "--velocity", velocity, saying=["one.hdf5", "equality", "friction cones only"])

    def test_refusals(self) -> None:
        velocity = self.text("u.txt", [0, 0.3, 0.4])
        asked = ("inverse", self.file, "--velocity")
        self.refused(*asked, self.text("two.txt", [1, 2]), saying=["two.txt", "has 2 numbers, expected 3"])
        self.refused(*asked, self.text("nan.txt", [0, "nan", 0]), saying=["velocities are finite"])
        self.refused(*asked, "none.txt", saying=["none.txt", "cannot be read"])
        self.refused(*asked, velocity, "--model", "lcp", saying=["lcp"])
        self.refused(*asked, velocity, "--rho", 0, saying=["--rho"])
        self.refused(*asked, velocity, "--write-impulse", velocity, "--force", saying=["u.txt"])
        self.refused("inverse", self.folder, "--velocity", velocity, self.file, saying=["one.hdf5"])
