"""The document on SAP, on a few real solves."""

import math
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import TemporaryFolderTest

from frictionbench.papers import sap as paper_sap_document
from frictionbench.results import load

PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")


def measured(folder):
    """What frictionbench-paper run sap leaves of fewer spheres and solvers."""
    def call(*arguments):
        subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, capture_output=True)

    def run(problems, output, *arguments):
        # 1: not all is solved, as no compliant problem is
        done = subprocess.run([PROGRAM, "run", f"problems/{problems}", "-o", output, "--criterion", "ccp", "--scale",
                               "absolute", "--repeat-time", "0", "--tolerance", "1e-8", *arguments],
                              cwd=folder, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr

    for name, grains, snapshots in (("scaling", 4, 1), ("scaling", 8, 1), ("fall", 8, 60), ("slip", 8, 2),
                                    ("convergence", 8, 1)):
        call("generate", "packed_spheres", "--grains", str(grains), "--width", "0.28", "--steps", "60", "--snapshots",
             str(snapshots), "--form", "global", "-o", f"problems/{name}")
    armijo = "line_search=armijo"
    run("scaling", "scaling.json", "--solver", "ccp-sap", "--solver", f"ccp-sap({armijo})", "--solver", "ccp-ipm")
    run("fall", "fall.json", "--sequence", "--solver", "ccp-sap")
    run("slip", "slip.json", *[word for sigma in ("0.01", "0.0001", "0.000001") for search in ("exact", "armijo")
                               for word in ("--solver",
                                            f"ccp-sap(sigma={sigma},line_search={search},condition=true)")])
    (folder / "convergence").mkdir()
    for most in range(1, 31):
        run("convergence", f"convergence/{most:02}.json", "--max-iterations", str(most),
            "--solver", "ccp-sap(relative_tolerance=1e-12)")


@unittest.skipUnless(PROGRAM, "FRICTIONBENCH_PROGRAM does not name the program")
class Measured(TemporaryFolderTest):
    @classmethod
    def setUpClass(cls):
        cls.made = Path(tempfile.mkdtemp(prefix="frictionbench sap "))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        measured(cls.made)

    def test_history_is_of_one_solve(self):
        runs = [load(file) for file in sorted((self.made / "convergence").glob("*.json"))]
        history = paper_sap_document.History(runs, runs[0].problems[0], runs[0].solvers[0])
        whole = runs[-1].record(runs[0].problems[0], runs[0].solvers[0])
        self.assertEqual(len(history.errors), whole["iterations"])
        self.assertEqual(history.errors[-1], whole["reported"]["momentum_error"])
        self.assertLess(history.errors[-1], 1e-12)
        self.assertGreater(history.errors[0], 0.1)
        self.assertEqual(history.gaps()[0], 1)

    def test_order_of_convergence(self):
        history = paper_sap_document.History([], None, None)
        self.assertTrue(math.isnan(history.order()))
        history.errors = [1, 0.1, 5e-3, 2e-4, 8e-6, 1.28e-8, 3.2768e-14]
        self.assertAlmostEqual(history.order(), 2)

    def test_time_steps_are_in_their_order(self):
        ((_, lines),) = paper_sap_document.fall_grid(load(self.made / "fall.json")).sections
        self.assertEqual([line.label for line in lines][:2] + [lines[-1].label], ["1 to 8", "9 to 16", "57 to 60"])
        self.assertEqual(lines[0].cells[-2:], ["0.0", "8 / 8"], "nothing touches yet")
        self.assertEqual(lines[-1].cells[1], "4 / 4")

    def test_slopes(self):
        squares = {sigma: sigma ** -2 for sigma in (1.0, 0.1, 0.01)}
        self.assertAlmostEqual(paper_sap_document.growth(squares), -2)
        self.assertAlmostEqual(paper_sap_document.growth(squares | {10.0: 1.0}, 1), -2)

    def test_what_grows_as_a_logarithm(self):
        sigmas = (1, 0.1, 0.01, 0.001)
        line = {sigma: 3 - math.log(sigma) for sigma in sigmas}
        self.assertIn("about as", paper_sap_document.bend(line))
        self.assertIn("faster", paper_sap_document.bend({sigma: value ** 2 for sigma, value in line.items()}))

    def test_condition_grows_as_sigma_shrinks(self):
        conditions = paper_sap_document.conditions(load(self.made / "slip.json"))
        self.assertEqual(list(conditions), [0.01, 0.0001, 0.000001])
        self.assertAlmostEqual(paper_sap_document.growth(conditions), -1, delta=0.2)

    def test_document(self):
        result = self.call_script(paper_sap_document, self.made, "-o", self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = (self.folder / "sap.md").read_text(encoding="utf-8")
        scaling = load(self.made / "scaling.json")
        count = next(problem.facts["contacts"] for problem in scaling.problems if problem.facts["dofs"] == 24)
        self.assertIn(f"| **spheres** | 4 | {count}.0 | 1 / 1 |", text)
        for words in ("[Castro22] Fig. 9: 8 spheres", "[Castro22] Fig. 10: time step 60", "the cost falls with every step",
                      "[Castro22] Fig. 15: 8 spheres", "|  | 1e-6 |"):
            self.assertIn(words, text)
        self.assertNotIn("nan", text)

    def test_a_folder_without_results(self):
        result = self.call_script(paper_sap_document, self.folder, "-o", self.folder)
        self.assert_refused(result, "no results documents")


if __name__ == "__main__":
    unittest.main()
