"""frictionbench-paper stack, on runs of the program itself."""

import os
import shutil
import subprocess
import unittest

from support import ROOT, SCRIPTS, TemporaryFolderTest

BALL = "Stack-boxes15-mass_ratio10000-ball_mass1000-ball_speed2-global-61-00000"
PROGRAM = os.path.abspath(os.environ["FRICTIONBENCH_PROGRAM"])


@unittest.skipUnless(os.environ.get("FRICTIONBENCH_PYTHON"),
                     "FRICTIONBENCH_PYTHON does not name the folder of the Python module")
class PaperStackDocument(TemporaryFolderTest):
    def findings(self, *solvers, tolerance):
        """The sentences of a run of these solvers on the stack of the paper's Fig. 4."""
        results, impulses = self.folder / "stack.json", self.folder / "impulses"
        subprocess.run([PROGRAM, "run", ROOT / f"datasets/default/Stack/{BALL}.hdf5", "--output", results, "--quiet",
                        "--scale", "absolute", "--tolerance", tolerance, "--repeat-time", "0", "--max-iterations", "20000",
                        *[word for solver in solvers for word in ("--solver", solver)]],
                       check=True, capture_output=True)
        self.script("impulses", results, "--program", PROGRAM, "-o", impulses)
        self.script("stack", results, "--impulses", impulses)
        shutil.rmtree(impulses)  # the text needs only what was measured
        self.script("stack", results, "-o", self.folder / "s4.md")
        text = (self.folder / "s4.md").read_text(encoding="utf-8")
        self.assertIn("| **Stack** | ", text)
        return [line for line in text.splitlines() if line.startswith(f"* Stack/{BALL}: ")]

    def script(self, name, *arguments):
        return subprocess.run([SCRIPTS / "frictionbench-paper", name, *arguments], check=True, capture_output=True,
                              text=True).stdout

    def test_below_what_double_precision_can_state(self):
        (said,) = self.findings("ncp-admm", tolerance="1e-11")
        self.assertIn("no solver gets to 1e-11; `ncp-admm` is the nearest", said)
        self.assertIn("double precision is to blame", said)

    def test_within_what_double_precision_can_state(self):
        (said,) = self.findings("ncp-pgs", tolerance="1e-4")
        self.assertIn("no solver gets to 0.0001", said)
        self.assertIn("the solvers are to blame", said)

    def test_solved_by_some(self):
        (said,) = self.findings("ncp-admm", "ncp-pgs", tolerance="1e-4")
        self.assertIn("`ncp-admm` solve it at 0.0001; what keeps `ncp-pgs` from it is not the problem", said)


if __name__ == "__main__":
    unittest.main()
