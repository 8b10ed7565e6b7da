"""frictionbench-profiles as a user calls it."""

import csv
import subprocess
import unittest
import xml.etree.ElementTree

from support import FULL, SCRIPTS, TemporaryFolderTest, full_document, made_up_document

import matplotlib.image
from frictionbench.profiles import command as performance_profile

LONG = "ncp-admm(rho_update=linear,tau=4)"
COSTS = {
    "Stack": {"pgs": [1, 4, 3, None], LONG: [2, 2, None, None]},
    "Chain": {"pgs": [None], LONG: [1]},
}
NOT_KEPT = "verdict not recomputable: impulses were not kept (run --keep-impulses)\n"


class PerformanceProfile(TemporaryFolderTest):
    def profile(self, *arguments, document=None):
        results = self.write("results.json", document or made_up_document(COSTS))
        return self.call_script(performance_profile, results, "--force", *arguments)

    def test_writes_pictures_of_every_kind(self):
        results = self.write("results.json", made_up_document(COSTS))
        result = self.run_script("frictionbench-profiles", results, "-o", "a.svg", "-o", "a.png", "--output", "a.pdf")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, NOT_KEPT, ""))
        pixels = matplotlib.image.imread(self.folder / "a.png")[:, :, :3]
        dark = (pixels.max(axis=2) < 0.3).mean()
        blue = ((pixels[:, :, 2] > 0.6) & (pixels[:, :, 0] < 0.2)).mean()
        self.assertGreater(dark, 0.002)  # text and axes
        self.assertGreater(blue, 0.0005)  # the first solver's curve
        self.assertLess(1 - (pixels.min(axis=2) > 0.95).mean(), 0.5)
        self.assertEqual(xml.etree.ElementTree.parse(self.folder / "a.svg").getroot().tag.split("}")[1], "svg")
        self.assertTrue((self.folder / "a.pdf").read_bytes().startswith(b"%PDF"))

    def test_the_same_picture_is_the_same_file(self):
        for name in ("a.svg", "b.svg", "a.pdf", "b.pdf"):
            self.assertEqual(self.profile("-o", name).returncode, 0)
        for kind in ("svg", "pdf"):
            first, second = ((self.folder / f"{name}.{kind}").read_bytes() for name in "ab")
            self.assertEqual(first, second)

    def test_csv(self):
        self.assertEqual(self.profile("-o", "a.svg", "--csv", "a.csv").returncode, 0)
        with open(self.folder / "a.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows, [
            ["family", "solver", "problems", "tau", "solved", "share"],
            ["all families", "pgs", "5", "1.0", "2", "0.4"],
            ["all families", "pgs", "5", "2.0", "3", "0.6"],
            ["all families", LONG, "5", "1.0", "2", "0.4"],
            ["all families", LONG, "5", "2.0", "3", "0.6"],
            ["Stack", "pgs", "4", "1.0", "2", "0.5"],
            ["Stack", "pgs", "4", "2.0", "3", "0.75"],
            ["Stack", LONG, "4", "1.0", "1", "0.25"],
            ["Stack", LONG, "4", "2.0", "2", "0.5"],
            ["Chain", "pgs", "1", "1.0", "0", "0.0"],
            ["Chain", LONG, "1", "1.0", "1", "1.0"],
        ])

    def test_selection(self):
        result = self.profile("-o", "a.svg", "--csv", "a.csv", "--families", "^St", "--solvers", "admm")
        self.assertEqual(result.returncode, 0)
        # The best of the drawn solvers is the measure: alone, one is always the best.
        self.assertEqual((self.folder / "a.csv").read_text(encoding="utf-8").splitlines()[1:],
                         [f'Stack,"{LONG}",4,1.0,2,0.5'])

    def test_every_measure_and_criterion(self):
        for arguments in (("--by", "iterations"), ("--by", "factorizations"), ("--criterion", "ncp", "--scale", "scaled"),
                          ("--criterion", "lcp"), ("--criterion", "native"), ("--tau-max", "1.5")):
            with self.subTest(arguments):
                result = self.profile("-o", "a.svg", *arguments)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_criterion_has_the_scale_of_the_run_unless_another_is_given(self):
        """So that the options of `frictionbench run` mean the same here."""
        document = made_up_document({"X": {"a": [1, 2]}})
        document["run"] = document["run"] | {"scale": "relative"}
        for record, relative in zip(document["records"], (True, False)):
            record["solved"] = record["solved"] | {"ncp": record["solved"]["ncp"] | {"relative": relative, "absolute": True}}
        for options, solved, said in (([], 1, "relative"), (["--criterion", "ncp"], 1, "relative"),
                                      (["--criterion", "ncp", "--scale", "absolute"], 2, "absolute"),
                                      (["--scale", "absolute"], 2, "absolute")):
            with self.subTest(options):
                self.assertEqual(self.profile("-o", "a.svg", "--csv", "a.csv", *options, document=document).returncode, 0)
                self.assertIn(f"X,a,2,1.0,{solved},", (self.folder / "a.csv").read_text(encoding="utf-8"))
                self.assertIn(f"by solve time: ncp ({said}), tolerance 1e-6", (self.folder / "a.svg").read_text(encoding="utf-8"))

    def test_solvers_of_other_models_have_pictures_of_their_own(self):
        document = made_up_document({"X": {"a": [1, 2], "b": [2, 1], "c": [3, None]}})
        document["solvers"][1]["model"] = "ccp"
        for record in document["records"]:
            record["solved"] = record["solved"] | {"ccp": record["solved"]["ncp"]}
        self.assertEqual(self.profile("-o", "a.png", "--csv", "a.csv", document=document).returncode, 0)
        self.assertEqual(sorted(path.name for path in self.folder.glob("a*.png")), ["a-ccp.png", "a.png"])
        # Of each model, the best solver is one of that model.
        self.assertEqual((self.folder / "a-ccp.csv").read_text(encoding="utf-8").splitlines()[1:], ["X,b,2,1.0,2,1.0"])
        self.assertEqual((self.folder / "a.csv").read_text(encoding="utf-8").splitlines()[1:],
                         ["X,a,2,1.0,2,1.0", "X,c,2,1.0,0,0.0", "X,c,2,3.0,1,0.5"])
        self.assertEqual(self.profile("-o", "b.png", "--criterion", "ncp", document=document).returncode, 0)
        self.assertEqual([path.name for path in self.folder.glob("b*.png")], ["b.png"])

    def test_families_of_few_problems_have_no_panel(self):
        from_ten = {"X": {"a": [1.0] * 10}, "Y": {"a": [1.0] * 9}}
        self.assertEqual(self.profile("-o", "a.svg", "--csv", "a.csv", document=made_up_document(from_ten)).returncode, 0)
        picture = (self.folder / "a.svg").read_text(encoding="utf-8")
        self.assertIn("X  (10 problems)", picture)
        self.assertNotIn("Y  (9 problems)", picture)
        self.assertIn("Y,a,9,1.0,9,1.0", (self.folder / "a.csv").read_text(encoding="utf-8"))

    def test_odd_documents(self):
        documents = {
            "full": full_document(),
            "one solver, one problem": made_up_document({"X": {"a": [1]}}),
            "all failed": made_up_document({"X": {"a": [None], "b": [None]}}),
            "huge ratios": made_up_document({"X": {"a": [1e-6, 1], "b": [1e4, 1]}}),
            "many solvers": made_up_document(
                {"X": {f"solver-{k}({'setting=1,' * k})": [k + 1] for k in range(24)}}),
        }
        for name, document in documents.items():
            with self.subTest(name):
                result = self.profile("-o", "a.png", document=document)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_several_documents_are_compared_on_common_problems(self):
        ours = self.write("ours.json", made_up_document({"X": {"a": [1, 1, 1]}, "Y": {"a": [1]}}))
        peers = self.write("peers.json", made_up_document({"X": {"b": [2, None]}, "Z": {"b": [1]}}))
        result = self.call_script(performance_profile, ours, peers, "-o", "a.svg", "--csv", "a.csv")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        first, second = result.stdout.splitlines()
        # X/2, Y/0 and Z/0 have a record of one of the two solvers only.
        self.assertEqual(first, "ours.json, peers.json: compared on the 2 problems that every solver was run on; 3 left out.")
        self.assertEqual(f"{second}\n", NOT_KEPT)
        self.assertEqual((self.folder / "a.csv").read_text(encoding="utf-8").splitlines()[1:],
                         ["X,a,2,1.0,2,1.0", "X,b,2,1.0,0,0.0", "X,b,2,2.0,1,0.5"])
        # What is below the picture: text in the SVG is drawn as shapes, with a comment that has the text.
        self.assertIn("3 left out.", (self.folder / "a.svg").read_text(encoding="utf-8"))

    def test_solvers_that_are_not_drawn_leave_no_problem_out(self):
        ours = self.write("ours.json", made_up_document({"X": {"a": [1, 1, 1]}}))
        peers = self.write("peers.json", made_up_document({"X": {"b": [2]}}))
        result = self.call_script(performance_profile, ours, peers, "-o", "a.svg", "--solvers", "a")
        self.assertIn("compared on the 3 problems that every solver was run on; none left out", result.stdout)

    def test_several_documents_that_cannot_be_compared(self):
        ours = self.write("ours.json", made_up_document({"X": {"a": [1]}}))
        for member, value in (("tolerance", 1e-8), ("criterion", "ccp"), ("scale", "relative")):
            other = made_up_document({"X": {"b": [1]}})
            other["run"] = other["run"] | {member: value}
            result = self.call_script(performance_profile, ours, self.write("b.json", other), "-o", "a.svg")
            self.assert_refused(result, f"b.json: run.{member} is {value}", "ours.json")
        other = self.write("b.json", made_up_document({"X": {"a": [2]}}))
        self.assert_refused(self.call_script(performance_profile, ours, other, "-o", "a.svg"),
                            "b.json: a on X/0 has another record in", "ours.json")
        other = self.write("b.json", made_up_document({"Y": {"b": [2]}}))
        self.assert_refused(self.call_script(performance_profile, ours, other, "-o", "a.svg"),
                            "no problem that every solver was run on")
        # The same record twice is one.
        copy = self.write("b.json", made_up_document({"X": {"a": [1]}}))
        self.assertEqual(self.call_script(performance_profile, ours, copy, "-o", "a.svg").returncode, 0)

    def test_other_limits_and_criteria_are_said(self):
        ours = self.write("ours.json", made_up_document({"X": {"a": [1]}}))
        other = made_up_document({"X": {"b": [1]}})
        other["run"] = other["run"] | {"time_limit": 5}
        result = self.call_script(performance_profile, ours, self.write("b.json", other), "-o", "a.svg")
        self.assertIn("The documents have different time limits (ours.json: 60; b.json: 5).", result.stdout)
        result = self.profile("-o", "a.svg", "--criterion", "ccp")
        self.assertIn("stopped, under ncp (absolute): under ccp (absolute) this shows what their answers",
                      result.stdout)

    def test_a_document_that_was_judged_again_is_said_to_be_one(self):
        document = made_up_document(COSTS)
        document["run"] = document["run"] | {"asked": {"criterion": "ccp", "scale": "relative", "tolerance": 1e-8}}
        self.assertIn("was judged again: its solvers were run, and stopped, under ccp (relative) at 1e-8",
                      self.profile("-o", "a.svg", document=document).stdout)

    def test_impulses_of_another_run_are_refused(self):
        document = made_up_document(COSTS)
        document["run"] = document["run"] | {"impulses": {"file": "a.h5", "sha256": "0" * 64}}
        (self.folder / "a.h5").write_bytes(b"others")
        self.assert_refused(self.profile("-o", "a.svg", document=document), "a.h5", "not the impulses of")
        self.assertFalse((self.folder / "a.svg").exists())

    def test_bad_documents(self):
        missing = self.call_script(performance_profile, "missing.json", "-o", "a.svg")
        self.assert_refused(missing, "missing.json", "No such file")
        self.write("text.json", "hello")
        text = self.call_script(performance_profile, "text.json", "-o", "a.svg")
        self.assert_refused(text, "text.json", "not a JSON file")
        self.assert_refused(self.profile("-o", "a.svg", document={"schema": "x"}), "not a results document")
        self.assert_refused(self.profile("-o", "a.svg", document={**full_document(), "schema_version": 9}), "9")
        broken = full_document()
        del broken["records"][1]["time"]["solve"]["median"]
        self.assert_refused(self.profile("-o", "a.svg", document=broken), "time.solve.median")
        broken = full_document()
        broken["run"]["tolerance"] = "small"
        self.assert_refused(self.profile("-o", "a.svg", document=broken), "run.tolerance", "small")

    def test_empty_selections(self):
        self.assert_refused(self.profile("-o", "a.svg", "--families", "Tower"), "no problem", "Stack, Chain")
        self.assert_refused(self.profile("-o", "a.svg", "--solvers", "lemke"), "no solver", "pgs")
        nothing = {**full_document(), "problems": [], "records": []}
        self.assert_refused(self.profile("-o", "a.svg", document=nothing), "no problem")

    def test_bad_command_lines(self):
        self.assert_refused(self.profile(), "-o")
        self.assert_refused(self.profile("-o", "a.gif"), "a.gif", ".svg, .png, .pdf")
        self.assert_refused(self.profile("-o", "a.svg", "--by", "luck"), "luck")
        self.assert_refused(self.profile("-o", "a.svg", "--criterion", "xcp"), "xcp")
        self.assert_refused(self.profile("-o", "a.svg", "--criterion", "ncp_relative"), "ncp_relative", "'ncp'")
        self.assert_refused(self.profile("-o", "a.svg", "--families", "("), "regular expression")
        self.assert_refused(self.profile("-o", "a.svg", "--tau-max", "1"), "--tau-max")
        self.assert_refused(self.profile("-o", "a.svg", "--tau-max", "nan"), "--tau-max")
        self.assert_refused(self.profile("-o", "nowhere/a.svg"), "nowhere/a.svg", "No such file")
        self.assert_refused(self.profile("-o", "a.svg", "--csv", "nowhere/a.csv"), "nowhere/a.csv")

    def test_works_where_no_home_can_be_written(self):
        result = subprocess.run(
            [SCRIPTS / "frictionbench-profiles", FULL, "-o", self.folder / "a.png"],
            env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}, capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
