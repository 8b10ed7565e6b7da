"""The leaderboard of frictionbench-report --site, and versions of solvers over time."""

import html
import re
import unittest

from report_support import large_document, tidy_findings
from support import TemporaryFolderTest, made_up_document

from frictionbench.report import command as report


def plain(page):
    """The text of a page, its cells between bars."""
    return html.unescape(re.sub(r"(\|\s*)+", "|", re.sub(r"<[^>]+>", "|", page)))


def dated(costs, started, revision):
    document = made_up_document(costs)
    for place, problem in enumerate(document["problems"]):
        problem["sha256"] = f"{place:064}"
    document["run"] = document["run"] | {"started": started, "git": {"revision": revision, "dirty": False}}
    return document


def old():
    return dated({"X": {"a": [4, 4, None], "b": [1, 1, 1]}}, "2026-01-01T00:00:00Z", "1" * 40)


def new():
    return dated({"X": {"a": [1, 1, 9], "b": [1, None, 1]}}, "2026-02-01T00:00:00Z", "2" * 40)


class Site(TemporaryFolderTest):
    def site(self, **documents):
        paths = [self.write(f"{name}.json", document) for name, document in documents.items()]
        result = self.call_script(report, *paths, "--site", "public", "--force")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        return (self.folder / "public/index.html").read_text(encoding="utf-8")

    def test_the_newest_record_of_each_pair_is_ranked(self):
        page = self.site(new=new(), old=old())
        text = plain(page)
        self.assertIn("The newest record of each pair, compared on the 3 problems that every solver was run on; none left out",
                      text)
        # a: 1, 1 and 9 s; b: 1 s each.
        self.assertIn("|a|ncp|100.0 %|–|100.0 %|2.08 s|0|new.json|b|ncp|66.7 %|–|66.7 %|1 s|0|new.json|", text)
        self.assertEqual(tidy_findings(page), [])
        self.assertEqual(set(re.findall(r'href="([^"]+\.html)"', page)), {"new.html", "old.html"})
        for name in ("new", "old"):
            self.assertIn(f"<h1>{name}.json</h1>", (self.folder / f"public/{name}.html").read_text(encoding="utf-8"))

    def test_what_is_not_repeatable_is_not_solved(self):
        document = new()
        document["records"][0]["status"] = "not_repeatable"  # a on the first
        text = plain(self.site(new=document, old=old()))
        self.assertIn("|a|ncp|66.7 %|–|66.7 %|", text)
        self.assertIn("|a|3|2 of 3, 4 s|2 of 3, 1 s|", text)  # the versions

    def test_the_interval_of_a_solver_that_solves_everything(self):
        document = dated({"X": {"a": [1] * 5, "b": [1] * 4 + [None]}}, "2026-01-01T00:00:00Z", "1" * 40)
        for place, problem in enumerate(document["problems"]):
            problem["path"] = f"{'vwxyz'[place]}.hdf5"
        # At the lower end, five of five are solved with a probability of 2.5 %.
        self.assertIn("|a|ncp|100.0 %|47.8 % to 100.0 %|", plain(self.site(new=document)))

    def test_what_is_not_common_is_not_compared(self):
        other = dated({"X": {"c": [1]}}, "2026-03-01T00:00:00Z", "3" * 40)
        text = plain(self.site(new=new(), other=other))
        self.assertIn("compared on the 1 problem that every solver was run on; 2 left out", text)
        self.assertRegex(text, r"\|a\|ncp\|100.0 %\|.*\|b\|ncp\|100.0 %\|.*\|c\|ncp\|100.0 %\|")
        other["problems"][0]["sha256"] = "f" * 64
        self.assertIn("There is no ranking: no problem was given to all 3 solvers.", plain(self.site(new=new(), other=other)))

    def test_different_limits_and_machines_are_said(self):
        other = dated({"X": {"c": [1, 1, 1]}}, "2026-03-01T00:00:00Z", "3" * 40)
        self.assertNotIn("The documents", plain(self.site(new=new(), other=other)))
        other["run"] |= {"time_limit": 5, "build": other["run"]["build"] | {"flags": "-O0"}}
        page = self.site(new=new(), other=other)
        self.assertIn("The documents have different time limits (new.json: 60; other.json: 5).", plain(page))
        self.assertIn("The documents come from different processors or builds: compare counts, not times.", plain(page))
        self.assertEqual(tidy_findings(page), [])
        superseded = dated({"X": {"a": [1, 1, 1]}}, "2025-01-01T00:00:00Z", "3" * 40)
        superseded["run"] |= {"time_limit": 5}
        self.assertNotIn("The documents", plain(self.site(new=new(), other=superseded)))

    def test_other_criteria_are_apart(self):
        tight = new()
        tight["run"] = tight["run"] | {"tolerance": 1e-8}
        text = plain(self.site(new=new(), tight=tight))
        self.assertIn("|ncp (absolute), tolerance 1e-6|", text)
        self.assertIn("|ncp (absolute), tolerance 1e-8|", text)
        self.assertNotIn("problems in common", text)

    def test_refusals(self):
        path = self.write("a.json", new())
        self.assert_refused(self.call_script(report, path, "--site", "public", "-o", "a.html"), "-o", "--site")
        (self.folder / "a-b.json").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        (self.folder / "a b.json").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        self.assert_refused(self.call_script(report, "a b.json", "a-b.json", "--site", "public"), "a-b.json", "a-b.html")
        self.assertFalse((self.folder / "public").exists())


class Versions(TemporaryFolderTest):
    def test_in_a_report_of_several_runs(self):
        paths = [self.write("new.json", new()), self.write("old.json", old())]
        self.assertEqual(self.call_script(report, *paths, "-o", "page.html").returncode, 0)
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        section = plain(page[page.index('<section id="versions"'):page.index('<section id="failures"')])
        self.assertIn("|problems in common|2026-01-01 00:00, revision 111111111111|2026-02-01 00:00, revision 222222222222|",
                      section)
        # Times are of what both runs solve: the first two problems for a, the first and the last for b.
        self.assertIn("|a|3|2 of 3, 4 s|3 of 3, 1 s|", section)
        self.assertIn("|b|3|3 of 3, 1 s|2 of 3, 1 s|", section)
        self.assertEqual(tidy_findings(page), [])

    def test_no_section_for_one_run(self):
        path = self.write("a.json", large_document(3, 2))
        self.assertEqual(self.call_script(report, path, "-o", "page.html").returncode, 0)
        self.assertNotIn('id="versions"', (self.folder / "page.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
