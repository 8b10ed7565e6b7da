"""The document on problems by number of contacts."""

import unittest

from support import TemporaryFolderTest, made_up_document

from frictionbench.papers import sizes as paper_sizes_document
from frictionbench.results import hyperstaticity, load, size_class


class SizesDocument(TemporaryFolderTest):
    """Ten walls of 100 to 1 000 contacts whose times grow with the square, and a pile that is not solved."""

    def setUp(self):
        super().setUp()
        document = made_up_document({"Wall": {"ncp-a": [(k / 100) ** 2 for k in range(10, 110, 10)]},
                                     "Pile": {"ncp-a": [None]}})
        for problem, contacts in zip(document["problems"], [*range(100, 1100, 100), 7000]):
            problem.update(contacts=contacts, dimension=3, form="global", dofs=2 * contacts, mu_max=contacts / 1000)
        document["problems"][0]["data_set"] = {"name": "big", "version": "1"}
        self.results = load(self.write("results.json", document))

    def test_classes(self):
        self.assertEqual([size_class(n) for n in (0, 10, 11, 1000, 1001, 6000, 6001)],
                         ["1-10", "1-10", "11-100", "101-1 000", "1 001-6 000", "1 001-6 000", "above 6 000"])
        self.assertEqual(hyperstaticity({"dimension": 3, "contacts": 4, "dofs": 6}), 2)
        self.assertIsNone(hyperstaticity({"dimension": 3, "contacts": 4, "dofs": None}))

    def test_shares_by_class_and_family(self):
        grid = paper_sizes_document.grid([self.results], "", paper_sizes_document.by_class_and_family,
                                         paper_sizes_document.share)
        self.assertEqual([(name, [(line.label, line.cells) for line in lines]) for name, lines in grid.sections], [
            ("11-100 contacts", [("Wall (1)", ["1.5", "1/1, 100.0 %"])]),
            ("101-1 000 contacts", [("Wall (9)", ["1.5", "9/9, 100.0 %"])]),
            ("above 6 000 contacts", [("Pile (1)", ["1.5", "0/1, 0.0 %"])])])

    def test_shares_by_data_set_and_friction(self):
        grid = paper_sizes_document.grid([self.results], "", paper_sizes_document.by_origin_and_friction,
                                         paper_sizes_document.share)
        self.assertEqual([(name, [(line.label, line.cells[1]) for line in lines]) for name, lines in grid.sections], [
            ("data set", [("big (1)", "1/1, 100.0 %"), ("in no set (10)", "9/10, 90.0 %")]),
            ("largest friction coefficient", [("up to 0.3 (3)", "3/3, 100.0 %"), ("0.3 to 0.7 (4)", "4/4, 100.0 %"),
                                              ("above 0.7 (4)", "3/4, 75.0 %")])])

    def test_growth_of_times(self):
        (line,) = paper_sizes_document.growth([self.results])  # ten time steps of one simulation
        self.assertIn("Wall: time grows as n^2.00 (10 problems of 1 simulation: no interval; 100 to 1000 contacts)", line)
        for index, problem in enumerate(self.results.problems):
            problem.facts["path"] = f"wall{'abcdefghijk'[index % 5]}-{index}.hdf5"
        (line,) = paper_sizes_document.growth([self.results])
        self.assertRegex(line, r"Wall: time grows as n\^\d\.\d\d, 95 % interval \d\.\d\d to \d\.\d\d "
                               r"\(10 problems of 5 simulations, 100 to 1000 contacts\)")
        self.assertIn("no interval", paper_sizes_document.document([self.results]))

    def test_growth_of_times_that_are_nearly_all_equal(self):
        for index, problem in enumerate(self.results.problems[:10]):
            problem.facts.update({"path": f"wall{'abcdefghij'[index]}-{index}.hdf5", "contacts": 200 if index < 9 else 400})
            self.results.record(problem, self.results.solvers[0])["time"]["solve"]["median"] = 2.0
        (line,) = paper_sizes_document.growth([self.results])
        self.assertIn("Wall: time grows as n^0.00 (10 problems of 10 simulations: too many are equal for an interval; "
                      "200 to 400 contacts)", line)

    def test_what_remains_is_listed_with_its_residual_and_the_command(self):
        table, command = paper_sizes_document.unsolved([self.results])
        self.assertRegex(table, r"\| \*\*Pile\*\* \| 0 \| 7000 \| \S+, \w+ \|")
        self.assertNotIn("Wall", table)
        self.assertRegex(command, r"^\* .*: `frictionbench solve FILE --solver ncp-a --criterion ncp --scale \w+ .*`$")

    def test_nothing_remains(self):
        document = made_up_document({"Wall": {"ncp-a": [1.0]}})
        document["problems"][0].update(contacts=100, dimension=3)
        self.assertEqual(paper_sizes_document.unsolved([load(self.write("solved.json", document))]), ["Nothing."])

    def test_the_document_has_every_part(self):
        text = paper_sizes_document.document([self.results])
        for words in ("NIPM-ANM", "What is solved", "How time grows", "What remains unsolved", "**Pile** | 0"):
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
