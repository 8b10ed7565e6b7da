"""Scores, searches and leaving a family out, in scripts/frictionbench/tuning, against numbers worked out by hand."""

import unittest

from support import TemporaryFolderTest, factorizations, made_up_document

from frictionbench.results import load
from frictionbench.tuning.scoring import Outcome, Scores, outcome
from frictionbench.tuning.search import random_candidates, tune
from frictionbench.tuning.space import Choices, ScoreRules, SearchRules

TOLERANCES = (1e-6, 1e-8)


def score_rules(**changes):
    return ScoreRules(**{"weights": {"factorizations": 1}, "unsolved": 10000, "solved_slack": 0, **changes})


class MadeUpEvaluator:
    """An Evaluator from work[problem](*candidate), None for unsolved; at every tolerance the same."""

    def __init__(self, work):
        self.work = work
        self.asked = []

    def evaluate(self, candidates):
        self.asked += [candidate for candidate in dict.fromkeys(candidates) if candidate not in self.asked]

    def outcomes(self, candidate):
        if candidate not in self.asked:
            raise AssertionError(f"{candidate} was not evaluated")
        found = {problem: work(*candidate) for problem, work in self.work.items()}
        return {(problem, tolerance): Outcome(spent is not None, spent or 10000, "")
                for problem, spent in found.items() for tolerance in TOLERANCES}


def made_up_scores(work, **changes):
    """Scores of work[family][problem]."""
    problems = {f"{family} {index}": function for family, functions in work.items()
                for index, function in enumerate(functions)}
    families = {family: [f"{family} {index}" for index in range(len(functions))] for family, functions in work.items()}
    return Scores(MadeUpEvaluator(problems), families, score_rules(**changes))


class Records(TemporaryFolderTest):
    def outcomes(self, rules, change=lambda record: None):
        document = made_up_document({"X": {"a": [0.05, None]}})
        for record in document["records"]:
            change(record)
        results = load(self.write("results.json", document))
        return [outcome(results, problem, results.solvers[0], rules) for problem in results.problems]

    def test_work_is_the_weighted_sum_of_counters(self):
        def change(record):
            if record["work"]:
                record["work"] |= {"factorizations": factorizations(5), "triangular_solves": 7, "products": 11, "sweeps": 13}

        weights = {"factorizations": 10, "triangular_solves": 1, "products": 0.5, "sweeps": 2}
        solved, unsolved = self.outcomes(score_rules(weights=weights), change)
        self.assertEqual((solved.solved, solved.work, solved.status), (True, 50 + 7 + 5.5 + 26, "converged"))
        self.assertEqual((unsolved.solved, unsolved.work), (False, 10000))

    def test_no_solved_problem_counts_more_than_an_unsolved_one(self):
        self.assertEqual(self.outcomes(score_rules(unsolved=4))[0].work, 4)

    def test_no_work_counts_as_one(self):
        self.assertEqual(self.outcomes(score_rules(weights={"pivots": 1}))[0].work, 1)

    def test_time_does_not_count(self):
        def slower(record):
            if record["time"]["solve"]:
                record["time"]["solve"]["median"] *= 1000

        self.assertEqual(self.outcomes(score_rules(), slower), self.outcomes(score_rules()))


class ScoresTest(unittest.TestCase):
    def test_every_family_weighs_the_same(self):
        scores = made_up_scores({"Large": [lambda: 10] * 100, "Small": [lambda: 1000, lambda: None]})
        scores.evaluate([()])
        score = scores.of((), ["Large", "Small"])
        self.assertAlmostEqual(score.solved, (1 + 0.5) / 2)
        self.assertAlmostEqual(score.work, (10 * (1000 * 10000) ** 0.5) ** 0.5)
        self.assertAlmostEqual(scores.of((), ["Small"]).work, (1000 * 10000) ** 0.5)

    def test_solved_share_comes_first(self):
        work = {"X": [lambda a: (100, 1, 100, 90)[a], lambda a: (100, None, 100, 90)[a]]}
        scores = made_up_scores(work)
        candidates = [(0,), (1,), (2,)]
        scores.evaluate([*candidates, (3,)])
        self.assertEqual(scores.best(candidates, ["X"]), (0,))  # the first of equals
        self.assertEqual(scores.best([*candidates, (3,)], ["X"]), (3,))
        self.assertEqual(scores.best([(1,)], ["X"]), (1,))

    def test_slack(self):
        work = {"X": [lambda a: (100, 1)[a]] * 9 + [lambda a: (100, None)[a]]}
        for slack, best in ((0, 0), (0.09, 0), (0.1, 1), (0.2, 1)):
            scores = made_up_scores(work, solved_slack=slack)
            scores.evaluate([(0,), (1,)])
            self.assertEqual(scores.best([(0,), (1,)], ["X"]), (best,))


