"""frictionbench-paper second-order: tables, sentences and picture of made-up documents."""

import math
import unittest

from support import TemporaryFolderTest, made_up_document
from test_paper_document import rows, section

from frictionbench.files import ResultsError
from frictionbench.papers import second_order as paper_second_order_document
from frictionbench.papers.peers import PeerRun, load_peers, peer_time, peers_grid, solved_by_peers_alone, tried
from frictionbench.papers.second_order_tables import (
    ALL_FILES, HYBRID, NO_STAGE, STAGES, by_form, failures, hybrid, interior_point_or_newton, profiles, solved_by_others,
    stage_grid, what_each_costs, where_highest,
)
from frictionbench.results import load

# Seconds; ten times as many iterations, a hundred times as many factorisations.
COSTS = {
    "Chain": {HYBRID: [0.1, 0.2, None, 0.1], "ncp-newton": [0.5, 0.1, 0.3, 0.1], "ncp-ipm": [0.3, 0.3, None, 0.2]},
    "Tower": {HYBRID: [0.4], "ncp-newton": [None], "ncp-ipm": [0.1]},
    "RockPile": {HYBRID: [None], "ncp-newton": [None], "ncp-ipm": [None]},
}
SWEPT, INTERIOR = {"sweeps iterations": 1}, {"sweeps iterations": 1, "interior point iterations": 2}
NEWTON = INTERIOR | {"Newton iterations": 3}
FIRED = {"Chain/0": ("sweeps", SWEPT), "Chain/1": ("ADMM", SWEPT), "Chain/3": ("interior point", INTERIOR),
         "Tower/0": ("final ADMM", NEWTON)}
SETTINGS = {"sweeps": 20, "admm": 30, "interior_point": 40, "safeguards": 50}
CSV = "file,kind,solver,tol,err_ncp_abs,cpu_min\n"


def second_order_document(tolerance=1e-6, costs=COSTS):
    """The last file of Chain is a global one."""
    made = made_up_document(costs)
    made["run"] = {**made["run"], "tolerance": tolerance}
    for problem in made["problems"]:
        problem["path"] = f"data/{problem['id'].replace('/', '-')}.hdf5"
        problem["form"] = "global" if problem["id"] == "Chain/3" else "local"
    made["solvers"][0]["settings"] = SETTINGS
    for record in made["records"]:
        if record["solver"] == HYBRID:
            record["stage"], record["reported"] = FIRED.get(record["problem"], (None, {}))
    return made


class MadeUp(TemporaryFolderTest):
    def results(self, made=None):
        return by_form(load(self.write("a.json", made or second_order_document())))


class Document(MadeUp):
    def call_it(self, *made, peers=()):
        paths = [self.write(f"{index}.json", one) for index, one in enumerate(made)]
        return self.call_script(paper_second_order_document, *paths, "-o", self.folder,
                                *(["--peers", *peers] if peers else []))

    def text(self, *made, peers=()):
        result = self.call_it(*made, peers=peers)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        return (self.folder / "second-order.md").read_text(encoding="utf-8")

    def test_document_and_picture(self):
        text = self.text(second_order_document(1e-8), second_order_document())
        found = rows(section(text, "Solved"))
        self.assertEqual(found["local Chain", "1e-6"], ["3", "2 / 2", "3 / 3", "2 / 2"])
        self.assertEqual(found["global Chain", "1e-8"], ["1", *["1 / 1"] * 3])
        self.assertEqual(found["all files", "1e-6"], ["6", *["4 / 4"] * 3])
        self.assertLess(text.index("Tolerance 1e-6:"), text.index("Tolerance 1e-8:"))
        self.assertNotIn("Beside other programs", text)
        self.assertIn("At most 20 sweeps, 30 iterations of ADMM unless the forecast ends them, 40 of", text)
        svg = (self.folder / "second-order.svg").read_text(encoding="utf-8")
        for words in ("tolerance 1e-6 (6)", "tolerance 1e-8 (6)", HYBRID, "ncp-newton"):
            self.assertIn(f">{words}<", svg)
        self.assertTrue((self.folder / "second-order.png").stat().st_size)

    def test_a_solver_of_one_run_only(self):
        without = {family: {id: costs for id, costs in by_solver.items() if id != "ncp-ipm"}
                   for family, by_solver in COSTS.items()}
        found = rows(section(self.text(second_order_document(), second_order_document(1e-8, without)), "Solved"))
        self.assertEqual(found["local Chain", "1e-8"], ["3", "2 / 2", "3 / 3", "–"])

    def test_peers_have_a_section(self):
        peers = self.write("peers.csv", CSV + "Chain-0.hdf5,local,NSGS,1e-6,1e-9,0.8\n"
                                              "RockPile-0.hdf5,local,NSGS,1e-6,1e-9,1\n")
        text = section(self.text(second_order_document(), peers=[peers]), "Beside other programs")
        self.assertEqual(rows(text[text.index("|"):])["local Chain", "`NSGS`"],
                         ["1/1", "1", "0", "800", "100", "8.00"])
        self.assertIn("* 1e-6, local RockPile: `0` (max_iterations), solved by NSGS", text)

    def test_refused(self):
        made = second_order_document()
        self.assert_refused(self.call_it({**made, "run": {**made["run"], "time_limit": 3}}, made), "at one tolerance")
        self.assert_refused(self.call_it(made_up_document({"A": {"ncp-pgs": [1]}})), f"no {HYBRID} in it")
        self.assert_refused(self.call_it(made, peers=["none.csv"]), "none.csv: No such file")


