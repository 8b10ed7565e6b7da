"""The ticks of papers, and which solvers answer for them."""

import unittest

from support import TemporaryFolderTest

from frictionbench.files import ResultsError
from frictionbench.papers.marks import MARKS, mark_tables
from frictionbench.results import Solver

SOLVERS = [Solver(id, id.split("(")[0], model) for id, model in (
    ("ccp-pgs", "ccp"), ("ccp-admm", "ccp"), ("raisim", "ncp"), ("ncp-pgs", "ncp"), ("ncp-new", "ncp"),
    ("ccp-admm(variant=rss2024)", "ccp"))]


class PaperMarks(TemporaryFolderTest):
    def ids(self, solvers):
        return [solver.id for solver in solvers]

    def test_the_papers_tables(self):
        tables = mark_tables()
        self.assertEqual({table.number for table in tables.values()}, {"II", "III"})
        # As many ticks as [LeLidec24] prints.
        self.assertEqual({name: sum(sum(row.marks) for row in table.rows) for name, table in tables.items()},
                         {"models": 8, "algorithms": 21})

    def test_a_model_is_every_solver_of_it_that_no_row_names(self):
        table = mark_tables()["models"]
        found = {row.label: self.ids(table.solvers(row, SOLVERS)) for row in table.rows}
        self.assertEqual(found, {"LCP": [], "CCP": ["ccp-pgs", "ccp-admm", "ccp-admm(variant=rss2024)"],
                                 "RaiSim": ["raisim"], "NCP": ["ncp-pgs", "ncp-new"]})
        self.assertEqual(table.others(SOLVERS), [])

    def test_algorithms_are_named_and_the_rest_is_others(self):
        table = mark_tables()["algorithms"]
        found = {row.label: self.ids(table.solvers(row, SOLVERS)) for row in table.rows}
        self.assertEqual(found["CCP, ADMM (Alg. 3)"], ["ccp-admm(variant=rss2024)", "ccp-admm"])
        self.assertEqual(found["CCP, Drake"], [])
        self.assertEqual(self.ids(table.others(SOLVERS)), ["ncp-new"])

    def test_explanations(self):
        table = mark_tables()["algorithms"]
        row = next(row for row in table.rows if "ccp-admm" in row.solvers)
        self.assertIn("Gauss-Seidel", table.explanation(row, "ccp-admm", "no internal forces"))
        self.assertEqual(table.explanation(row, "ccp-admm", "robust"), "")

    def refused(self, old, new):
        text = MARKS.read_text(encoding="utf-8")
        self.assertIn(old, text)
        with self.assertRaises(ResultsError) as caught:
            mark_tables(self.write("marks.toml", text.replace(old, new, 1)))
        self.assertIn("marks.toml", str(caught.exception))
        return str(caught.exception)

    def test_files_that_are_wrong(self):
        self.assertIn("2 marks in 3 columns", self.refused("marks = [true, false, false]", "marks = [true, false]"))
        self.assertIn("to explain", self.refused('column = "no internal forces"', 'column = "none"'))
        self.assertIn("number", self.refused('number = "II"', 'figure = "II"'))
        self.assertIn("colour", self.refused('model = "lcp"', 'colour = "red"'))


if __name__ == "__main__":
    unittest.main()
