"""What the page of frictionbench-report says under another criterion or tolerance than that of a run: what can be known."""

import copy
import unittest

from report_browser import PageTest
from report_support import large_document
from support import made_up_document

RANKING = ("performance", "scatter")
SOLVED = ("data", "contacts", "condition")


def two_solvers(tolerance=1e-6, residuals=(1e-7, 1e-5)):
    """Two solvers on two problems: `fast` reaches the first residual, `slow` the second, in twice the time."""
    document = made_up_document({"X": {"fast": [1, 1], "slow": [2, 2]}})
    document["run"] = document["run"] | {"tolerance": tolerance}
    for record in document["records"]:
        record["verdict"] = copy.deepcopy(record["verdict"])
        value = residuals[record["solver"] == "slow"]
        record["verdict"]["ncp"] |= {"primal": 0, "dual": 0, "complementarity": value, "max": value}
    return document


class Judgement(PageTest):
    def overview(self):
        """The cells of each solver: solved, interval, time, ...; by the order in the document."""
        rows = self.browser.run("""return [...document.querySelectorAll("#overview-table tbody tr:not(.model)")]
            .map((row) => [...row.children].map((cell) => cell.innerText.trim()));""")
        labels = self.browser.run("return [...document.querySelectorAll('#solver option')].map(({text}) => text)")
        return [cells for _, *cells in sorted(rows, key=lambda row: labels.index(row[0]))]

    def nothing(self, plot):
        self.assertEqual(self.browser.picture(plot), [], plot)
        return self.browser.text(f"{plot}-nothing")

    def test_as_it_was_run(self):
        self.show(two_solvers())
        (fast, slow) = self.overview()
        self.assertEqual(([fast[0], fast[2]], slow[0]), (["100 %", "1 s"], "0 %"))
        self.assertEqual([trace["y"][-1] for trace in self.browser.picture("performance")], [1, 0])
        self.assertEqual(self.browser.text("judgement"), "Profiles compare 2 problems.")

    def test_a_looser_tolerance_tells_what_is_solved_and_ranks_nobody_by_costs(self):
        self.show(two_solvers())
        self.browser.choose_tolerance(1e-4)
        fast, slow = self.overview()
        self.assertEqual((fast[:3], slow[:3]), (["100 %", "–", "≤ 1 s"], ["100 %", "–", "≤ 2 s"]))
        self.assertEqual([trace["y"][-1] for trace in self.browser.picture("data")], [1, 1])
        for plot in RANKING:
            self.assertIn("Costs at NCP, absolute at 1e-4 are not known, only upper bounds", self.nothing(plot))
        self.assertIn("by which no solver is ranked", self.browser.text("judgement"))
        self.assertIn("solved: NCP, absolute at 1e-4 yes yes", self.browser.text("record"))
        self.browser.choose_tolerance(1e-6)
        self.assertEqual(len(self.browser.picture("performance")), 2)

    def test_a_tighter_tolerance_tells_nothing(self):
        self.show(large_document(20, 2))
        self.browser.choose_tolerance(1e-8)
        why = ("Nothing can be concluded for NCP, absolute at 1e-8: the solvers were run for NCP, absolute at 1e-6 and "
               "stopped there.")
        for plot in (*RANKING, *SOLVED):
            self.assertIn(why, self.nothing(plot))
        for cell in self.overview():
            self.assertRegex(cell[0], r"^not known; \d+ of all its answers satisfy it$")
        said = self.browser.text("judgement")
        self.assertTrue(said.startswith(why), said)
        self.assertIn("2 solvers are not ranked: ncp-admm(tau=2), ncp-pgs(relaxation=1.1).", said)
        self.assertIn("run again with --criterion ncp --scale absolute --tolerance 1e-8.", said)
        self.assertNotIn("Profiles compare", said)
        self.assertIn("not known: run for NCP, absolute at 1e-6", self.browser.text("record"))

    def test_another_criterion_tells_nothing_even_at_a_looser_tolerance(self):
        self.show(large_document(20, 3))
        for criterion in ("ccp", "ncp_relative", "ncp_scaled", "lcp", "native_relative"):
            self.browser.choose("criterion", criterion)
            for tolerance in (1e-3, 1e-6):
                self.browser.choose_tolerance(tolerance)
                with self.subTest(criterion, tolerance=tolerance):
                    for plot in (*RANKING, *SOLVED):
                        self.assertIn("Nothing can be concluded", self.nothing(plot))
                    self.assertEqual({cell[0].partition(";")[0] for cell in self.overview()}, {"not known"})

    def test_the_own_model_of_each_solver_is_what_it_stops_by(self):
        self.show(large_document(20, 3))
        self.browser.choose("criterion", "native")
        self.assertEqual(len(self.browser.picture("performance")), 3)
        self.assertNotIn("Nothing", self.browser.text("judgement"))

    def test_of_several_documents_only_those_that_tell_are_ranked(self):
        loose, tight = two_solvers(1e-4), two_solvers(1e-8, (1e-9, 1e-5))
        for document, name in ((loose, "loose"), (tight, "tight")):
            document["solvers"] = [solver | {"id": f"{solver['id']} {name}"} for solver in document["solvers"]]
            document["records"] = [record | {"solver": f"{record['solver']} {name}"} for record in document["records"]]
        self.show(loose, tight)
        self.assertEqual([trace["name"] for trace in self.browser.picture("performance")], ["fast loose", "slow loose"])
        self.assertEqual(len(self.browser.picture("data")), 4)
        self.assertIn("Run for NCP, absolute at 1e-8: fast tight, slow tight. At this looser tolerance",
                      self.browser.text("judgement"))
        self.browser.choose_tolerance(1e-8)
        for plot in ("performance", "data"):
            self.assertEqual([trace["name"] for trace in self.browser.picture(plot)], ["fast tight", "slow tight"])
        self.assertIn("2 solvers are not ranked: fast loose, slow loose.", self.browser.text("judgement"))
        self.assertEqual([cell[0].partition(";")[0] for cell in self.overview()], ["not known", "not known", "100 %", "0 %"])

    def test_a_document_that_was_judged_again_tells_what_its_solvers_were_asked_for(self):
        document = two_solvers(1e-4)
        document["run"]["asked"] = {"criterion": "ncp", "scale": "absolute", "tolerance": 1e-6}
        self.show(document)
        self.assertIn("run for NCP, absolute at 1e-6", self.nothing("performance"))
        self.assertEqual([cell[0] for cell in self.overview()], ["100 %", "100 %"])
        self.browser.choose_tolerance(1e-6)
        self.assertEqual(len(self.browser.picture("performance")), 2)
        document["run"]["asked"] = {"criterion": "ccp", "scale": "absolute", "tolerance": 1e-6}
        self.show(document)
        self.assertIn("Nothing can be concluded for NCP, absolute at 1e-4: the solvers were run for CCP, absolute at 1e-6",
                      self.browser.text("judgement"))

    def test_two_solvers_of_which_one_is_not_known(self):
        loose, tight = two_solvers(1e-4), two_solvers(1e-6)
        for document, name in ((loose, "fast"), (tight, "slow")):
            document["solvers"] = [solver for solver in document["solvers"] if solver["id"] == name]
            document["records"] = [record for record in document["records"] if record["solver"] == name]
        self.show(loose, tight)
        self.browser.choose_tolerance(1e-6)
        self.assertIn("were run for NCP, absolute at 1e-4 and stopped there", self.nothing("scatter"))
        self.assertEqual([trace["name"] for trace in self.browser.picture("performance")], ["slow"])


if __name__ == "__main__":
    unittest.main()
