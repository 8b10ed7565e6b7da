"""The Python package of scripts/: installed, and called by the names of its commands."""

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from support import FULL, SCRIPTS, TemporaryFolderTest

from frictionbench.commands import COMMANDS, PARTS


class Commands(TemporaryFolderTest):
    def test_every_command_has_a_link_and_an_entry_point(self):
        links = {path.name for path in SCRIPTS.iterdir() if path.is_symlink()}
        self.assertEqual(links, {f"frictionbench-{name}" for name in COMMANDS})
        declared = (SCRIPTS / "pyproject.toml").read_text(encoding="utf-8")
        for link in links:
            self.assertIn(f'\n{link} = "frictionbench.commands:run"\n', declared)

    def test_every_part_is_a_command_with_help_of_its_own(self):
        for command, parts in PARTS.items():
            for part, (module, _) in parts.items():
                with self.subTest(f"{command} {part}"):
                    result = self.call_script(importlib.import_module(f"frictionbench.{module}"), "--help")
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    self.assertTrue(result.stdout.startswith(f"usage: frictionbench-{command} {part} "), result.stdout)

    def test_a_command_that_has_parts(self):
        result = self.run_script("frictionbench-paper", "--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for part in PARTS["paper"]:
            self.assertIn(f"\n  {part} ", result.stdout)
        self.assert_refused(self.run_script("frictionbench-paper", "poem"), "'poem'", "frictionbench-paper --help")
        self.assert_refused(self.run_script("frictionbench-data"), "PART")
        result = self.run_script("frictionbench-paper", "problems", "--help")
        self.assertTrue(result.stdout.startswith("usage: frictionbench-paper problems "))

    def test_a_module_that_is_not_installed(self):
        broken = "raise ModuleNotFoundError(\"No module named 'jsonschema'\")"
        (self.folder / "jsonschema.py").write_text(broken, encoding="utf-8")
        result = subprocess.run([SCRIPTS / "frictionbench-validate", FULL], env=os.environ | {"PYTHONPATH": str(self.folder)},
                                text=True, capture_output=True, check=False)
        self.assert_refused(result, "jsonschema", "scripts/setup.sh")


@unittest.skipUnless(all(map(importlib.util.find_spec, ("pip", "setuptools", "wheel"))), "pip or setuptools is not installed")
class Installed(TemporaryFolderTest):
    def test_works_without_the_checkout(self):
        source, there = self.folder / "source", self.folder / "there"
        shutil.copytree(SCRIPTS, source, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
                        "--target", there, source], check=True, capture_output=True)
        shutil.rmtree(source)
        environment = os.environ | {"PYTHONPATH": str(there)}
        for command, *arguments, said in (("validate", FULL, "valid"), ("report", FULL, "-o", self.folder / "a.html", ""),
                                          ("paper", "tables", "--list", "[Carpentier24]")):
            result = subprocess.run([there / f"bin/frictionbench-{command}", *arguments], env=environment, text=True,
                                    capture_output=True, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(said, result.stdout)
        self.assertGreater(Path(self.folder / "a.html").stat().st_size, 100_000)


if __name__ == "__main__":
    unittest.main()
