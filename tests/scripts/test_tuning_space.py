"""SPACE.toml of scripts/frictionbench/tuning: what it may say, and what is said of a bad one."""

import random
import unittest

from support import SCRIPTS, TemporaryFolderTest
from tuning_support import SPACE

from frictionbench.files import ResultsError
from frictionbench.tuning.space import Choices, Range, spell
from frictionbench.tuning.space_file import load_space


class Settings(unittest.TestCase):
    def test_choices(self):
        choices = Choices("a", (1, 2, 4))
        self.assertEqual(choices.others(2), [1, 4])
        self.assertEqual(choices.others(3), [1, 2, 4])  # a default that is not among them
        numbers = random.Random(0)
        self.assertEqual({choices.draw(numbers) for _ in range(100)}, {1, 2, 4})

    def test_linear_range(self):
        setting = Range("a", 0.0, 1.0, "linear", 4)
        self.assertEqual(setting.others(0.5), [0.25, 0.75])
        self.assertEqual(setting.others(0.9), [0.65, 1.0])
        self.assertEqual(setting.others(1.0), [0.75])
        self.assertEqual(setting.others(7.0), [0.75, 1.0])  # a default outside

    def test_logarithmic_range(self):
        setting = Range("a", 0.01, 100.0, "log", 4)
        self.assertEqual(setting.others(1.0), [0.1, 10.0])
        numbers = random.Random(0)
        drawn = [setting.draw(numbers) for _ in range(1000)]
        self.assertTrue(all(0.01 <= value <= 100 for value in drawn))
        self.assertAlmostEqual(sum(value < 1 for value in drawn) / 1000, 0.5, delta=0.05)
        self.assertTrue(all(value == float(f"{value:.3g}") for value in drawn))

    def test_whole_range(self):
        setting = Range("a", 1, 5, "linear", 4)
        numbers = random.Random(0)
        self.assertEqual({setting.draw(numbers) for _ in range(100)}, {1, 2, 3, 4, 5})
        self.assertEqual(setting.others(3), [2, 4])

    def test_spelling(self):
        self.assertEqual([spell(value) for value in (1e-6, 0.05, 10.0, 3, True, "linear", 0.1234567891)],
                         ["1e-6", "0.05", "10", "3", "true", "linear", "0.1234567891"])


class Files(TemporaryFolderTest):
    def load(self, text):
        return load_space(self.write("space.toml", text))

    def test_good(self):
        more = ('[fixed]\nstop = "verified"\nfast = true\n[default]\na = 7\n'
                '[families]\nBoxes = ["BoxStacks", "BoxesStack"]\n')
        space = self.load(SPACE + 'b = { low = 1, high = 100, scale = "log", steps = 2 }\n' + more)
        self.assertEqual(space.solver, "made-up")
        self.assertEqual(space.settings, (Choices("a", (0, 1, 2)), Range("b", 1, 100, "log", 2)))
        self.assertEqual(space.spec((2, 10)), "made-up(stop=verified,fast=true,a=2,b=10)")
        self.assertEqual(space.default, {"a": 7})
        self.assertEqual((space.limits.tolerances, space.limits.criterion), ((1e-6,), "ncp"))
        self.assertEqual(space.sample.families, {"Boxes": ("BoxStacks", "BoxesStack")})
        self.assertEqual((space.score.weights["factorizations"], space.score.weights["products"]), (1, 0))

    def test_the_space_that_ships(self):
        space = load_space(SCRIPTS / "frictionbench/tuning/ncp-admm.toml")
        self.assertEqual(space.solver, "ncp-admm")
        self.assertIn("anderson", [setting.name for setting in space.settings])
        self.assertEqual(space.limits.tolerances, (1e-6, 1e-8))

    def test_bad(self):
        for good, bad, words in (
            ('solver = "made-up"\n', "", "`solver` is missing"),
            ('solver = "made-up"', "solver = 3", "`solver` is 3; it must be text"),
            ("[run]", "[runs]", "`run` is missing"),
            ("[run]", "[extra]\n[run]", "`extra` is not a key"),
            ("tolerances = [1e-6]", "tolerances = []", "`run.tolerances` is []"),
            ("tolerances = [1e-6]", "tolerances = [1e-6, -1]", "`run.tolerances` is"),
            ("max_iterations", "criterion = 'ncq'\nmax_iterations", "`run.criterion` is 'ncq'; it must be one"),
            ("max_iterations = 100", "max_iterations = 1.5", "`run.max_iterations` is 1.5"),
            ("time_limit = 10", "time_limit = nan", "`run.time_limit` is nan"),
            ("time_limit = 10", "time_limt = 10", "`run.time_limit` is missing"),
            ("problems_per_family = 5", "problems_per_family = 0", "`sample.problems_per_family` is 0"),
            ("seed = 1\nproblems", "seed = 1\nfilter = '('\nproblems", "`sample.filter` is '('"),
            ("candidates = 20", "candidates = true", "`search.candidates` is True"),
            ("passes = 1", "passes = 1\npace = 2", "`search.pace` is not a key of this table; known: seed, candidates"),
            ("unsolved = 10000", "unsolved = 0", "`score.unsolved` is 0; it must be > 0"),
            ("factorizations = 1", "factorisations = 1", "`score.weights.factorisations` is not a key"),
            ("factorizations = 1", "factorizations = -1", "`score.weights.factorizations` is -1"),
            ("factorizations = 1", "factorizations = 0", "`score.weights` has no weight > 0"),
            ("a = [0, 1, 2]", "", "`settings` is empty"),
            ("a = [0, 1, 2]", "a = 3", "`settings.a` is 3; it must be a list"),
            ("a = [0, 1, 2]", "a = [0, 1, 1.0]", "`settings.a` is"),
            ("a = [0, 1, 2]", "a = [0, [1]]", "`settings.a` is"),
            ("a = [0, 1, 2]", "a = { low = 2, high = 1 }", "`settings.a.high` is 1; it must be > low"),
            ("a = [0, 1, 2]", "a = { low = 0, high = 1, scale = 'log' }", "`settings.a.low` is 0"),
            ("a = [0, 1, 2]", "a = { low = 0, high = 1, step = 3 }", "`settings.a.step` is not a key"),
            ("a = [0, 1, 2]", "a = [0, 1, 2]\n[fixed]\na = 1", "`fixed.a` is in `settings` too"),
            ("a = [0, 1, 2]", "a = [0, 1, 2]\n[default]\nb = 1", "`default.b` is not in `settings`: a"),
            ("a = [0, 1, 2]", "a = [0, 1, 2]\n[families]\nX = ['p']\nY = ['p']", "`families.Y` has 'p'"),
            ("a = [0, 1, 2]", "a = [", "not a TOML file"),
        ):
            with self.subTest(bad):
                self.assertIn(good, SPACE)
                with self.assertRaises(ResultsError) as failure:
                    self.load(SPACE.replace(good, bad, 1))
                message = str(failure.exception)
                self.assertIn(words, message)
                self.assertIn("space.toml", message)
                self.assertNotIn("\n", message)

    def test_no_file(self):
        with self.assertRaisesRegex(ResultsError, "absent.toml: No such file"):
            load_space(self.folder / "absent.toml")


if __name__ == "__main__":
    unittest.main()
