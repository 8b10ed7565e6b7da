"""frictionbench-paper models and impulses, on a few scenes that the program makes and solves."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import TemporaryFolderTest, made_up_document

from frictionbench.papers import impulses as paper_impulses, models as paper_models_document
from frictionbench.papers.models_measures import (
    Scenes, accepted, arrives, by_mass_ratio, counted, hard_contacts, no_internal_forces, robust,
)
from frictionbench.results import load

PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")
SOLVERS = ("ccp-pgs", "lcp-pgs", "raisim", "ncp-pgs", "ccp-admm", "ccp-admm(variant=rss2024)")
SCENES = {
    "scenes": (("sliding_box",), ("sliding_box", "--direction", "30"), ("sliding_box", "--direction", "45"),
               ("sliding_box", "--time-step", "0.001"), ("pushed_box",)),
    "friction": (("stack", "--boxes", "3", "--pull", "1.5", "--mu", "2"),),
    "stacks": (("stack", "--boxes", "2"), ("stack", "--boxes", "2", "--mass-ratio", "1e4")),
}
LIMITS = {"scenes": ("1e-8", "20000"), "friction": ("1e-6", "2000"), "stacks": ("1e-6", "500")}


def measured(folder):
    """What frictionbench-paper run models leaves of fewer scenes and solvers."""
    def call(*arguments):
        subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, capture_output=True)

    solvers = [word for solver in SOLVERS for word in ("--solver", solver)]
    for name, scenes in SCENES.items():
        for scene in scenes:
            call("generate", *scene, "-o", f"problems/{name}")
        tolerance, most = LIMITS[name]
        call("run", f"problems/{name}", "-o", f"{name}.json", "--criterion", "native", "--scale", "absolute",
             "--history", "--repeat-time", "0", "--tolerance", tolerance, "--max-iterations", most, *solvers)


def lines(text, heading):
    """Cells of the table's lines by (section, label)."""
    found, section = {}, ""
    for line in text.split(heading)[1].split("\n\n* ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and not line.startswith("| ---"):
            section = cells[0].strip("*") or section
            found[section, cells[1]] = cells[2:]
    return found


@unittest.skipUnless(PROGRAM, "FRICTIONBENCH_PROGRAM does not name the program")
class Measured(TemporaryFolderTest):
    @classmethod
    def setUpClass(cls):
        cls.made = Path(tempfile.mkdtemp(prefix="frictionbench models "))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        measured(cls.made)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)

    def impulses(self, *arguments):
        return self.call_script(paper_impulses, "scenes.json", "--program", PROGRAM, "-o", "impulses/scenes", *arguments)

    def document(self):
        return self.call_script(paper_models_document, ".", "-o", ".")

    def test_the_whole_document(self):
        self.assertEqual((self.impulses().returncode, self.document().stderr), (0, ""))
        text = (self.folder / "contact-models.md").read_text(encoding="utf-8")
        for name in ("l9", "l13"):
            self.assertIn(f"({name}.svg)", text)
            for suffix in ("svg", "png"):
                self.assertGreater((self.folder / f"{name}.{suffix}").stat().st_size, 1000)

        # The models differ as [LeLidec24] says, and by as much as a violated law is.
        models = lines(text, "**[LeLidec24] Table II")
        for model in ("LCP", "CCP", "RaiSim", "NCP"):
            self.assertEqual([cell[0] for cell in models[model, "ours"][:3]], models[model, "[LeLidec24]"][:3], model)
        self.assertIn("12 of 12 measured marks are those of [LeLidec24], each row by", text)

        algorithms = lines(text, "**[LeLidec24] Table III")
        self.assertEqual(algorithms["CCP, Drake", "ours"], ["–"] * 5)
        self.assertEqual(algorithms["CCP, PGS", "`ccp-pgs`"][2], "✗ 1/2")
        self.assertEqual(algorithms["CCP, ADMM (Alg. 3)", "`ccp-admm(variant=rss2024)`"][1:3], ["✓ 0.0 %", "✓ 2/2"])
        self.assertTrue(algorithms["NCP, PGS", "`ncp-pgs`"][1].startswith("✗"))

        # At 30 degrees the pyramid's edge is 15 degrees away, and the slip turns a little within the step.
        directions = lines(text, "**Angle between friction")
        self.assertEqual(directions["CCP", "all contacts together"], ["0.0"] * 3)
        off = [float(cell) for cell in directions["LCP", "all contacts together"]]
        self.assertEqual((off[0], off[2]), (0, 0))
        self.assertTrue(15 < off[1] < 16, off)

        take_off = lines(text, "**Take-off")
        self.assertEqual({section for section, _ in take_off if section.startswith("Sliding")},
                         {"SlidingBox-default", "SlidingBox-time_step0.001"})
        default = [float(cell) for cell in take_off["SlidingBox-default", "CCP"]]
        self.assertAlmostEqual(default[1], 0.5 * default[0], places=3)
        self.assertAlmostEqual(default[4], 5 * default[1], places=2)  # mm in a step of 5 ms
        self.assertLess(default[3], 1e-5)

        raisim = lines(text, "**RaiSim: friction")
        self.assertGreater(float(raisim["SlidingBox-default", "`raisim`"][0]), 5)
        self.assertLess(float(raisim["SlidingBox-default", "`raisim`"][1]), 1e-3)

    def test_a_solver_registered_later_has_a_line(self):
        self.impulses()
        for name in SCENES:
            text = (self.folder / f"{name}.json").read_text(encoding="utf-8")
            self.write(f"{name}.json", text.replace('"ncp-pgs"', '"ncp-new"'))
        for path in (self.folder / "impulses").rglob("ncp-pgs.txt"):
            path.rename(path.with_stem("ncp-new"))
        self.assertEqual(self.document().stderr, "")
        text = (self.folder / "contact-models.md").read_text(encoding="utf-8")
        algorithms = lines(text, "**[LeLidec24] Table III")
        self.assertIn(("NCP, not in [LeLidec24]", "`ncp-new`"), algorithms)
        self.assertEqual(algorithms["NCP, PGS", "ours"], ["–"] * 5)

    def test_a_solver_that_refuses_everything_has_none(self):
        self.impulses()
        for name in SCENES:
            document = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
            for record in document["records"]:
                if record["solver"] == "ncp-pgs":
                    record |= {"status": "refused", "verdict": None, "impulse_norm": None, "history": None}
            self.write(f"{name}.json", document)
        self.assertEqual(self.document().stderr, "")
        text = (self.folder / "contact-models.md").read_text(encoding="utf-8")
        self.assertEqual(lines(text, "**[LeLidec24] Table III")["NCP, PGS", "ours"], ["–"] * 5)
        self.assertNotIn("`ncp-pgs`", text)

    def test_impulses_are_those_that_were_judged(self):
        self.assertEqual(self.impulses("--problems", "default").returncode, 0)
        sliding = self.folder / "impulses/scenes/SlidingBox/SlidingBox-default-local-4-00000"
        written = sorted(path.name for path in sliding.iterdir())
        self.assertEqual(written, sorted(f"{solver}.txt" for solver in SOLVERS))
        self.assert_refused(self.document(), "no impulse there", "frictionbench-paper impulses")
        self.impulses()
        changed = next((self.folder / "impulses/scenes/PushedBox").rglob("ncp-pgs.txt"))
        changed.write_text(re.sub(r"^", "1", changed.read_text(encoding="utf-8")), encoding="utf-8")
        self.assert_refused(self.document(), "not the impulse of")

    def test_bad_input(self):
        self.assert_refused(self.impulses("--problems", "Tower"), "no problem matches 'Tower'")
        self.assert_refused(self.call_script(paper_impulses, "scenes.json", "--program", "./none", "-o", "there"),
                            "./none")
        shutil.rmtree(self.folder / "problems")
        self.assert_refused(self.impulses(), "ccp-pgs on PushedBox/")
        document = json.loads((self.folder / "stacks.json").read_text(encoding="utf-8"))
        document["run"]["criterion"] = "ncp"
        self.write("stacks.json", document)
        self.assert_refused(self.document(), "stacks.json: criterion ncp (absolute)")


