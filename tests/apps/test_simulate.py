"""`frictionbench simulate`: a scene moved by a solver."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET

from program import ProgramTest

SVG = "{http://www.w3.org/2000/svg}"


class SimulateTest(ProgramTest):
    def test_what_is_printed_and_written(self) -> None:
        shown = self.program("simulate", "sliding_box", "--solver", "ncp-hybrid", "--steps", 20, "--start", "both", "--every", 5,
                             "-o", "box.json", "--csv", "box.csv", "--picture", "end.svg", "--animation", "box.svg").stdout
        self.assertRegex(shown, "^20 of 20 steps solved by ncp-hybrid, relative at 1e-06; 0.1 s simulated\n")
        self.assertRegex(shown, "solve time from zero")

        document = json.loads((self.folder / "box.json").read_text(encoding="utf-8"))
        self.assertEqual((document["schema"], document["schema_version"]), ("frictionbench-simulation", 1))
        self.assertEqual(document["scene"]["command"], "sliding_box")
        self.assertEqual(document["solver"]["id"], "ncp-hybrid")
        self.assertEqual(document["settings"]["start"], "both")
        self.assertIn("host", document["made_by"])
        self.assertEqual([frame["time"] for frame in document["trajectory"]], [0, 0.025, 0.05, 0.075, 0.1])
        x, _, z, *rotation = document["trajectory"][-1]["bodies"][0]
        self.assertAlmostEqual(x, 0.1 - 0.5 * 9.81 * 0.5 * 0.1**2, delta=0.005)  # v t - mu g t^2 / 2
        self.assertAlmostEqual(z, 0.1, places=9)
        self.assertAlmostEqual(sum(part**2 for part in rotation), 1, places=12)

        contacts = document["trajectory"][-1]["contacts"]
        self.assertEqual([contact["bodies"] for contact in contacts], 4 * [[0, -1]])
        total = [sum(contact["impulse"][k] for contact in contacts) for k in range(3)]
        for found, expected in zip(total, (-0.5 * 9.81 * 0.005, 0, 9.81 * 0.005)):  # of 1 kg
            self.assertAlmostEqual(found, expected, places=6)

        with (self.folder / "box.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 20)
        for row, step in zip(rows, document["steps"]):
            self.assertEqual(sorted(row), sorted(step))
            self.assertEqual(float(row["residual"]), step["residual"])
            self.assertEqual(row["solved"], "true")
        energies = [step["kinetic_energy"] for step in document["steps"]]
        self.assertEqual(energies, sorted(energies, reverse=True))

        picture = ET.parse(self.folder / "end.svg").getroot()
        self.assertGreaterEqual(len(picture.findall(f"{SVG}polygon")), 3 + 1)  # faces, ground
        self.assertIn("t = 0.100 s", [text.text for text in picture.iter(f"{SVG}text")])
        frames = ET.parse(self.folder / "box.svg").getroot().findall(f"{SVG}g")
        self.assertEqual(len(frames), 5)
        self.assertEqual([frame.get("visibility") for frame in frames], ["visible"] + 4 * ["hidden"])
        self.assertEqual([frame.find(f"{SVG}animate").get("dur") for frame in frames], 5 * ["1.000s"])

    def test_every_scene_moves(self) -> None:
        listed = self.program("generate", "--list").stdout
        self.assertIn("packed_spheres", listed)
        for line in listed.splitlines():
            scene = line.split()[0]
            with self.subTest(scene):
                self.program("simulate", scene, "--steps", 2, "--picture", f"{scene}.svg")
                ET.parse(self.folder / f"{scene}.svg")

    def test_after_settling(self) -> None:
        grains = ("simulate", "packed_spheres", "--grains", 5, "--width", 0.3, "--steps", 1, "--force", "-o", "a.json")
        self.program(*grains, "--after", 200)
        settled = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertIn("--steps 200", settled["scene"]["command"])
        self.program(*grains)
        falling = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertLess(settled["steps"][0]["kinetic_energy"], falling["steps"][0]["potential_energy"])
        self.assertLess(settled["steps"][0]["potential_energy"], falling["steps"][0]["potential_energy"])

    def test_steps_that_are_not_solved(self) -> None:
        shown = self.program("simulate", "stack", "--solver", "ncp-pgs", "--max-iterations", 1, "--steps", 3, code=1).stdout
        self.assertRegex(shown, "^0 of 3 steps solved")

    def test_what_was_simulated_before_a_step_that_cannot_be_made_is_kept(self) -> None:
        finished = self.program("simulate", "stack", "--boxes", 5, "--ball-mass", 50, "--steps", 60, "--csv", "a.csv", code=1)
        self.assertRegex(finished.stderr, "^error: step [0-9]+: boxes .* are rotated against each other")
        steps = len((self.folder / "a.csv").read_text(encoding="utf-8").splitlines()) - 1
        self.assertGreater(steps, 1)
        for every, frames in ((1, steps + 1), (steps - 1, 3)):
            self.program("simulate", "stack", "--boxes", 5, "--ball-mass", 50, "--steps", 60, "--every", every, "-o", "a.json",
                         "--force", code=1)
            trajectory = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))["trajectory"]
            self.assertEqual(len(trajectory), frames, "the start, every so many steps, and where it stopped, once")

    def test_bad_input(self) -> None:
        scene = ("simulate", "sliding_box")
        self.refused("simulate", "zzz", saying=["zzz"])
        self.refused(*scene, "--solver", "ncp-pgz", saying=["ncp-pgz", "ncp-pgs"])
        self.refused(*scene, "--restitution", 2, saying=["--restitution"])
        self.refused(*scene, "--restitution", 0.5, "--stiffness", 1e4, saying=["restitution", "stiffness"])
        self.refused(*scene, "--steps", -1, saying=["--steps"])
        (self.folder / "mine.svg").write_text("mine", encoding="utf-8")
        self.refused(*scene, "--picture", "mine.svg", saying=["mine.svg", "--force"])
        self.assertEqual((self.folder / "mine.svg").read_text(encoding="utf-8"), "mine")
