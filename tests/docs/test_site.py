"""docs/conf.py: what a site does with links between files of the repository."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TAGS = """<tagfile><compound kind="file"><name>problem.hpp</name><path>{}/frictionbench/problem/</path>
<filename>problem_8hpp.html</filename></compound></tagfile>"""


@unittest.skipUnless(importlib.util.find_spec("myst_parser") and importlib.util.find_spec("furo"), "Sphinx is not installed")
class Site(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="frictionbench test "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("docs/conf.py", (ROOT / "docs/conf.py").read_text(encoding="utf-8"))
        self.write("README.md", "# Front\n\n## Some heading\n")
        self.write("solvers/README.md", "# Solvers\n")
        self.write("lib/frictionbench/problem/problem.hpp", "")
        self.write("data.csv", "1\n")
        self.write("tags.xml", TAGS.format(self.folder))

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def made(self, links: str) -> tuple[str, list[str]]:
        """The page docs/index of these links, and what Sphinx says of that file, apart from the sidebar's lists."""
        self.write("docs/index.md", f"# Index\n\n{links}\n")
        command = [sys.executable, "-m", "sphinx", "-q", "-N", "-c", "docs", "-d", "doctrees",
                   "-D", f"tagfile={self.folder}/tags.xml", "-b", "html", ".", "site"]
        said = subprocess.run(command, cwd=self.folder, text=True, capture_output=True, check=True).stderr
        lines = [line for line in said.splitlines() if "docs/index.md" in line and "toctree" not in line]
        return (self.folder / "site/docs/index.html").read_text(encoding="utf-8"), lines

    def test_links_between_files(self) -> None:
        page, said = self.made("[a](../README.md#some-heading) [b](../solvers/) [c](../lib/frictionbench/problem/problem.hpp) "
                               "[d](../lib/) [e](../data.csv)")
        self.assertEqual(said, [])
        for target in ("../README.html#some-heading", "../solvers/README.html", "../cpp/problem_8hpp.html", "../cpp/index.html"):
            self.assertIn(f'href="{target}"', page)
        self.assertRegex(page, r'href="\.\./_downloads/\w+/data\.csv"')

    def test_links_that_lead_nowhere(self) -> None:
        for target in ("../missing.md", "../README.md#no-such-heading", "../lib/missing.hpp", "../missing/", "#nowhere"):
            _, said = self.made(f"[a]({target})")
            self.assertEqual(len(said), 1, target)
            self.assertIn(target, said[0])

    def test_pages_open_from_disk(self) -> None:
        page, _ = self.made("")
        loaded = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="([^"#?]+)', page)
        self.assertGreater(len(loaded), 5)
        for target in loaded:
            self.assertTrue((self.folder / "site/docs" / target).is_file(), target)
        static = self.folder / "site/_static"
        styles = (static / "styles/furo.css").read_text(encoding="utf-8")
        self.assertNotIn("@import", styles)
        self.assertIn("prefers-color-scheme", styles)
        self.assertNotRegex((static / "scripts/furo.js").read_text(encoding="utf-8"), "(?m)^import ")


if __name__ == "__main__":
    unittest.main()
