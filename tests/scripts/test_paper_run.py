"""frictionbench-paper run, with stand-ins for what it builds, runs and writes with."""

import json
import re
import shutil
import unittest
from pathlib import Path

from checkout_support import CheckoutTest
from support import ROOT, TemporaryFolderTest

from frictionbench.files import ResultsError
from frictionbench.papers.declaration import alternatives, declaration, either, filled, names
from frictionbench.papers.kept import keep, unpack

# Stands for the program: writes down how it was called, and leaves problems and results.
PROGRAM = r"""#!/bin/bash
if [[ $1 == list ]]; then
  named() { echo "{\"name\": \"$1\", \"model\": \"${1%%-*}\", \"contacts\": $2, \"settings\": [{\"required\": $3}]}"; }
  echo "[$(named ncp-one true false), $(named ccp-two true false), $(named ncp-dry false false), $(named ncp-external true true)]"
  exit
fi
echo "frictionbench $*" >>"$LOG"
command=$1 family=Stack
while [[ $# -gt 0 ]]; do
  case $1 in
    --name) family=$2 ;;
    -o) mkdir -p "$2/$family" && cp "$PROBLEM" "$2/$family/stack-1.hdf5" ;;
    --output) output=$2 ;;
    --dry-run) output='' ;;
  esac
  shift
done
if [[ $command == run ]]; then
  if [[ ${RUN_EXIT:-0} -lt 2 && -n $output ]]; then echo '{}' >"$output"; fi
  exit "${RUN_EXIT:-0}"
fi
"""
# Stands for a command: writes down how it was called; that for impulses leaves one, those with -o a text.
COMMAND = """import os, pathlib
def main(words):
    with open(os.environ["LOG"], "a") as log:
        print("frictionbench-paper", __name__.split(".")[-1], *words, file=log)
    if "--program" in words and "impulses" in __name__:
        impulse = pathlib.Path(words[-1], "Stack/stack-1/ncp-hybrid.txt")
        impulse.parent.mkdir(parents=True, exist_ok=True)
        impulse.touch()
    return int(os.environ.get("COMMAND_EXIT", 0))
"""
COMMANDS = ("tables", "figures", "impulses", "compliance", "inverse", "models", "motion", "ncp", "pivoting", "robots", "sap",
            "second_order", "sizes", "spring", "stack")
