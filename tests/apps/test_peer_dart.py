"""The peer dart: boxed and plain LCPs."""

from __future__ import annotations

import unittest

import numpy as np
from peers import FRICTIONLESS, SEPARATING, SLIDING, SLIDING_ON_PYRAMID, STICKING, PeerTest
from program import problem

SOLVED = [problem(name) for name in ("SlidingBox-direction20-local-4-*", "PushedBox-push1.05-direction30-local-4-*",
                                     "PushedBox2D-push1.5-local-2-*", "Wall-rows3-columns2-ball_mass10-local-*")]


class DartTest(PeerTest):
    peer = "dart"

    def test_one_contact(self) -> None:
        cases = STICKING, SLIDING, SEPARATING, FRICTIONLESS, SLIDING_ON_PYRAMID
        for solver in ("dart-dantzig", "dart-pgs", "dart-lemke"):
            self.assert_answers(solver, *cases)
        for solver in ("dart-dantzig-cfm", "dart-dantzig-pgs"):
            self.assert_answers(solver, *cases, accuracy=1e-4)

    def test_constraint_force_mixing_is_a_compliance(self) -> None:
        """Of 1e-5 times the diagonal."""
        r = self.answer("dart-dantzig-cfm", [2, 0, 0, 0, 1, 0, 0, 0, 1], [-2, 0.25, -0.5], [1])
        np.testing.assert_allclose(r, np.array([1, -0.25, 0.5]) / (1 + 1e-5), atol=1e-15)

    def test_dantzig_bounds_friction_by_the_first_normal_impulse(self) -> None:
        """As in test_peer_bullet.py."""
        W = [2, 0.5, 0, 0.5, 2, 0, 0, 0, 1]
        r = self.answer("dart-dantzig", W, [-1, 2, 0], [0.3])
        np.testing.assert_allclose(r, [0.5375, -0.15, 0], atol=1e-12)
        normal = 1 / 1.85
        for solver in ("dart-pgs", "dart-lemke"):
            r = self.answer(solver, W, [-1, 2, 0], [0.3], "--tolerance", 1e-12)
            np.testing.assert_allclose(r, [normal, -0.3 * normal, 0], atol=1e-11)

    def test_problems(self) -> None:
        for record in self.peer_records(*SOLVED, "--criterion", "lcp", "--solver", "dart-lemke", "--solver",
                                        "dart-pgs(tolerance=1e-9)"):
            with self.subTest(record["solver"], problem=record["problem"]):
                self.assertEqual(record["status"], "converged")
                self.assertLess(record["verdict"]["lcp"]["relative"], 1e-8)

    def test_pgs_takes_over_where_dantzig_fails(self) -> None:
        path = problem("SlidingBox-speed0-slope25-local-4-*")
        first, both = self.peer_records(path, "--solver", "dart-dantzig-cfm", "--solver", "dart-dantzig-pgs")
        self.assertEqual(first["status"], "stalled")
        self.assertEqual(first["impulse_norm"], 0)
        self.assertGreater(both["impulse_norm"], 0)
        self.assertLess(both["verdict"]["lcp"]["relative"], 1e-3)

    def test_it_stops_at_its_limits(self) -> None:
        path = problem("Stack-mass_ratio10000-local-20-*")
        record, = self.peer_records(path, "--solver", "dart-pgs", "--max-iterations", 77)
        self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 77))
        record, = self.run_document(path, *self.arguments, "--solver", "dart-pgs(tolerance=1e-300)", "--time-limit",
                                    0.2, "--max-iterations", 2**30)["records"]
        self.assertEqual(record["status"], "time_limit")
        self.assertGreater(record["iterations"], 77)

    def test_refusals(self) -> None:
        path = self.problem(np.diag([1.0, 1, 0]), [-1, 0, 0], [0.5])
        for solver in ("dart-dantzig", "dart-dantzig-cfm", "dart-dantzig-pgs"):
            self.assert_refuses(solver, path, "W has no positive diagonal at contact 0")
        path = self.problem(np.eye(3003), [-1, 0, 0] * 1001, [0.5] * 1001)
        self.assert_refuses("dart-lemke", path, "dense: at most 1000 contacts")


if __name__ == "__main__":
    unittest.main()
