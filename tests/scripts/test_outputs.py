"""No command overwrites a file unless it is told to."""

import unittest

from support import ROOT, TemporaryFolderTest, full_document, made_up_document

from frictionbench.conformance import vectors
from frictionbench.models import command as models
from frictionbench.papers import figures, pivoting, problems, robots, run, second_order, sizes, tables
from frictionbench.plots import against
from frictionbench.profiles import command as profiles
from frictionbench.report import command as report
from frictionbench.results import open_problems
from frictionbench.tuning import command as tune
from frictionbench.versus import command as versus

RESULTS = "results.json"
TUNING = ROOT / "results/paper/ncp-admm-tuning.json"
# Each writes the last of these files, whose folder is there.
WRITES = {
    "a.html": (report, RESULTS, "-o", "a.html"),
    "site/index.html": (report, RESULTS, "--site", "site"),
    "site/results.html": (report, RESULTS, "--site", "site"),
    "a.svg": (profiles, RESULTS, "-o", "a.svg"),
    "b-ccp.png": (profiles, RESULTS, "-o", "b.png"),
    "a-ccp.csv": (profiles, RESULTS, "-o", "c.svg", "--csv", "a.csv"),
    "d.svg": (against, RESULTS, "-o", "d.svg"),
    "d.csv": (against, RESULTS, "-o", "e.svg", "--csv", "d.csv"),
    "a.md": (versus, RESULTS, "--ours", "a", "-o", "a.md"),
    "a.json": (versus, RESULTS, "--ours", "a", "--json", "a.json"),
    "tuning.md": (tune, TUNING, "-o", "tuning.md"),
    "open.csv": (open_problems, RESULTS, "-o", "open.csv"),
    "models/arch.xml": (models, "-o", "models"),
    "vectors.json": (vectors, "-o", "vectors.json"),
    "s7.svg": (figures, RESULTS, "--figure", "s7", "-o", "s7.svg"),
    "sizes.md": (sizes, RESULTS, "-o", "sizes.md"),
    "list.txt": (problems, ROOT / "datasets/default/Stack", "--problems", "all_3d", "-o", "list.txt"),
    "sap.md": (run, "sap", "--from-results", "--output-dir", "."),
}
# What these need is not made here: they are refused before they read it.
REFUSED = {
    "tables.md": (tables, RESULTS, "--table", "s3", "-o", "tables.md"),
    "robots.md": (robots, "nowhere", "-o", "."),
    "second-order.svg": (second_order, "nowhere.json", "-o", "."),
    "pivoting.md": (pivoting, "nowhere.json", "nowhere.json", "-o", "."),
    "report.json": (tune, "nowhere.toml", "problems", "--work", "work", "-o", "report.md"),
}


class Outputs(TemporaryFolderTest):
    def setUp(self):
        super().setUp()
        document = made_up_document({"X": {"a": [1, 2], "b": [2, 1]}})
        document["solvers"][1]["model"] = "ccp"
        document["unreadable"] = full_document()["unreadable"]
        self.write(RESULTS, document)

    def test_existing_files_are_overwritten_with_force_alone(self):
        for name, (module, *words) in (WRITES | REFUSED).items():
            with self.subTest(name):
                (self.folder / name).parent.mkdir(exist_ok=True)
                file = self.write(name, "the user's")
                before = sorted(self.folder.rglob("*"))
                result = self.call_script(module, *words)
                self.assert_refused(result, name, "already exists; choose another name or use --force")
                self.assertEqual((file.read_text(encoding="utf-8"), sorted(self.folder.rglob("*"))), ("the user's", before))
                if name in WRITES:
                    result = self.call_script(module, *words, "--force")
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    self.assertNotEqual(file.read_bytes(), b"the user's")


if __name__ == "__main__":
    unittest.main()
