"""Closed forms of bodies in motion, and real motions of few steps."""

import json
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

from frictionbench.papers import motion_measures as measures, spring
from frictionbench.papers.inverse_measures import Program
from frictionbench.papers.motion import document, draw_drags, draw_slides, draw_steps
from frictionbench.papers.motion_measures import LIMIT, MASS, MU, SOLVERS, SPEED, drag, drag_error, jam, order, path, slide

PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")


class ClosedForms(unittest.TestCase):
    def test_they_are_integrals_of_one_another(self):
        times = np.linspace(0, 1, 100001)
        for distance, speed in ((measures.dragged(times), measures.dragged_speed(times)),
                                (measures.slid(times), np.sqrt(2 * measures.sliding_energy(times) / MASS))):
            np.testing.assert_allclose(np.gradient(distance, times)[1:-1], speed[1:-1], atol=1e-4)

    def test_where_they_end(self):
        self.assertAlmostEqual(measures.slid(np.array([9.0]))[0], SPEED**2 / (2 * MU * measures.GRAVITY))
        self.assertEqual(measures.dragged(np.array([LIMIT / measures.GROWTH]))[0], 0)


@unittest.skipUnless(PROGRAM, "FRICTIONBENCH_PROGRAM is not set")
class RealMotions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        program = Program(PROGRAM, Path(cls.folder.name))
        cls.slides = {name: slide(program, solver, 0.01) for name, solver in SOLVERS.items()}
        cls.drags = {name: drag(program, solver, 0.01) for name, solver in SOLVERS.items()}
        cls.steps = {name: [cls.drags[name], drag(program, solver, 0.005)] for name, solver in SOLVERS.items()}

    def test_models_differ_as_they_must(self):
        along, across = path(self.slides["NCP"])
        self.assertAlmostEqual(along[-1], measures.slid(np.array([1.0]))[0], delta=0.01 * SPEED)
        self.assertLess(abs(across[-1]), 1e-7)
        self.assertLess(path(self.slides["LCP"])[1][-1], -0.01)
        self.assertGreater(self.slides["CCP"].heights.max(), 0.005)
        self.assertLess(self.slides["NCP"].heights.max(), 1e-8)
        self.assertLess(jam(self.drags["NCP, ADMM"], True), 1e-6)
        self.assertGreater(jam(self.drags["NCP"], True), 0.1)
        self.assertGreater(jam(self.drags["RaiSim"], False), 0.1)
        self.assertLess(drag_error(self.drags["NCP"]), drag_error(self.drags["RaiSim"]) / 10)
        self.assertGreater(order(self.steps["NCP"]), 0.9)

    def test_a_cylinder_on_a_spring(self):
        program = Program(PROGRAM, Path(self.folder.name))
        fine, coarse = (spring.roll(program, 1.0, "midpoint", "ncp-hybrid", step, 1.0) for step in (0.01, 0.02))
        self.assertLess(np.ptp(coarse.energies), 1e-6)
        self.assertAlmostEqual(spring.position_error(coarse) / spring.position_error(fine), 4, delta=0.5)
        implicit = spring.roll(program, 1.0, "implicit", "ncp-hybrid", 0.02, 1.0)
        self.assertLess(implicit.energies[-1], 0.1)
        self.assertIsNotNone(spring.decay(implicit))
        self.assertIsNone(spring.decay(coarse))
        # A frame of every case: what is written and drawn does not depend on how long it was.
        cases = [(mu, scheme, solver) for mu in (0.0, 1.0) for scheme in spring.SCHEMES for solver in spring.SOLVERS]
        energies = dict.fromkeys(cases, spring.Energy.of(coarse))
        errors = dict.fromkeys(((scheme, solver) for _, scheme, solver in cases), [5e-3, 4e-3, 3e-3, 2e-3, 1e-3])
        text = spring.document(energies, errors, "0.1.0")
        for part in ("d6.svg", "d7.svg", "midpoint rule, ccp-sap", "peak to peak",
                     "with `ccp-sap` symplectic Euler not in 600 s, midpoint rule not in 600 s"):
            self.assertIn(part, text)
        self.assertEqual(len(spring.draw_energies(energies).axes), 4)
        self.assertEqual(len(spring.draw_errors(errors).axes), 2)

    def test_what_is_kept_is_enough(self):
        for name, motion in self.drags.items():
            kept = measures.Motion(json.loads(json.dumps(motion.kept())))
            for what in ("times", "positions", "step_times", "energies", "speeds", "sideways"):
                np.testing.assert_array_equal(getattr(kept, what), getattr(motion, what), f"{name}, {what}")
            short = measures.Motion(motion.kept(steps=False))
            self.assertEqual((drag_error(short), short.heights.max()), (drag_error(motion), motion.heights.max()))

    def test_text_and_pictures(self):
        text = document(self.slides, self.drags, self.steps, self.drags["NCP"], "0.1.0")
        for part in ("| RaiSim: raisim |", "closed form", "l10.svg", "l12.svg", "l15.svg", "proportional to Δt"):
            self.assertIn(part, text)
        for picture, panels in ((draw_slides(self.slides), 3), (draw_drags(self.drags), 5), (draw_steps(self.steps), 2)):
            self.assertEqual(len(picture.axes), panels)
