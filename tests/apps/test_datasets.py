"""Data sets by name: the list, descriptions, and sets that are made from scenes."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

from program import DATASET, ROOT, ProgramTest

SETS = ROOT / "datasets"
SHIPPED = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(SETS.glob("*.json"))}


def files_of(description: dict[str, Any]) -> list[dict[str, Any]]:
    made = (file for scene in description.get("scenes", []) for file in scene["files"])
    return [*description.get("files", []), *made]


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class DatasetsTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.sets, self.cache = self.folder / "sets", self.folder / "cache"
        self.sets.mkdir()
        os.environ.update(FRICTIONBENCH_DATASETS=str(self.sets), XDG_CACHE_HOME=str(self.cache))

    def describe(self, stem: str, **members: Any) -> None:
        text = {"name": stem, "version": "1", "title": "A set for a test", **members}
        (self.sets / f"{stem}.json").write_text(json.dumps(text), encoding="utf-8")


class ListTest(DatasetsTest):
    def test_every_shipped_set_is_listed(self) -> None:
        listed = {row["name"]: row for row in json.loads(self.program("datasets", "--json").stdout)}
        self.assertEqual(sorted(listed), sorted(SHIPPED))
        for name, description in SHIPPED.items():
            files = files_of(description)
            self.assertEqual(listed[name]["version"], description["version"])
            self.assertEqual((listed[name]["files"], listed[name]["bytes"]),
                             (len(files), sum(file["bytes"] for file in files)))
            self.assertEqual(listed[name]["references"], description.get("references", []))
        self.assertEqual(listed["default"]["here"], len(files_of(SHIPPED["default"])))
        self.assertEqual(listed["big"]["here"], 0)

    def test_the_public_library(self) -> None:
        """3 223 files of 24 families, and the number of contacts where the name has it."""
        files = files_of(SHIPPED["fclib"])
        self.assertEqual(len(files), 3223)
        self.assertEqual(sum(file["bytes"] for file in files), 7_884_866_739)
        folders = json.loads(self.program("datasets", "fclib", "--json").stdout)
        self.assertEqual(len(folders), 24)
        self.assertEqual(sum(folder["files"] for folder in folders), 3223)
        for file in files:
            told = re.search(r"(?:-nc-|-i\d+-)(\d+)-\d+\.hdf5$", file["path"])
            self.assertEqual(file.get("contacts"), int(told.group(1)) if told else None, file["path"])
        text = self.program("datasets", "fclib/Local/siconos/Chain").stdout
        self.assertRegex(text, r"fclib/Local/siconos/Chain +239 +7\.4 MB")
        self.assertIn("https://media.githubusercontent.com/media/FrictionalContactLibrary/fclib-library/", text)
        self.assertIn("RT-0444", text)

    def test_descriptions_that_cannot_be_used(self) -> None:
        good = {"path": "a.hdf5", "bytes": 1, "sha256": "0" * 64}
        for members, saying in (
                ({"files": [{**good, "path": "../a.hdf5"}]}, ["files[0].path", "'../a.hdf5'"]),
                ({"files": [{**good, "path": "/a.hdf5"}]}, ["files[0].path"]),
                ({"files": [good, {**good, "sha256": "0" * 63}]}, ["files[1].sha256"]),
                ({"files": [good, good]}, ["'a.hdf5' is listed twice"]),
                ({"files": [{**good, "bytes": -1}]}, ["files[0].bytes"]),
                ({"files": {}}, ["files", "is not a list"]),
                ({"version": "../1"}, ["version", "'../1'"]),
                ({"title": 3}, ["title", "is not a text"]),
                ({"name": "default"}, ["'default' is the name of", "default.json"]),
                ({"scenes": [{"scene": "stack", "parameters": {"boxes": 2}, "files": [good]}]},
                 ["scenes[0].parameters.boxes", "is not a text"])):
            with self.subTest(saying=saying):
                self.describe("mine", **{"files": [good], **members})
                self.refused("datasets", saying=["mine.json", *saying])
        (self.sets / "mine.json").write_text("{", encoding="utf-8")
        self.refused("run", DATASET, "--dry-run", saying=["mine.json", "is not valid JSON"])


class MakeTest(DatasetsTest):
    def test_the_default_set_is_made_again(self) -> None:
        """Twice, the same bytes as those that ship."""
        for folder in ("once", "twice"):
            finished = self.program("make", "default", "--to", folder)
            self.assertIn("61 files of default 1: 61 made", finished.stdout)
        for file in files_of(SHIPPED["default"]):
            for folder in (DATASET, self.folder / "once", self.folder / "twice"):
                self.assertEqual(sha256(folder / file["path"]), file["sha256"])
        self.assertIn("ship in", self.program("make", "default").stdout)

    def test_small_parts_of_big(self) -> None:
        smallest = [file for scene in SHIPPED["big"]["scenes"] for file in scene["files"]
                    if scene["scene"] == "wall" and scene["parameters"] == {"rows": "8", "columns": "8"}]
        name = "big/" + smallest[0]["path"]
        self.refused("run", name, saying=["none of the 1 files", f"`frictionbench make {name}`"])
        self.assertIn("1 made", self.program("make", name).stdout)
        made = self.cache / "frictionbench/datasets/big/1" / smallest[0]["path"]
        self.assertEqual(sha256(made), smallest[0]["sha256"])
        before = made.stat().st_mtime_ns
        self.assertIn("0 made", self.program("make", name).stdout)
        self.assertEqual(made.stat().st_mtime_ns, before)
        self.assertEqual(len(list(made.parents[1].glob("**/*.hdf5"))), 1)
        self.assertEqual([path.name for path in made.parents[2].iterdir()], ["1"])
        document = self.run_document(name, "--solver", "ncp-pgs", "--max-iterations", 10)
        self.assertEqual(document["problems"][0]["data_set"], {"name": "big", "version": "1"})

    def test_a_set_of_ones_own(self) -> None:
        """A recipe, recorded, made, changed, and made again."""
        scene = {"scene": "stack", "parameters": {"boxes": "2"}, "form": "both", "compliance": "diag:0.001"}
        self.describe("mine", scenes=[{**scene, "files": []}, {"scene": "disks_2d", "parameters": {"steps": "0"}}])
        self.refused("make", "mine", saying=["lists no files", "--record"])
        finished = self.program("make", "mine", "--to", "files", "--record", self.sets / "mine.json", "--force")
        self.assertIn("not the same as before", finished.stdout)
        self.assertIn("the same as before",
                      self.program("make", "mine", "--to", "more", "--record", "same.json").stdout)
        self.assertEqual((self.folder / "same.json").read_bytes(), (self.sets / "mine.json").read_bytes())
        self.assertIn("3 files of mine 1: 3 made", self.program("make", "mine").stdout)
        described = json.loads((self.sets / "mine.json").read_text(encoding="utf-8"))
        described["scenes"][0]["files"][0]["sha256"] = "0" * 64
        self.describe("mine", **{"scenes": described["scenes"]})
        finished = self.program("make", "mine", "--to", "again", code=1)
        self.assertIn("instead of 000", finished.stderr)
        self.assertEqual(len(list((self.folder / "again").rglob("*.hdf5"))), 2)

    def test_what_cannot_be_made(self) -> None:
        self.refused("make", "fclib", saying=["fclib is not made from scenes"])
        self.refused("make", "defualt", saying=["unknown data set 'defualt'", "default"])
        self.refused("make", "default/Walls", saying=["Wall"])
        self.refused("make", "default", "--record", "new.json", saying=["--record", "--to"])
        self.refused("fetch", "big", saying=["is not published", "`frictionbench make big`"])
        self.describe("scene", scenes=[{"scene": "stock", "parameters": {},
                                        "files": [{"path": "a.hdf5", "bytes": 1, "sha256": "0" * 64}]}])
        self.refused("make", "scene", saying=["stock", "stack"])
