"""What the peers that solve cone programs have in common."""

from __future__ import annotations

import numpy as np
from peers import FRICTIONLESS, SEPARATING_IN_CCP, SLIDING_IN_CCP, STICKING, PeerTest
from program import problem

FILES = [problem(name) for name in ("Stack-boxes2-local-8-*", "SlidingBox-direction20-local-4-*",
                                    "PushedBox2D-default-local-2-*")]


class ConeTests:
    """Tests of a PeerTest."""

    accurate: str  # the solver that comes close to the tolerance
    exact: tuple[str, ...]  # solvers whose answers to one contact are right to 1e-5
    tolerance, accuracy = 1e-9, 1e-7  # asked for, and what comes of three contacts
    statuses = ("converged",)  # of FILES
    residual = 1e-6  # of FILES
    most_contacts, refusal = 0, ""

    def test_one_contact(self: PeerTest) -> None:
        for solver in self.exact:
            self.assert_answers(solver, STICKING, SLIDING_IN_CCP, SEPARATING_IN_CCP, FRICTIONLESS, accuracy=1e-5)

    def test_contacts_with_and_without_friction(self: PeerTest) -> None:
        W, q = np.eye(9), [-1, 10, 0, -2, 3, 4, -1, 0, 10]
        r = self.answer(self.accurate, W, q, [0.1, 0, 0.1], "--tolerance", self.tolerance)
        np.testing.assert_allclose(r, [2 / 1.01, -0.2 / 1.01, 0, 2, 0, 0, 2 / 1.01, 0, -0.2 / 1.01], atol=self.accuracy)

    def test_problems(self: PeerTest) -> None:
        for record in self.peer_records(*FILES, "--criterion", "ccp", "--solver", self.accurate):
            with self.subTest(problem=record["problem"]):
                self.assertIn(record["status"], self.statuses, record["message"])
                self.assertLess(record["verdict"]["ccp"]["relative"], self.residual)

    def test_iteration_limit(self: PeerTest) -> None:
        record, = self.peer_records(FILES[0], "--solver", self.accurate, "--max-iterations", 3)
        self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 3))

    def test_refusals(self: PeerTest) -> None:
        contacts = self.most_contacts + 1
        self.assert_refuses(self.accurate, self.problem(np.eye(3 * contacts), [-1, 0, 0] * contacts, [0.5] * contacts),
                            self.refusal)
