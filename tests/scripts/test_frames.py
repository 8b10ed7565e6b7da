"""Results documents as data frames, and back."""

import csv
import json
import os
import re
import subprocess
import sys
import unittest

import pandas
from support import FULL, ROOT, TemporaryFolderTest, full_document, made_up_document

from frictionbench.files import ResultsError
from frictionbench.results import document_of, frame, load

COSTS = {"Chain": {"a": [0.1, None, 0.3], "b": [0.2, 0.4, None]}, "Soup": {"a": [None], "b": [0.2]}}
PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")


class Frames(TemporaryFolderTest):
    def test_a_row_a_record(self):
        rows = frame(FULL)
        made = full_document()
        self.assertEqual(len(rows), len(made["records"]))
        first, record = rows.iloc[1], made["records"][1]
        self.assertEqual((first["problem.id"], first["solver.id"]), (record["problem"], record["solver"]))
        self.assertEqual(first["run.tolerance"], made["run"]["tolerance"])
        self.assertEqual(first["problem.contacts"], made["problems"][0]["contacts"])
        self.assertEqual(first["solver.settings"], made["solvers"][1]["settings"])
        self.assertEqual(first["time.solve.median"], record["time"]["solve"]["median"])
        self.assertEqual(first["residual"], record["verdict"]["ncp"]["max"])
        self.assertTrue(first["solved"])

    def test_what_is_whole_stays_whole_and_what_is_unknown_is_not_zero(self):
        made = made_up_document(COSTS)
        made["records"][0]["iterations"] = None
        rows = frame(self.write("a.json", made))
        self.assertEqual(rows["iterations"].dtype, "Int64")
        self.assertTrue(pandas.isna(rows["iterations"][0]))
        self.assertEqual(rows["iterations"][1], 2)
        self.assertEqual(rows["solved"].dtype, bool)
        self.assertEqual(rows["problem.contacts"].dtype, "int64")
        self.assertEqual(rows["residual"].dtype, float)

    def test_several_documents(self):
        paths = [self.write(name, made_up_document(COSTS)) for name in ("a.json", "b.json")]
        rows = frame(paths)
        self.assertEqual(rows["file"].value_counts().to_dict(), {str(path): 8 for path in paths})
        self.assertEqual(rows.index.tolist(), list(range(16)))
        with self.assertRaisesRegex(ResultsError, "none.json: No such file"):
            frame(self.folder / "none.json")

    def test_back_to_the_same_document(self):
        made = document_of(frame(FULL), load(FULL))
        self.assertEqual({**made, "records": None}, {**full_document(), "records": None})
        for back, record in zip(made["records"], full_document()["records"], strict=True):
            self.assertEqual({name: back[name] for name in record}, record)
        text = json.dumps(made["records"])
        self.assertNotIn("NaN", text)
        self.assertIn('"iterations": 12,', text)

    def test_a_part_of_a_document(self):
        path = self.write("a.json", made_up_document(COSTS))
        rows = frame(path)
        part = document_of(rows[(rows["solver.id"] == "b") & (rows["problem.family"] == "Chain")], load(path))
        self.assertEqual([solver["id"] for solver in part["solvers"]], ["b"])
        self.assertEqual([problem["id"] for problem in part["problems"]], ["Chain/0", "Chain/1", "Chain/2"])
        self.assertEqual(len(part["records"]), 3)

    def test_rows_that_make_no_valid_document(self):
        path = self.write("a.json", made_up_document(COSTS))
        rows = frame(path)
        with self.assertRaisesRegex(ResultsError, "a.json: .* none of a on Chain/1"):
            document_of(rows[rows["solved"]], load(path))
        rows["status"] = "fine"
        with self.assertRaisesRegex(ResultsError, "fine"):
            document_of(rows, load(path))

    def test_residuals_of_the_own_model_and_of_forces(self):
        made = full_document()
        made["run"] |= {"criterion": "native", "scale": "scaled"}
        rows = frame(self.write("native.json", made))
        # The first solver chose a compliance: of its own model, in units of 2 and 0.5; the second did not, and is of the NCP.
        self.assertEqual(rows["residual"][0], max(0, 0.01 / 0.5, 0.2 / (2 * 0.5)))
        self.assertEqual(rows["residual"][1], made["records"][1]["verdict"]["ncp"]["scaled"])
        made["run"] |= {"criterion": "ncp", "scale": "force", "time_step": 0.01}
        made["records"][1]["verdict"]["time_step"] = 0.01
        rows = frame(self.write("force.json", made))
        self.assertTrue(pandas.isna(rows["residual"][0]), "a verdict without a time step has no forces")
        self.assertEqual(rows["residual"][1], 8e-7 / 0.01)

    @unittest.skipUnless(PROGRAM, "FRICTIONBENCH_PROGRAM is not set")
    def test_columns_are_those_of_the_program(self):
        judged = [("ncp", "relative"), ("native", "relative"), ("native", "scaled"), ("native", "force"), ("ccp", "force")]
        for criterion, scale in judged:
            with self.subTest(criterion=criterion, scale=scale):
                rows, lines = self.run_and_exported("--criterion", criterion, "--scale", scale, "--time-step", "0.01")
                self.assertEqual(list(rows.columns), list(lines[0]))
                for index, line in enumerate(lines):
                    for name in ("problem.id", "solver.id", "status"):
                        self.assertEqual(rows[name][index], line[name])
                    for name in ("residual", "time.solve.median", "verdict.ncp.dual", "work.sweeps", "problem.contacts"):
                        self.assertEqual(rows[name][index], float(line[name]), name)
                made = document_of(rows, load(self.folder / "a.json"))
                self.assertEqual(made, json.loads((self.folder / "a.json").read_text(encoding="utf-8")))

    def run_and_exported(self, *judged):
        """The rows of a run's document, and those of its export. One of the solvers chooses a compliance."""
        run = [PROGRAM, "run", ROOT / "datasets/default/Stack", "--filter", "boxes[12]-local", "--solver", "ncp-pgs", "--solver",
               "ccp-sap", "--history", "--repeat-time", "0", "--quiet", "--force", *judged, "-o", "a.json"]
        subprocess.run(list(map(str, run)), cwd=self.folder, check=True, capture_output=True)
        exported = subprocess.run([PROGRAM, "export", "a.json", "--csv"], cwd=self.folder, check=True, capture_output=True,
                                  text=True).stdout
        csv.field_size_limit(sys.maxsize)
        return frame(self.folder / "a.json"), list(csv.DictReader(exported.splitlines()))


class Readme(TemporaryFolderTest):
    def test_three_lines_from_a_file_to_a_table(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        (code,) = re.findall(r"```python\n(from frictionbench.results.*?)```", readme, re.DOTALL)
        self.assertEqual(len(code.splitlines()), 3)
        self.write("results.json", made_up_document(COSTS))
        shown = subprocess.run([sys.executable, "-c", code], cwd=self.folder, text=True, capture_output=True, check=True).stdout
        self.assertRegex(shown, r"\nChain +0\.666667 +0\.666667\nSoup +0\.000000 +1\.000000\n")


if __name__ == "__main__":
    unittest.main()
