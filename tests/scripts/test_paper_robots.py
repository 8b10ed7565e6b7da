"""The text about robots."""

import math
import unittest

from support import TemporaryFolderTest, made_up_document
from test_paper_document import section

from frictionbench.papers import robots as paper_robots_document
from frictionbench.papers.robots import (
    fastest, mean_iterations, median_seconds, own_time, problems_grid, share, solves_all, times_grid, warm_grid, warm_start_gains,
)
from frictionbench.results import load

LISTS = {"s5": ["humanoid-falls", "quadruped-bumps", "hand-cube", "stack"],
         "l17": ["humanoid-pushed", "quadruped-trots", "hand-ball"],
         "s6": ["arm", "biped", "humanoid"],
         "joints": ["humanoid-squats", "quadruped-trots", "hand-cube", "biped-squats", "arm-wipes"]}


PGS, ADMM = "ncp-pgs", "ncp-admm"
# Seconds; None for what is not solved.
COLD = {"hand": {PGS: [0.4, 0.2, None], ADMM: [0.1, 0.3, 0.5]}, "arm": {PGS: [0.1], ADMM: [0.2]}}
WARM = {"hand": {PGS: [0.1, 0.1, 0.1], ADMM: [0.1, 0.1, 0.1]}, "arm": {PGS: [0.3], ADMM: [0.1]}}


class Tables(TemporaryFolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.cold, self.warm = (load(self.write(f"{name}.json", self.made(costs))) for name, costs in
                                (("cold", COLD), ("warm", WARM)))
        self.pgs, self.admm = self.cold.solvers

    @staticmethod
    def made(costs):
        made = made_up_document(costs)
        made["run"] = {**made["run"], "criterion": "ncp", "scale": "absolute"}
        return made

    def test_means(self):
        self.assertAlmostEqual(median_seconds(self.cold, "hand", self.admm), 0.3)
        self.assertAlmostEqual(mean_iterations(self.cold, "hand", self.admm), 3)
        self.assertEqual(share(self.cold, "hand", self.pgs), "2/3")

    def test_a_time_limit_counts_as_that_limit(self):
        made = self.made({"hand": {PGS: [0.5, 0.5]}})
        made["records"][1].update(status="time_limit")
        made["run"]["time_limit"] = 3.5
        run = load(self.write("limit.json", made))
        self.assertAlmostEqual(median_seconds(run, "hand", run.solvers[0]), 2)

    def test_a_peers_own_time(self):
        made = self.made({"hand": {PGS: [0.5]}})
        made["records"][0]["reported"] = {"gradient": 1e-9, "mujoco time": 0.125}
        run = load(self.write("own.json", made))
        self.assertEqual(own_time(next(iter(run.records.values()))), 0.125)
        self.assertEqual(median_seconds(run, "hand", run.solvers[0]), 0.125)

    def test_refused_problems_are_left_out(self):
        made = self.made({"hand": {PGS: [0.5, 0.5]}, "arm": {PGS: [0.5]}})
        for record in made["records"][1:]:
            record.update(status="refused", time={**record["time"], "solve": None}, iterations=None)
        run = load(self.write("refused.json", made))
        (pgs,) = run.solvers
        self.assertEqual([share(run, family, pgs) for family in ("hand", "arm")], ["1/1", "refused"])
        self.assertTrue(math.isnan(median_seconds(run, "arm", pgs)))
        self.assertEqual([len(lines) for _, lines in times_grid("t", run).sections], [1, 0])

    def test_solvers_that_refuse_everything_are_named_and_not_counted(self):
        made = self.made(COLD)
        for record in made["records"]:
            if (record["solver"], record["problem"]) == (PGS, "arm/0"):
                record.update(status="refused", time={**record["time"], "solve": None}, iterations=None)
                record["solved"] = dict.fromkeys(record["solved"], dict.fromkeys(("relative", "absolute", "scaled", "force")))
        hand, arm = fastest(load(self.write("refused.json", made)))
        self.assertNotIn("refuse", hand)
        self.assertRegex(arm, r"^arm: 1 of 1 solvers .* the fastest is ncp-admm, 200000 µs\. ncp-pgs refuses all of them\.$")

    def test_who_is_fastest_and_what_a_warm_start_changes(self):
        self.assertEqual(solves_all(self.cold, "hand"), [self.admm])
        self.assertEqual(solves_all(self.cold, "arm"), [self.pgs, self.admm])
        hand, arm = fastest(self.cold)
        self.assertIn("hand: 1 of 2 solvers", hand)
        self.assertIn("is ncp-admm, 300000 µs", hand)
        self.assertIn("is ncp-pgs, 100000 µs", arm)
        hand, arm = warm_start_gains(self.cold, self.warm)
        self.assertIn("hand: from the step before, times are 0.33 (ncp-admm) to 0.33 (ncp-admm)", hand)
        self.assertIn("0.50 (ncp-admm) to 3.00 (ncp-pgs) of those from zero, over the 2 solvers", arm)
        nothing = load(self.write("nothing.json", self.made({"hand": {PGS: [None]}})))
        self.assertEqual(fastest(nothing), ["hand: no solver solves all of its problems."])

    def test_grids(self):
        family, lines = warm_grid(self.cold, self.warm).sections[0]
        self.assertEqual((family, lines[0].label), ("hand", PGS))
        self.assertEqual(lines[1].cells, ["3/3", "3/3", "300000", "100000", "3.00", "1.00"])
        facts = [section for section, _ in problems_grid({"a": self.cold, "b": self.warm}).sections]
        self.assertEqual(facts, ["a", "b"])

    def test_the_text(self):
        for name, costs in (("s5", COLD), ("l17-cold", COLD), ("l17-warm", WARM), ("l16", COLD), ("s6", COLD), ("joints", COLD)):
            self.write(f"{name}.json", self.made(costs))
        result = self.call_script(paper_robots_document, self.folder, "-o", self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = (self.folder / "robots.md").read_text(encoding="utf-8")
        self.assertIn("|  | ncp-admm | 3/3 | 3/3 | 300000 | 100000 | 3.00 | 1.00 |", section(text, "[LeLidec24] Fig. 17"))
        self.assertEqual(text.count("## "), 6)


if __name__ == "__main__":
    unittest.main()
