"""frictionbench-plot: costs against facts of problems, and exponents."""

import math
import re
import unittest

import pandas
from support import TemporaryFolderTest, made_up_document

from frictionbench.plots import against
from frictionbench.plots.against import grouped_means
from frictionbench.plots.looks import GREY, Look
from frictionbench.profiles import command as profiles
from frictionbench.statistics import exponent


class Numbers(unittest.TestCase):
    def test_a_power_law(self):
        x = pandas.Series([1.0, 2, 4, 8, 16, 32])
        found = exponent(x, 3 * x**1.5, pandas.Series(range(6)))
        for value in found:
            self.assertAlmostEqual(value, 1.5)

    def test_time_steps_of_a_simulation_are_one_point(self):
        x = pandas.Series([1.0, 2, 4, 8, 16] + [16.0] * 50)
        y = pandas.Series([1.0, 2, 4, 8, 16] + [16.0] * 50)
        clusters = pandas.Series([0, 1, 2, 3] + [4] * 51)
        self.assertAlmostEqual(exponent(x, y, clusters).value, 1)
        self.assertIsNone(exponent(x, y, pandas.Series([0, 1, 2, 3] + [3] * 51)))  # four simulations are too few
        self.assertIsNone(exponent(pandas.Series([2.0] * 9), pandas.Series([1.0] * 9), pandas.Series(range(9))))

    def test_what_is_not_known_is_left_out(self):
        x = pandas.Series([1.0, 2, 4, 8, 16, 32, 64])
        y = (3 * x**1.5).where(x != 8)
        for found in (exponent(x, y, pandas.Series(range(7))), exponent(y, x, pandas.Series(range(7)))):
            self.assertTrue(all(math.isfinite(value) for value in found), found)
        self.assertAlmostEqual(exponent(x, y, pandas.Series(range(7))).value, 1.5)
        self.assertIsNone(exponent(x, y.where(x < 8), pandas.Series(range(7))), "three are too few")

    def test_where_nearly_all_are_equal_there_is_no_interval(self):
        x, y = pandas.Series([1.0] * 9 + [2.0]), pandas.Series([3.0] * 10)
        self.assertEqual(exponent(x, y, pandas.Series(range(10))), (0, None, None))
        self.assertEqual(against.told(exponent(x, y, pandas.Series(range(10)))), "exponent 0.00")

    def test_means_by_group(self):
        (first, one), (second, two) = grouped_means(pandas.Series([0.0, 0.5, 0.5]), pandas.Series([7.0, 2, 8]), False)
        self.assertEqual((first, second), (0, 0.5))
        self.assertAlmostEqual(one, 7)
        self.assertAlmostEqual(two, 4)


class Plot(TemporaryFolderTest):
    def document(self):
        document = made_up_document({"X": {"a": [1, 4, 9, 16, 25], "b": [2, 2, 2, 2, None]}})
        for place, problem in enumerate(document["problems"]):
            problem.update(contacts=place + 1, path=f"scene-{'vwxyz'[place]}.hdf5", condition=None)
        for record in document["records"]:
            contacts = int(record["problem"].partition("/")[2]) + 1
            record["states"] = {"sticking": 0, "sliding": contacts, "separated": 0}
        return document

    def plot(self, *arguments):
        return self.call_script(against, self.write("results.json", self.document()), "--force", *arguments)

    def test_exponents_and_points(self):
        result = self.plot("-o", "a.svg", "-o", "a.png", "--csv", "a.csv")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "a: exponent 2.00 (2.00 to 2.00), 5 problems\n")  # b solves four: too few
        rows = (self.folder / "a.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(rows[:3], ["solver,problem,contacts,time", "a,X/0,1.0,1.0", "a,X/1,2.0,4.0"])
        self.assertEqual(len(rows), 10)
        self.assertIn("exponent 2.00 (2.00 to 2.00)", (self.folder / "a.svg").read_text(encoding="utf-8"))

    def test_other_facts_and_costs(self):
        result = self.plot("--x", "sliding", "--y", "iterations", "--solvers", "b", "-o", "a.svg", "--csv", "a.csv")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertIn("b,X/3,1.0,20.0", (self.folder / "a.csv").read_text(encoding="utf-8"))

    def test_solvers_chosen_by_name_are_not_grey(self):
        costs = {f"s{k}": [float(k + 1), 2.0 * (k + 1)] for k in range(11)}
        results = self.write("results.json", made_up_document({"X": costs}))
        for program in (against, profiles):
            for choice, grey in ((["--solvers", "s(9|10)$"], False), (["--solvers", "s"], True)):
                with self.subTest(program=program.__name__, choice=choice):
                    self.assertEqual(self.call_script(program, results, *choice, "-o", "a.svg", "--force").returncode, 0)
                    lines = re.findall(f"stroke: {GREY}; stroke-width: 0.9", (self.folder / "a.svg").read_text(encoding="utf-8"))
                    self.assertEqual(bool(lines), grey)

    def test_a_mean_of_one_group_is_a_marker(self):
        points = {"one": pandas.DataFrame({"x": [8.0, 8.0], "y": [1.0, 4.0]}),
                  "two": pandas.DataFrame({"x": [8.0, 9.0], "y": [1.0, 4.0]})}
        figure = against.draw(points, {}, {"one": Look("ncp", 0), "two": Look("ncp", 1)}, "contacts", "time", "")
        lines = {line.get_label(): line for line in figure.axes[0].lines}
        self.assertEqual((list(lines["one"].get_ydata()), lines["one"].get_marker()), ([2], "D"))
        self.assertEqual(lines["two"].get_marker(), "None")

    def test_refusals(self):
        self.assert_refused(self.plot("-o", "a.svg", "--x", "condition"), "results.json", "condition", "--condition")
        self.assert_refused(self.plot("-o", "a.svg", "--solvers", "z"), "no solver", "a, b")
        self.assert_refused(self.plot("-o", "a.svg", "--families", "z"), "no problem", "X")
        self.assert_refused(self.plot("-o", "a.gif"), "a.gif")
        self.assertFalse((self.folder / "a.svg").exists())


if __name__ == "__main__":
    unittest.main()
