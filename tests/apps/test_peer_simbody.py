"""The peer simbody: Simbody's impulse solvers."""

from __future__ import annotations

import unittest

import numpy as np
from peers import FRICTIONLESS, SEPARATING, SLIDING, SLIDING_ON_CONE, STICKING, PeerTest
from program import problem

STICKS = problem("PushedBox-direction30-local-4-*")
TWO_LEVELS = problem("Pyramid-levels2-local-32-*")


class SimbodyTest(PeerTest):
    peer = "simbody"

    def test_one_contact(self) -> None:
        for solver in ("simbody-pgs", "simbody-plus"):
            self.assert_answers(solver, STICKING, SLIDING, SEPARATING, FRICTIONLESS, SLIDING_ON_CONE)

    def test_pgs_slides_as_the_diagonal_has_it(self) -> None:
        """Opposite to (u_T1 / W_T1, u_T2 / W_T2), and so to (3, 4 / 4)."""
        r = self.answer("simbody-pgs", [2, 0, 0, 0, 1, 0, 0, 0, 4], [-2, 3, 4], [0.5], "--tolerance", 1e-10)
        np.testing.assert_allclose(r, np.array([1, -1.5 / 10**0.5, -0.5 / 10**0.5]), atol=1e-9)

    def test_plus_slides_as_at_the_start(self) -> None:
        """Opposite to q_T; exactly so would be opposite to (3 - 0.5 c, 4 - 2 s), (c, s) the direction."""
        r = self.answer("simbody-plus", [2, 0, 0, 0, 1, 0, 0, 0, 4], [-2, 3, 4], [0.5])
        np.testing.assert_allclose(r, [1, -0.3, -0.4], atol=1e-9)

    def test_plus_may_keep_a_contact_outside_the_cone(self) -> None:
        """One that was at rest and has to slide, as ||d|| pi_T + mu pi_N d = 0 holds for d = 0, too."""
        r = self.answer("simbody-plus", [2, 0.5, 0, 0.5, 2, 0, 0, 0, 1], [-1, 0, 0], [0.1])
        np.testing.assert_allclose(r, [8 / 15, -2 / 15, 0], atol=1e-9)

    def test_problems(self) -> None:
        for record in self.peer_records(STICKS, TWO_LEVELS, "--solver", "simbody-pgs(tolerance=1e-11)", "--solver",
                                        "simbody-plus"):
            with self.subTest(record["solver"], problem=record["problem"]):
                self.assertEqual(record["status"], "converged")
                self.assertLess(record["verdict"]["ncp"]["relative"], 1e-6)

    def test_what_it_prints_is_no_part_of_results(self) -> None:
        rows = self.program("simulate", "sliding_box", "--steps", 3, "--peer", "simbody", "--solver", "simbody-pgs",
                            "--csv", "-", code=None).stdout.splitlines()
        self.assertEqual(len(rows), 1 + 3, rows)
        self.assertTrue(rows[0].startswith("step,"), rows[0])

    def test_iteration_limit(self) -> None:
        record, = self.peer_records(problem("Stack-mass_ratio1000-local-20-*"), "--solver", "simbody-pgs",
                                    "--max-iterations", 77)
        self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 77))

    def test_refusals(self) -> None:
        path = self.problem(np.eye(4503), [-1, 0, 0] * 1501, [0.5] * 1501)
        self.assert_refuses("simbody-plus", path, "dense: at most 1500 contacts")
        self.assert_refuses("simbody-pgs", problem("PushedBox2D-default-local-2-*"), "takes 3D problems only")


if __name__ == "__main__":
    unittest.main()