class Candidates(unittest.TestCase):
    SETTINGS = (Choices("a", (0, 1, 2)), Choices("b", (0, 1)))

    def draw(self, count, seed=1):
        return random_candidates(self.SETTINGS, SearchRules(seed, count, 0), known=(0, 0))

    def test_different_ones_without_the_default(self):
        for count in range(6):
            drawn = self.draw(count)
            self.assertEqual((len(drawn), len(set(drawn)), (0, 0) in drawn), (count, count, False))

    def test_a_small_space_is_exhausted(self):
        self.assertEqual(set(self.draw(50)), {(a, b) for a in range(3) for b in range(2)} - {(0, 0)})

    def test_the_seed_decides(self):
        self.assertEqual(self.draw(3), self.draw(5)[:3])
        self.assertEqual(self.draw(4), self.draw(4))
        self.assertGreater(len({tuple(self.draw(4, seed)) for seed in range(5)}), 1)


class LeaveOneOut(unittest.TestCase):
    def tune(self, work, settings, passes=0, candidates=0, **changes):
        scores = made_up_scores(work, **changes)
        default = tuple(0 for _ in settings)
        return tune(settings, SearchRules(1, candidates, passes), default, list(work), scores), scores

    def test_the_best_of_all_is_not_the_best_without_a_family(self):
        others = [lambda a: (100, 200, 50)[a]]
        work = {"X": [lambda a: (100, 1, 50)[a]], "Y": others, "Z": others}
        tuned, scores = self.tune(work, [Choices("a", (0, 1, 2))], candidates=2)
        self.assertEqual(tuned.over_all.best(scores), (1,))  # (1 * 200 * 200)^(1/3) < 50
        self.assertEqual({family: search.best(scores) for family, search in tuned.without.items()},
                         {"X": (2,), "Y": (1,), "Z": (1,)})

    def test_refinement_goes_setting_by_setting_until_it_settles(self):
        # From (0, 0) only b = 1 helps, then a = 2, then b = 2: two passes, and one to see that it has settled.
        order = [(0, 0), (0, 1), (2, 1), (2, 2)]
        work = {family: [lambda a, b: 100 - 10 * order.index((a, b)) if (a, b) in order else 1000]
                for family in "XY"}
        settings = [Choices("a", (0, 1, 2)), Choices("b", (0, 1, 2))]
        for passes, best in ((0, (0, 0)), (1, (0, 1)), (2, (2, 2)), (3, (2, 2)), (9, (2, 2))):
            tuned, scores = self.tune(work, settings, passes)
            self.assertEqual(tuned.over_all.best(scores), best)
            self.assertEqual(len(tuned.candidates()), (1, 5, 8, 9)[min(passes, 3)])

    def test_a_family_that_is_left_out_has_no_influence(self):
        def towards(a_best, b_best):
            return [lambda a, b: 10 + (a - a_best) ** 2 + (b - b_best) ** 2]

        settings = [Choices("a", tuple(range(7))), Choices("b", tuple(range(7)))]
        others = {"X": towards(1, 5), "Y": towards(2, 5), "Z": towards(1, 4)}
        found = set()
        for a_best, b_best in ((0, 0), (6, 6), (6, 0), (3, 5)):
            tuned, scores = self.tune({**others, "Left": towards(a_best, b_best)}, settings, passes=3, candidates=3)
            search = tuned.without["Left"]
            found.add((tuple(search.known), search.best(scores)))
            self.assertNotIn("Left", search.families)
        self.assertEqual(len(found), 1)

    def test_everything_around_the_choice_is_evaluated(self):
        work = {family: [lambda a, b: 100 - a - b] for family in "XY"}
        tuned, scores = self.tune(work, [Choices("a", (0, 1)), Choices("b", (0, 1))])
        for candidate in ((0, 0), (1, 0), (0, 1)):
            self.assertAlmostEqual(scores.of(candidate, ["X"]).work, 100 - sum(candidate))
        self.assertEqual(tuned.over_all.best(scores), (0, 0))  # what is for the report alone is not chosen


if __name__ == "__main__":
    unittest.main()
