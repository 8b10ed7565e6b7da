"""frictionbench-paper ncp: families on the right side of the split, and shares of what has a record."""

import unittest

from support import ROOT, TemporaryFolderTest, made_up_document

from frictionbench.files import ResultsError
from frictionbench.papers import ncp as seen_unseen
from frictionbench.results import load
from frictionbench.results.groups import split_sides

SPLIT = '[unseen]\nids = ["^Soup/", "/late"]\n[seen]\nids = ["^(Chain|Soup)/"]\n'
COSTS = {"Chain": {"a": [0.1, None, 0.3], "b": [None, None, None]}, "Soup": {"a": [None], "b": [0.2]}}


class SeenUnseen(TemporaryFolderTest):
    def setUp(self):
        super().setUp()
        self.split = self.folder / "split.toml"
        self.split.write_text(SPLIT, encoding="utf-8")
        self.results = load(self.write("results.json", made_up_document(COSTS)))

    def test_the_first_list_that_fits_decides(self):
        sides = split_sides(self.results.problems, self.split)
        self.assertEqual([problem.id for problem in sides["unseen"]], ["Soup/0"])
        self.assertEqual([problem.id for problem in sides["seen"]], ["Chain/0", "Chain/1", "Chain/2"])

    def test_a_problem_on_no_side_is_refused(self):
        self.split.write_text(SPLIT.replace("(Chain|Soup)", "Soup"), encoding="utf-8")
        with self.assertRaisesRegex(ResultsError, "no list has an expression for Chain/0"):
            split_sides(self.results.problems, self.split)

    def test_shares(self):
        grid = seen_unseen.grid(self.results, self.split)
        self.assertEqual([name for name, _ in grid.sections], ["unseen", "seen"])
        self.assertEqual(grid.sections[0][1][0].cells, ["0/1, 0.0 %", "1/1, 100.0 %"])
        self.assertEqual(grid.sections[1][1][0].cells, ["2/3, 66.7 %", "0/3, 0.0 %"])

    def test_the_project_has_a_split_for_every_problem(self):
        sides = split_sides(self.results.problems, ROOT / "datasets/split.toml")
        self.assertEqual(sum(len(problems) for problems in sides.values()), len(self.results.problems))


if __name__ == "__main__":
    unittest.main()
