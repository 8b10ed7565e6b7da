"""`frictionbench extract`: problems of models that MuJoCo simulates."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import h5py
import numpy as np
from program import ProgramTest

BOX = """<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="5 5 1" friction="0.5 0 0"/>
    <body pos="0 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="5" friction="0.5 0 0"/></body>
  </worldbody>
</mujoco>
"""
# A chain of three links on a motor, above the ground: limits, dry friction, contacts with torsion.
ARM = """<mujoco>
  <compiler angle="radian"/>
  <default><joint axis="0 1 0" damping="0.2" armature="0.01"/><geom size="0.03" condim="4" friction="0.8 0.01 0.001"/></default>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.3">
      <joint name="a" limited="true" range="-1 0.5" frictionloss="0.1"/><geom type="capsule" fromto="0 0 0 0.3 0 0"/>
      <body pos="0.3 0 0"><joint/><geom type="capsule" fromto="0 0 0 0.3 0 0"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="a" gear="5" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>
"""


class ExtractTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "none.xml").write_text("<mujoco/>", encoding="utf-8")
        tried = self.program("extract", "none.xml", "--steps", 1, "-o", "tried", code=None)
        if "built without MuJoCo" in tried.stderr:
            self.refused("extract", "none.xml", "-o", "tried", saying=["libmujoco-dev"])
            self.skipTest("built without MuJoCo")

    def model(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def files(self, pattern: str) -> list[Path]:
        return sorted(self.folder.glob(pattern), key=lambda path: path.stem.rsplit("-", 1)[1])

    def test_files_and_manifest(self) -> None:
        shown = self.program("extract", self.model("box 1.xml", BOX), "--steps", 20, "--every", 5, "--form", "both",
                             "-o", "problems").stdout
        self.assertRegex(shown, r"^box_1: 6 degrees of freedom, 0 actuators, steps of 0.01 s\n"
                         r"8 problems in problems/box_1: blocks \d+ friction\n"
                         r"momentum balanced by MuJoCo's own impulses to \d\.\de-1\d\n")
        found = self.files("problems/box_1/*.hdf5")
        steps = [re.fullmatch(r"box_1-(global|local)-\d-(\d{5})\.hdf5", path.name) for path in found]
        self.assertEqual(sorted((match[1], int(match[2])) for match in steps if match),
                         [(form, step) for form in ("global", "local") for step in (0, 5, 10, 15)])
        with (self.folder / "problems" / "MANIFEST.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(sorted(row["path"] for row in rows), sorted(f"box_1/{path.name}" for path in found))
        self.assertEqual({row["dofs"] for row in rows}, {"6"})
        self.assertIn("extract box 1.xml: state after 5 steps of 0.01 s",
                      self.program("info", self.files("problems/box_1/*-00005.hdf5")[0]).stdout)

    def test_a_box_stays_where_it_is(self) -> None:
        """The rigid step of a box at rest: it stays, and the impulses carry it."""
        self.program("extract", self.model("box.xml", BOX), "--steps", 1, "-o", "problems")
        file, = self.files("problems/box/*.hdf5")
        self.program("solve", file, "--solver", "ncp-hybrid", "--tolerance", 1e-10, "--write-solution")
        with h5py.File(file) as problem:
            np.testing.assert_allclose(problem["solution/v"], np.zeros(6), atol=1e-9)
            self.assertAlmostEqual(sum(problem["solution/r"][::3]), 5 * 9.81 * 0.01, places=9)

    def test_solved_from_the_impulses_before(self) -> None:
        """Blocks of several sets, in both forms; as a sequence, from the answers before and from MuJoCo's."""
        self.program("extract", self.model("arm.xml", ARM), "--steps", 300, "--every", 30, "--control", "random:1",
                     "--form", "both", "-o", "problems")
        document = self.run_document("problems", "--solver", "ncp-hybrid", "--sequence")
        self.assertEqual([record["status"] for record in document["records"]], ["converged"] * 20)
        kinds = set(re.findall("[a-z]+", " ".join(problem["sets"] for problem in document["problems"])))
        self.assertEqual(kinds, {"elliptic", "interval"})
        guessed = self.run_document("problems", "--solver", "ncp-hybrid", "--warm-start", "guess")
        starts = {record["problem"]: record["start"] for record in guessed["records"]}
        for problem, start in starts.items():
            with self.subTest(problem):
                self.assertEqual(start, "zero" if problem.endswith("-00000") else "guess")

    def test_nothing_is_overwritten_silently(self) -> None:
        asked = ("extract", self.model("box.xml", BOX), "-o", "problems")
        self.program(*asked, "--steps", 30)
        before = {path: path.read_bytes() for path in self.files("problems/box/*.hdf5")}
        note = self.folder / "problems" / "box" / "box-notes.txt"
        note.write_text("mine", encoding="utf-8")
        self.refused(*asked, "--steps", 10, "--every", 1, saying=["already exists", "2 more", "--force"])
        self.assertEqual({path: path.read_bytes() for path in self.files("problems/box/*.hdf5")}, before)
        self.program(*asked, "--steps", 10, "--every", 1, "--force")
        self.assertEqual(len(self.files("problems/box/*.hdf5")), 10)
        self.assertEqual(len((self.folder / "problems" / "MANIFEST.csv").read_text(encoding="utf-8").splitlines()), 11)
        self.assertEqual(note.read_text(encoding="utf-8"), "mine")

    def test_motions_of_one_model_by_name(self) -> None:
        """Two motions in one folder, whose problems are two families; contacts alone without what holds joints."""
        arm = self.model("arm.xml", ARM)
        for name, more in (("arm-shaken", ()), ("arm-shaken alone", ("--contacts-only",))):
            self.program("extract", arm, "--steps", 300, "--every", 30, "--control", "random:1", "--name", name,
                         "-o", "problems", *more)
        document = self.run_document("problems", "--solver", "ncp-hybrid")
        sets = {family: {kind for problem in document["problems"] if problem["family"] == family
                         for kind in re.findall("[a-z]+", problem["sets"] or "")}
                for family in ("arm-shaken", "arm-shaken_alone")}
        self.assertEqual(sets, {"arm-shaken": {"elliptic", "interval"}, "arm-shaken_alone": {"elliptic"}})

    def test_what_was_written_before_an_error_is_listed(self) -> None:
        text = BOX.replace("<worldbody>", "<size nconmax='2' njmax='50'/><worldbody>").replace("0.0999", "0.12")
        self.refused("extract", self.model("full.xml", text), "--every", 1, "-o", "problems",
                     saying=["full.xml: step ", "nconmax (now 2)"])
        lines = (self.folder / "problems" / "MANIFEST.csv").read_text(encoding="utf-8").splitlines()
        self.assertGreater(len(lines), 1)
        self.assertEqual(len(lines) - 1, len(self.files("problems/full/*.hdf5")))

    def test_refusals(self) -> None:
        box = self.model("box.xml", BOX)
        self.refused("extract", box, saying=["--output"])
        self.refused("extract", "nothing.xml", "-o", "problems", saying=["nothing.xml: no such file"])
        self.refused("extract", self.model("wrong.xml", "<mujoco><bodi/></mujoco>"), "-o", "problems",
                     saying=["wrong.xml: not a model", "bodi"])
        self.refused("extract", box, "-o", "problems", "--every", 0, saying=["--every"])
        self.refused("extract", box, "-o", "problems", "--dt", 0, saying=["--dt"])
        self.refused("extract", box, "-o", "problems", "--keyframe", "home", saying=["box.xml: no keyframe 'home'"])
        self.refused("extract", box, "-o", "problems", "--control", "none.txt", saying=["none.txt: cannot be read"])
        self.refused("extract", box, "-o", "problems", "--control", "random:-1", saying=["random:-1", "random:SEED"])
        self.refused("extract", box, "-o", "-", saying=["--output"])
        self.assertFalse((self.folder / "problems").exists())
