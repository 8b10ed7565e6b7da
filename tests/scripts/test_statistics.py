"""Statistics of results, against numbers worked out by hand or by SciPy, and what must not change them."""

import itertools
import math
import unittest

import numpy
import pandas
import scipy.stats
from support import TemporaryFolderTest, made_up_document

from frictionbench.files import ResultsError
from frictionbench.profiles import nested_profiles, performance_profiles
from frictionbench.results import SIZE_CLASSES, frame
from frictionbench.statistics import (
    contributions, costs, geometric_mean, mean_interval, paired, paired_by, penalised_means, share_interval,
    shifted_geometric_mean, simulations, strata, times_to_targets, verified_shares, virtual_best,
)

COSTS = {"Chain": {"a": [0.1, None, 0.3], "b": [0.2, 0.4, None]}, "Soup": {"a": [None], "b": [0.2]}}
TABLE = pandas.DataFrame({"a": [1.0, 2.0, 8.0, math.inf], "b": [2.0, 1.0, math.inf, math.inf], "c": [4.0, 8.0, 16.0, 3.0]},
                         index=["p", "q", "r", "s"])


class Rows(TemporaryFolderTest):
    def rows(self, families=COSTS, change=lambda made: None, name="a.json", **run):
        made = made_up_document(families)
        made["run"] |= run
        change(made)
        return frame(self.write(name, made))


class Shares(Rows):
    def many(self, steps=1):
        """Ten simulations, a solves the first seven; of each so many time steps."""
        families = {"Pile": {"a": [0.1] * 7 * steps + [None] * 3 * steps, "b": [0.2] * 10 * steps}}

        def named(made):
            for index, problem in enumerate(made["problems"]):
                problem["path"] = f"pile{index // steps}x-{index % steps:05}.hdf5"
        return self.rows(families, named)

    def test_share_and_interval_by_hand(self):
        table = verified_shares(self.many())
        self.assertEqual(table.loc["a", ["problems", "simulations", "solved"]].tolist(), [10, 10, 7])
        self.assertAlmostEqual(table.loc["a", "share"], 0.7)
        # The mean of ten draws is binomial: quantiles of B(10, 0.7) / 10.
        for name, quantile in (("low", 0.025), ("high", 0.975)):
            self.assertAlmostEqual(table.loc["a", name], scipy.stats.binom.ppf(quantile, 10, 0.7) / 10)

    def test_where_all_or_none_are_solved_others_may_not_be(self):
        # At the lower end, ten of ten are solved with a probability of 2.5 %.
        solved = verified_shares(self.many(steps=3)).loc["b"]
        numpy.testing.assert_allclose(solved[["share", "low", "high"]].astype(float), [1, 0.025 ** (1 / 10), 1])
        numpy.testing.assert_allclose(share_interval([[0.0, 0.0]] * 10), [0, 1 - 0.025 ** (1 / 10)], atol=1e-12)
        self.assertIsNone(share_interval([[1.0]] * 4), "of too few simulations")
        self.assertIsNone(share_interval([[0.0, 1.0]] * 10), "draws are alike, and say nothing")
        self.assertEqual(share_interval([[0.0], [1.0]] * 5), mean_interval([[0.0], [1.0]] * 5))

    def test_no_rows(self):
        rows = self.rows()
        for by, names in (("solver.id", ["solver.id"]), (["problem.family", "solver.id"], ["problem.family", "solver.id"])):
            table, expected = verified_shares(rows[:0], by), verified_shares(rows, by)
            self.assertEqual((len(table), list(table.index.names)), (0, names))
            pandas.testing.assert_series_equal(table.dtypes, expected.dtypes)

    def test_more_time_steps_are_not_more_evidence(self):
        one, many = verified_shares(self.many()), verified_shares(self.many(steps=5))
        self.assertEqual(many.loc["a", "simulations"], 10)
        pandas.testing.assert_frame_equal(one[["share", "low", "high"]], many[["share", "low", "high"]])

    def test_by_family_and_few_simulations(self):
        table = verified_shares(self.rows(), ["problem.family", "solver.id"])
        self.assertAlmostEqual(table.loc[("Chain", "a"), "share"], 2 / 3)
        self.assertTrue(math.isnan(table.loc[("Chain", "a"), "low"]))

    def test_order_of_rows_does_not_matter(self):
        rows = self.many()
        pandas.testing.assert_frame_equal(verified_shares(rows), verified_shares(rows.iloc[::-1]).loc[["a", "b"]])

    def test_simulations_are_of_names(self):
        self.assertEqual(simulations(self.many(steps=2))[:5].tolist(), ["Pile/pile0x"] * 4 + ["Pile/pile1x"])

    def test_intervals_are_those_of_all_draws(self):
        clusters = [[0.1], [0.7, 0.9], [-0.4], [1.5, 1.1, 1.3], [0.2]]
        means = [sum(map(sum, draw)) / sum(map(len, draw)) for draw in itertools.product(clusters, repeat=5)]
        numpy.testing.assert_allclose(mean_interval(clusters), numpy.percentile(means, (2.5, 97.5)), atol=0.02)


