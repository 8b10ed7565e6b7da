"""The peer bullet: boxed LCPs through Bullet's MLCP interface."""

from __future__ import annotations

import unittest

import numpy as np
from peers import FRICTIONLESS, SEPARATING, SLIDING, SLIDING_ON_PYRAMID, STICKING, PeerTest
from program import problem

PGS_SOLVES = [problem(name) for name in ("SlidingBox-direction20-local-4-*", "Stack-boxes2-local-8-*",
                                         "Wall-rows3-columns2-ball_mass10-local-*")]


class BulletTest(PeerTest):
    peer = "bullet"

    def test_one_contact(self) -> None:
        for solver in ("bullet-dantzig", "bullet-pgs"):
            self.assert_answers(solver, STICKING, SLIDING, SEPARATING, FRICTIONLESS, SLIDING_ON_PYRAMID)
        self.assert_answers("bullet-lemke-pyramid", STICKING, SLIDING, SEPARATING, SLIDING_ON_PYRAMID)
        self.assert_answers("bullet-lemke", STICKING, SLIDING, SLIDING_ON_PYRAMID)

    def test_lemke_takes_mu_for_the_friction(self) -> None:
        """As btLemkeSolver ignores the dependency, |r_T| <= mu holds whatever the normal impulse."""
        q, mu, _ = SEPARATING
        self.assertEqual(self.answer("bullet-lemke", [2, 0, 0, 0, 1, 0, 0, 0, 1], q, [mu]), [0, -0.5, -0.5])

    def test_dantzig_bounds_friction_by_the_first_normal_impulse(self) -> None:
        """r_N is 0.5 without friction, and so friction 0.15; it is 0.5375 with it, where 0.16125 would be possible."""
        W = [2, 0.5, 0, 0.5, 2, 0, 0, 0, 1]
        r = self.answer("bullet-dantzig", W, [-1, 2, 0], [0.3])
        np.testing.assert_allclose(r, [0.5375, -0.15, 0], atol=1e-12)
        normal = 1 / 1.85
        r = self.answer("bullet-pgs", W, [-1, 2, 0], [0.3], "--tolerance", 1e-12)
        np.testing.assert_allclose(r, [normal, -0.3 * normal, 0], atol=1e-12)

    def test_its_pgs_solves_problems(self) -> None:
        records = self.peer_records(*PGS_SOLVES, "--criterion", "lcp", "--solver", "bullet-pgs(tolerance=1e-12)")
        for record in records:
            self.assertEqual(record["status"], "converged", record["problem"])
            self.assertLess(record["verdict"]["lcp"]["relative"], 1e-6)
            self.assertLess(record["reported"]["least squares residual"], 1e-24)

    def test_it_stops_at_its_limits(self) -> None:
        path = problem("Stack-mass_ratio10000-local-20-*")
        record, = self.peer_records(path, "--solver", "bullet-pgs", "--max-iterations", 77)
        self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 77))
        record, = self.run_document(path, *self.arguments, "--solver", "bullet-pgs(tolerance=1e-300)", "--time-limit",
                                    0.2, "--max-iterations", 2**30)["records"]
        self.assertEqual(record["status"], "time_limit")
        self.assertGreater(record["iterations"], 77)

    def test_refusals(self) -> None:
        path = self.problem(np.diag([1.0, 1, 0]), [-1, 0, 0], [0.5])
        for solver in ("bullet-dantzig", "bullet-pgs", "bullet-lemke"):
            self.assert_refuses(solver, path, "W has no positive diagonal at contact 0")
        path = self.problem(np.eye(3003), [-1, 0, 0] * 1001, [0.5] * 1001)
        for solver in ("bullet-lemke", "bullet-lemke-pyramid"):
            self.assert_refuses(solver, path, "dense: at most 1000 contacts")


if __name__ == "__main__":
    unittest.main()
