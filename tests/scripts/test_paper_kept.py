"""The documents of papers: made again of the results that are kept, they are the committed ones."""

import re
import unittest

import matplotlib.image
import numpy as np
from support import ROOT, TemporaryFolderTest

from frictionbench.papers import run
from frictionbench.papers.declaration import names
from frictionbench.papers.kept import kept
from frictionbench.tuning import command

COMMITTED = ROOT / "results/paper"
MOST_BYTES = 40_000_000  # of all archives together
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


class KeptResults(TemporaryFolderTest):
    @classmethod
    def setUpClass(cls):
        cls.declared = kept()

    def made(self, declared):
        result = self.call_script(run, declared.name, "--from-results", "--output-dir", "made")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return {path.name: path for path in (self.folder / "made").iterdir()}

    def test_every_one_is_kept_and_they_are_not_large(self):
        self.assertEqual([declared.name for declared in self.declared], names())
        self.assertLess(sum(path.stat().st_size for path in (COMMITTED / "kept").iterdir()), MOST_BYTES)

    def test_documents_are_the_committed_ones(self):
        for declared in self.declared:
            made = self.made(declared)
            for name in declared.documents:
                with self.subTest(name):
                    if name.endswith(".md"):
                        self.assertEqual(made[name].read_bytes(), (COMMITTED / name).read_bytes())
                    else:
                        self.assert_equal_pixels(made[f"{name}.png"], COMMITTED / f"{name}.png")
                        self.assert_equal_drawings(made[f"{name}.svg"], COMMITTED / f"{name}.svg")

    def test_the_report_on_tuning_is_that_of_its_document(self):
        result = self.call_script(command, COMMITTED / "ncp-admm-tuning.json", "-o", "tuning.md")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual((self.folder / "tuning.md").read_bytes(), (COMMITTED / "ncp-admm-tuning.md").read_bytes())
        self.assert_refused(self.call_script(command, self.write("other.json", {})), "not the document of a tuning")

    def assert_equal_pixels(self, made, committed):
        """Another version of a library may smooth an edge otherwise, and not more."""
        first, second = (matplotlib.image.imread(path) for path in (made, committed))
        self.assertEqual(first.shape, second.shape)
        self.assertLess(np.abs(first - second).mean(), 1e-3)
        self.assertLess((np.abs(first - second).max(axis=2) > 0.1).mean(), 1e-3)

    def assert_equal_drawings(self, made, committed):
        """The same words, and every number to a tenth of a point. Names of shapes and versions of programs may differ."""
        first, second = (re.sub(r"<metadata>.*?</metadata>|#?\b[mpc][0-9a-f]{10}\b", "", path.read_text(encoding="utf-8"),
                                flags=re.DOTALL) for path in (made, committed))
        self.assertEqual(NUMBER.sub("0", first), NUMBER.sub("0", second))
        np.testing.assert_allclose([float(number) for number in NUMBER.findall(first)],
                                   [float(number) for number in NUMBER.findall(second)], atol=0.1)


if __name__ == "__main__":
    unittest.main()
