"""scripts/paper_robots.sh, with stand-ins for what it builds, runs and writes with, and the text that it writes."""

import math
import re
import shutil
import unittest

from checkout_support import SCRIPT, CheckoutTest
from support import ROOT, TemporaryFolderTest, made_up_document
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


class PaperRobots(CheckoutTest):
    def setUp(self) -> None:
        super().setUp()
        for module in ("robots", "figures"):
            self.program(self.root / f"scripts/frictionbench/papers/{module}.py", SCRIPT)
        (self.root / "results/paper").mkdir()
        models = self.root / "datasets/models"
        models.mkdir()
        for hand in ("hand-ball", "hand-cube"):
            shutil.copy(ROOT / f"datasets/models/{hand}.xml", models)

    def calls_of(self, command):
        return [call for call in self.calls() if call.startswith(command)]

    def test_what_is_run(self):
        result = self.call("paper_robots.sh", "--output-dir", "a", "--steps", "20", "--every=4", "--jobs", "2",
                           "--peer", "mujoco")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        made = self.calls_of("frictionbench extract")
        names = [(call.split(" -o a/problems/")[1], call.split("--name ")[1].split()[0]) for call in made]
        self.assertEqual(names, [(group, family) for group, families in LISTS.items() for family in families])
        for call, (group, _) in zip(made, names):
            with self.subTest(call):
                self.assertEqual("--contacts-only" in call, group != "joints")
                self.assertEqual("--steps 20 --every 1 " in call, group == "l17")
        self.assertIn("--every 24 ", made[0])  # four times as far apart as without --every
        for group, families in LISTS.items():
            self.assertEqual((self.away / f"a/{group}.txt").read_text(encoding="utf-8").split(),
                             [f"problems/{group}/{family}" for family in families])
        run = self.calls_of("frictionbench run")
        self.assertEqual([call.split("--output a/")[1].split(".json")[0] for call in run],
                         ["s5", "l17-cold", "l17-warm", "l16", "s6", "joints"])
        self.assertEqual([call.split("--tolerance ")[1].split()[0] for call in run],
                         ["1e-4", "1e-6", "1e-6", "1e-9", "1e-6", "1e-6"])
        self.assertEqual(["--sequence" in call for call in run], [False, False, True, False, False, False])
        self.assertEqual(["--peer mujoco --solver mujoco-*" in call for call in run],
                         [True, False, False, False, True, False])
        self.assertIn("-00010$", run[3])
        self.assertTrue(all(call.endswith(" --jobs 2") and "--criterion native --scale absolute" in call for call in run))

    def test_hands_without_torsion(self):
        """In the papers' scenes; the model itself is not changed."""
        self.call("paper_robots.sh", "--output-dir", "a")
        for hand in ("hand-ball", "hand-cube"):
            made = (self.away / f"a/{hand}.xml").read_text(encoding="utf-8")
            self.assertNotRegex(made, 'condim="[46]"')
            model = (ROOT / f"datasets/models/{hand}.xml").read_text(encoding="utf-8")
            self.assertEqual(made.count('condim="3"'), model.count("condim="))
        extracted = self.calls_of("frictionbench extract")
        self.assertEqual([call.split("frictionbench extract ")[1].split(" --")[0] for call in extracted if "hand" in call],
                         ["a/hand-cube.xml", "a/hand-ball.xml", f"{self.root}/datasets/models/hand-cube.xml"])

    def test_text_and_pictures(self):
        result = self.call("paper_robots.sh")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (run,) = self.runs()
        self.assertRegex(run.name, "-paper-robots$")
        written = self.calls_of("frictionbench-paper")
        self.assertEqual(written[0].split(" -o ")[1], "../a checkout/results/paper")
        self.assertEqual([call.split("--figure ")[1].split()[0] for call in written[1:]], ["s5", "l16", "l17", "l17"])
        self.assertIn("../a checkout/results/paper/robots.md", result.stdout.splitlines())
        for call in written[1:]:
            document = call.split(".json")[0].split("/")[-1]
            solved, = [run for run in self.calls_of("frictionbench run") if f"/{document}.json" in run]
            for renamed in re.findall(r"--name [^=]*=(\S+)", call):
                self.assertIn(f"--solver {renamed} ", solved, document)

    def test_bad_arguments(self):
        for arguments in (("local",), ("--steps", "none"), ("--steps", "0"), ("--peer",), ("--tolerance", "1")):
            result = self.call("paper_robots.sh", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertTrue(result.stderr.startswith("error: "), result.stderr)


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
