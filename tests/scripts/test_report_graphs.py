"""The report's pictures of problems: contacts and what they carry, and the spectrum of W."""

import os
import unittest

import numpy as np
import scipy.sparse
from report_browser import PageTest
from report_support import large_document
from support import ROOT, TemporaryFolderTest

from frictionbench.report import command as report
from frictionbench.report.graphs import MOST_CONTACTS, contact_coupling, graph_of, layout, spectrum, strongest_edges

MISSING = None if os.environ.get("FRICTIONBENCH_PYTHON") else "FRICTIONBENCH_PYTHON does not name the folder of the Python module"
STACK = ROOT / "datasets/default/Stack/Stack-mass_ratio100-local-20-00000.hdf5"


def chain(contacts):
    """Contacts of 3 rows in a row, each coupled with the next by 1/4."""
    coupling = scipy.sparse.diags([0.25, 1, 0.25], [-1, 0, 1], shape=(contacts, contacts))
    return scipy.sparse.csr_matrix(scipy.sparse.kron(coupling, np.eye(3)))


def facts_of(path, **others):
    import frictionbench
    problem = frictionbench.read(str(path))
    return {"path": str(path), "sha256": problem.sha256, "contacts": problem.contacts} | others


class Pieces(unittest.TestCase):
    def test_coupling_has_no_unit_and_no_other_blocks(self):
        starts = np.arange(0, 13, 3)
        expected = 0.25 * (np.eye(4, k=1) + np.eye(4, k=-1))
        np.testing.assert_allclose(contact_coupling(1e-9 * chain(4), starts).toarray(), expected, atol=1e-15)
        np.testing.assert_allclose(contact_coupling(chain(5), starts).toarray(), expected, atol=1e-15)  # one row set more

    def test_a_chain_is_drawn_as_a_line(self):
        places = layout(contact_coupling(chain(8), np.arange(0, 25, 3)))
        steps = np.diff(places[:, 0])
        self.assertTrue((steps > 0).all() or (steps < 0).all())
        self.assertEqual((places.min(), places.max()), (0, 1000))
        self.assertLessEqual(np.ptp(places[:, 1]), 1)
        np.testing.assert_allclose(np.abs(steps), 1000 / 7, atol=1)

    def test_parts_that_nothing_connects_are_apart(self):
        two = scipy.sparse.block_diag([chain(3), chain(3)], format="csr")
        places = layout(contact_coupling(two, np.arange(0, 19, 3)))
        of_part, between = [np.linalg.norm(places[a] - places[b]) for a, b in ((0, 2), (1, 4))]
        self.assertGreater(between, of_part / 2)
        self.assertEqual(layout(contact_coupling(chain(1), np.array([0, 3]))).tolist(), [[500, 500]])

    def test_the_strongest_edges_are_drawn(self):
        full = np.random.default_rng(0).uniform(0.1, 0.9, (40, 40))
        full = (full + full.T) / 2
        np.fill_diagonal(full, 0)
        edges, left_out = strongest_edges(scipy.sparse.csr_matrix(full))
        self.assertEqual((len(edges), left_out), (240, 40 * 39 // 2 - 240))
        drawn = full[edges[:, 0], edges[:, 1]]
        self.assertEqual(sorted(drawn, reverse=True), sorted(full[np.triu_indices(40, 1)], reverse=True)[:240])

    def test_the_spectrum_has_no_zeros(self):
        G = np.random.default_rng(1).standard_normal((6, 9))
        found = spectrum(scipy.sparse.csr_matrix(G.T @ G))
        self.assertEqual((found["rank"], found["unknowns"], found["spectrum"]["place"]), (6, 9, [1, 2, 3, 4, 5, 6]))
        np.testing.assert_allclose(found["spectrum"]["value"], np.sort(np.linalg.svd(G)[1] ** 2)[::-1], rtol=6e-3)
        many = spectrum(scipy.sparse.diags([np.arange(1, 301.0)], [0], format="csr"))
        places = many["spectrum"]["place"]
        self.assertEqual((places[0], places[-1], len(places)), (1, 300, 100))
        self.assertEqual(spectrum(scipy.sparse.csr_matrix((3, 3)))["rank"], 0)


@unittest.skipIf(MISSING, MISSING)
class Files(TemporaryFolderTest):
    def test_a_stack(self):
        found = graph_of(facts_of(STACK))
        self.assertEqual([len(found[name]) for name in ("x", "y", "impulse")], [20, 20, 20])
        impulse = np.array(found["impulse"]).reshape(5, 4).sum(axis=1)  # four contacts below each box
        self.assertTrue((impulse > 0).all())
        self.assertEqual(found["rank"], 30)  # five boxes of six degrees of freedom
        # Boxes couple the contacts of the same face, and of neighbouring ones.
        face = np.array(found["edges"]).reshape(-1, 2) // 4
        self.assertLessEqual(np.ptp(face, axis=1).max(), 1)

    def test_why_there_is_no_picture(self):
        facts = facts_of(STACK)
        for change, word in (({"contacts": 0}, "no contact"), ({"contacts": MOST_CONTACTS + 1}, "301"),
                             ({"path": "nowhere.hdf5"}, "nowhere.hdf5 is not there"), ({"sha256": "0" * 64}, "another file")):
            with self.subTest(change=change):
                self.assertIn(word, graph_of(facts | change))

    def test_the_command(self):
        path = self.write("run.json", large_document(3, 2))
        result = self.call_script(report, path, "-o", "page.html", "--graphs")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))


@unittest.skipIf(MISSING, MISSING)
class Page(PageTest):
    def test_the_chosen_problem_is_drawn(self):
        document = large_document(3, 2)
        document["problems"][1].update(facts_of(STACK))
        self.show(document, graphs=True)
        for plot in ("graph", "spectrum"):
            self.assertIn("is not there", self.browser.text(f"{plot}-nothing"))
        self.browser.choose("problem", "1")
        names = [trace["name"] for trace in self.browser.picture("graph")]
        self.assertEqual(names, ["coupled by W", "carries"])
        self.assertEqual(len(self.browser.picture("graph")[1]["x"]), 20)
        self.assertEqual(self.browser.picture("spectrum")[0]["name"], "30 of 60 eigenvalues are not zero")
        self.open_everything()
        self.assertIn("normal impulses of ncp-hybrid at 1e-8", self.browser.text("graph-numbers"))

    def test_without_pictures_it_says_how_to_have_them(self):
        self.show(large_document(3, 2))
        self.assertIn("frictionbench-report --graphs", self.browser.text("graph-nothing"))


if __name__ == "__main__":
    unittest.main()
