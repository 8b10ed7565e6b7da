"""The peer mujoco3: MuJoCo 3's constraint solvers, a program of node."""

from __future__ import annotations

import unittest

import numpy as np
from peers import FRICTIONLESS, SEPARATING_IN_CCP, SLIDING_IN_CCP, STICKING, PeerTest, solver_options
from program import problem

HARD = ("mujoco3-pgs-hard", "mujoco3-newton-hard")
FILES = [problem("Stack-boxes2-local-8-*"), problem("PushedBox2D-default-local-2-*")]


class Mujoco3Test(PeerTest):
    peer = "mujoco3"

    def test_one_contact(self) -> None:
        for solver in HARD:
            self.assert_answers(solver, STICKING, SLIDING_IN_CCP, SEPARATING_IN_CCP, FRICTIONLESS, accuracy=1e-6)

    def test_compliance_of_a_soft_contact(self) -> None:
        """R is 1e-4 of the mean of 2, 1 and 1."""
        R = 1e-4 * 4 / 3
        for solver in ("mujoco3-pgs", "mujoco3-newton"):
            r = self.answer(solver, [2, 0, 0, 0, 1, 0, 0, 0, 1], [-2, 0.25, -0.5], [1], "--tolerance", 1e-14)
            np.testing.assert_allclose(r, [2 / (2 + R), -0.25 / (1 + R), 0.5 / (1 + R)], rtol=1e-6)

    def test_friction_of_each_contact(self) -> None:
        r = self.answer("mujoco3-pgs-hard", np.eye(6), [-1, 10, 0] * 2, [0.1, 0])
        np.testing.assert_allclose(r, [2 / 1.01, -0.2 / 1.01, 0, 1, 0, 0], atol=1e-6)

    def test_problems(self) -> None:
        for record in self.peer_records(*FILES, "--criterion", "ccp", *solver_options(*HARD)):
            with self.subTest(record["solver"], problem=record["problem"]):
                self.assertLess(record["verdict"]["ccp"]["relative"], 1e-5)
                self.assertLess(record["own_model"]["gap"], 1e-6)
                self.assertLess(record["own_model"]["relative"], 1e-5)
                self.assertGreater(record["reported"]["mujoco time"], 0)

    def test_refusals(self) -> None:
        self.assert_refuses("mujoco3-newton", self.problem(np.eye(3003), [-1, 0, 0] * 1001, [0.5] * 1001),
                            "dense: at most 1000 contacts")


if __name__ == "__main__":
    unittest.main()
