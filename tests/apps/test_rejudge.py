"""Kept impulses, and verdicts computed again from them: what was forged is found, what cannot be concluded is not."""

from __future__ import annotations

import copy
import json
import unittest
from typing import Any

import h5py

from program import ProgramTest, problem, without_measurements

# Local and global, 2D and 3D, no contact at all, and a solver that chooses a compliance and returns a velocity.
FILES = [problem(name) for name in ("PushedBox2D-default-local-2-00000", "Stack-boxes1-global-4-00000",
                                    "PackedSpheres-default-local-0-00000", "Disks2D-default-local-*")]
SOLVERS = ("--solver", "ncp-pgs", "--solver", "ccp-sap", "--solver", "lcp-pgs(facets=6)", "--max-iterations", 30)


class RejudgeTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.document = self.run_document(*FILES, *SOLVERS, "--keep-impulses")

    def write(self, document: dict[str, Any], name: str) -> str:
        (self.folder / name).write_text(json.dumps(document), encoding="utf-8")
        return name

    def forged(self, change: Any, **where: Any) -> str:
        """A copy of the document in which one record was changed: the first with these members."""
        document = copy.deepcopy(self.document)
        record = next(record for record in document["records"]
                      if record["verdict"] and all(record[name] == value for name, value in where.items()))
        change(record)
        return self.write(document, "forged.json")

    def test_every_verdict_is_what_the_impulse_gives(self) -> None:
        shown = self.program("rejudge", "results.json").stdout
        judged = [record for record in self.document["records"] if record["verdict"]]
        self.assertGreater(len(judged), 8)
        self.assertEqual(shown.splitlines()[0], f"{len(judged)} verdicts recomputed: they are what the records say")
        with h5py.File(self.folder / "results.impulses.h5") as answers:
            for record in judged:
                if record["impulse_norm"] > 0:
                    r = answers["impulse"][record["problem"]][record["solver"]][:]
                    self.assertAlmostEqual(float((r ** 2).sum()) ** 0.5 / record["impulse_norm"], 1, 12)

    def test_the_same_settings_give_the_same_document(self) -> None:
        """From a stricter criterion and back."""
        self.program("rejudge", "results.json", "--criterion", "ccp", "--tolerance", 1e-9, "-o", "ccp.json")
        changed = self.load("ccp.json")
        self.assertEqual(changed["run"]["asked"], {"criterion": "ncp", "scale": "relative", "tolerance": 1e-6})
        self.assertNotEqual([r["status"] for r in changed["records"]], [r["status"] for r in self.document["records"]])
        self.program("rejudge", "ccp.json", "--criterion", "ncp", "--tolerance", 1e-6, "-o", "back.json")
        back = without_measurements(self.load("back.json"))
        first = without_measurements(self.document)
        for document in (back, first):
            del document["run"]["asked"]
        self.assertEqual(back, first)

    def test_it_is_what_a_run_with_these_settings_would_record(self) -> None:
        """Of a solver that does not look at the criterion: all of its iterations are done."""
        options = [*FILES[:2], "--solver", "ncp-pgs", "--max-iterations", 3, "--keep-impulses"]
        self.run_document(*options, "--tolerance", 1e-14, output="a.json")
        wanted = self.run_document(*options, "--tolerance", 1e-13, "--criterion", "ccp", "--scale", "scaled")
        self.program("rejudge", "a.json", "--tolerance", 1e-13, "--criterion", "ccp", "--scale", "scaled",
                     "-o", "b.json")
        for name in ("solved", "verdict", "status", "states"):
            self.assertEqual([record[name] for record in self.load("b.json")["records"]],
                             [record[name] for record in wanted["records"]], name)

    def test_forged_records_are_refused(self) -> None:
        unsolved = {"status": "max_iterations", "solver": "ncp-pgs"}

        def flip(record: dict[str, Any]) -> None:
            record["solved"]["ncp"]["relative"] = True

        def boast(record: dict[str, Any]) -> None:
            """Consistent in itself."""
            for model in ("ncp", "ccp", "lcp"):
                verdict = record["verdict"][model]
                verdict.update({name: 0.0 for name in verdict if name != "worst_contact"})
                for scale in record["solved"][model]:
                    if record["solved"][model][scale] is not None:
                        record["solved"][model][scale] = True
            record["solved"]["native"] = dict(record["solved"]["ncp"])

        def exchange(record: dict[str, Any]) -> None:
            """Says that it is about another impulse."""
            record["impulse_sha256"] = "0" * 64

        def creep(record: dict[str, Any]) -> None:
            record["verdict"]["creep"] = 5.0

        def stick(record: dict[str, Any]) -> None:
            states = record["states"]
            states["sticking"], states["sliding"] = states["sticking"] + 1, states["sliding"] - 1

        def soothe(record: dict[str, Any]) -> None:
            record["verdict"]["natural_map"] /= 2

        def shrink(record: dict[str, Any]) -> None:
            record["verdict"]["ncp"]["max"] /= 2

        for change, complaint in ((flip, "contradicts the residuals"), (boast, "its impulse has"),
                                  (exchange, "SHA-256 is another"), (creep, "says creep 5"),
                                  (stick, "number of sticking contacts"), (soothe, "natural map")):
            with self.subTest(change.__name__):
                name = self.forged(change, **unsolved)
                for command in (("rejudge", name), ("merge", "--solvers", name, "-o", "all.json", "--force"),
                                ("rejudge", name, "--tolerance", 1, "-o", "loose.json", "--force"),
                                ("run", FILES[0], *SOLVERS, "--keep-impulses", "--add-to", name, "-o", "more.json")):
                    self.refused(*command, saying=["forged.json", "ncp-pgs on ", complaint])

        self.refused("rejudge", self.forged(shrink, **unsolved), saying=["forged.json", "verdict.ncp.max", "follows"])
        gap = self.forged(lambda record: record["own_model"].update(gap=0.0), solver="ccp-sap")
        self.refused("rejudge", gap, saying=["forged.json", "ccp-sap on ", "gap to the problem as stated"])

    def test_a_changed_file_of_impulses_is_refused(self) -> None:
        with h5py.File(self.folder / "results.impulses.h5", "r+") as answers:
            record = next(record for record in self.document["records"] if record["impulse_norm"])
            answers["impulse"][record["problem"]][record["solver"]][0] += 1
        self.refused("rejudge", "results.json", saying=["results.impulses.h5", "SHA-256"])

    def test_the_file_of_impulses_is_not_overwritten(self) -> None:
        kept = self.folder / "results.impulses.h5"
        before = kept.read_bytes()
        self.refused("rejudge", "results.json", "--tolerance", 1e-3, "-o", kept.name, "--force",
                     saying=[kept.name, "is read by this command"])
        self.assertEqual(kept.read_bytes(), before)

    def test_what_is_missing_is_told(self) -> None:
        local = self.folder / "moved.hdf5"
        local.write_bytes(FILES[1].read_bytes() + b" ")  # a file of no data set, which would be found by its SHA-256
        self.run_document(local, *SOLVERS, "--keep-impulses", output="moved.json")
        local.unlink()
        shown = self.program("rejudge", "moved.json", code=1).stdout
        self.assertIn("not recomputable: the problem's file is not there", shown)
        (self.folder / "results.impulses.h5").unlink()
        shown = self.program("rejudge", "results.json", code=1).stdout
        self.assertIn("0 verdicts recomputed", shown)
        self.assertIn("results.impulses.h5 is not there", shown)

    def test_what_can_be_concluded_without_impulses(self) -> None:
        """A looser tolerance can, as the impulses confirm; nothing else can."""
        document = copy.deepcopy(self.document)
        document["run"]["impulses"] = None
        self.write(document, "bare.json")
        self.assertIn("run --keep-impulses", self.program("rejudge", "bare.json", code=1).stdout)
        self.program("rejudge", "bare.json", "--tolerance", 1, "-o", "loose.json")
        self.program("rejudge", "results.json", "--tolerance", 1, "-o", "kept.json")
        loose, kept = self.load("loose.json"), self.load("kept.json")
        for name in ("solved", "status"):
            self.assertEqual([record[name] for record in loose["records"]],
                             [record[name] for record in kept["records"]], name)
        self.assertGreater(sum(record["solved"]["ncp"]["relative"] for record in loose["records"]),
                           sum(record["solved"]["ncp"]["relative"] for record in self.document["records"]))
        for settings in (("--tolerance", 1e-8), ("--criterion", "ccp"), ("--scale", "absolute")):
            self.refused("rejudge", "bare.json", *settings, "-o", "x.json", saying=["cannot be concluded", "looser"])
            self.assertFalse((self.folder / "x.json").exists())

    def test_the_same_run_keeps_the_same_bytes(self) -> None:
        arguments = [*FILES, *SOLVERS, "--repeat-time", 0, "--keep-impulses", "-o", "part.json", "--quiet"]
        whole = (self.folder / "results.impulses.h5").read_bytes()
        self.program("run", *arguments)
        self.assertEqual((self.folder / "part.impulses.h5").read_bytes(), whole)
        self.refused("run", *arguments, saying=["part.json"])

    def test_needs_a_file(self) -> None:
        self.refused("run", FILES[0], *SOLVERS, "--keep-impulses", "-o", "-", saying=["--keep-impulses", "--output"])
        (self.folder / "new.impulses.h5").write_text("mine", encoding="utf-8")
        self.refused("run", FILES[0], *SOLVERS, "--keep-impulses", "-o", "new.json", saying=["new.impulses.h5"])


if __name__ == "__main__":
    unittest.main()
