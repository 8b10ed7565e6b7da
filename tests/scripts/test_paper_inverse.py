"""The arm of the document on inverse dynamics, and a real motion of few steps."""

import os
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import numpy as np
from support import TemporaryFolderTest

from frictionbench.papers import inverse as paper_inverse_document, inverse_measures as paper_inverse_measures
from frictionbench.papers.planar_arm import ARM, DURATION, GRAVITY, LOWEST, MU, STROKE, WALL, PlanarArm, Step, wanted_height

PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")
# Stands for a Python script: writes down how it was called.
SCRIPT = """import os, sys
with open(os.environ["LOG"], "a") as log:
    print(os.path.basename(sys.argv[0]), *sys.argv[1:], file=log)
sys.exit(int(os.environ.get("SCRIPT_EXIT", 0)))
"""


def derivative(function, x, size=1e-6):
    """Central differences: a column per entry of x."""
    steps = size * np.eye(len(x))
    return np.stack([(function(x + step) - function(x - step)) / (2 * size) for step in steps], axis=-1)


class Arm(unittest.TestCase):
    def setUp(self) -> None:
        self.q, self.v = np.array([0.7, -1.1, 0.4]), np.array([0.9, -1.7, 2.3])

    def kinetic(self, q, v):
        """From the velocities of points on the rods: two Gauss points are exact for a slender rod."""
        energy = 0.0
        for rod, mass in enumerate(ARM.masses):
            for place in (0.5 - 12**-0.5, 0.5 + 12**-0.5):
                speed = derivative(lambda x: ARM.joints(x)[rod] * (1 - place) + ARM.joints(x)[rod + 1] * place, q) @ v
                energy += mass / 4 * speed @ speed
        return energy

    def test_mass_matrix(self):
        self.assertAlmostEqual(self.v @ ARM.mass(self.q) @ self.v / 2, self.kinetic(self.q, self.v), places=7)
        self.assertGreater(np.linalg.eigvalsh(ARM.mass(self.q))[0], 0)

    def test_bias_is_that_of_lagrange(self):
        """h = M' v - d(kinetic energy)/dq + d(potential energy)/dq."""
        rate = derivative(lambda x: ARM.mass(x) @ self.v, self.q) @ self.v
        potential = derivative(lambda x: ARM.energy(x, np.zeros(3)), self.q)
        expected = rate - derivative(lambda x: self.v @ ARM.mass(x) @ self.v / 2, self.q) + potential
        np.testing.assert_allclose(ARM.bias(self.q, self.v), expected, atol=1e-6)
        heights = (ARM.joints(self.q)[1:, 1] + ARM.joints(self.q)[:-1, 1]) / 2
        self.assertAlmostEqual(ARM.energy(self.q, np.zeros(3)), GRAVITY * np.array(ARM.masses) @ heights)

    def test_energy_is_conserved_without_torques(self):
        def rate(state):
            q, v = state
            return np.array([v, np.linalg.solve(ARM.mass(q), -ARM.bias(q, v))])

        state, h = np.array([self.q, self.v]), 1e-3
        before = ARM.energy(*state)
        for _ in range(500):
            a = rate(state)
            b = rate(state + h / 2 * a)
            c = rate(state + h / 2 * b)
            state = state + h / 6 * (a + 2 * b + 2 * c + rate(state + h * c))
        self.assertGreater(np.abs(state[0] - self.q).max(), 0.5)
        self.assertAlmostEqual(ARM.energy(*state), before, places=5)

    def test_tip(self):
        np.testing.assert_allclose(ARM.tip_jacobian(self.q), derivative(ARM.tip, self.q), atol=1e-9)
        pendulum = PlanarArm((2.0,), (3.0,))
        np.testing.assert_allclose(pendulum.mass(np.zeros(1)), [[4.0]])  # m l^2 / 3
        np.testing.assert_allclose(pendulum.bias(np.zeros(1), np.ones(1)), [3 * GRAVITY])

    def test_reach(self):
        for height in (LOWEST, LOWEST + STROKE):
            q = ARM.reach(np.array([WALL, height]), 0.2)
            np.testing.assert_allclose(ARM.tip(q), [WALL, height], atol=1e-12)
            self.assertAlmostEqual(q.sum(), 0.2)
        with self.assertRaisesRegex(ValueError, "cannot be at 2, 0"):
            ARM.reach(np.array([2.0, 0.0]), 0.0)


