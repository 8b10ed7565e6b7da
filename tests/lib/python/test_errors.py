"""What a user gets for bad input: Python's exceptions, with one line that says what is wrong."""

from __future__ import annotations

import os
import unittest
from typing import Any

import numpy as np
import scipy.sparse

from support import BindingsTest, frictionbench, shipped

EYE = np.eye(3)


class Errors(BindingsTest):
    def refused(self, error: type[Exception], text: str, call: Any, *arguments: Any, **keywords: Any) -> None:
        with self.subTest(text=text):
            with self.assertRaisesRegex(error, text) as caught:
                call(*arguments, **keywords)
            self.assertEqual(len(str(caught.exception).splitlines()), 1, caught.exception)

    def test_files(self):
        self.refused(FileNotFoundError, "missing.hdf5: no such file", frictionbench.read, self.folder / "missing.hdf5")
        bad = self.folder / "bad.hdf5"
        bad.write_text("not HDF5", encoding="utf-8")
        self.refused(ValueError, "bad.hdf5: ", frictionbench.read, bad)
        self.refused(TypeError, "file: expected a path, not 3", frictionbench.read, 3)
        folder = shipped("Stack-default*").parent
        self.refused(ValueError, "read takes one file", frictionbench.read, folder)
        if os.geteuid() != 0:
            bad.chmod(0)
            self.refused(PermissionError, "bad.hdf5", frictionbench.read, bad)

    def test_problems(self):
        make = frictionbench.Problem
        self.refused(TypeError, "mu with W and q, or mu with M, H, f and w", make)
        self.refused(TypeError, "mu with W and q", make, W=EYE, q=[0] * 3)
        self.refused(TypeError, "mu with W and q", make, W=EYE, q=[0] * 3, f=[0] * 3, mu=[1])
        self.refused(ValueError, "vectors/q: has 2 entries, expected 3", make, W=EYE, q=[0, 0], mu=[1])
        self.refused(ValueError, r"W: is 2 x 2, expected 3 x 3", make, W=np.eye(2), q=[0] * 3, mu=[1])
        self.refused(ValueError, "vectors/mu: entry 0 is -1", make, W=EYE, q=[0] * 3, mu=[-1])
        self.refused(ValueError, "vectors/q: entry 1 is nan", make, W=EYE, q=[0, np.nan, 0], mu=[1])
        self.refused(ValueError, "spacedim: is 4", make, W=EYE, q=[0] * 3, mu=[1], dimension=4)
        self.refused(ValueError, "compliance: entry 2 is -1", make, W=EYE, q=[0] * 3, mu=[1], compliance=[0, 0, -1])
        self.refused(ValueError, "q: has 2 components per contact, expected 3", make, W=EYE, q=np.zeros((3, 2)), mu=[1])
        self.refused(ValueError, "sets: .*equalty", make, W=EYE, q=[0] * 3, mu=[], sets=["equalty(3)"])
        self.refused(TypeError, "unknown option 'mus'; did you mean mu", make, W=EYE, q=[0] * 3, mus=[1])
        self.refused(TypeError, "q: expected an array of numbers", make, W=EYE, q="abc", mu=[1])
        self.refused(TypeError, "W: expected a matrix", make, W="abc", q=[0] * 3, mu=[1])
        for q in ([1 + 5j, 0, 0], np.array([1 + 5j, 0, 0]), ["1", "0", "0"], [None, 0, 0]):
            self.refused(TypeError, "q: expected (real|an array of) numbers, not ", make, W=EYE, q=q, mu=[1])
        self.refused(TypeError, "q: expected an array without a mask", make, W=EYE, mu=[1],
                     q=np.ma.masked_array([0.0, 1, 2], mask=[True, False, False]))
        for W in (EYE * 1j, scipy.sparse.csr_matrix(EYE * 1j)):
            self.refused(TypeError, "W: expected real numbers, not complex128", make, W=W, q=[0] * 3, mu=[1])

    def test_a_sparse_matrix_with_wrong_indices(self):
        W = scipy.sparse.csr_matrix(EYE)
        W.indices[2] = 5000
        self.refused(ValueError, "W: .*index", frictionbench.Problem, W=W, q=[0] * 3, mu=[1])

    def test_a_singular_mass_matrix(self):
        problem = frictionbench.Problem(M=np.zeros((3, 3)), H=EYE, f=[0] * 3, w=[0] * 3, mu=[1])
        for use in (lambda: problem.W, lambda: frictionbench.solve(problem, "ncp-pgs"),
                    lambda: frictionbench.judge(problem, np.zeros(3))):
            self.refused(ValueError, "Problem: M: .*singular", use)

    def test_solvers_and_settings(self):
        problem = frictionbench.read(shipped("SlidingBox-direction20*"))
        solve = frictionbench.solve
        self.refused(ValueError, "unknown solver 'ncp-pgz'; did you mean ncp-pgs", solve, problem, "ncp-pgz")
        self.refused(ValueError, "relaxation", solve, problem, "ncp-pgs(relaxation=3)")
        self.refused(ValueError, "tolerance: -1 is not a number > 0", solve, problem, "ncp-pgs", tolerance=-1)
        self.refused(TypeError, "tolerance: expected a number, not 'x'", solve, problem, "ncp-pgs", tolerance="x")
        self.refused(TypeError, "max_iterations: expected a whole number, not 1.5", solve, problem, "ncp-pgs",
                     max_iterations=1.5)
        self.refused(ValueError, "max_iterations: 0 is not a whole number >= 1", solve, problem, "ncp-pgs",
                     max_iterations=0)
        self.refused(TypeError, "unknown option 'tolerence'; did you mean tolerance", solve, problem, "ncp-pgs",
                     tolerence=1)
        self.refused(ValueError, "criterion: unknown value 'npc'; did you mean ncp", solve, problem, "ncp-pgs",
                     criterion="npc")
        self.refused(ValueError, "warm_start: unknown value 'previous'", solve, problem, "ncp-pgs",
                     warm_start="previous")
        self.refused(ValueError, "compliance: ", solve, problem, "ncp-pgs", compliance="soft")
        self.refused(ValueError, "^scale force .*give that with time_step", solve, problem, "ncp-pgs", scale="force")
        self.refused(ValueError, "start: has 3 numbers, expected 12", solve, problem, "ncp-pgs", start=np.zeros(3))
        self.refused(ValueError, "start and warm_start", solve, problem, "ncp-pgs", start=np.zeros(12),
                     warm_start="guess")
        self.refused(ValueError, "missing.so", solve, problem, "ncp-pgs", plugin=str(self.folder / "missing.so"))
        self.refused(ValueError, "unknown peer 'no-such'", frictionbench.solvers, peer="no-such")

    def test_judge(self):
        problem = frictionbench.read(shipped("SlidingBox-direction20*"))
        judge = frictionbench.judge
        self.refused(ValueError, "impulses: has 9 numbers, expected 12", judge, problem, np.zeros((3, 3)))
        self.refused(ValueError, "impulses: has 2 components per contact", judge, problem, np.zeros((6, 2)))
        self.refused(ValueError, "^criterion native .*judge has no solver", judge, problem, np.zeros(12), criterion="native")
        self.refused(TypeError, "unknown option 'max_iterations'", judge, problem, np.zeros(12), max_iterations=3)
        verdict = judge(problem, np.full(12, np.nan))
        self.assertFalse(verdict.solved)
        self.assertIsNone(verdict.residuals["ncp"]["relative"])

    def test_a_solver_that_fails_is_no_error(self):
        problem = frictionbench.read(shipped("PackedSpheres-grains100-global-256*"))
        answer = frictionbench.solve(problem, "ncp-active-set")
        self.assertEqual((answer.status, answer.solved, answer.impulses, answer.verdict), ("refused", False, None, None))
        self.assertIn("no impulse", repr(answer))
        answer = frictionbench.solve(problem, "external(command='exit 3')")
        self.assertEqual((answer.status, answer.solved, answer.impulses), ("error", False, None))
        self.assertTrue(answer.message)


if __name__ == "__main__":
    unittest.main()
