"""Problems as Python sees them: arrays without copies, and problems made of arrays."""

from __future__ import annotations

import gc
import unittest

import numpy as np
import scipy.sparse

from support import BindingsTest, frictionbench, shipped, with_blocks

LOCAL = "Wall-rows3-columns2-local*"
GLOBAL = "PackedSpheres-default-global-82*"


def remade(problem):
    """The problem from its own arrays."""
    common = {"mu": problem.mu, "dimension": problem.dimension, "sets": problem.sets}
    if problem.form == "local":
        return frictionbench.Problem(W=problem.W, q=problem.q, **common)
    return frictionbench.Problem(M=problem.M, H=problem.H, f=problem.f, w=problem.w, **common)


class ProblemTest(BindingsTest):
    def assert_same_matrix(self, one, other):
        self.assertEqual(one.shape, other.shape)
        for piece in ("data", "indices", "indptr"):
            self.assert_same_bits(getattr(one, piece), getattr(other, piece))

    def test_sizes(self):
        problem = frictionbench.read(shipped(GLOBAL))
        self.assertEqual((problem.form, problem.dimension, problem.contacts, problem.unknowns), ("global", 3, 82, 246))
        self.assertEqual((problem.sets, problem.starts[-1]), ([], 246))
        self.assertEqual(problem.M.shape, (240, 240))
        self.assertEqual(problem.H.shape, (240, 246))
        self.assertEqual((problem.f.shape, problem.w.shape, problem.mu.shape), ((240,), (246,), (82,)))
        self.assertEqual((problem.W.shape, problem.q.shape), ((246, 246), (246,)))
        self.assertIsNone(problem.compliance)
        self.assertEqual(repr(problem), "<frictionbench.Problem: global, 3D, 82 contacts, 246 unknowns>")

    def test_local_problems_have_no_global_form(self):
        problem = frictionbench.read(shipped(LOCAL))
        self.assertEqual([problem.M, problem.H, problem.f, problem.w], [None] * 4)

    def test_arrays_are_views_of_one_memory(self):
        problem = frictionbench.read(shipped(GLOBAL))
        for name in ("W", "M", "H"):
            one, other = getattr(problem, name), getattr(problem, name)
            for piece in ("data", "indices", "indptr"):
                self.assertTrue(np.shares_memory(getattr(one, piece), getattr(other, piece)), (name, piece))
        for name in ("q", "mu", "f", "w"):
            self.assertTrue(np.shares_memory(getattr(problem, name), getattr(problem, name)), name)
        with self.assertRaisesRegex(ValueError, "read-only"):
            problem.W.data[0] = 1

    def test_views_outlive_the_problem(self):
        problem = frictionbench.read(shipped(LOCAL))
        W, expected = problem.W, problem.W.toarray()
        del problem
        gc.collect()
        self.assert_same_bits(W.toarray(), expected)

    def test_numbers_are_those_of_the_formulation(self):
        problem = frictionbench.read(shipped(GLOBAL))
        r = np.random.default_rng(1).normal(size=(82, 3))
        v = scipy.sparse.linalg.spsolve(problem.M.tocsc(), problem.H @ r.ravel() + problem.f)
        np.testing.assert_allclose(problem.generalized_velocity(r), v, rtol=1e-10)
        u = problem.H.T @ v + problem.w
        self.assertEqual(problem.contact_velocity(r).shape, (82, 3))
        np.testing.assert_allclose(problem.contact_velocity(r).ravel(), u, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(problem.W @ r.ravel() + problem.q, u, rtol=1e-8, atol=1e-10)

    def test_a_problem_of_arrays_equals_the_one_that_was_read(self):
        problems = [frictionbench.read(shipped(name)) for name in (LOCAL, GLOBAL, "Disks2D-default*",
                                                                   "PackedSpheres-default-local-0-*")]
        for problem in [*problems, with_blocks(1), with_blocks(2, "global")]:
            with self.subTest(problem=problem):
                other = remade(problem)
                self.assertEqual(repr(other), repr(problem))
                self.assert_same_matrix(other.W, problem.W)
                for name in ("q", "mu", "starts"):
                    self.assert_same_bits(getattr(other, name), getattr(problem, name))
                theirs, mine = (frictionbench.solve(p, "ncp-hybrid") for p in (problem, other))
                self.assert_same_bits(mine.impulses, theirs.impulses)
                self.assertEqual(mine.verdict.as_dict(), theirs.verdict.as_dict())

    def test_matrices_of_any_kind(self):
        problem = frictionbench.read(shipped("SlidingBox-direction20*"))
        expected = frictionbench.judge(problem, np.ones(12)).as_dict()
        W = problem.W
        halves = scipy.sparse.coo_matrix((np.concatenate([W.tocoo().data / 2] * 2),
                                          (np.tile(W.tocoo().row, 2), np.tile(W.tocoo().col, 2))), shape=W.shape)
        for matrix in (W.tocsc(), W.tocoo(), W.toarray(), halves, scipy.sparse.csr_array(W), W.toarray().tolist()):
            other = frictionbench.Problem(W=matrix, q=problem.q.reshape(4, 3), mu=list(problem.mu))
            with self.subTest(matrix=type(matrix)):
                self.assertEqual(frictionbench.judge(other, np.ones((4, 3))).as_dict(), expected)

    def test_changes_of_the_input_do_not_reach_the_problem(self):
        q = np.array([-1.0, 0, 0])
        problem = frictionbench.Problem(W=np.eye(3), q=q, mu=[0.5])
        q[0] = 7
        self.assertEqual(problem.q[0], -1)

    def test_one_contact_by_hand(self):
        # falls at 1 and slides at 2: sticks to the cone, ||r_T|| = mu r_N, and does not open
        problem = frictionbench.Problem(W=np.eye(3), q=[-1, 2, 0], mu=[0.5])
        answer = frictionbench.solve(problem, "ncp-hybrid", tolerance=1e-12)
        np.testing.assert_allclose(answer.impulses, [[1, -0.5, 0]], atol=1e-10)
        np.testing.assert_allclose(answer.velocities, [[0, 1.5, 0]], atol=1e-10)
        self.assertEqual(answer.verdict.states, {"sticking": 0, "sliding": 1, "separated": 0})

    def test_compliance(self):
        problem = frictionbench.Problem(W=np.eye(3), q=[-1, 0, 0], mu=[0.5], compliance=[1, 1, 1])
        np.testing.assert_array_equal(problem.W.toarray(), np.eye(3))
        np.testing.assert_array_equal(problem.compliance, [1, 1, 1])
        answer = frictionbench.solve(problem, "ncp-hybrid", tolerance=1e-12)
        np.testing.assert_allclose(answer.impulses, [[0.5, 0, 0]], atol=1e-10)
        rigid = frictionbench.Problem(W=np.eye(3), q=[-1, 0, 0], mu=[0.5])
        other = frictionbench.solve(rigid, "ncp-hybrid", tolerance=1e-12, compliance=1)
        self.assert_same_bits(other.impulses, answer.impulses)

    def test_blocks_of_other_sizes_are_flat(self):
        problem = with_blocks(3)
        self.assertEqual(problem.sets, ["equality(3)", "interval(0,inf)", "rolling(0.5,0.1)"])
        self.assertEqual(list(problem.starts), [0, 3, 6, 9, 12, 13, 18])
        answer = frictionbench.solve(problem, "ncp-hybrid")
        self.assertTrue(answer.solved, answer)
        self.assertEqual((answer.impulses.shape, answer.velocities.shape), ((18,), (18,)))

    def test_written_files_are_read_back(self):
        for number, problem in enumerate([frictionbench.read(shipped(GLOBAL)), with_blocks(4), with_blocks(5, "global")]):
            path = self.folder / f"{number}.hdf5"
            problem.write(path)
            again = frictionbench.read(path)
            with self.subTest(problem=problem):
                self.assertEqual((repr(again), again.path), (repr(problem), str(path)))
                self.assert_same_matrix(again.W, problem.W)
                self.assert_same_bits(again.q, problem.q)

    def test_nothing_is_overwritten_unless_asked(self):
        path = self.folder / "a.hdf5"
        path.write_text("mine", encoding="utf-8")
        problem = with_blocks(6)
        with self.assertRaisesRegex(FileExistsError, "a.hdf5"):
            problem.write(path)
        self.assertEqual(path.read_text(encoding="utf-8"), "mine")
        problem.write(path, force=True)
        self.assertEqual(repr(frictionbench.read(path)), repr(problem))


if __name__ == "__main__":
    unittest.main()
