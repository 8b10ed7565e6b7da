"""The text about pivoting methods."""

import unittest

from support import ROOT, TemporaryFolderTest, made_up_document
from test_paper_document import rows, section

from frictionbench.files import ResultsError
from frictionbench.papers import pivoting as paper_pivoting_document
from frictionbench.papers.pivoting_tables import claim, claim_grid, failure_grid, of_name, scene_grid, work_grid
from frictionbench.results import load

STACK = ROOT / "datasets/default/Stack"
TIES = " ".join(f"--solver lcp-lemke-lexicographic(tie={tie})" for tie in ("0", "1e-8", "1e-6", "1e-4"))
OTHERS = ("lcp-pivot-search", "lcp-dantzig", "lcp-psor", "lcp-nonsmooth-newton", "lcp-pgs(facets=8)", "ncp-hybrid")
HOW = "--criterion native --tolerance 1e-6 --max-iterations 20000 --time-limit"


SEARCH, LEMKE, LEXICOGRAPHIC = "lcp-pivot-search", "lcp-lemke", "lcp-lemke-lexicographic(tie=0)"
# Seconds; None for what is not solved.
COSTS = {
    "Chain": {LEMKE: [0.1, None, None, None], LEXICOGRAPHIC: [0.1, 0.2, None, None], SEARCH: [0.1, 0.3, 0.2, None]},
    "Tower": {LEMKE: [None], LEXICOGRAPHIC: [0.5], SEARCH: [None]},
}
STATUSES = {("Chain/1", LEMKE): "ray", ("Chain/2", LEMKE): "cycle", ("Chain/3", LEMKE): "inaccurate",
            ("Tower/0", LEMKE): "memory_limit", ("Chain/2", LEXICOGRAPHIC): "crashed"}


def pivoting_document():
    made = made_up_document(COSTS)
    for solver in made["solvers"]:
        solver["name"] = solver["id"].partition("(")[0]
        solver["settings"] = {"facets": 8}
    for problem in made["problems"]:
        problem["contacts"] = 12 if problem["family"] == "Tower" else 4
    for record in made["records"]:
        pair = record["problem"], record["solver"]
        record["status"] = STATUSES.get(pair, record["status"])
        record["work"] = {**record["work"], "pivots": 7} if record["work"] else None
    return made


class Tables(TemporaryFolderTest):
    def setUp(self) -> None:
        super().setUp()
        made = pivoting_document()
        made["run"] = {**made["run"], "criterion": "ncp", "scale": "absolute"}
        self.run_ = load(self.write("pivoting.json", made))

    def lines(self, grid, index=0):
        return {line.label: line.cells for line in grid.sections[index][1]}

    def test_failures_are_told_apart(self):
        found = self.lines(failure_grid(self.run_))
        self.assertEqual(found[LEMKE][3:], ["1", "20.0 %", "1", "1", "1", "0", "1", "0", "0"])
        self.assertEqual(found[LEXICOGRAPHIC][-1], str(5 - 3 - sum(map(int, found[LEXICOGRAPHIC][5:-1]))))
        printed = self.lines(failure_grid(self.run_), 1)
        self.assertEqual(printed["Lemke"][:8], ["998", "16.1", "3.03", "506", "50.7 %", "52", "157", "283"])

    def test_what_only_the_search_solves(self):
        found = self.lines(claim_grid(self.run_))
        self.assertEqual(found["Chain"], ["4", "1", "2", "3", "1", "0"])
        self.assertEqual(found["Tower"], ["1", "0", "1", "0", "0", "1"])
        self.assertEqual(found["all"][-2:], ["1", "1"])
        self.assertIn("Of 5 problems here the search solves 3; 1 of these", claim(self.run_))

    def test_pivots_and_times_by_size(self):
        grid = work_grid(self.run_)
        self.assertEqual([name for name, _ in grid.sections],
                         ["1-10 contacts", "11-100 contacts", "printed, a robot that tap-dances"])
        self.assertEqual(self.lines(grid)[SEARCH], ["3 / 4", "21", "7.0", "2.0", "200.000", "200.000"])
        self.assertEqual(self.lines(grid, 1)[SEARCH][0], "0 / 1")
        self.assertEqual(self.lines(grid, 2)["proposed"][:3], ["9670 / 9670", "34335", "3.6"])

    def test_families_beside_the_scenes_of_the_paper(self):
        grid = scene_grid(self.run_)
        self.assertEqual(self.lines(grid)["Chain"][::3], ["4.0", "1"])
        self.assertEqual(self.lines(grid, 1)["net"], ["25.7", "16.9", "1818", "0", "9.72"])

    def test_other_documents_are_refused(self):
        with self.assertRaisesRegex(ResultsError, "no lcp-dantzig in it; frictionbench-paper run pivoting makes"):
            of_name(self.run_, ("lcp-dantzig",))

    def test_the_text(self):
        path = self.folder / "pivoting.json"
        result = self.call_script(paper_pivoting_document, path, path, "-o", self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = (self.folder / "pivoting.md").read_text(encoding="utf-8")
        self.assertIn("[YamaneNakamura08] is K. Yamane, Y. Nakamura", text)
        facets = rows(section(text, "The pyramid under the exact cone"))
        self.assertTrue(any("lcp-pivot-search, K = 8" in str(row) for row in facets), facets)


if __name__ == "__main__":
    unittest.main()
