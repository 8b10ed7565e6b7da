"""Formatting, lint and documentation of the whole tree, each by a tool that says so if it is absent."""

import re
import shutil
import subprocess
import sys
import unittest

from support import ROOT, SCRIPTS

CPP = ("apps", "lib", "solvers", "tests")
# Several seconds of clang-tidy per file: these are the ones that changed last; scripts/tidy.sh --all checks all.
TIDY_FILES = 8


def needs(*tools: str):
    """Skips a test unless one of the tools is installed."""
    return unittest.skipUnless(any(map(shutil.which, tools)), f"{' or '.join(tools)} is not installed")


class StyleTest(unittest.TestCase):
    def assert_silent(self, *command: object) -> None:
        result = subprocess.run(list(map(str, command)), cwd=ROOT, text=True, capture_output=True, check=False)
        if result.returncode or "error:" in result.stdout:
            self.fail(f"{result.stdout}{result.stderr}")


class Layers(unittest.TestCase):
    LIBRARY = ROOT / "lib" / "frictionbench"

    def test_each_includes_only_those_before_it(self):
        """In the order of the table in the library's README."""
        table = (self.LIBRARY / "README.md").read_text(encoding="utf-8").partition("\n## Layers\n")[2].partition("\n## ")[0]
        order = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
        self.assertGreater(len(order), 10)
        headers = {path.relative_to(ROOT / "lib").as_posix() for path in self.LIBRARY.rglob("*.hpp")}
        upwards = []
        for source in sorted(path for suffix in ("cpp", "hpp") for path in self.LIBRARY.rglob(f"*.{suffix}")):
            layer = source.relative_to(self.LIBRARY).parts[0]
            for included in re.findall(r'^#include "(.+)"$', source.read_text(encoding="utf-8"), re.MULTILINE):
                if included in headers and order.index(included.split("/")[1]) > order.index(layer):
                    upwards.append(f"{source.relative_to(ROOT)} includes {included}")
        self.assertEqual(upwards, [])


class Format(StyleTest):
    @needs("clang-format")
    def test_cpp(self):
        sources = [path for folder in CPP for suffix in ("cpp", "hpp") for path in (ROOT / folder).rglob(f"*.{suffix}")]
        command = ["clang-format", "--dry-run", "-Werror", *map(str, sorted(sources))]
        result = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)
        files = sorted({line.split(":")[0] for line in result.stderr.splitlines() if "error:" in line})
        self.assertEqual(files, [], "not formatted; run clang-format -i on them")


class Tidy(StyleTest):
    @needs("clang-tidy")
    @unittest.skipUnless((ROOT / "build/release/compile_commands.json").exists(), "build/release is not configured")
    def test_changed_sources(self):
        self.assert_silent(SCRIPTS / "tidy.sh", "--most", TIDY_FILES)


class Python(StyleTest):
    @needs("ruff", "flake8")
    def test_lint(self):
        if shutil.which("ruff"):
            self.assert_silent("ruff", "check", "scripts", "tests")
        else:
            self.assert_silent("flake8", "scripts", "tests")

    @needs("mypy")
    def test_types(self):
        self.assert_silent("mypy", "--python-executable", sys.executable, "--config-file", SCRIPTS / "pyproject.toml",
                           "--cache-dir", ROOT / "build/mypy", SCRIPTS / "frictionbench")


class Shell(StyleTest):
    @needs("shellcheck")
    def test_lint(self):
        self.assert_silent("shellcheck", "-x", *SCRIPTS.rglob("*.sh"), *SCRIPTS.rglob("*.sbatch"), ROOT / ".ci/run")


class Docs(StyleTest):
    @needs("doxygen")
    @needs("sphinx-build")
    def test_public_names_have_comments_and_links_lead_somewhere(self):
        self.assert_silent(SCRIPTS / "docs.sh")


if __name__ == "__main__":
    unittest.main()
