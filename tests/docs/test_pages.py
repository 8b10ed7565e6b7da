"""The pages of docs/ are true: their commands and their Python run from top to bottom, in a folder that looks like the
root of the source tree.

    ```sh           commands that succeed; `# exit code N` at the end of a line says otherwise
    ```console      commands after `$ `, and what they print, in which `...` stands for anything
    ```python       Python, with what it prints after `>>> `
    ```sh no-test   needs a network, root or hours, which the text beside it says; is not run
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
PROGRAM = Path(os.environ["FRICTIONBENCH_PROGRAM"])
BLOCK = re.compile(r"^```(\w*)( [^\n]*)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"# exit code (\d+)$")
UNTESTED = {"cmake", "cpp", "yaml"}  # examples for files, of which other tests have complete ones
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def commands(block: str) -> list[tuple[str, str | None]]:
    """Commands of a block of `sh` or, with what each prints, of `console`. A backslash continues a line."""
    block = re.sub(r"\\\n\s*", "", block)
    if not block.startswith("$ "):
        return [(command, None) for command in block.splitlines() if command.strip()]
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    return [(command, printed) for command, printed in found]


class Pages(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="frictionbench-pages-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for entry in ROOT.iterdir():
            if entry.name not in ("build", "results", ".git"):
                (self.folder / entry.name).symlink_to(entry)
        # Pages name Debian's Python: the one that a shell finds first may lack its packages, as this one does.
        other = Path(tempfile.mkdtemp(prefix="frictionbench-python-"))
        self.addCleanup(shutil.rmtree, other)
        (other / "python3").write_text('#!/bin/sh\nexec /usr/bin/python3 -I -S "$@"\n', encoding="utf-8")
        (other / "python3").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{other}:/usr/bin:/bin"}

    def shell(self, page: str, block: str) -> None:
        for command, printed in commands(block):
            code = EXIT_CODE.search(command)
            result = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                                    capture_output=True, check=False, timeout=300)
            said = f"{page}: {command}\n{result.stdout}{result.stderr}"
            self.assertEqual(result.returncode, int(code[1]) if code else 0, said)
            if printed:
                self.assertTrue(doctest.OutputChecker().check_output(printed, result.stdout, OPTIONS), said)

    def python(self, page: str, block: str, names: dict[str, Any]) -> None:
        test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
        self.assertTrue(test.examples, f"{page}: a block without `>>> `:\n{block}")
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=OPTIONS)
        with contextlib.chdir(self.folder):
            runner.run(test, out=report.write, clear_globs=False)
        self.assertEqual(runner.failures, 0, report.getvalue())
        names.update(test.globs)

    def run_page(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        blocks = BLOCK.findall(text)
        self.assertEqual(2 * len(blocks), len(re.findall("^ *```", text, re.MULTILINE)), "a block that is not closed")
        names: dict[str, Any] = {}
        for language, how, block in blocks:
            if language == "python" and "FRICTIONBENCH_PYTHON" not in os.environ:
                self.skipTest("the library's module for Python is not built")
            if language == "python":
                self.python(path.name, block, names)
            elif language in ("sh", "console"):
                self.assertIn(how, ("", " no-test"), path.name)
                if not how:
                    self.shell(path.name, block)
            else:
                self.assertIn(language, UNTESTED, f"{path.name}: say what this block is:\n{block}")
        self.assertNotRegex(BLOCK.sub("", text), r"\n\n    \S", f"{path.name}: an indented block is not executed")


def add_tests() -> None:
    for path in PAGES:
        def test(self: Pages, path: Path = path) -> None:
            self.run_page(path)
        setattr(Pages, f"test_{path.stem.replace('-', '_')}", test)


add_tests()


class Runner(unittest.TestCase):
    """What the test of the pages would find."""

    def test_commands_of_a_block(self) -> None:
        self.assertEqual(commands("one \\\n  two\nthree  # exit code 1\n"), [("one two", None), ("three  # exit code 1", None)])
        self.assertEqual(commands("$ one\n$ two\nthis\n\nand that\n"), [("one", ""), ("two", "this\n\nand that\n")])

    def test_false_pages_fail(self) -> None:
        for page in ("```sh\nfalse\n```\n", "```console\n$ echo a\nb\n```\n", "```python\n>>> 1\n2\n```\n", "```text\n```\n",
                     "```sh\ntrue  # exit code 1\n```\n", "```python\n1\n```\n", "\n\n    indented\n", "```sh later\n```\n"):
            pages = Pages("run_page")
            pages.setUp()
            self.addCleanup(pages.doCleanups)
            path = pages.folder / "page.md"
            path.write_text(page, encoding="utf-8")
            with self.assertRaises(AssertionError, msg=page):
                pages.run_page(path)


sys.path[:0] = [str(ROOT / "scripts"), ""]  # as PYTHONPATH=scripts, and the folder in which a page runs

if __name__ == "__main__":
    unittest.main()
