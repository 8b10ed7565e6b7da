"""The document on compliance, on a few real solves."""

import json
import math
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import TemporaryFolderTest, made_up_document

from frictionbench.papers import (
    compliance as paper_compliance_document, compliance_measures as measures, compliance_tables as tables,
    impulses as paper_impulses,
)
from frictionbench.results import load

PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")
# Stands for a Python script: writes down how it was called; that for impulses leaves one.
SCRIPT = """import os, pathlib, sys
with open(os.environ["LOG"], "a") as log:
    print(os.path.basename(sys.argv[0]), *sys.argv[1:], file=log)
if "--program" in sys.argv:
    path = pathlib.Path(sys.argv[-1], "Stack/stack-1/ncp-hybrid.txt")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
sys.exit()
"""
DOCUMENTS = {f"standing/{R}" for R in ("rigid", "1e-7", "1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "0.1", "1", "10", "100")} | {
    "both/rigid", "both/diag-0.001", "both/diag-0.1", "slip/walls", "slip/pyramid", "slip/floor", "springs",
    "accuracy-sap", "accuracy"}


def measured(folder):
    """What frictionbench-paper run compliance leaves of fewer scenes and solvers."""
    def call(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr  # 1: not all is solved, as no compliant problem is
        return done.stdout

    def run(problems, output, *arguments):
        (folder / output).parent.mkdir(exist_ok=True)
        call("run", f"problems/{problems}", "-o", output, "--scale", "absolute", "--repeat-time", "0", *arguments)

    for form, name, scene in (
            ("local", "standing", ("pushed_box",)), ("local", "standing", ("stack", "--boxes", "2", "--pull", "0.5")),
            ("local", "pyramid", ("pyramid", "--levels", "2")),
            ("local", "floor", ("packed_spheres", "--grains", "4", "--width", "2", "--spread", "0", "--snapshots", "1")),
            ("global", "spheres", ("packed_spheres", "--grains", "4", "--width", "0.24", "--snapshots", "2")),
            ("global", "spheres", ("packed_spheres", "--grains", "8", "--width", "0.24", "--snapshots", "2"))):
        call("generate", *scene, "--form", form, "-o", f"problems/{name}")
    hybrid, ccp = ("--solver", "ncp-hybrid"), ("--criterion", "ccp")
    run("standing", "standing/rigid.json", "--tolerance", "1e-12", *hybrid, "--solver", "ncp-nsgs")
    for R in ("1e-4", "1e-3", "100"):
        run("standing", f"standing/{R}.json", "--tolerance", "1e-12", "--compliance", R, *hybrid)
    run("standing", "both/rigid.json", *hybrid)
    run("standing", "both/diag-0.1.json", "--compliance", "diag:0.1", *hybrid)
    sigmas = [word for sigma in ("1e-4", "1e-3", "0.1") for word in ("--solver", f"ccp-sap(sigma={sigma})")]
    for scene, name in (("pyramid", "walls"), ("floor", "floor")):
        run(scene, f"slip/{name}.json", *ccp, "--tolerance", "1e-10", *sigmas)
    run("pyramid", "springs.json", *ccp, "--tolerance", "1e-10", "--solver", "ccp-sap", "--solver", "ccp-ipm")
    run("spheres", "accuracy-sap.json", *ccp, "--tolerance", "1e-14",
        "--solver", "ccp-sap(stop=momentum,relative_tolerance=1e-5)")
    run("spheres", "accuracy.json", *ccp, "--solver", "ccp-ipm")
    here = os.getcwd()
    os.chdir(folder)
    try:
        for path in [*Path("standing").glob("*.json"), *Path("slip").glob("*.json"), Path("springs.json")]:
            results = load(path)
            impulses = Path("impulses") / path.with_suffix("")
            paper_impulses.write_impulses(PROGRAM, results, results.problems, impulses)
            for impulse in impulses.rglob("*.txt") if path.parent.name == "standing" else []:
                problem = impulse.relative_to(impulses).parent
                judged = Path("judged", path.stem, problem, f"{impulse.stem}.json")
                judged.parent.mkdir(parents=True, exist_ok=True)
                judged.write_text(call("judge", f"problems/standing/{problem}.hdf5", "--impulse", impulse, "--json"),
                                  encoding="utf-8")
    finally:
        os.chdir(here)


@unittest.skipUnless(PROGRAM, "FRICTIONBENCH_PROGRAM does not name the program")
class Measured(TemporaryFolderTest):
    @classmethod
    def setUpClass(cls):
        cls.made = Path(tempfile.mkdtemp(prefix="frictionbench compliance "))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        measured(cls.made)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)  # documents name their problems from here

    def test_penetration_and_creep_are_linear_in_a_small_compliance(self):
        for scene in measures.standing(self.folder).values():
            self.assertEqual(list(scene.compliant), [1e-4, 1e-3, 100])
            for points in (scene.penetration, scene.creep):
                self.assertAlmostEqual(measures.slope(scene.small(points)), 1, places=2)
                self.assertTrue(tables.linear(scene.small(points)))

    def test_compliance_removes_internal_forces(self):
        for scene in measures.standing(self.folder).values():
            self.assertTrue(all(norm > 1 - 1e-6 for norm in scene.rigid_norms().values()))
            self.assertGreater(scene.rigid_norms()["ncp-nsgs"], 1.01)
            self.assertAlmostEqual(scene.norms()[0][1], 1, places=3)
            self.assertLess(scene.norms()[-1][1], 0.1)

    def test_mean_slip_is_of_the_contacts_whose_largest_is_creep(self):
        slip = measures.Slip(load("slip/walls.json"), Path("impulses/slip/walls"))
        for (_, largest), (_, mean), solver in zip(slip.creep(), slip.mean(), slip.by_sigma().values()):
            slips, inside = slip.inside(solver)
            self.assertAlmostEqual(slips[inside].max() / largest, 1)
            self.assertTrue(0 < mean <= largest)
        self.assertAlmostEqual(slip.estimates()[1][1], 1e-3 * 0.5 * 0.005 * 9.81)

    def test_document(self):
        result = self.call_script(paper_compliance_document, ".", "-o", "texts")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = (self.folder / "texts/compliance.md").read_text(encoding="utf-8")
        for words in ("Here, too, both are linear while R is small.", "they vanish, as in [LeLidec24]",
                      "spheres on a floor: no contact slips", "Here `ncp-hybrid` solves all problems, rigid and compliant.",
                      "on the compliant impulse is more than 0.1 % below the least norm",
                      "the same here: `ccp-sap` with ε_r = 1e-5 is below it in 4 of 4 solves", "| **spheres** | 4 |",
                      "ccp-ipm: 4 of 4 solved at 1e-6"):
            self.assertIn(words, text)
        self.assertNotIn("nan", text)
        for name in ("l14", "d13", "d14"):
            self.assertIn(f"({name}.svg)", text)
            for suffix in ("svg", "png"):
                self.assertGreater((self.folder / f"texts/{name}.{suffix}").stat().st_size, 1000)

    def test_what_is_missing_is_named(self):
        (self.folder / "judged/1e-3").rename(self.folder / "gone")
        self.assert_refused(self.call_script(paper_compliance_document, ".", "-o", "texts"), "judged/1e-3")
        (self.folder / "standing/rigid.json").unlink()
        self.assert_refused(self.call_script(paper_compliance_document, ".", "-o", "texts"), "a rigid and a compliant")
        shutil.rmtree(self.folder / "standing")
        self.assert_refused(self.call_script(paper_compliance_document, ".", "-o", "texts"), "no results documents")


class Sentences(TemporaryFolderTest):
    def results(self, name, costs):
        return load(self.write(f"{name}.json", made_up_document({"Stack": costs})))

    def test_slopes(self):
        self.assertAlmostEqual(measures.slope([(x, 3 * x**1.5) for x in (1, 2, 5)]), 1.5)
        self.assertTrue(math.isnan(measures.slope([(1, 1), (2, 0)])))
        self.assertFalse(tables.linear([(1, 1)]))

    def test_one_solver_for_both(self):
        both = {"diag-0.1": self.results("a", {"good": [1, 1], "bad": [2, 2]}),
                "rigid": self.results("b", {"good": [2, 2], "bad": [1, None]})}
        text = tables.both_text(both)
        self.assertIn("Here `good` solves all problems", text)
        self.assertIn("`good` needs fewer iterations", text)
        grid = tables.both_grid(both)
        self.assertEqual([group for group, _ in grid.columns], ["rigid"] * 2 + ["R = 0.1 diag W"] * 2)
        self.assertEqual(grid.sections[0][1][1].cells, ["1 / 2", "10", "2 / 2", "20"])

    def accuracy(self, errors, products):
        document = made_up_document({"Spheres": {"ccp-sap": [1] * len(errors)}})
        document["solvers"][0]["settings"] = {"relative_tolerance": 1e-5}
        for problem in document["problems"]:
            problem["dofs"] = 24
        for record, error, product in zip(document["records"], errors, products):
            verdict = json.loads(json.dumps(record["verdict"]))
            verdict |= {"momentum": error, "scale": {"impulse": 2, "velocity": 0.5}}
            record |= {"verdict": verdict, "own_model": {"complementarity": product}}
        return load(self.write("accuracy.json", document))

    def test_momentum_below_or_above_the_tolerance(self):
        momentum, product = tables.accuracy_text([self.accuracy([1e-6, 2e-6], [4e-6, 4e-6])])
        self.assertIn("the same here", momentum)
        self.assertIn("2 of 2 solves, at most at 2.0e-06; means by size are 1.5e-06 to 1.5e-06, for 4 to 4", momentum)
        self.assertIn("at most 4.0e-06, and at most 4 times e_m", product)
        momentum, _ = tables.accuracy_text([self.accuracy([1e-6, 2e-5], [0, 0])])
        self.assertIn("not always here", momentum)
        self.assertIn("1 of 2 solves", momentum)


if __name__ == "__main__":
    unittest.main()
