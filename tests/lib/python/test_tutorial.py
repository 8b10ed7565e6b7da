"""docs/python.md is true: its code is run from top to bottom, in one session at the root of the source tree."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import unittest

from support import ROOT

TUTORIAL = ROOT / "docs" / "python.md"


class Tutorial(unittest.TestCase):
    def test_code_gives_what_the_page_says(self):
        blocks = re.findall(r"^```python\n(.*?)^```$", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 5)
        test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, TUTORIAL.name, str(TUTORIAL), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        report = io.StringIO()
        with contextlib.chdir(ROOT):
            runner.run(test, out=report.write)
        self.assertEqual(runner.failures, 0, report.getvalue())


if __name__ == "__main__":
    unittest.main()
