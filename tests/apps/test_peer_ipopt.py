"""The peer ipopt: contact as a nonlinear program."""

from __future__ import annotations

import unittest

import numpy as np
from peers import FRICTIONLESS, SEPARATING, SLIDING, SLIDING_ON_CONE, STICKING, PeerTest
from program import problem

SMALL = [problem(name) for name in ("Stack-boxes2-local-8-*", "PushedBox-push1.05-direction30-local-4-*",
                                    "PushedBox2D-push1.5-local-2-*")]


class IpoptTest(PeerTest):
    peer = "ipopt"

    def test_one_contact(self) -> None:
        cases = STICKING, SLIDING, SEPARATING, FRICTIONLESS, SLIDING_ON_CONE
        for solver in ("ipopt-mpcc", "ipopt-mpcc-penalty"):
            self.assert_answers(f"{solver}(tolerance=1e-12)", *cases, accuracy=1e-4)

    def test_one_convex_contact(self) -> None:
        """As in test_peer_siconos.py."""
        cases = STICKING, ([-2, 3, 0], 0.5, [14 / 9, -7 / 9, 0]), ([1, 3, 0], 0.5, [2 / 9, -1 / 9, 0]), FRICTIONLESS
        self.assert_answers("ipopt-ccp(tolerance=1e-12)", *cases, accuracy=1e-4)

    def test_unsymmetric_W(self) -> None:
        """Sticking: W r = -q. The convex problem knows the symmetric part only."""
        W = np.array([[1, 0.3, 0], [-0.3, 1, 0.1], [0, 0, 1]])
        q = np.array([-1, 0.3, 0.4])
        for solver, solved in (("ipopt-mpcc", W), ("ipopt-mpcc-penalty", W), ("ipopt-ccp", (W + W.T) / 2)):
            r = self.answer(f"{solver}(tolerance=1e-12)", W, q, [2])
            np.testing.assert_allclose(r, -np.linalg.solve(solved, q), atol=1e-5)

    def test_problems(self) -> None:
        for solver, model in (("ipopt-ccp(tolerance=1e-12)", "ccp"), ("ipopt-mpcc(tolerance=1e-9)", "ncp")):
            for record in self.peer_records(*SMALL, "--solver", solver):
                with self.subTest(solver, problem=record["problem"]):
                    self.assertIn(record["status"], ("converged", "other_model", "inaccurate"))
                    self.assertLess(record["verdict"][model]["relative"], 1e-6)

    def test_limits(self) -> None:
        record, = self.peer_records(SMALL[0], "--solver", "ipopt-mpcc", "--max-iterations", 3)
        self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 3))
        record, = self.run_document(problem("Pyramid-levels4-global-288-*"), *self.arguments, "--solver", "ipopt-mpcc",
                                    "--time-limit", 0.5)["records"]
        self.assertEqual(record["status"], "time_limit")

    def test_a_zero_on_the_diagonal(self) -> None:
        path = self.problem(np.diag([1.0, 1, 1, 0, 0, 0]), [-1, 0.3, 0.4, 1, 0, 0], [1, 0.5])
        for record in self.peer_records(path, "--solver", "ipopt-ccp", "--solver", "ipopt-mpcc", "--tolerance",
                                        1e-3, "--criterion", "native"):
            self.assertEqual(record["status"], "converged", record["solver"])

    def test_it_prints_nothing_and_reads_no_options(self) -> None:
        """IPOPT looks for ipopt.opt in the folder where it runs, unless told not to."""
        (self.folder / "ipopt.opt").write_text("print_level 5\nmax_iter 1\n", encoding="utf-8")
        record, = self.peer_records(SMALL[0], "--solver", "ipopt-ccp")
        self.assertGreater(record["iterations"], 1)

    def test_refusal(self) -> None:
        path = self.problem(np.ones((3165, 3165)), [-1, 0, 0] * 1055, [0.5] * 1055)
        self.assert_refuses("ipopt-ccp", path, "at most 10 million entries of W")


if __name__ == "__main__":
    unittest.main()