BALL = "Stack-boxes15-mass_ratio10000-ball_mass1000-ball_speed2-global-61-00000"
FOLDERS = {"admm", "large", "ncp", "pivoting", "second-order", "sizes", "versus"}
DOCUMENTS = {
    "admm": ["stack-1e-9", "fclib-1e-6", "fclib-1e-8"],
    "compliance": [*(f"standing/{R}" for R in ("rigid", "1e-7", "1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "0.1", "1", "10", "100")),
                   "both/rigid", "both/diag-0.001", "both/diag-0.1", "slip/walls", "slip/pyramid", "slip/floor", "springs",
                   "accuracy-sap", "accuracy"],
    "inverse": [], "large": ["absolute-1e-6", "relative-1e-6", "absolute-1e-8"], "models": ["scenes", "friction", "stacks"],
    "motion": [], "ncp": ["ncp-1e-6", "ncp-1e-8"],
    "pivoting": ["pivoting", "facets"], "pivoting-scenes": ["pivoting", "facets"],
    "robots": ["s5", "l17-cold", "l17-warm", "l16", "s6", "joints"],
    "sap": ["scaling", "fall", "slip", *(f"convergence/{k:02}" for k in range(1, 41))],
    "second-order": ["second-order-1e-6", "second-order-1e-8"],
    "sizes": [f"{scale}-{tolerance}" for scale in ("absolute", "relative") for tolerance in ("1e-6", "1e-8", "1e-12")],
    "versus": ["versus-1e-4", "versus-1e-6", "versus-1e-8"],
}
SOLVERS = re.compile(r"--solver (\S+)")


class PaperRun(CheckoutTest):
    def setUp(self) -> None:
        super().setUp()
        self.program(self.root / "build/release/apps/frictionbench", PROGRAM)
        for name in COMMANDS:
            self.program(self.root / f"scripts/frictionbench/papers/{name}.py", COMMAND)
        self.program(self.root / "scripts/frictionbench/versus/command.py", COMMAND)
        (self.root / "results/paper").mkdir()
        models = self.root / "datasets/models"
        models.mkdir()
        for hand in ("hand-ball", "hand-cube"):
            shutil.copy(ROOT / f"datasets/models/{hand}.xml", models)
        self.problem = ROOT / "datasets/default/Stack/Stack-boxes1-local-4-00000.hdf5"
        for folder in (self.away / "local/BoxesStack", self.root / "datasets/default/Stack"):
            folder.mkdir(parents=True)
            shutil.copy(self.problem, folder)
        shutil.copy(self.problem.with_name(f"{BALL}.hdf5"), self.root / "datasets/default/Stack")

    def run_it(self, name, *arguments, **environment):
        folders = ("local",) if name in FOLDERS else ()
        return self.call("frictionbench-paper", "run", name, *folders, *arguments, PROBLEM=str(self.problem), **environment)

    def calls_of(self, command):
        return [call for call in self.calls() if call.startswith(command)]

    def runs_by_name(self):
        return {call.split("--output ")[1].split(".json")[0]: call for call in self.calls_of("frictionbench run")}

    def test_every_document(self):
        self.assertEqual(sorted(DOCUMENTS), names())
        for name, documents in DOCUMENTS.items():
            with self.subTest(name):
                result = self.run_it(name, "--output-dir", name, *(["--peer", "some"] if name == "versus" else []))
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertEqual(list(self.runs_by_name()), documents)
                self.assertEqual({str(path.relative_to(self.away / name).with_suffix("")) for path in
                                  (self.away / name).rglob("*.json") if "judged" not in path.parts}, set(documents))
                self.assertEqual(self.calls()[0], "setup --papers --quiet")
                for call in self.calls_of("frictionbench run"):
                    found = SOLVERS.findall(call)
                    self.assertEqual(len(found), len(set(found)), call)
                    self.assertNotIn("{", call)
                    self.assertEqual("--repeat-time 0" in call, name in ("compliance", "models", "sap"), call)

    def test_texts_go_to_the_project_and_other_files_elsewhere(self):
        self.assertEqual(self.run_it("ncp").returncode, 0)
        (run,) = self.runs()
        self.assertRegex(run.name, r"^[0-9]{8}T[0-9]{6}Z-paper-ncp$")
        self.assertEqual(self.calls()[-1],
                         "frictionbench-paper ncp ncp-1e-6.json ncp-1e-8.json -o ../../paper/ncp-solvers.md --force")
        self.assertEqual((run / "problems.txt").read_text(encoding="utf-8"),
                         "../../../../elsewhere/local/BoxesStack/Stack-boxes1-local-4-00000.hdf5\n")
        self.assertEqual([SOLVERS.findall(call) for call in self.calls_of("frictionbench run")], [["ncp-one"]] * 2)

    def test_options_of_the_program_are_passed_on(self):
        self.run_it("ncp", "--jobs=2", "--time-limit", "5", "--quiet", "--output-dir", "a")
        for call in self.calls_of("frictionbench run"):
            self.assertIn("--max-iterations 20000 --time-limit 5 ", call)
            self.assertTrue(call.endswith("--jobs 2 --quiet"), call)

    def test_compliant_answers_are_judged_on_the_rigid_problem(self):
        self.run_it("compliance", "--output-dir", "a")
        judged = self.calls_of("frictionbench judge")
        self.assertEqual(len(judged), 11)
        self.assertIn("frictionbench judge problems/standing/Stack/stack-1.hdf5 --impulse "
                      "impulses/standing/1e-3/Stack/stack-1/ncp-hybrid.txt --json", judged)
        self.assertTrue((self.away / "a/judged/1e-3/Stack/stack-1/ncp-hybrid.json").exists())
        runs = self.runs_by_name()
        self.assertIn("--compliance diag:0.1", runs["both/diag-0.1"])
        self.assertIn("--compliance 1e-3", runs["standing/1e-3"])
        self.assertEqual(runs["standing/rigid"], "frictionbench run @standing.txt --output standing/rigid.json "
                         "--solver ncp-hybrid --solver ncp-admm --solver ncp-nsgs --solver ncp-ipm "
                         "--scale absolute --repeat-time 0 --tolerance 1e-12")

    def test_solvers(self):
        self.run_it("sap", "--output-dir", "a")
        self.assertEqual(len(SOLVERS.findall(self.runs_by_name()["slip"])), 16)
        self.assertIn("--max-iterations 7 ", self.runs_by_name()["convergence/07"])
        self.run_it("models", "--output-dir", "b")
        self.assertEqual(SOLVERS.findall(self.runs_by_name()["stacks"])[-2:], ["ncp-one", "ccp-two"])
        self.assertEqual(len(self.calls_of("frictionbench generate")), 27 + 9 + 42)
        self.run_it("admm", "--output-dir", "c")
        self.assertEqual(len(SOLVERS.findall(self.runs_by_name()["fclib-1e-6"])), 21)
        self.run_it("sizes", "--output-dir", "d")
        self.assertEqual(SOLVERS.findall(self.runs_by_name()["relative-1e-12"]), ["ncp-hybrid"])
        self.run_it("sizes", "--solver", "a", "--solver=b", "--output-dir", "e")
        self.assertEqual(SOLVERS.findall(self.runs_by_name()["relative-1e-12"]), ["a", "b"])
        self.run_it("sizes", "--peer", "siconos", "--output-dir", "f")
        self.assertEqual(SOLVERS.findall(self.runs_by_name()["relative-1e-12"]), ["ncp-hybrid", "siconos-*"])

    def test_solvers_of_other_projects(self):
        (self.away / "libmine.so").touch()
        self.run_it("versus", "--plugin", "libmine.so", "--solver", "mine-*", "--ours", "ncp-hybrid", "--output-dir", "a")
        call = self.runs_by_name()["versus-1e-6"]
        self.assertIn("--plugin ../libmine.so", call)
        self.assertEqual(SOLVERS.findall(call), ["ncp-hybrid", "mine-*"])
        self.assertIn("--ours ncp-hybrid --split", self.calls()[-1])
        self.run_it("versus", "--peer", "siconos", "--peer=other", "--output-dir", "b")
        call = self.runs_by_name()["versus-1e-6"]
        self.assertIn("--peer siconos --peer other ", call)
        self.assertEqual(SOLVERS.findall(call), ["ncp-*", "siconos-*", "other-*"])
        self.run_it("pivoting", "--peer", "bullet", "--max-contacts", "30", "--output-dir", "c")
        runs = self.runs_by_name()
        self.assertTrue(all("--max-contacts 30" in call for call in runs.values()))
        self.assertEqual([call.count("bullet") for call in runs.values()], [2, 0])

    def test_robots(self):
        self.run_it("robots", "--steps", "20", "--every=4", "--peer", "mujoco", "--output-dir", "a")
        made = self.calls_of("frictionbench extract")
        self.assertEqual(len(made), 15)
        for call in made:
            with self.subTest(call):
                group = call.split("-o problems/")[1]
                self.assertEqual("--contacts-only" in call, group != "joints")
                self.assertEqual("--steps 20 --every 1 " in call, group == "l17")
        self.assertIn("--every 24 ", made[0])  # four times as far apart as without --every
        self.assertEqual((self.away / "a/l17.txt").read_text(encoding="utf-8").split(),
                         [f"problems/l17/{family}" for family in ("humanoid-pushed", "quadruped-trots", "hand-ball")])
        runs = self.runs_by_name()
        self.assertEqual([name for name, call in runs.items() if "--sequence" in call], ["l17-warm"])
        self.assertEqual([name for name, call in runs.items() if "--peer mujoco --solver mujoco-*" in call], ["s5", "s6"])
        self.assertIn("--filter (humanoid|quadruped).*-00010$", runs["l16"])
        for hand in ("hand-ball", "hand-cube"):  # in the papers without torsion; the model itself is not changed
            text = (self.away / f"a/{hand}.xml").read_text(encoding="utf-8")
            self.assertNotRegex(text, 'condim="[46]"')
            self.assertEqual(text.count('condim="3"'), (self.root / f"datasets/models/{hand}.xml").read_text().count("condim="))
        figures = self.calls_of("frictionbench-paper figures")
        self.assertEqual([call.split("--figure ")[1].split()[0] for call in figures], ["s5", "l16", "l17", "l17"])

    def test_pictures_of_problems_that_are_there(self):
        for regex, documents, pictures in (("Stack", ["stack-1e-9", "fclib-1e-6", "fclib-1e-8"], ["s7", "s7-variants", "s4"]),
                                           ("^Stack/", ["stack-1e-9"], ["s4"]),
                                           ("^BoxesStack/", ["fclib-1e-6", "fclib-1e-8"], ["s7", "s7-variants"])):
            folder = f"run of {pictures[-1]}{len(pictures)}"
            self.run_it("admm", "--filter", regex, "--output-dir", folder)
            self.assertEqual(list(self.runs_by_name()), documents)
            self.assertEqual([call.split(".svg")[0].split("-o ./")[1] for call in self.calls_of("frictionbench-paper figures")],
                             pictures)
        self.assert_refused(self.run_it("admm", "--filter", "none", "--output-dir", "c"), "no problem")
        self.assertFalse((self.away / "c").exists())

    def test_scenes_for_pivoting(self):
        self.assertEqual(self.run_it("pivoting-scenes", "--output-dir", "a").returncode, 0)
        self.assertEqual([len(self.calls_of(f"frictionbench {command}")) for command in ("generate", "extract")], [13, 2])
        self.assertIn("--time-limit 20 --max-contacts 120", self.runs_by_name()["facets"])
        self.assertIn("--name pivoting-scenes", self.calls()[-1])

    def test_resuming(self):
        self.run_it("compliance", "--jobs", "1")
        (run,) = self.runs()
        (run / "slip/walls.json").rename(run / "slip/walls.json.journal")
        (run / "springs.json").unlink()
        result = self.run_it("compliance", "--resume", "--jobs", "1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual({name: "--resume" in call for name, call in self.runs_by_name().items()},
                         {"slip/walls": True, "springs": False})
        self.assert_refused(self.run_it("compliance", "--resume"), "was run with other arguments")
        self.assert_refused(self.run_it("sap", "--resume"), "nothing to resume")
        self.assert_refused(self.run_it("sap", "--output-dir", str(run)), "not empty")

    def test_a_dry_run_leaves_nothing(self):
        result = self.run_it("compliance", "--dry-run")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(all(call.endswith(" --dry-run") for call in self.calls_of("frictionbench run")))
        self.assertEqual((self.runs(), self.calls_of("frictionbench-paper")), ([], []))

    def test_failures(self):
        self.assertEqual((self.run_it("compliance", RUN_EXIT="2").returncode, self.runs()), (2, []))
        self.assertEqual(self.run_it("motion", COMMAND_EXIT="2").returncode, 2)
        self.assertEqual(self.runs(), [])
        result = self.run_it("ncp", RUN_EXIT="1")  # some file could not be read: the text is written all the same
        self.assertEqual((result.returncode, len(self.calls_of("frictionbench-paper"))), (1, 1))
        self.assertEqual(self.run_it("ncp", "--output-dir", "a", COMMAND_EXIT="2").returncode, 2)
        self.assertTrue((self.away / "a/ncp-1e-6.json").exists())

    def test_bad_command_lines(self):
        for words, said in ((("ncp", "--tolerance", "1"), "--tolerance"), (("nothing",), "invalid choice"),
                            (("ncp",), "a folder of FCLIB files is missing"), (("robots", "--steps", "0"), "whole number"),
                            (("sap", "folder"), "folder"), (("versus", "local"), "no peer to compare with"),
                            (("admm", "local", "--filter", "("), "not a regular expression"),
                            (("second-order", "local", "--peers", "none.csv"), "no such .csv"),
                            (("all",), "--from-results")):
            self.assert_refused(self.call("frictionbench-paper", "run", *words), said)
            self.assertEqual(self.calls(), [])

    def test_help(self):
        for name in names():
            result = self.call("frictionbench-paper", "run", name, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(f"usage: frictionbench-paper run {name}", result.stdout)

    def test_from_a_folder_of_results(self):
        self.run_it("sap", "--output-dir", "a")
        result = self.run_it("sap", "--from-results", "a", "--output-dir", "b")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.calls(), ["frictionbench-paper sap . -o ../b --force"])

    def test_keeping_results(self):
        self.assertEqual(self.run_it("sap", "--output-dir", "a", "--keep").returncode, 0)
        archive = self.root / "results/paper/kept/sap.tar.xz"
        unpack(archive, self.folder / "unpacked")
        self.assertEqual(sum(path.is_file() for path in (self.folder / "unpacked").rglob("*")), 43)
        result = self.run_it("all", "--from-results", "--output-dir", "b")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual([call.split()[:2] for call in self.calls()], [["frictionbench-paper", "sap"]])


class Declarations(TemporaryFolderTest):
    def test_alternatives(self):
        self.assertEqual(either("a {b,c} {,d e}"), ["a b ", "a b d e", "a c ", "a c d e"])
        self.assertEqual(alternatives(["x", "y{1,2}"]), ["x", "y1", "y2"])

    def test_values(self):
        values = {"every": "4", "steps": "25", "peer": ["a", "b c"], "none": None, "how": "-n {every}"}
        for text, expected in (("{6*every}", "24"), ("{steps//2:05}", "00012"), ("{how} x", "-n 4 x"),
                               ("{--peer=peer}", "--peer a --peer 'b c'"), ("{*peer}", "a 'b c'"), ("{--none=none}", ""),
                               ("{a,b}", "{a,b}")):
            self.assertEqual(filled(text, values, "test"), expected)
        with self.assertRaisesRegex(ResultsError, "test: no value 'other' for {other}; values: every"):
            filled("{other}", values, "test")

    def test_one_declaration_takes_over_the_runs_of_another(self):
        scenes, files = (declaration(name) for name in ("pivoting-scenes", "pivoting"))
        self.assertEqual([step.kind for step in scenes.steps], ["generate", "extract", "find", "run", "run", "write"])
        self.assertEqual(scenes.steps[3:], files.steps[1:])
        self.assertFalse(scenes.folders)

    def test_what_is_kept_does_not_depend_on_dates_and_owners(self):
        (self.folder / "a/b").mkdir(parents=True)
        for name in ("a/b/two.txt", "a/one.json", "other.log"):
            self.write(name, json.dumps(name))
        contents = []
        for name in ("first.tar.xz", "second.tar.xz"):
            (self.folder / "a/one.json").touch()
            keep(self.folder, ["a/*.json", "a/**/*.txt"], self.folder / name)
            contents.append((self.folder / name).read_bytes())
        self.assertEqual(*contents)
        unpack(self.folder / "first.tar.xz", self.folder / "out")
        self.assertEqual(sorted(str(path.relative_to(self.folder / "out")) for path in (self.folder / "out").rglob("*.*")),
                         ["a/b/two.txt", "a/one.json"])
        with self.assertRaisesRegex(ResultsError, "nothing to keep of x"):
            keep(self.folder, ["x"], self.folder / "third.tar.xz")
        for name, said in (("gone.tar.xz", "no results are kept there"), ("other.log", "not an archive of kept results")):
            with self.assertRaisesRegex(ResultsError, said):
                unpack(Path(self.folder, name), self.folder / "out")


if __name__ == "__main__":
    unittest.main()
