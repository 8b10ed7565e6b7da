"""The models of datasets/models: each is extracted, and its problems are solved."""

from __future__ import annotations

import csv
import math
import re
import subprocess
import unittest
from pathlib import Path

import h5py
import numpy as np
from program import ROOT, ProgramTest

MODELS = ROOT / "datasets" / "models"
HARD = {"stack", "dome"}  # not all are solved within the iterations and the time of a run
STEPS, EVERY = 300, 60
SAMPLES = Path("/usr/share/mujoco/model")  # Debian's libmujoco-samples
WITH_CONTACTS = ("adhesion/active_adhesion", "composite/cloth", "composite/grid2pin", "composite/loop", "composite/particle",
                 "composite/rope", "composite/softbox", "hammock/hammock", "humanoid/22_humanoids", "humanoid/humanoid",
                 "humanoid100/humanoid100", "mug/mug")


class ModelsTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        tried = self.program("extract", MODELS / "sliding-cube.xml", "--steps", 1, "-o", "tried", code=None)
        if "built without MuJoCo" in tried.stderr:
            self.skipTest("built without MuJoCo")

    def simulations(self) -> list[dict[str, str]]:
        with (MODELS / "simulations.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def extract(self, row: dict[str, str], *arguments: object, output: str = "problems") -> str:
        control = row["control"] if row["control"] == "zero" else MODELS / row["control"]
        keyframe = ("--keyframe", row["keyframe"]) if row["keyframe"] else ()
        return self.program("extract", MODELS / f"{row['model']}.xml", *keyframe, "--control", control, "-o", output,
                            *arguments).stdout

    def test_files_are_as_the_script_writes_them(self) -> None:
        finished = subprocess.run([ROOT / "scripts/frictionbench-data", "models", "--check"], check=False,
                                  capture_output=True, encoding="utf-8")
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))

    def test_every_model_has_a_motion_and_a_page(self) -> None:
        names = {path.stem for path in MODELS.glob("*.xml")}
        self.assertEqual({row["model"] for row in self.simulations()}, names)
        controls = {row["control"] for row in self.simulations()} - {"zero"}
        self.assertEqual(controls, {path.name for path in MODELS.glob("*.txt")})
        for name in names:
            page = re.search(r"([\w-]+\.md) describes it", (MODELS / f"{name}.xml").read_text(encoding="utf-8"))
            self.assertTrue(page, name)
            self.assertIn(f"`{name}.xml`", (MODELS / page[1]).read_text(encoding="utf-8") + f"`{page[1][:-3]}.xml`")

    def test_all_are_extracted_and_solved(self) -> None:
        for number, row in enumerate(self.simulations()):
            with self.subTest(row["model"], control=row["control"]):
                shown = self.extract(row, "--steps", min(STEPS, int(row["steps"])), "--every", EVERY, output=str(number))
                self.assertRegex(shown, r"blocks \d")
                document = self.run_document(str(number), "--solver", "ncp-hybrid", "--time-limit", 60, output=f"{number}.json")
                statuses = [record["status"] for record in document["records"]]
                if row["model"] in HARD:
                    self.assertIn("converged", statuses)
                else:
                    self.assertEqual(set(statuses), {"converged"})

    def test_cubes_stick_to_slopes_that_are_not_too_steep(self) -> None:
        row = next(row for row in self.simulations() if row["model"] == "slope")
        self.extract(row, "--steps", 101, "--every", 100)
        file = next((self.folder / "problems" / "slope").glob("*-00100.hdf5"))
        self.program("solve", file, "--solver", "ncp-hybrid", "--tolerance", 1e-10, "--write-solution")
        with h5py.File(file) as problem:
            speeds = np.linalg.norm(np.array(problem["solution/v"]).reshape(25, 6)[:, :3], axis=1)
        cubes = [(mu, angle) for mu in (0.1, 0.3, 0.5, 0.7, 0.9) for angle in (5, 15, 25, 35, 45)]
        for (mu, angle), speed in zip(cubes, speeds):
            with self.subTest(mu=mu, angle=angle):
                slope = math.radians(angle)
                acceleration = 9.81 * (math.sin(slope) - mu * math.cos(slope))
                # MuJoCo's cubes still rock a little, and those that slide are not always on the ramp.
                self.assertAlmostEqual(speed, max(acceleration, 0) * 101 * 0.002, delta=0.05)

    @unittest.skipUnless(SAMPLES.is_dir(), "libmujoco-samples is not installed")
    def test_samples_of_mujoco(self) -> None:
        for name in WITH_CONTACTS:
            with self.subTest(name):
                output = name.replace("/", "-")
                self.program("extract", SAMPLES / f"{name}.xml", "--steps", 151, "--every", 50, "-o", output)
                document = self.run_document(output, "--solver", "ncp-hybrid", "--time-limit", 60, output=f"{output}.json")
                self.assertEqual({record["status"] for record in document["records"]}, {"converged"})