class Costs(Rows):
    def test_a_row_a_problem_and_a_column_a_solver(self):
        table = costs(self.rows())
        self.assertEqual(table.index.tolist(), ["Chain/0", "Chain/1", "Chain/2", "Soup/0"])
        self.assertEqual(table["a"].tolist(), [0.1, math.inf, 0.3, math.inf])
        self.assertEqual(costs(self.rows(), by="factorizations")["b"].tolist(), [20, 40, math.inf, 20])

    def test_not_twice_alike_is_not_solved(self):
        def change(made):
            made["records"][0]["status"] = "not_repeatable"
        rows = self.rows(change=change)
        self.assertEqual(costs(rows)["a"].tolist(), [math.inf, math.inf, 0.3, math.inf])
        self.assertEqual(costs(rows, accuracy=1e-2)["a"].tolist()[0], math.inf)
        self.assertEqual(verified_shares(rows, ["problem.family", "solver.id"]).loc[("Chain", "a"), "solved"], 1)

    def test_matched_accuracy_takes_the_cheapest_run_that_meets_it(self):
        def accurate(residual):
            def change(made):
                for record in made["records"]:
                    if record["verdict"]:
                        record["verdict"]["ncp"]["max"] = residual
            return change
        loose = self.rows({"Chain": {"a": [0.1], "b": [0.4]}}, accurate(1e-3), tolerance=1e-2)
        tight = self.rows({"Chain": {"a": [0.5], "b": [0.3]}}, accurate(1e-9), "b.json", tolerance=1e-8)
        both = pandas.concat([loose, tight])
        self.assertEqual(costs(both, accuracy=1e-2).loc["Chain/0"].tolist(), [0.1, 0.3])
        self.assertEqual(costs(both, accuracy=1e-6).loc["Chain/0"].tolist(), [0.5, 0.3])
        self.assertEqual(costs(both, accuracy=1e-10).loc["Chain/0"].tolist(), [math.inf, math.inf])
        with self.assertRaisesRegex(ResultsError, "a has several records on Chain/0"):
            costs(both)
        with self.assertRaisesRegex(ResultsError, "different criteria"):
            costs(pandas.concat([loose, tight.assign(**{"run.scale": "relative"})]), accuracy=1e-2)

    def test_time_to_target(self):
        def change(made):
            made["records"][0]["history"] = [
                {"iteration": k, "primal": 0, "dual": 10.0 ** -k, "complementarity": 0, "penalty": None} for k in range(1, 5)]
            made["records"][0]["iterations"] = 4
            made["records"][1]["history"] = None
        table = times_to_targets(self.rows(change=change), (1e-2, 1e-3, 1e-5))
        numpy.testing.assert_allclose(table.loc[0], [0.1 * 2 / 4, 0.1 * 3 / 4, math.inf])
        self.assertTrue(table.loc[1].isna().all())

    def test_strata(self):
        def change(made):
            for problem, contacts, mu, dofs in zip(made["problems"], (4, 50, 500, 5), (0, 0.3, 0.5, 1), (24, 100, 300, None)):
                problem |= {"contacts": contacts, "mu_max": mu, "dofs": dofs}
            for record in made["records"]:
                if record["problem"] == "Chain/0":
                    record["states"] = {"sticking": 3, "sliding": 1, "separated": 0}
        rows = self.rows(change=change)
        classes = strata(rows).iloc[[0, 2, 4, 6]]
        self.assertEqual(classes["size"].tolist(), [SIZE_CLASSES[index][0] for index in (0, 1, 2, 0)])
        self.assertEqual(classes["mu"].tolist(), ["0", "up to 0.3", "0.3 to 0.7", "above 0.7"])
        self.assertEqual(classes["hyperstaticity"].tolist()[:3], ["up to 1", "1 to 2", "above 4"])
        self.assertTrue(pandas.isna(classes["hyperstaticity"].iloc[3]))
        self.assertEqual(classes["sliding"].iloc[0], "10 to 50 %")


