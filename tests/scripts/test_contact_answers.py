"""Answers to contact problems: states, angles, take-off, and internal forces."""

import os
import subprocess
import unittest

import numpy as np
from support import ROOT, TemporaryFolderTest

from frictionbench.files import ResultsError
from frictionbench.papers.contact_answers import Answer, ScaledProblem, read_problem
from frictionbench.papers.internal_forces import excess, least_norm

PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")


def answer(r, u, mu, W=None, model="ncp"):
    """An impulse whose velocity is u, each with one row per contact; contacts of one unit mass if W is not given."""
    r, u = np.array(r, dtype=float), np.array(u, dtype=float)
    contacts = len(r)
    W = np.kron(np.ones((contacts, contacts)), np.eye(3)) if W is None else np.array(W, dtype=float)
    return Answer(ScaledProblem(W, u.ravel() - W @ r.ravel(), np.broadcast_to(mu, contacts), None),
                  model, r)


class States(unittest.TestCase):
    def test_units_are_those_of_the_scaled_criterion(self):
        problem = ScaledProblem(np.diag([2.0, 4.0, 6.0]), np.array([-3.0, 1.0, 0.0]), np.array([0.5]), None)
        self.assertEqual((problem.velocity, problem.impulse), (3.0, 0.75))
        self.assertEqual(ScaledProblem(np.eye(3), np.zeros(3), np.array([0.5]), None).velocity, 1.0)

    def test_stick_slide_and_take_off(self):
        found = answer([[1, 0, 0], [1, -0.5, 0], [0, 0, 0]], [[0, 0, 0], [0, 2, 0], [1, 1, 0]], 0.5)
        self.assertEqual(found.loaded.tolist(), [True, True, False])
        self.assertEqual(found.sliding.tolist(), [False, True, False])
        self.assertFalse(found.sticks)
        np.testing.assert_allclose(found.u, [[0, 0, 0], [0, 2, 0], [1, 1, 0]], atol=1e-14)
        self.assertTrue(answer([[1, 0, 0]], [[0, 0, 0]], 0.5).sticks)

    def test_angles_of_friction(self):
        found = answer([[1, -0.5, 0], [1, 0, -0.5]], [[0, 1, 0], [0, 1, 0]], 0.5)
        np.testing.assert_allclose(found.friction_angles(), [0, 90], atol=1e-9)
        self.assertAlmostEqual(found.total_friction_angle(), 45)
        self.assertTrue(np.isnan(answer([[1, 0, 0]], [[0, 0, 0]], 0.5).total_friction_angle()))

    def test_raisims_slip(self):
        W = np.array([[2, 0.6, -0.3], [0.6, 1.5, 0.2], [-0.3, 0.2, 1]])
        mu, r = 0.5, np.array([1, 0.3, -0.4])
        predicted = -(r[1:] + mu**2 * r[0] * W[0, 1:] / W[0, 0])
        found = answer([r], [[0, *predicted]], mu, W)
        np.testing.assert_allclose(found.raisim_angles(), [0], atol=1e-6)
        self.assertGreater(found.friction_angles()[0], 3)

    def test_take_off(self):
        found = answer([[1, -0.4, 0], [1, 0, -0.4]], [[0.8, 2, 0], [0.6, 0, 1]], 0.4)
        np.testing.assert_allclose(found.take_off_errors(), [0, 0.5], atol=1e-12)


class InternalForces(unittest.TestCase):
    def test_an_even_share_is_the_smallest(self):
        resting = np.zeros((2, 3))
        self.assertAlmostEqual(excess(answer([[1, 0, 0], [1, 0, 0]], resting, 0.5)), 0)
        self.assertAlmostEqual(excess(answer([[1.5, 0, 0], [0.5, 0, 0]], resting, 0.5)), 1.25**0.5 - 1)
        # contacts that push against one another
        self.assertAlmostEqual(excess(answer([[1, 0.3, 0], [1, -0.3, 0]], resting, 0.5)), 1.09**0.5 - 1)

    def test_without_redundant_contacts_there_are_none(self):
        self.assertAlmostEqual(excess(answer([[1, 0.2, 0.1]], [[0, 0, 0]], 0.5)), 0)

    def test_nothing_carries_nothing(self):
        self.assertEqual(excess(answer([[0, 0, 0]], [[1, 0, 0]], 0.5)), 0)

    def test_cones_bind(self):
        # r_N = 2 and r_T = 0.8 in all, mu = 0.5 and 0.2: an even share would leave the second cone, and what
        # stays in both is at its smallest in (4/3, 2/3) and (2/3, 2/15), where both bind.
        found = answer([[1.5, 0.71, 0], [0.5, 0.09, 0]], np.zeros((2, 3)), [0.5, 0.2])
        self.assertAlmostEqual(least_norm(found), np.sqrt((16 + 4) / 9 + (4 + 4 / 25) / 9), places=6)

    def test_the_pyramid_of_the_lcp_is_wider_than_the_cone(self):
        # In the corner of the pyramid, where the cone ends at 0.5 / sqrt(2).
        corner = [[1, 0.5, 0.5], [1, 0.5, 0.5]]
        self.assertAlmostEqual(excess(answer(corner, np.zeros((2, 3)), 0.5, model="lcp")), 0)

    def test_sliding_contacts_keep_their_direction(self):
        # Friction follows from the slip; how the normal impulses share the weight does not.
        even = answer([[1, -0.5, 0], [1, -0.5, 0]], [[0, 1, 0], [0, 1, 0]], 0.5)
        uneven = answer([[1.5, -0.75, 0], [0.5, -0.25, 0]], [[0, 1, 0], [0, 1, 0]], 0.5)
        self.assertAlmostEqual(excess(even), 0)
        self.assertAlmostEqual(excess(uneven), 1.25**0.5 - 1)


class Files(TemporaryFolderTest):
    @unittest.skipUnless(PROGRAM, "FRICTIONBENCH_PROGRAM does not name the program")
    def test_a_generated_problem(self):
        subprocess.run([PROGRAM, "generate", "sliding_box", "--time-step", "0.002", "--mu", "0.3", "-o",
                        self.folder], check=True, capture_output=True)
        (path,) = self.folder.rglob("*.hdf5")
        problem = read_problem(path)
        self.assertEqual((problem.W.shape, problem.q.shape, problem.time_step), ((12, 12), (12,), 0.002))
        np.testing.assert_array_equal(problem.mu, np.full(4, 0.3))
        np.testing.assert_array_equal(problem.W, problem.W.T)

    def test_others_are_refused(self):
        shipped = ROOT / "datasets/default"
        for path in (next(shipped.rglob("*-global-*.hdf5")), next(shipped.rglob("PushedBox2D-*-local-*.hdf5"))):
            with self.assertRaisesRegex(ResultsError, "not a local problem"):
                read_problem(path)
        with self.assertRaisesRegex(ResultsError, "nowhere"):
            read_problem(self.folder / "nowhere.hdf5")


if __name__ == "__main__":
    unittest.main()
