"""The section on our solvers and those of others in the page of frictionbench-report, and whether verdicts are recomputed."""

import html
import json
import os
import re
import shlex
import subprocess
import unittest

from report_browser import PageTest
from report_support import tidy_findings
from support import ROOT, TemporaryFolderTest, full_document
from test_versus import document

from frictionbench.report import command as report
from frictionbench.results.impulses import NOT_KEPT

PROGRAM = os.environ.get("FRICTIONBENCH_PROGRAM")


def with_peers(**run):
    """The document of test_versus, whose `p` is an external program and whose `q` is of a plug-in."""
    made = document(**run)
    made["solvers"][2]["settings"] = {"command": "./p", "name": "p"}
    made["solvers"][3]["settings"] = {"library_sha256": "0" * 64}
    return made


class ReportTest(TemporaryFolderTest):
    def page(self, *documents, arguments=()):
        paths = [self.write(f"{'ab'[index]}.json", content) for index, content in enumerate(documents)]
        result = self.call_script(report, *paths, "-o", "page.html", "--force", *arguments)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def versus(self, *documents, arguments=()):
        """The text of the section, tags taken out; nothing if there is none."""
        page = self.page(*documents, arguments=arguments)
        found = re.search(r'<section id="versus".*?</section>', page, re.DOTALL)
        self.assertEqual('<a href="#versus">' in page, found is not None)
        return re.sub(r"<[^>]+>", "|", found[0]) if found else ""


class Section(ReportTest):
    def test_numbers_are_those_of_the_script(self):
        text = re.sub(r"\|+", "|", self.versus(with_peers()))
        self.assertIn("|X, 1-10 contacts|6|6|3|4|3, p|4|2 (1)|2 (1)|0.50 of 2|1.0 of 3|0.50, 2.0, 2.8|1.0 of 3|0.50, 2.0, 2.8|",
                      text)
        self.assertIn("|ours, ncp-a|3|0|2|51.6 %|", text)
        self.assertIn("|Losses: 2|", text)
        self.assertIn("|X/4|p: 5 s|none of ours solves it|frictionbench solve", text)
        (repeated, *_) = re.findall(r"frictionbench solve .*", html.unescape(text))
        self.assertIn("external(command='./p',name=p)", shlex.split(repeated))

    def test_peers_are_those_from_outside_of_the_project(self):
        made = with_peers()
        made["solvers"][1]["settings"] = {"library_sha256": "1" * 64}  # ncp-b is not ours, whatever its name
        self.assertIn("Ours (1): ncp-a. Peers (3): ncp-b, p, q.", self.versus(made))
        self.assertIn("Ours (1): ncp-b. Peers (2): p, q.", self.versus(with_peers(), arguments=("--ours", "ncp-b")))

    def test_no_section_without_both(self):
        self.assertEqual(self.versus(document()), "")
        self.assertEqual(self.versus(with_peers(), arguments=("--ours", "siconos-*")), "")
        self.assertEqual(self.versus(full_document()), "")

    def test_what_cannot_be_compared_is_said_and_the_page_made(self):
        other = with_peers()
        other["records"][0]["iterations"] += 1
        text = self.versus(with_peers(), other)
        self.assertIn("Not compared", text)
        self.assertRegex(text, "b.json: ncp-a on X/0 has another record in .*a.json")

    def test_valid_html(self):
        self.assertEqual(tidy_findings(self.page(with_peers())), [])


class Recomputable(ReportTest):
    def test_not_kept(self):
        self.assertIn(f"<li>{NOT_KEPT}</li>", self.page(full_document()))

    @unittest.skipUnless(PROGRAM, "FRICTIONBENCH_PROGRAM does not name the program")
    def test_kept_impulses_are_judged_again(self):
        run = [PROGRAM, "run", ROOT / "datasets" / "default", "--filter", "Stack", "--solver", "ncp-pgs", "--keep-impulses",
               "--quiet", "-o", self.folder / "kept.json"]
        subprocess.run(run, check=True)
        kept = json.loads((self.folder / "kept.json").read_text(encoding="utf-8"))
        count = len(kept["records"])
        said = f"{count} verdicts recomputed: they are what the records say (impulses kept in kept.impulses.h5)"
        self.assertIn(f"<li>{said}</li>", self.page(kept))
        page = self.page(kept, document())
        self.assertIn(f"<li>a.json: {said}</li>", page)
        self.assertIn(f"<li>b.json: {NOT_KEPT}</li>", page)

        (self.folder / "page.html").unlink()
        kept["records"][0]["verdict"]["ncp"]["relative"] *= 0.5
        forged = self.write("forged.json", kept)
        self.assert_refused(self.call_script(report, forged, "-o", "page.html"), "forged.json", "ncp-pgs",
                            kept["records"][0]["problem"])
        self.assertFalse((self.folder / "page.html").exists())

    def test_those_of_another_run_are_refused(self):
        (self.folder / "a.h5").write_bytes(b"forged")
        results = self.write("a.json", document(impulses={"file": "a.h5", "sha256": "0" * 64}))
        self.assert_refused(self.call_script(report, results, "-o", "page.html"), "a.h5: not the impulses of", "SHA-256")
        self.assertFalse((self.folder / "page.html").exists())


class Looks(PageTest):
    def test_in_the_browser(self):
        self.show(with_peers())
        self.open_everything()
        self.assertEqual(self.browser.run("return document.querySelectorAll('#versus table').length"), 3)
        before = self.browser.text("versus")
        self.browser.choose_tolerance(1e-8)  # the section is of the run, whatever is chosen
        self.assertEqual(self.browser.text("versus"), before)

    def test_on_a_phone(self):
        self.show(with_peers(), width=390, height=844)
        self.open_everything()
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