class Tables(MadeUp):
    def test_highest_profiles(self):
        results = self.results()
        shares = {id: profile.share(4) for id, profile in profiles(results)["local Chain"].items()}
        self.assertEqual(shares, {HYBRID: 2 / 3, "ncp-newton": 2 / 3, "ncp-ipm": 2 / 3})
        self.assertEqual(profiles(results)[ALL_FILES][HYBRID].problems, 6)
        self.assertEqual(where_highest(results),
                         "Tolerance 1e-6: of 3 families in which any solver solves a file, ncp-hybrid is highest, "
                         "alone "
                         "or with others, at τ = 1 in 1 and at τ = 4 in 3.")
        costs = {**COSTS, "Tower": {HYBRID: [0.5], "ncp-newton": [0.1], "ncp-ipm": [0.1]}}
        self.assertIn("at τ = 4 others are above it in local Tower (ncp-newton and ncp-ipm).",
                      where_highest(self.results(second_order_document(costs=costs))))

    def test_a_single_family(self):
        results = self.results(second_order_document(costs={"Tower": COSTS["Tower"]}))
        self.assertEqual(list(profiles(results)), ["local Tower", ALL_FILES])

    def test_what_the_hybrid_fails(self):
        results = self.results()
        self.assertEqual(failures(results, solved_by_others(results)),
                         ["1e-6, local Chain: `2` (max_iterations), solved by ncp-newton"])

    def test_stages(self):
        results = self.results()
        cells = {family: lines[0].cells for family, lines in stage_grid([results]).sections}
        self.assertEqual(self.counts(cells["local Chain"]), {"sweeps": "1", "ADMM": "1"})
        self.assertEqual(cells["local Chain"][-3:], ["1 / 1", "1.5", "15"])
        self.assertEqual(self.counts(cells["global Chain"]), {"interior point": "1"})
        self.assertEqual(self.counts(cells["local Tower"]), {"final ADMM": "1"})
        self.assertEqual(cells["local RockPile"][-3:], ["1 / 1", "–", "–"])
        made = second_order_document()
        made["records"][0]["stage"] = None  # the limit ended what was solved
        cells = {family: lines[0].cells for family, lines in stage_grid([self.results(made)]).sections}
        self.assertEqual(self.counts(cells["local Chain"]), {"ADMM": "1", NO_STAGE: "1"})

    @staticmethod
    def counts(cells):
        """The stages that finish any, and how many."""
        return {name: count for name, count in zip((*STAGES, NO_STAGE), cells) if count != "0"}

    def test_what_each_method_costs(self):
        fastest, interior = what_each_costs(self.results())
        self.assertEqual(fastest, "Tolerance 1e-6, without ncp-hybrid: fastest on 50.0 % (ncp-newton) and 33.3 % "
                                  "(ncp-ipm) of the files.")
        self.assertEqual(interior, "Tolerance 1e-6: ncp-ipm takes 25 factorisations (median; largest number 30) where "
                                   "it solves, and does not solve 2 files, of which ncp-newton solves 1.")

    def test_cost_of_the_third_and_fourth_stage(self):
        self.assertEqual(interior_point_or_newton(self.results()),
                         "Tolerance 1e-6, files that reach the interior point stage: 2. ncp-ipm and ncp-newton "
                         "on their own both solve 1 of them; their factorisations, median and largest number: 20 "
                         "and 20 of "
                         "ncp-ipm and 10 and 10 of ncp-newton, the former needs fewer on 0.")
        costs = {"Tower": {HYBRID: [0.4], "ncp-newton": [1]}}
        self.assertEqual(interior_point_or_newton(self.results(second_order_document(costs=costs))),
                         "Tolerance 1e-6, files that reach the interior point stage: 1.")