class Endings(TemporaryFolderTest):
    def results(self, residuals, status="max_iterations", model="ncp", stop_reason="iteration_limit"):
        document = made_up_document({"Family": {"a-solver": [None]}})
        document["run"]["criterion"] = "native"
        document["solvers"][0]["model"] = model
        document["records"][0] |= {"status": status, "stop_reason": stop_reason, "history": residuals and [
            {"iteration": k, "primal": value, "dual": 0, "complementarity": value and value / 2, "penalty": None}
            for k, value in enumerate(residuals, 1)]}
        return load(self.write("a.json", document))

    def arrives(self, residuals, **options):
        results = self.results(residuals, **options)
        return arrives(results, results.problems[0], results.solvers[0])

    def test_what_still_falls_is_on_its_way(self):
        self.assertTrue(self.arrives([1 / k for k in range(1, 41)]))
        self.assertTrue(self.arrives([(1.5 + (-1) ** k) / k for k in range(1, 41)]))

    def test_what_stands_still_cycles_or_grows_is_lost(self):
        self.assertFalse(self.arrives([1] + [0.3] * 39))
        self.assertFalse(self.arrives([1] + [0.2, 0.4] * 20))
        self.assertFalse(self.arrives([1.1**k for k in range(40)]))
        self.assertFalse(self.arrives([1, *[9 - 0.1 * k for k in range(39)]]))
        self.assertFalse(self.arrives(None))

    def test_a_residual_that_is_not_finite_is_no_progress(self):
        falling = [1 / k for k in range(1, 41)]
        self.assertTrue(self.arrives([None, *falling]))
        self.assertTrue(self.arrives(falling[:12] + [None] + falling[12:]))
        self.assertFalse(self.arrives([*falling, None]))
        self.assertFalse(self.arrives(falling[:20] + [None] * 20))
        self.assertFalse(self.arrives([None] * 40))

    def test_a_fixed_point_of_its_own_is_an_end(self):
        results = self.results([1] * 40, status="inaccurate", stop_reason="fixed_point")
        self.assertTrue(accepted(results, results.problems[0], results.solvers[0]))
        self.assertTrue(self.arrives([1] * 40, status="inaccurate", stop_reason="fixed_point"))
        self.assertEqual(counted(results, results.solvers[0]), (0, 0, 1))
        self.assertEqual(str(robust(results, results.solvers[0])), "✗ 0/1 and 1 fixed points")

    def test_what_its_solver_calls_inaccurate_is_no_success(self):
        results = self.results([1] * 40, status="inaccurate", stop_reason="momentum")
        self.assertFalse(accepted(results, results.problems[0], results.solvers[0]))
        self.assertEqual(counted(results, results.solvers[0]), (0, 0, 0))

    def test_nothing_measured_is_no_tick(self):
        scenes = Scenes(self.results([1], status="stalled"), self.folder)
        self.assertEqual(str(no_internal_forces(scenes, scenes.results.solvers[0])), "–")
        self.assertEqual(str(hard_contacts(scenes, scenes.results.solvers[0])), "✗ 0/1")

    def test_ratios_of_masses(self):
        document = made_up_document({"Stack": {"a-solver": [None, None, None]}})
        for problem, record, name in zip(document["problems"], document["records"], (
                "Stack-boxes2-mass_ratio1000000-local", "Stack-boxes2-local", "Stack-mass_ratio10-pull0.5-local")):
            problem["id"] = record["problem"] = f"Stack/{name}"
        groups = by_mass_ratio(load(self.write("a.json", document)))
        self.assertEqual(list(groups), [1, 10, 1e6])


if __name__ == "__main__":
    unittest.main()
