"""scripts/paper_motion.sh with stand-ins for what it builds and runs, the closed forms, and a real motion of few steps."""

import os
import tempfile
import unittest
from pathlib import Path

import numpy as np
from checkout_support import SCRIPT, CheckoutTest

from frictionbench.papers import motion_measures as measures, spring
from frictionbench.papers.inverse_measures import Program
from frictionbench.papers.motion import document, draw_drags, draw_slides, draw_steps
from frictionbench.papers.motion_measures import LIMIT, MASS, MU, SOLVERS, SPEED, drag, drag_error, jam, order, path, slide

PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")


class PaperMotion(CheckoutTest):
    def setUp(self) -> None:
        super().setUp()
        for name in ("motion", "spring"):
            self.program(self.root / f"scripts/frictionbench/papers/{name}.py", SCRIPT)

    def test_builds_and_leaves_everything_in_a_folder(self):
        result = self.call("paper_motion.sh", "--output-dir", "a", "--time-step=0.01")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        program = f"--program {self.root}/build/release/apps/frictionbench"
        self.assertEqual(self.calls()[-2:], [f"frictionbench-paper motion {program} --time-step 0.01 -o a",
                                             f"frictionbench-paper spring {program} -o a"])
        self.assertIn("a/l15.svg", result.stdout.splitlines())

    def test_bad_command_lines(self):
        self.assert_refused(self.call("paper_motion.sh", "--time-step"), "--time-step: the value is missing")
        self.assert_refused(self.call("paper_motion.sh", "folder"), "has no argument folder")
        self.assertEqual(self.calls(), [])


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
        motions = dict.fromkeys(cases, coarse)
        errors = dict.fromkeys(((scheme, solver) for _, scheme, solver in cases), [5e-3, 4e-3, 3e-3, 2e-3, 1e-3])
        text = spring.document(motions, motions, errors, "0.1.0")
        for part in ("d6.svg", "d7.svg", "midpoint rule, ccp-sap", "peak to peak"):
            self.assertIn(part, text)
        self.assertEqual(len(spring.draw_energies(motions, motions).axes), 4)
        self.assertEqual(len(spring.draw_errors(errors).axes), 2)

    def test_text_and_pictures(self):
        text = document(self.slides, self.drags, self.steps, self.drags["NCP"], "0.1.0")
        for part in ("| RaiSim: raisim |", "closed form", "l10.svg", "l12.svg", "l15.svg", "proportional to Δt"):
            self.assertIn(part, text)
        for picture, panels in ((draw_slides(self.slides), 3), (draw_drags(self.drags), 5), (draw_steps(self.steps), 2)):
            self.assertEqual(len(picture.axes), panels)