class Means(unittest.TestCase):
    def test_by_scipy(self):
        values = [0.5, 2.0, 7.0]
        self.assertAlmostEqual(geometric_mean(values), scipy.stats.gmean(values))
        self.assertAlmostEqual(shifted_geometric_mean(values, 3), scipy.stats.gmean([value + 3 for value in values]) - 3)

    def test_what_is_unsolved_is_counted(self):
        table = penalised_means(TABLE, 10, 0)
        self.assertAlmostEqual(table.loc["a", "1 x limit"], (1 * 2 * 8 * 10) ** 0.25)
        self.assertAlmostEqual(table.loc["b", "3 x limit"], (2 * 1 * 30 * 30) ** 0.25)
        self.assertAlmostEqual(table.loc["a", "10 x limit"], (1 * 2 * 8 * 100) ** 0.25)
        self.assertAlmostEqual(table.loc["b", "solved"], math.sqrt(2))
        self.assertAlmostEqual(table.loc["c", "common"], math.sqrt(4 * 8))
        self.assertAlmostEqual(table.loc["c", "1 x limit"], table.loc["c", "10 x limit"])

    def test_what_was_not_run_is_not_unsolved(self):
        table = penalised_means(TABLE.assign(b=[2.0, math.nan, math.inf, math.nan]), 10, 0)
        self.assertAlmostEqual(table.loc["b", "1 x limit"], (2 * 10) ** 0.5)
        self.assertAlmostEqual(table.loc["b", "3 x limit"], (2 * 30) ** 0.5)
        self.assertAlmostEqual(table.loc["b", "solved"], 2)
        self.assertAlmostEqual(table.loc["c", "common"], 4)

    def test_units_do_not_matter(self):
        pandas.testing.assert_frame_equal(1000 * penalised_means(TABLE, 10, 1), penalised_means(1000 * TABLE, 10_000, 1000))


