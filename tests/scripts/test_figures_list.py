"""results/paper/figures.md: what it says is there is there, and every picture and text is in the list or in the README."""

import re
import unittest

from support import ROOT

FOLDER = ROOT / "results/paper"


class FiguresList(unittest.TestCase):
    def setUp(self) -> None:
        self.text = (FOLDER / "figures.md").read_text(encoding="utf-8")
        self.rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in self.text.splitlines()
                     if re.match(r"\| (?:Fig|Table|timings)", line)]

    def test_every_row_has_an_answer_and_a_place_or_a_reason(self):
        self.assertGreater(len(self.rows), 40)
        for row in self.rows:
            with self.subTest(row=row[0]):
                self.assertEqual(len(row), 4)
                self.assertIn(row[2], ("yes", "partly", "no"))
                self.assertTrue(row[3])
                if row[2] == "yes":
                    self.assertRegex(row[3], "`")

    def test_files_are_there(self):
        for name in re.findall(r"`([\w/-]+\.(?:md|svg|xml))`", self.text):
            with self.subTest(name=name):
                self.assertTrue((FOLDER / name).exists() or (ROOT / name).exists())

    def test_pictures_are_listed(self):
        listed = self.text + (FOLDER / "README.md").read_text(encoding="utf-8")
        for file in sorted(FOLDER.glob("*.svg")) + sorted(FOLDER.glob("*.md")):
            if file.name != "README.md":
                with self.subTest(file=file.name):
                    self.assertIn(file.name, listed)


if __name__ == "__main__":
    unittest.main()
