"""The package without its compiled module, and how it is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from support import ROOT, BindingsTest, frictionbench

FUNCTIONS = ("judge", "read", "solve", "solvers")


class Package(BindingsTest):
    def python(self, code: str, scripts: Path = ROOT / "scripts", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", code], cwd=self.folder, text=True, capture_output=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(scripts), **environment})

    def last_error(self, *arguments, **keywords) -> str:
        finished = self.python(*arguments, **keywords)
        self.assertNotEqual(finished.returncode, 0)
        return finished.stderr.splitlines()[-1]

    def test_import_needs_no_compiled_module(self):
        finished = self.python("import frictionbench; print(hasattr(frictionbench, 'nonsense'))",
                               FRICTIONBENCH_PYTHON=str(self.folder))
        self.assertEqual((finished.stdout, finished.stderr), ("False\n", ""))

    def test_a_missing_module_is_said_in_one_line(self):
        error = self.last_error("import frictionbench; frictionbench.read", FRICTIONBENCH_PYTHON=str(self.folder))
        self.assertTrue(error.startswith(f"ImportError: {self.folder}/frictionbench has no compiled module"), error)
        self.assertIn("--target frictionbench_python", error)

    def test_a_module_of_another_python(self):
        folder = self.folder / "frictionbench"
        folder.mkdir()
        (folder / "_native.cpython-27-x86_64-linux-gnu.so").touch()
        error = self.last_error("import frictionbench; frictionbench.read", FRICTIONBENCH_PYTHON=str(self.folder))
        self.assertIn("is for another Python", error)

    def test_a_module_beside_the_package_comes_first(self):
        copy = self.folder / "site"
        shutil.copytree(ROOT / "scripts" / "frictionbench", copy / "frictionbench")
        for module in Path(os.environ["FRICTIONBENCH_PYTHON"], "frictionbench").glob("_native*.so"):
            shutil.copy(module, copy / "frictionbench")
        finished = self.python("import frictionbench; print(len(frictionbench.solvers()))", scripts=copy,
                               FRICTIONBENCH_PYTHON=str(self.folder / "nowhere"))
        self.assertEqual((finished.stdout, finished.stderr), (f"{len(frictionbench.solvers())}\n", ""))

    def test_docstrings_have_every_option(self):
        for word in ("tolerance = 1e-06", "criterion = 'ncp' (ncp | ccp | lcp | native)", "time_limit = 60, s",
                     "warm_start = 'zero' (zero | guess | solution)", "Raises"):
            self.assertIn(word, frictionbench.solve.__doc__)
        for word in ("tolerance = 1e-06", "facets = 4", "Raises"):
            self.assertIn(word, frictionbench.judge.__doc__)
        self.assertNotIn("max_iterations", frictionbench.judge.__doc__)
        for name in FUNCTIONS:
            self.assertTrue(getattr(frictionbench, name).__doc__.startswith(f"{name}("), name)
            self.assertIn(name, dir(frictionbench))


if __name__ == "__main__":
    unittest.main()
