"""The peer siconos: the 3D solvers of Siconos Numerics, of the local and the global form."""

from __future__ import annotations

import unittest

import numpy as np
from peers import FRICTIONLESS, SEPARATING, SLIDING, SLIDING_ON_CONE, STICKING, PeerTest
from program import problem

NSGS = [f"siconos-nsgs{local}" for local in ("", "-full", "-ac-direct", "-ac", "-projection", "-projection-iterated",
                                             "-projection-regularized", "-projection-diagonal", "-quartic-nu")]
NEWTON = [f"siconos-nsn-{kind}" for kind in ("ac", "ac-csparse", "ac-dense", "ac-test", "nm")]
OTHERS = [f"siconos-{kind}" for kind in ("prox", "prox-reg", "tfp", "pfp", "aclmfp", "admm", "admm-br", "dsfp-scaled",
                                         "eg", "fpp", "vi-eg", "vi-fpp")]
NEED_DIAGONAL = [f"siconos-{kind}" for kind in ("nsgs", "nsgs-full", "nsgs-ac-direct", "nsgs-ac",
                                                "nsgs-projection-diagonal")]
GLOBAL = problem("Pyramid-default-global-*")


class SiconosTest(PeerTest):
    peer = "siconos"

    def test_one_contact(self) -> None:
        for solver in NSGS + NEWTON + OTHERS:
            self.assert_answers(solver, STICKING, SLIDING, SEPARATING, FRICTIONLESS, SLIDING_ON_CONE, accuracy=1e-6)
        self.assert_answers("siconos-nsgs-quartic", STICKING, SEPARATING, FRICTIONLESS)
        self.assert_answers("siconos-nsn-fb", STICKING, SLIDING, SEPARATING, SLIDING_ON_CONE, accuracy=1e-6)
        self.assert_answers("siconos-hp", SEPARATING)

    def test_one_convex_contact(self) -> None:
        """u_N = 2 r_N - 2 = 0.5 |u_T|, u_T = 3 - 0.5 r_N: r_N = 14 / 9. Its driver would answer r = 0 to q_N = 1."""
        sliding = [-2, 3, 0], 0.5, [14 / 9, -7 / 9, 0]
        pressed_by_friction = [1, 3, 0], 0.5, [2 / 9, -1 / 9, 0]
        self.assert_answers("siconos-soclcp", STICKING, sliding, pressed_by_friction, FRICTIONLESS, accuracy=1e-6)

    def test_unsymmetric_W(self) -> None:
        """Sticking: W r = -q."""
        W = np.array([[1, 0.3, 0], [-0.3, 1, 0.1], [0, 0, 1]])
        q = np.array([-1, 0.3, 0.4])
        for solver in ("siconos-nsgs", "siconos-nsn-ac", "siconos-vi-eg", "siconos-prox"):
            r = self.answer(solver, W, q, [1], "--tolerance", 1e-9)
            np.testing.assert_allclose(r, -np.linalg.solve(W, q), atol=1e-7)

    def test_problems(self) -> None:
        names = "Stack-boxes2-local-8-*", "SlidingBox-direction20-local-4-*", "Wall-rows3-columns2-ball_mass10-local-*"
        for record in self.peer_records(*map(problem, names), "--solver", "siconos-nsgs(tolerance=1e-9)", "--solver",
                                        "siconos-nsn-ac-test(tolerance=1e-9)"):
            with self.subTest(record["solver"], problem=record["problem"]):
                self.assertEqual(record["status"], "converged")
                self.assertLess(record["verdict"]["ncp"]["relative"], 1e-6)
                self.assertLess(record["reported"]["own error"], 1e-9)

    def test_the_global_form(self) -> None:
        names = "nsgs-wr", "admm-br", "ipm", "ipm-s"
        records = self.peer_records(GLOBAL, *(word for name in names for word in (
            "--solver", f"siconos-global-{name}(tolerance=1e-9)")), "--criterion", "native")
        self.assertEqual(len(records), len(names))
        for record in records:
            with self.subTest(record["solver"]):
                self.assertEqual(record["status"], "converged")
                model = "ccp" if "ipm(" in record["solver"] else "ncp"
                self.assertLess(record["verdict"][model]["relative"], 1e-6)

    def test_limits(self) -> None:
        path = problem("Stack-mass_ratio10000-local-20-*")
        record, = self.peer_records(path, "--solver", "siconos-nsgs", "--max-iterations", 77)
        self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 77))
        for solver in ("siconos-nsgs", "siconos-prox", "siconos-tfp"):
            record, = self.run_document(path, *self.arguments, "--solver", f"{solver}(tolerance=1e-300)",
                                        "--time-limit", 0.2, "--max-iterations", 2**30)["records"]
            with self.subTest(solver):
                self.assertEqual((record["status"], record["message"]), ("time_limit", None))
                self.assertGreater(record["impulse_norm"], 0)

    def test_a_zero_on_the_diagonal(self) -> None:
        """The block of the second contact is zero; the first one sticks."""
        path = self.problem(np.diag([1.0, 1, 1, 0, 0, 0]), [-1, 0.3, 0.4, 1, 0, 0], [1, 0.5])
        for solver in NEED_DIAGONAL:
            self.assert_refuses(solver, path, "W has no positive diagonal at contact 1")
        for record in self.peer_records(path, "--solver", "siconos-*", "--tolerance", 1e-5,
                                        *(word for name in NEED_DIAGONAL for word in ("--exclude", name))):
            self.assertNotEqual(record["status"], "crashed", record["solver"])
            if record["solver"] in ("siconos-vi-eg", "siconos-prox", "siconos-admm", "siconos-nsgs-quartic-nu"):
                self.assertEqual(record["status"], "converged", record["solver"])

    def test_refusals(self) -> None:
        path = self.problem(np.eye(3003), [-1, 0, 0] * 1001, [0.5] * 1001)
        self.assert_refuses("siconos-nsn-ac-dense", path, "dense: at most 1000 contacts")
        self.assert_refuses("siconos-nsgs", problem("PushedBox2D-default-local-2-*"), "takes 3D problems only")
        for solver in ("nsgs-wr", "nsn-ac-wr", "nsn-ac", "admm", "admm-br", "ipm", "ipm-s"):
            self.assert_refuses(f"siconos-global-{solver}", path, "needs the global form")
        frictionless = problem("PackedSpheres-mu0-global-118-*")
        for solver in ("siconos-global-ipm", "siconos-global-ipm-s"):
            self.assert_refuses(solver, frictionless, "divides by mu: needs mu > 0")
        record, = self.peer_records(GLOBAL, "--solver", "siconos-global-admm", "--compliance", 1e-3)
        self.assertEqual(record["message"], "the global form has no compliance")


if __name__ == "__main__":
    unittest.main()