class Peers(MadeUp):
    def test_runs_of_several_files_are_put_together(self):
        first = self.write("1.csv", CSV + "data/Chain-0.hdf5,local,PROX,1e-6,1e-5,0.5\n")
        second = self.write("2.csv", CSV + "Chain-0.hdf5,local,PROX,1e-8,1e-7,2\n"
                                           "Chain-1.hdf5,local,NSGS,1e-6,nan,nan\n")
        peers = load_peers([first, second])
        self.assertEqual(list(peers), ["NSGS", "PROX"])
        self.assertEqual(peers["PROX"], {"Chain-0.hdf5": [PeerRun(1e-6, 1e-5, 0.5), PeerRun(1e-8, 1e-7, 2)]})
        self.assertTrue(math.isnan(peers["NSGS"]["Chain-1.hdf5"][0].residual))

    def test_fastest_run_that_solves(self):
        problem = self.results().problems[0]
        peer = {"Chain-0.hdf5": [PeerRun(1e-4, 1e-5, 0.5), PeerRun(1e-6, 1e-6, 1), PeerRun(1e-7, 1e-9, 3)]}
        self.assertEqual([peer_time(peer, problem, tolerance) for tolerance in (1e-4, 1e-6, 1e-8, 1e-10)],
                         [0.5, 1, 3, math.inf])
        self.assertEqual(peer_time({}, problem, 1), math.inf)

    def test_what_was_not_asked_for_is_no_failure(self):
        problem = self.results().problems[0]
        peer = {"Chain-0.hdf5": [PeerRun(1e-6, 1e-9, 1)]}
        self.assertTrue(tried(peer, problem, 1e-8))  # better than asked for
        self.assertFalse(tried(peer, problem, 1e-10))
        self.assertTrue(tried({"Chain-0.hdf5": [PeerRun(1e-10, math.nan, math.nan)]}, problem, 1e-10))
        self.assertFalse(tried({}, problem, 1))

    def test_means_are_over_what_both_solve(self):
        results = self.results()
        good = {"Chain-0.hdf5": 0.4, "Chain-1.hdf5": 0.1, "Chain-2.hdf5": 5, "Tower-0.hdf5": 0.4}
        peer = {name: [PeerRun(1e-6, 1e-7, seconds)] for name, seconds in good.items()}
        peer["Chain-3.hdf5"] = [PeerRun(1e-6, math.nan, math.nan)]
        grid = peers_grid(results, hybrid(results), {"NSGS": peer})
        cells = {family: lines[0].cells for family, lines in grid.sections}
        self.assertEqual(cells["local Chain"], ["3/3", "2", "0", "200", "141", "1.41"])
        self.assertEqual(cells["global Chain"], ["0/1", "0", "1", "–", "–", "–"])
        self.assertEqual(cells["all files"][:3], ["4/5", "3", "1"])
        self.assertNotIn("local RockPile", cells)
        alone = solved_by_peers_alone(results, hybrid(results), {"NSGS": peer, "PROX": {}})
        self.assertEqual({problem.id: names for problem, names in alone.items()}, {"Chain/2": ["NSGS"]})

    def test_refused(self):
        for text, words in (("file,solver\n", "no column `tol`"), ("", "no column `file`"),
                            (CSV + "a.hdf5,local,PROX,1e-6,small,1\n", "not a table of runs"),
                            (CSV + "a.hdf5,local,PROX\n", "not a table of runs")):
            with self.assertRaisesRegex(ResultsError, words):
                load_peers([self.write("a.csv", text)])


if __name__ == "__main__":
    unittest.main()