class Comparisons(unittest.TestCase):
    def test_virtual_best_and_what_each_adds(self):
        self.assertEqual(virtual_best(TABLE).tolist(), [1, 1, 8, 3])
        table = contributions(TABLE)
        self.assertEqual(table.loc["a", ["solves", "alone", "first"]].tolist(), [3, 0, 2])
        self.assertEqual(table.loc["c", ["solves", "alone", "first"]].tolist(), [4, 1, 1])
        self.assertAlmostEqual(table.loc["a", "slowdown"], (2 * 1 * 2 * 1) ** 0.25)
        self.assertAlmostEqual(table.loc["c", "slowdown"], 1)
        alone = contributions(pandas.DataFrame({"a": [1.0], "b": [math.inf]}))
        self.assertTrue(math.isnan(alone.loc["a", "slowdown"]))
        single = contributions(TABLE[["a"]])
        self.assertEqual(single.loc["a", ["solves", "alone", "first"]].tolist(), [3, 3, 3])
        self.assertTrue(math.isnan(single.loc["a", "slowdown"]))

    def test_signed_ranks_by_hand(self):
        # Logarithms of ratios 1, 2, 3, -4 (to one base): ranks 1 + 2 + 3 against 4.
        first, second = pandas.Series([1.0] * 4), pandas.Series([2.0, 4.0, 8.0, 1 / 16])
        result = paired(first, second)
        self.assertEqual(result.pairs, 4)
        self.assertAlmostEqual(result.ratio, 2 ** 0.5)
        self.assertAlmostEqual(result.effect, (6 - 4) / 10)
        self.assertAlmostEqual(result.p, 0.875)  # 14 of the 16 signs give a sum of at most 4 on one side

    def test_signed_ranks_do_not_care_who_comes_first_nor_for_units(self):
        random = numpy.random.default_rng(1)
        first, second = (pandas.Series(random.lognormal(size=30)) for _ in range(2))
        one, other, seconds = paired(first, second), paired(second, first), paired(60 * first, 60 * second)
        self.assertAlmostEqual(one.p, other.p)
        self.assertAlmostEqual(one.effect, -other.effect)
        self.assertAlmostEqual(one.ratio * other.ratio, 1)
        numpy.testing.assert_allclose(one, seconds)
        self.assertAlmostEqual(one.p, scipy.stats.wilcoxon(numpy.log(second / first)).pvalue)

    def test_a_simulation_is_one_pair(self):
        first, second = pandas.Series([1.0] * 6), pandas.Series([2.0, 2.0, 2.0, 4.0, 0.5, math.inf])
        clusters = pandas.Series(["x", "x", "x", "y", "z", "z"])
        result = paired(first, second, clusters)
        self.assertEqual(result.pairs, 3)
        self.assertAlmostEqual(result.ratio, 4 ** (1 / 3))

    def test_equal_solvers_and_nothing_in_common(self):
        same = pandas.Series([1.0, 2.0])
        self.assertEqual(paired(same, same), (2, 1, 1, 0))
        nothing = paired(same, pandas.Series([math.inf, math.inf]))
        self.assertEqual((nothing.pairs, nothing.p), (0, 1))
        self.assertTrue(math.isnan(nothing.ratio))

    def test_by_family(self):
        families = pandas.Series(["Chain", "Chain", "Soup", "Soup"], index=TABLE.index)
        table = paired_by(families, TABLE["a"], TABLE["c"])
        self.assertEqual(table["pairs"].tolist(), [2, 1])
        self.assertAlmostEqual(table.loc["Chain", "ratio"], 4)
        self.assertAlmostEqual(table.loc["Soup", "ratio"], 2)


class Nested(unittest.TestCase):
    # As of Gould and Scott: beside a, b solves more than c within twice the best time; without a, c does.
    SWITCHES = {"b": [6.0, 9.0, 6.0, 6.0, 9.0], "c": [9.0, 9.0, 3.0, 9.0, 3.0], "a": [3.0, 6.0, 6.0, 3.0, 3.0]}

    def test_the_order_is_not_that_of_profiles(self):
        among_all = performance_profiles(self.SWITCHES)
        self.assertEqual([among_all[name].share(2) for name in "abc"], [1, 0.8, 0.6])
        found = nested_profiles(self.SWITCHES)
        self.assertEqual([(name, profile.share(2)) for name, profile in found.items()], [("a", 1), ("c", 1), ("b", 1)])
        self.assertEqual(found["a"], among_all["a"])
        self.assertEqual(found["c"].ratios, (1.0, 1.0, 1.0, 1.5, 1.5))  # to b alone
        self.assertEqual(found["b"].ratios, (1.0,) * 5)

    def test_of_equals_the_one_that_solves_more(self):
        self.assertEqual(list(nested_profiles({"a": [1.0, math.inf], "b": [9.0, 1.0]})), ["b", "a"])

    def test_without_the_first_the_order_of_the_others_stays(self):
        random = numpy.random.default_rng(2)
        measures = {name: random.lognormal(sigma=2, size=12).tolist() for name in "abcdef"}
        order = list(nested_profiles(measures))
        del measures[order[0]]
        self.assertEqual(list(nested_profiles(measures)), order[1:])

    def test_units_do_not_matter(self):
        scaled = {name: [1000 * value for value in values] for name, values in self.SWITCHES.items()}
        self.assertEqual(list(nested_profiles(scaled)), list(nested_profiles(self.SWITCHES)))


if __name__ == "__main__":
    unittest.main()
