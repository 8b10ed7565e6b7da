"""The shards of a run become the document of the whole run, or it is said what is missing."""

from __future__ import annotations

import copy
import json
import unittest
from typing import Any

from program import DATASET, ProgramTest

SOLVERS = ["ncp-pgs", "ccp-pgs"]


def planned(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The plan of a run, from the document of the whole of it: unreadable files come last."""
    plan = [{name: problem[name] for name in ("id", "path", "sha256")} for problem in document["problems"]]
    return plan + [{"id": f"unreadable/{k}", "path": file["path"], "sha256": None}
                   for k, file in enumerate(document["unreadable"])]


def shards_of(document: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What `run --shard 1/count`, ... would have left of a run: its pairs are dealt out in turn."""
    shards = []
    for number in range(1, count + 1):
        shard = copy.deepcopy(document)
        shard["run"]["shard"] = f"{number}/{count}"
        shard["run"]["plan"] = planned(document)
        shard["run"]["command"] += ["--shard", shard["run"]["shard"]]
        shard["records"] = document["records"][number - 1::count]
        used = {record["problem"] for record in shard["records"]}
        shard["problems"] = [problem for problem in document["problems"] if problem["id"] in used]
        shards.append(shard)
    return shards


class MergeTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "broken.hdf5").write_text("nothing of the kind", encoding="utf-8")
        problems = sorted(DATASET.glob("*/*.hdf5"), key=lambda path: (path.stat().st_size, path))[:7]
        solvers = [argument for name in SOLVERS for argument in ("--solver", name)]
        self.whole = self.run_document(*problems, "broken.hdf5", *solvers, "--max-iterations", 50, code=1)
        self.assertEqual(len(self.whole["records"]), 2 * len(problems))
        self.files = self.write_shards(shards_of(self.whole, 3))

    def write_shards(self, shards: list[dict[str, Any]]) -> list[str]:
        files = []
        for shard in shards:
            files.append(f"shard {shard['run']['shard'].replace('/', ' of ')}.json")
            (self.folder / files[-1]).write_text(json.dumps(shard), encoding="utf-8")
            self.load(files[-1])  # valid
        return files

    def test_gives_the_document_of_one_machine(self) -> None:
        finished = self.program("merge", *reversed(self.files), "-o", "all.json", code=1)  # 1: broken.hdf5
        merged = self.load("all.json")
        for name in self.whole:
            if name != "run":
                self.assertEqual(merged[name], self.whole[name], name)
        self.assertEqual([shard["shard"] for shard in merged["run"].pop("shards")], ["1/3", "2/3", "3/3"])
        del self.whole["run"]["shards"]
        self.assertEqual(merged["run"], self.whole["run"])
        # It ends as the run does: with the table, and where it is kept.
        self.assertEqual(finished.stdout, self.program("summary", "results.json").stdout)
        self.assertEqual(finished.stderr, "wrote all.json\n")

    def test_quiet_says_nothing(self) -> None:
        finished = self.program("merge", *self.files, "-o", "all.json", "--quiet", code=1)
        self.assertEqual((finished.stdout, finished.stderr), ("", ""))

    def test_all_read_is_exit_code_0(self) -> None:
        self.whole["unreadable"] = []
        self.program("merge", *self.write_shards(shards_of(self.whole, 2)), "-o", "all.json")

    def test_missing_pairs_are_listed_and_nothing_is_written(self) -> None:
        lost = json.loads((self.folder / self.files.pop(1)).read_text(encoding="utf-8"))["records"]
        for quiet in ([], ["--quiet"]):
            finished = self.program("merge", *self.files, "-o", "all.json", *quiet, code=2)
            self.assertEqual(finished.stdout.splitlines(),
                             [f"missing: {record['problem']} {record['solver']}" for record in lost])
            self.assertRegex(finished.stderr, rf"^error: {len(lost)} of {len(self.whole['records'])} pairs are "
                                              r"missing: shard 2/3 was not given; .*--allow-missing.*\n$")
            self.assertFalse((self.folder / "all.json").exists())

        finished = self.program("merge", *self.files, "-o", "all.json", "--allow-missing", code=1)
        self.assertIn(f"missing: {lost[0]['problem']} {lost[0]['solver']}\n", finished.stdout)
        merged = json.loads((self.folder / "all.json").read_text(encoding="utf-8"))
        self.assertEqual(merged["records"], [record for record in self.whole["records"] if record not in lost])
        self.assertIn("shard 2/3 was not given", merged["run"]["warnings"][-1])

    def test_what_does_not_belong_together_is_refused(self) -> None:
        other = shards_of(self.whole, 3)[2]
        other["run"]["plan"][0]["sha256"] = "f" * 64
        self.write_shards([other])
        self.refused("merge", *self.files, "-o", "all.json",
                     saying=[self.files[1], self.files[2], "SHA-256", other["run"]["plan"][0]["id"]])
        other = shards_of(self.whole, 3)[2]
        other["run"]["time_limit"] = 7
        self.write_shards([other])
        self.refused("merge", *self.files, "-o", "all.json", saying=["time_limit is 60.0", "7.0"])
        self.refused("merge", self.files[0], self.files[0], "-o", "all.json", saying=["both are shard 1/3"])
        self.refused("merge", "results.json", "-o", "all.json",
                     saying=["results.json: is a whole run, not a shard", "--shard"])
        self.assertFalse((self.folder / "all.json").exists())

    def test_files_that_are_no_documents_are_named(self) -> None:
        (self.folder / "bad.json").write_text("{", encoding="utf-8")
        self.refused("merge", self.files[0], "bad.json", "-o", "all.json", saying=["bad.json: is truncated"])
        self.refused("merge", "nowhere.json", "-o", "all.json", saying=["nowhere.json: cannot be opened"])
        self.refused("merge", "-o", "all.json", saying=["RESULTS", "required"])
        self.refused("merge", self.files[0], saying=["--output", "required"])

    def test_what_is_there_is_kept(self) -> None:
        before = (self.folder / self.files[0]).read_bytes()
        self.refused("merge", *self.files, "-o", self.files[0], "--force", saying=["is read by this command"])
        self.assertEqual((self.folder / self.files[0]).read_bytes(), before)
        self.refused("merge", *self.files, "-o", "results.json", saying=["results.json: already exists", "--force"])
        self.assertEqual(self.load("results.json"), self.whole)
        self.program("merge", *self.files, "-o", "results.json", "--force", code=1)
        self.assertEqual(len(self.load("results.json")["run"]["shards"]), 3)


if __name__ == "__main__":
    unittest.main()