class Steps(unittest.TestCase):
    def setUp(self) -> None:
        q = ARM.reach(np.array([WALL - 1e-3, wanted_height(0.2)]), 1e-3)
        self.step = Step(0.2, 1e-3, q, np.array([0.3, -0.2, 0.1]))

    def test_the_wanted_velocity_ends_on_the_wall(self):
        u = self.step.velocity(self.step.wanted)
        self.assertAlmostEqual(u[0], 0)
        self.assertGreater(u[1], 0.1)
        q = self.step.q + self.step.h * self.step.wanted
        np.testing.assert_allclose([*ARM.tip(q), q.sum()], [WALL, wanted_height(0.201), 0], atol=1e-5)

    def test_contact_velocity(self):
        """Normal first, and positive where the tip leaves the wall."""
        gap = self.step.velocity(np.zeros(3))
        np.testing.assert_allclose(gap, [1e-3 / self.step.h, 0], atol=1e-9)
        x, y = ARM.tip_jacobian(self.step.q) @ self.step.v
        np.testing.assert_allclose(self.step.velocity(self.step.v) - gap, [-x, y])

    def test_torque_and_impulse_give_the_wanted_velocity(self):
        r = np.array([0.02, -0.01])
        reached = np.linalg.solve(self.step.M, self.step.force(self.step.torque(r)) + self.step.H @ r)
        np.testing.assert_allclose(reached, self.step.wanted, atol=1e-12)

    def test_the_start_is_projected_on_the_wanted_impulse(self):
        ray = np.array([1, -MU]) / np.hypot(1, MU)
        self.assertAlmostEqual((self.step.start() @ ray * ray)[0], self.step.wanted_impulse())


@unittest.skipUnless(PROGRAM and os.environ.get("FRICTIONBENCH_PYTHON"),
                     "FRICTIONBENCH_PROGRAM and FRICTIONBENCH_PYTHON do not name the program and the folder of its Python module")
class Measured(TemporaryFolderTest):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            program = paper_inverse_measures.Program(os.path.abspath(PROGRAM), Path(folder))
            cls.moments = paper_inverse_measures.motion(program, DURATION / 8)
            cls.growth = paper_inverse_measures.growth(program, cls.moments[2].step, 1e-4)

    def test_forward_dynamics_finds_what_the_inverse_finds(self):
        for moment in self.moments:
            self.assertEqual((moment.found["converged"], moment.found["iterations"]), (True, 1))
            self.assertLess(paper_inverse_measures.normal_error(moment.step, moment.found), 1e-6)
            self.assertLess(moment.impulse_difference(), 1e-9)
            self.assertLess(moment.velocity_difference(), 1e-9)

    def test_warm_starts_lose_normal_force_where_sliding_reverses(self):
        normal = [moment.warm["ncp"]["r"][0] for moment in self.moments]
        kept = (1 - MU**2) / (1 + MU**2)
        np.testing.assert_allclose(normal, normal[0] * np.repeat([1, kept], 4), rtol=1e-6)

    def test_the_ccp_diverges(self):
        self.assertFalse(any(moment.warm["ccp"]["converged"] for moment in self.moments))
        normal = [self.growth.ccp[count]["r"][0] for count in (100, 200)]
        rate = paper_inverse_measures.predicted_rate(self.moments[2].step, 1e-4)
        self.assertAlmostEqual((normal[1] - normal[0]) / 100 / rate, 1)

    def test_document(self):
        for arguments in (("--program", os.path.abspath(PROGRAM), "--time-step", "0.125", "-o", "out"), ("-o", "again")):
            result = self.call_script(paper_inverse_document, "measured", *arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(*((self.folder / out / "inverse.md").read_bytes() for out in ("out", "again")))
        self.assertEqual({path.name for path in (self.folder / "out").iterdir()}, {"inverse.md", "inverse.svg", "inverse.png"})
        text = (self.folder / "out/inverse.md").read_text(encoding="utf-8")
        for words in ("| NCP, from the wanted force | 8 / 8 | 8 |", "| CCP, warm start | 0 / 8 | 800 |",
                      "in 8 steps of 125 ms", "Here it is in 8 of 8 steps", "0 of 50 calls", "20 N become 12 N", "| 1.000000 |"):
            self.assertIn(words, text)
        self.assertNotIn("nan", text)


class Refusals(TemporaryFolderTest):
    def test_bad_input(self):
        for step in ("0", "-0.1", "0.3", "x"):
            refused = self.call_script(paper_inverse_document, "out", "--program", "x", "--time-step", step, "-o", "out")
            self.assert_refused(refused, "--time-step")
        self.assert_refused(self.call_script(paper_inverse_document, "out", "--program", "none", "-o", "out"), "none")
        self.assertFalse((self.folder / "out").exists())

    def test_without_the_compiled_module(self):
        with unittest.mock.patch("frictionbench.native.load", side_effect=ImportError("build it by ...")):
            refused = self.call_script(paper_inverse_document, "out", "--program", "/bin/true", "-o", "out")
            self.assert_refused(refused, "build it by")


if __name__ == "__main__":
    unittest.main()
