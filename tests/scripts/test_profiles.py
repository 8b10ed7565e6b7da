"""Performance profiles against numbers worked out by hand."""

import math
import unittest

from support import TemporaryFolderTest, factorizations, made_up_document

from frictionbench.files import ResultsError
from frictionbench.profiles import ALL_FAMILIES, Profile, family_profiles, performance_profiles
from frictionbench.results import load

INF = math.inf


class Numbers(unittest.TestCase):
    def test_by_hand(self):
        # best:                                1    2    3    4  (nobody)
        profiles = performance_profiles({"a": [1.0, 4.0, 3.0, INF, INF],
                                         "b": [2.0, 2.0, 9.0, 4.0, INF]})
        self.assertEqual(profiles["a"].ratios, (1, 1, 2))
        self.assertEqual(profiles["b"].ratios, (1, 1, 2, 3))
        self.assertEqual(profiles["a"].steps(), [(1, 2), (2, 3)])
        self.assertEqual(profiles["b"].steps(), [(1, 2), (2, 3), (3, 4)])
        self.assertEqual(profiles["a"].share(1), 0.4)
        self.assertEqual(profiles["b"].share(1.99), 0.4)
        self.assertEqual(profiles["b"].share(2), 0.6)
        self.assertEqual(profiles["b"].share(), 0.8)  # the problem that no solver solves counts

    def test_ties(self):
        profiles = performance_profiles({"a": [0.1, 0.3, 2.0], "b": [0.1, 0.3, 1.0], "c": [0.2, 0.6, 2.0]})
        self.assertEqual(profiles["a"].ratios, (1, 1, 2))
        self.assertEqual(profiles["b"].ratios, (1, 1, 1))
        self.assertEqual(profiles["c"].steps(), [(1, 0), (2, 3)])  # three ratios of 2 are one step

    def test_one_solver_is_the_best_wherever_it_solves(self):
        profile = performance_profiles({"a": [5.0, INF, 7.0, 0.01]})["a"]
        self.assertEqual(profile.steps(), [(1, 3)])
        self.assertEqual(profile.share(1), 0.75)

    def test_one_problem(self):
        profiles = performance_profiles({"a": [3.0], "b": [1.5]})
        self.assertEqual(profiles["a"].steps(), [(1, 0), (2, 1)])
        self.assertEqual(profiles["b"].steps(), [(1, 1)])

    def test_all_failed(self):
        profiles = performance_profiles({"a": [INF, INF], "b": [INF, INF]})
        self.assertEqual(profiles, {"a": Profile(2, ()), "b": Profile(2, ())})
        self.assertEqual(profiles["a"].steps(), [(1, 0)])
        self.assertEqual(profiles["a"].share(), 0)

    def test_no_problems(self):
        self.assertEqual(performance_profiles({"a": []})["a"].share(), 0)

    def test_refuses_what_has_no_profile(self):
        for measures in ({"a": [1.0], "b": [1.0, 2.0]}, {"a": [0.0]}, {"a": [-1.0]}, {"a": [math.nan]}):
            with self.subTest(measures), self.assertRaises(ValueError):
                performance_profiles(measures)


class Documents(TemporaryFolderTest):
    def profiles(self, costs, by="time", criterion=None, change=None):
        document = made_up_document(costs)
        if change:
            change(document)
        results = load(self.write("results.json", document))
        return family_profiles(results, results.problems, results.solvers, by, criterion)

    def test_families_and_all_of_them(self):
        panels = self.profiles({"X": {"a": [1, 2], "b": [2, None]}, "Y": {"a": [None], "b": [4]}})
        self.assertEqual(list(panels), [ALL_FAMILIES, "X", "Y"])
        self.assertEqual(panels["X"]["a"], Profile(2, (1, 1)))
        self.assertEqual(panels["X"]["b"], Profile(2, (2,)))
        self.assertEqual(panels["Y"]["a"], Profile(1, ()))
        self.assertEqual(panels[ALL_FAMILIES]["b"], Profile(3, (1, 2)))

    def test_a_single_family_has_no_panel_of_all(self):
        self.assertEqual(list(self.profiles({"X": {"a": [1]}})), ["X"])

    def test_counts(self):
        costs = {"X": {"a": [1, 2], "b": [3, 1]}}
        for by in ("iterations", "factorizations"):
            self.assertEqual(self.profiles(costs, by)["X"]["a"], Profile(2, (1, 2)))

    def test_a_count_of_none_is_taken_as_one(self):
        def change(document):
            document["records"][0]["work"]["factorizations"] = factorizations(0)

        panel = self.profiles({"X": {"a": [1], "b": [0.05]}}, "factorizations", change=change)["X"]
        self.assertEqual(panel["a"], Profile(1, (1,)))
        self.assertEqual(panel["b"], Profile(1, (5,)))

    def test_criterion(self):
        costs = {"X": {"a": [1], "b": [2]}}
        self.assertEqual(self.profiles(costs, criterion="ncp")["X"]["b"].share(), 1)
        self.assertEqual(self.profiles(costs, criterion="ccp")["X"]["b"].share(), 0)

    def test_a_solve_that_was_not_timed_has_no_time(self):
        def change(document):
            document["records"][0]["time"]["solve"] = None

        costs = {"X": {"a": [1], "b": [2]}}
        with self.assertRaisesRegex(ResultsError, "a on X/0 was not timed"):
            self.profiles(costs, change=change)
        self.assertEqual(self.profiles(costs, "iterations", change=change)["X"]["b"].ratios, (2,))


if __name__ == "__main__":
    unittest.main()
