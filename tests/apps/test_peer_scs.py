"""The peer scs: SCS on cone programs, a program of node."""

from __future__ import annotations

import unittest

import numpy as np
from peers import FRICTIONLESS, SEPARATING_IN_CCP, SLIDING_IN_CCP, STICKING, PeerTest
from program import problem

FILES = [problem(name) for name in ("Stack-boxes2-local-8-*", "SlidingBox-direction20-local-4-*",
                                    "PushedBox2D-default-local-2-*")]


class ScsTest(PeerTest):
    peer = "scs"

    def test_one_contact(self) -> None:
        for solver in ("scs-ccp", "scs-ccp-absolute"):
            self.assert_answers(solver, STICKING, SLIDING_IN_CCP, SEPARATING_IN_CCP, FRICTIONLESS, accuracy=1e-5)

    def test_contacts_with_and_without_friction(self) -> None:
        W, q = np.eye(9), [-1, 10, 0, -2, 3, 4, -1, 0, 10]
        r = self.answer("scs-ccp-absolute", W, q, [0.1, 0, 0.1], "--tolerance", 1e-9)
        np.testing.assert_allclose(r, [2 / 1.01, -0.2 / 1.01, 0, 2, 0, 0, 2 / 1.01, 0, -0.2 / 1.01], atol=1e-7)

    def test_problems(self) -> None:
        for record in self.peer_records(*FILES, "--criterion", "ccp", "--solver", "scs-ccp-absolute"):
            with self.subTest(problem=record["problem"]):
                self.assertEqual(record["status"], "converged", record["message"])
                self.assertLess(record["verdict"]["ccp"]["relative"], 1e-6)

    def test_iteration_limit(self) -> None:
        record, = self.peer_records(FILES[0], "--solver", "scs-ccp-absolute", "--max-iterations", 3)
        self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 3))

    def test_refusals(self) -> None:
        self.assert_refuses("scs-ccp-absolute", self.problem(np.eye(6003), [-1, 0, 0] * 2001, [0.5] * 2001),
                            "at most 2000 contacts")


if __name__ == "__main__":
    unittest.main()
