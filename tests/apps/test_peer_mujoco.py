"""The peer mujoco: MuJoCo's constraint solvers."""

from __future__ import annotations

import unittest

import numpy as np
from peers import FRICTIONLESS, SEPARATING_IN_CCP, SLIDING_IN_CCP, STICKING, PeerTest, solver_options
from program import problem

HARD = ("mujoco-pgs-hard", "mujoco-newton-hard")
IN_2D = ("mujoco-pgs-pyramid", "mujoco-newton-pyramid")
BOX, BOX_2D = problem("Stack-boxes2-local-8-*"), problem("PushedBox2D-default-local-2-*")


class MujocoTest(PeerTest):
    peer = "mujoco"

    def test_one_contact(self) -> None:
        for solver in (*HARD, "mujoco-cg-hard"):
            self.assert_answers(solver, STICKING, SLIDING_IN_CCP, SEPARATING_IN_CCP, FRICTIONLESS, accuracy=1e-6)

    def test_pgs_leaves_a_separated_contact_at_zero(self) -> None:
        """Its first step is normal, and does not see that friction would make the contact push: r_N is
        (||q_T|| mu - q_N) / (2 + mu^2)."""
        W, q = [2, 0, 0, 0, 1, 0, 0, 0, 1], [1, 2, 3]
        self.assertEqual(self.answer("mujoco-pgs-hard", W, q, [0.5]), [0, 0, 0])
        r = self.answer("mujoco-newton-hard", W, q, [0.5])
        self.assertAlmostEqual(r[0], (0.5 * 13**0.5 - 1) / 2.25, delta=1e-6)

    def test_compliance_is_relative_to_the_diagonal(self) -> None:
        """(W + R) r = -q, in any units: R is 0.01 of the mean of 2, 1 and 1."""
        for scale in (1, 1e4):
            for solver in ("mujoco-pgs", "mujoco-cg", "mujoco-newton"):
                r = self.answer(f"{solver}(R=0.01,tolerance=1e-14)", np.diag([2, 1, 1]) * scale, [-2, 0.25, -0.5], [1])
                R = 0.01 * 4 / 3
                np.testing.assert_allclose(np.array(r) * scale, [2 / (2 + R), -0.25 / (1 + R), 0.5 / (1 + R)], rtol=1e-6)

    def test_own_model(self) -> None:
        """Far from the problem, as soft as it is, and accurate for what it solved."""
        soft = [f"mujoco-{method}(R={R},tolerance=1e-20)" for method in ("pgs", "newton") for R in (1e-4, 1e-2)]
        in_2d = [f"mujoco-{method}-pyramid(R=1e-2,tolerance=1e-20)" for method in ("pgs", "newton")]
        for record in self.peer_records(BOX, BOX_2D, "--criterion", "native", *solver_options(*soft, *in_2d)):
            if record["status"] == "refused":
                continue
            with self.subTest(record["solver"], problem=record["problem"]):
                own = record["own_model"]
                self.assertGreater(own["compliance_max"], 0)
                self.assertGreater(own["gap"], 1e-6)
                self.assertLess(own["relative"], 1e-5)
                self.assertLess(own["relative"], 0.02 * record["verdict"]["ccp"]["relative"])

    def test_the_symmetric_part_is_solved(self) -> None:
        W = np.array([[2, 0.5, 0], [-0.1, 1, 0], [0, 0, 1]])
        expected = np.linalg.solve((W + W.T) / 2, [2, -0.25, 0.5])
        for solver in HARD:
            np.testing.assert_allclose(self.answer(solver, W, [-2, 0.25, -0.5], [1]), expected, atol=1e-6)

    def test_problems(self) -> None:
        for record in self.peer_records(BOX, BOX_2D, "--criterion", "ccp", *solver_options(*HARD, *IN_2D)):
            if record["status"] == "refused":
                self.assertIn("pyramid", record["solver"])
                continue
            with self.subTest(record["solver"], problem=record["problem"]):
                self.assertLess(record["verdict"]["ccp"]["relative"], 1e-6)
                self.assertLess(record["own_model"]["gap"], 1e-6)
                self.assertGreater(record["reported"]["mujoco time"], 0)

    def test_as_many_contacts_again_and_hard_cases(self) -> None:
        """Two contacts on one degree of freedom, one without a body that moves, one without friction."""
        row = np.array([1, 0, 0] * 2 + [0] * 6)
        W = np.outer(row, row) + np.diag([0.0] * 9 + [1, 1, 1])
        r = self.answer("mujoco-newton-hard", W, [-1, 0, 0] * 2 + [1, 0, 0] + [-1, 3, 0], [0.5, 0.5, 0.5, 0])
        np.testing.assert_allclose(np.array([r[0] + r[3], *r[6:]]), [1, 0, 0, 0, 1, 0, 0], atol=1e-6)

    def test_iteration_limit(self) -> None:
        record, = self.peer_records(problem("Stack-mass_ratio1000-local-20-*"), "--solver", "mujoco-pgs-hard",
                                    "--max-iterations", 77)
        self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 77))

    def test_refusals(self) -> None:
        self.assert_refuses("mujoco-newton", self.problem(np.eye(6003), [-1, 0, 0] * 2001, [0.5] * 2001),
                            "dense: at most 2000 contacts")
        record, = self.peer_records(BOX, "--solver", "mujoco-newton-pyramid")
        self.assertEqual(record["status"], "refused")


if __name__ == "__main__":
    unittest.main()
