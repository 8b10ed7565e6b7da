"""Results that grow: files of the same problems with other solvers, and runs that add to an earlier one."""

from __future__ import annotations

import copy
import json
import shutil
import unittest
from typing import Any

from program import ROOT, ProgramTest, problem, without_measurements

FILES = [problem(name) for name in ("PushedBox2D-default-local-2-00000", "Stack-boxes1-global-4-00000")]
LIMITS = ("--max-iterations", 40)


class JoinTest(ProgramTest):
    def run_solvers(self, *solvers: str, output: str, problems: Any = FILES, options: Any = ()) -> dict[str, Any]:
        chosen = [word for solver in solvers for word in ("--solver", solver)]
        return self.run_document(*problems, *chosen, *LIMITS, *options, output=output)

    def write(self, document: dict[str, Any], name: str) -> str:
        (self.folder / name).write_text(json.dumps(document), encoding="utf-8")
        return name

    def test_is_the_document_of_one_run(self) -> None:
        whole = self.run_solvers("ncp-pgs", "ccp-pgs", output="whole.json", options=["--keep-impulses"])
        for name in ("ncp-pgs", "ccp-pgs"):
            self.run_solvers(name, output=f"{name}.json", options=["--keep-impulses"])
        self.program("merge", "--solvers", "ncp-pgs.json", "ccp-pgs.json", "-o", "all.json")
        joined = self.load("all.json")
        self.assertEqual([part["solvers"] for part in joined["run"]["joined"]], [["ncp-pgs"], ["ccp-pgs"]])
        for part in joined["run"]["joined"]:
            self.assertEqual((part["version"], part["build"]), (whole["run"]["version"], whole["run"]["build"]))
        self.assertIn("verdicts recomputed", self.program("rejudge", "all.json").stdout)
        for document in (joined, whole):
            for member in ("joined", "impulses"):
                del document["run"][member]
        self.assertEqual(without_measurements(joined), without_measurements(whole))

    def test_what_does_not_belong_together_is_refused(self) -> None:
        first = self.run_solvers("ncp-pgs", output="a.json")
        self.run_solvers("ccp-pgs", output="b.json")

        def refused(change: Any, *saying: str, code: int = 2) -> None:
            document = self.load("b.json")
            change(document)
            self.refused("merge", "--solvers", "a.json", self.write(document, "c.json"), "-o", "all.json",
                         saying=["a.json", "c.json", *saying], code=code)
            self.assertFalse((self.folder / "all.json").exists())

        refused(lambda d: d["run"].update(tolerance=1e-3), "tolerance is 1e-06 in the first and 0.001 in the second")
        refused(lambda d: d["run"].update(time_limit=5.0), "time_limit")
        refused(lambda d: d["problems"][0].update(sha256="0" * 64), FILES[0].stem, "SHA-256")
        refused(lambda d: d.update(first), "both have a record of ncp-pgs")

        def other_settings(document: dict[str, Any]) -> None:
            document.update(copy.deepcopy(first), records=[])
            document["solvers"][0]["settings"]["over_relaxation"] = 1.7
        refused(other_settings, "over_relaxation" if "over_relaxation" in first["solvers"][0]["settings"] else "settings")

    def test_other_programs_are_told(self) -> None:
        self.run_solvers("ncp-pgs", output="a.json")
        self.run_solvers("ccp-pgs", output="b.json")
        document = self.load("b.json")
        document["run"]["build"]["flags"] = "-O0"
        self.program("merge", "--solvers", "a.json", self.write(document, "c.json"), "-o", "all.json")
        run = self.load("all.json")["run"]
        self.assertEqual(run["joined"][1]["build"]["flags"], "-O0")
        self.assertIn("a.json and c.json were made by different programs: build.flags is ", run["warnings"][-1])

    def test_missing_pairs_are_told(self) -> None:
        self.run_solvers("ncp-pgs", output="a.json")
        self.run_solvers("ccp-pgs", output="b.json", problems=FILES[:1])
        self.program("merge", "--solvers", "a.json", "b.json", "-o", "all.json", code=2)
        self.program("merge", "--solvers", "a.json", "b.json", "-o", "all.json", "--allow-missing", code=1)
        document = json.loads((self.folder / "all.json").read_text(encoding="utf-8"))
        self.assertEqual(len(document["records"]), 3)
        self.assertIn("1 of 4 pairs is missing", document["run"]["warnings"][-1])

    def clean(self, name: str) -> dict[str, Any]:
        """A document as of a checkout without changes, whose commit is known."""
        document = self.load(name)
        document["run"]["git"] = {"revision": document["run"]["git"]["revision"], "dirty": False}
        self.write(document, name)
        return document

    def test_only_what_is_missing_is_run(self) -> None:
        self.run_solvers("ncp-pgs", output="old.json")
        old = self.clean("old.json")
        finished = self.program("run", *FILES, "--solver", "ncp-pgs", "--solver", "ccp-pgs", *LIMITS,
                                "--repeat-time", 0, "--add-to", "old.json", "-o", "new.json")
        new = self.load("new.json")
        self.assertEqual([solver["id"] for solver in new["solvers"]], ["ncp-pgs", "ccp-pgs"])
        self.assertEqual(len(new["records"]), 4)
        self.assertEqual(json.loads((self.folder / "old.json").read_text(encoding="utf-8")), old)
        kept = [record for record in new["records"] if record["solver"] == "ncp-pgs"]
        dirty = self.load_run_is_dirty()
        self.assertIn("0 pairs are in" if dirty else "2 pairs are in", finished.stderr)
        if not dirty:  # the very records, with their times
            self.assertEqual(kept, old["records"])

    def test_data_sets_that_are_known_since_are_named(self) -> None:
        self.run_solvers("ncp-pgs", output="old.json")
        old = self.load("old.json")
        for entry in old["problems"]:
            self.assertEqual(entry["data_set"]["name"], "default")
            entry["data_set"] = None
        self.write(old, "old.json")
        self.program("run", *FILES, "--solver", "ccp-pgs", *LIMITS, "--repeat-time", 0, "--add-to", "old.json",
                     "-o", "new.json")
        self.assertEqual({entry["data_set"]["name"] for entry in self.load("new.json")["problems"]}, {"default"})

    def load_run_is_dirty(self) -> bool:
        """Whether this program was built from a checkout with changes, whose solvers may be others each time."""
        document = self.run_solvers("ncp-pgs", output="probe.json", problems=FILES[:1])
        return document["run"]["git"] is None or document["run"]["git"]["dirty"]

    def test_a_solver_from_outside_is_kept_by_its_settings(self) -> None:
        """Whatever the commit of this program is."""
        program = self.folder / "mine.py"
        shutil.copy(ROOT / "solvers" / "external" / "examples" / "numpy_uzawa.py", program)
        mine = f"external(command='/usr/bin/python3 {program.name}',name=mine)"
        old = self.run_solvers(mine, output="old.json")
        arguments = [*FILES, *LIMITS, "--repeat-time", 0, "--add-to", "old.json", "--force"]
        finished = self.program("run", *arguments, "--solver", mine, "-o", "same.json")
        self.assertIn("2 pairs are in old.json already", finished.stderr)
        self.assertEqual(self.load("same.json")["records"], old["records"])
        other = mine.replace("name=mine", "name=mine,start_limit=61")
        finished = self.program("run", *arguments, "--solver", other, "-o", "changed.json")
        self.assertIn("0 pairs are in old.json already", finished.stderr)
        changed = self.load("changed.json")
        self.assertEqual(changed["solvers"][0]["settings"]["start_limit"], 61)
        self.assertEqual(len(changed["records"]), 2)

    def test_impulses_of_the_earlier_run_are_not_overwritten(self) -> None:
        self.run_solvers("ncp-pgs", output="old.json", options=["--keep-impulses"])
        before = (self.folder / "old.impulses.h5").read_bytes()
        more = ("run", *FILES, "--solver", "ccp-pgs", *LIMITS, "--repeat-time", 0, "--keep-impulses", "--force")
        self.program(*more, "--add-to", "old.json", "-o", "old.new")
        self.assertEqual((self.folder / "old.impulses.h5").read_bytes(), before)
        self.assertTrue((self.folder / "old.new.impulses.h5").exists())
        self.refused(*more, "--add-to", "old.json", "-o", "old.impulses.h5",
                     saying=["old.impulses.h5", "is read by this command"])
        self.refused("merge", "--solvers", "old.json", "old.new", "-o", "old.new.impulses.h5", "--force",
                     saying=["old.new.impulses.h5", "is read by this command"])

    def test_other_limits_are_refused(self) -> None:
        self.run_solvers("ncp-pgs", output="old.json")
        for options, text in ((("--tolerance", 1e-3), "tolerance"), (("--time-limit", 5), "time_limit")):
            self.refused("run", *FILES, "--solver", "ccp-pgs", *LIMITS, "--repeat-time", 0, *options,
                         "--add-to", "old.json", "-o", "new.json", saying=["old.json", text])
        self.refused("run", *FILES, "--solver", "ccp-pgs", *LIMITS, "--add-to", "old.json", "-o", "old.json",
                     saying=["old.json"])
        for options in (("--shard", "1/2"), ("--sequence",), ("--rounds", 2)):
            self.refused("run", *FILES, "--solver", "ccp-pgs", *LIMITS, *options, "--add-to", "old.json",
                         "-o", "new.json", saying=["--add-to"])


if __name__ == "__main__":
    unittest.main()
