"""Regression checks on results files: what `frictionbench compare` finds, says and exits with."""

from __future__ import annotations

import copy
import json
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

from program import DATASET, ProgramTest

PLAIN, SLOWER, OTHER = "ncp-pgs", "ncp-pgs(relaxation=0.4)", "ncp-pgs(relaxation=0.9)"

# By the schema that Jenkins publishes: attributes that an element may have, and those that it must.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors", "skipped"}, set()),
    "testsuite": ({"name", "tests", "failures", "errors", "time", "skipped"}, {"name", "tests"}),
    "testcase": ({"name", "classname", "time"}, {"name", "classname", "time"}),
    "failure": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
    "system-out": (set(), set()),
}


def cells(line: str) -> list[str]:
    """Of a row of a Markdown table; an escaped bar does not end a cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


class CompareTest(ProgramTest):
    @classmethod
    def setUpClass(cls) -> None:
        cls.documents: dict[str, dict[str, Any]] = {}

    def document(self, solver: str) -> dict[str, Any]:
        """A run of one solver on the small stacks; the same one for all tests."""
        if solver not in self.documents:
            self.documents[solver] = self.run_document(DATASET, "--filter", "Stack/Stack-boxes", "--solver", solver,
                                                       "--max-iterations", 2000)
        return copy.deepcopy(self.documents[solver])

    def write(self, name: str, document: Any) -> str:
        (self.folder / name).write_text(json.dumps(document), encoding="utf-8")
        return name

    def pair(self) -> tuple[str, str]:
        """The files of a baseline and of a candidate in which one problem is lost, one no longer solved,
        one has a name that Markdown and XML must escape, and one solver is new."""
        baseline = self.document(PLAIN)
        candidate = copy.deepcopy(baseline)
        for document in (baseline, candidate):
            document["problems"][0]["id"] = document["records"][0]["problem"] = "Stack/a|b<c>&d"
        for record in candidate["records"][:2]:
            record["status"] = "max_iterations"
            record["solved"] = {model: {"relative": False, "absolute": False, "scaled": False, "force": None}
                                for model in record["solved"]}
        candidate["records"].pop()
        added = self.document(OTHER)
        candidate["solvers"] += added["solvers"]
        candidate["records"] += [record for record in added["records"]
                                 if record["problem"] == candidate["problems"][1]["id"]]
        return self.write("base.json", baseline), self.write("new.json", candidate)


class OutcomeTest(CompareTest):
    def test_equal_runs_have_nothing_worse(self) -> None:
        """Two runs, not one: counters and verdicts are the same every time."""
        arguments = (DATASET, "--filter", "Stack/Stack-boxes", "--solver", PLAIN, "--solver", "ncp-admm")
        pairs = len(self.run_document(*arguments, output="first.json")["records"])
        self.run_document(*arguments, output="second.json")
        for files in (("first.json", "second.json"), ("first.json", "first.json")):
            text = self.program("compare", *files).stdout
            self.assertTrue(text.startswith(f"0 pairs worse, 0 better, {pairs} the same, 0 lost, 0 new\n"), text)

    def test_a_worse_relaxation_is_caught_and_a_better_one_named(self) -> None:
        for before, after, change in ((PLAIN, SLOWER, "worse"), (SLOWER, PLAIN, "better")):
            base, candidate = self.document(before), self.document(after)
            arguments = ("compare", self.write("base.json", base), self.write("candidate.json", candidate),
                         "--as", before, after, "--no-time")
            found = json.loads(self.program(*arguments, "--format", "json", code=None).stdout)["comparisons"][0]
            iterations = {pair["problem"]: difference for pair in found["pairs"] if pair["change"] == change
                          for difference in pair["differences"] if difference["what"] == "iterations"}
            self.assertGreater(len(iterations), 0)
            for problem, difference in iterations.items():
                for document, value in ((base, difference["baseline"]), (candidate, difference["candidate"])):
                    counted = [record["iterations"] for record in document["records"] if record["problem"] == problem]
                    self.assertEqual([value], counted)
            text = self.program(*arguments, code=1 if found["counts"]["worse"] else 0).stdout
            sign = "+" if change == "worse" else "-"
            self.assertRegex(text, rf"(?m)^{change} +ncp-pgs\S* -> ncp-pgs\S* +Stack/\S+ +iterations, .*\{sign}[\d.]+ %$")
            if change == "worse":
                self.assertTrue(found["regressed"])

    def test_solvers_lost_and_lenience(self) -> None:
        base, candidate = self.pair()
        text = self.program("compare", base, candidate, code=1).stdout
        pairs = len(self.document(PLAIN)["records"])
        self.assertIn(f"2 pairs worse, 0 better, {pairs - 3} the same, 1 lost, 1 new\n", text)
        rows = [line.split()[0] for line in text.splitlines() if re.match(r"(worse|lost|new) ", line)]
        self.assertEqual(rows, ["worse", "worse", "lost", "new"])

        shorter = self.document(PLAIN)
        shorter["records"].pop()
        shorter = self.write("shorter.json", shorter)
        full = self.write("full.json", self.document(PLAIN))
        self.program("compare", full, shorter, code=1)
        self.program("compare", full, shorter, "--allow-lost")
        self.program("compare", full, shorter, "--rules", self.write("rules.json", {"lost": "ignore"}))
        self.program("compare", full, full, shorter, code=1)  # the worst of several decides

    def test_rules_decide(self) -> None:
        document = self.document(PLAIN)
        base = self.write("base.json", document)
        document["records"][0]["iterations"] *= 2
        candidate = self.write("candidate.json", document)
        self.program("compare", base, candidate, code=1)
        self.program("compare", base, candidate, "--rules",
                     self.write("rules.json", {"counters": {"iterations": 100}}))

    def timed(self, factor: float, cpu: str = "Example CPU") -> dict[str, Any]:
        """A run of ten rounds on a machine of this name, in which every pair took `factor` times as long."""
        document = self.document(PLAIN)
        document["run"] |= {"rounds": 10, "host": document["run"]["host"] | {"cpu": cpu}}
        for record in document["records"]:
            record["time"]["rounds"] = [factor * (1 + 0.01 * (round % 3)) for round in range(10)]
        return document

    def test_times_are_judged_when_asked(self) -> None:
        base = self.write("base.json", self.timed(1))
        slower = self.write("slower.json", self.timed(1.5))
        self.program("compare", base, slower)
        text = self.program("compare", base, slower, "--times", code=1).stdout
        self.assertRegex(text, r"(?m)^worse .* time .* x 1\.5 \(1\.\d+ to 1\.\d+\)$")
        self.assertIn("single cold sample per round", text)
        self.assertIn("note: times of ", text)
        rules = self.write("rules.json", {"time": {"threshold": 1.4}})
        self.program("compare", base, slower, "--rules", rules, code=1)
        self.program("compare", base, slower, "--rules", rules, "--no-time")
        lax = self.write("lax.json", {"time": {"threshold": 1.6}})
        self.program("compare", base, slower, "--times", "--rules", lax)
        self.refused("compare", base, slower, "--times", "--no-time", saying=["--times", "--no-time"])

    def test_times_of_other_machines_and_numbers_of_rounds_are_not_judged(self) -> None:
        base = self.write("base.json", self.timed(1))
        elsewhere = self.write("elsewhere.json", self.timed(2, "Other CPU"))
        self.assertIn("note: times are not compared: Example CPU in the baseline, Other CPU",
                      self.program("compare", base, elsewhere, "--times").stdout)
        self.program("compare", base, elsewhere, "--times", "--any-machine", code=1)

        document = self.timed(2)
        del document["run"]["rounds"]
        for record in document["records"]:
            record["time"]["rounds"] = None
        text = self.program("compare", base, self.write("earlier.json", document), "--times").stdout
        self.assertEqual(text.count("note: times are not judged: "), 1)
        self.assertIn("the baseline has 10, the candidate 1\n", text)

    def test_rounds_of_two_runs(self) -> None:
        """Both of one program; whether it is as fast on this machine is not asked."""
        for name in ("first.json", "second.json"):
            document = self.run_document(DATASET, "--filter", "Stack-boxes2", "--solver", PLAIN, "--rounds", 5,
                                         output=name)
            for record in document["records"]:
                self.assertEqual(len(record["time"]["rounds"]), 5)
        text = self.program("compare", "first.json", "second.json", "--times", code=None).stdout
        self.assertIn("pairs were tested over 5 rounds", text)

    def test_other_time_limits(self) -> None:
        base = self.write("base.json", self.document(PLAIN))
        document = self.document(PLAIN)
        document["run"]["time_limit"] = 7
        text = self.program("compare", base, self.write("shorter.json", document)).stdout
        self.assertIn("the time limit is 60 s in the baseline and 7 s in the candidate: 0 pairs", text)
        record = document["records"][0]
        record["status"] = "time_limit"
        record["solved"] = {model: {"relative": False, "absolute": False, "scaled": False, "force": None}
                            for model in record["solved"]}
        shorter = self.write("shorter.json", document)
        text = self.program("compare", base, shorter).stdout
        self.assertIn(": 1 pairs that one of them ended are left out\n", text)
        found = json.loads(self.program("compare", base, shorter, "--format", "json").stdout)["comparisons"][0]
        self.assertEqual((found["left_out"], found["counts"]["lost"]), (1, 0))


class FormatTest(CompareTest):
    def test_markdown_tables_are_rectangular(self) -> None:
        text = self.program("compare", *self.pair(), "--format", "markdown", code=1).stdout
        self.assertTrue(text.startswith("### Worse: 2 pairs worse, "))
        tables = [block.splitlines() for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
        self.assertEqual(len(tables), 3)
        for table in tables:
            self.assertEqual({len(cells(line)) for line in table}, {len(cells(table[0]))}, table)
            self.assertEqual(set(cells(table[1])), {"---"})
        self.assertIn(r"a\|b\<c>&d", tables[0][2] + tables[0][3])
        self.assertIn("<details><summary>", text)
        self.assertEqual(text.count("<details>"), text.count("</details>"))

    def test_junit_is_what_servers_read(self) -> None:
        self.program("compare", *self.pair(), "--format", "junit", "-o", "compare.xml", code=1)
        root = ElementTree.parse(self.folder / "compare.xml").getroot()
        self.assertEqual(root.tag, "testsuites")
        for element in root.iter():
            allowed, required = JUNIT[element.tag]
            self.assertLessEqual(set(element.keys()), allowed)
            self.assertLessEqual(required, set(element.keys()))
        for element in [root, *root.iter("testsuite")]:
            self.assertEqual(int(element.get("tests")), len([*element.iter("testcase")]))
            self.assertEqual(int(element.get("failures")), len([*element.iter("failure")]))
            self.assertEqual(int(element.get("skipped")), len([*element.iter("skipped")]))
        self.assertEqual([suite.get("name") for suite in root], [PLAIN, OTHER])
        failed = {case.get("name"): case.find("failure") for case in root.iter("testcase") if len(case)}
        failure = failed["Stack/a|b<c>&d"]
        self.assertEqual(failure.get("type"), "solved")
        self.assertIn("solved -> max_iterations", failure.get("message"))
        self.assertEqual([case.get("classname") for case in root.iter("testcase") if case.find("skipped") is not None],
                         [OTHER])

    def test_json_has_every_pair_once(self) -> None:
        document = json.loads(self.program("compare", *self.pair(), "--format", "json", code=1).stdout)
        self.assertEqual((document["schema"], document["schema_version"]), ("frictionbench-comparison", 1))
        run = self.document(PLAIN)["run"]
        self.assertEqual(document["baseline"], {"path": "base.json", "started": run["started"], "git": run["git"]})
        comparison = document["comparisons"][0]
        self.assertTrue(comparison["regressed"])
        keys = [(pair["problem"], pair["solver"]) for pair in comparison["pairs"]]
        self.assertEqual(len(keys), len(set(keys)))
        changes = [pair["change"] for pair in comparison["pairs"]]
        self.assertEqual({change: changes.count(change) for change in comparison["counts"]}, comparison["counts"])

    def test_many_rows_are_cut_on_request_only(self) -> None:
        problems = self.document(PLAIN)
        for number in range(40):
            for part in ("problems", "records"):
                problems[part].append(copy.deepcopy(problems[part][0]))
            problems["problems"][-1] |= {"id": f"Made/{number}", "sha256": f"{number:064}"}
            problems["records"][-1]["problem"] = f"Made/{number}"
        base = self.write("base.json", problems)
        for record in problems["records"]:
            record["iterations"] += 1
        worse = len(problems["records"])
        candidate = self.write("candidate.json", problems)
        text = self.program("compare", base, candidate, code=1).stdout
        self.assertEqual(len(re.findall("(?m)^worse ", text)), 30)
        self.assertIn(f"and {worse - 30} more; --all shows them\n", text)
        text = self.program("compare", base, candidate, "--all", code=1).stdout
        self.assertEqual(len(re.findall("(?m)^worse ", text)), worse)

    def test_files_are_not_overwritten_unasked(self) -> None:
        base = self.write("base.json", self.document(PLAIN))
        kept = self.write("kept.md", "precious")
        self.refused("compare", base, base, "-o", kept, saying=["kept.md", "--force"])
        self.refused("compare", base, base, "-o", base, "--force", saying=["base.json", "read by this command"])
        self.program("compare", base, base, "-o", kept, "--force")
        self.assertIn("0 pairs worse", (self.folder / kept).read_text(encoding="utf-8"))


class NotComparableTest(CompareTest):
    def test_other_conditions(self) -> None:
        base = self.write("base.json", self.document(PLAIN))
        for key, value, word in (("criterion", "ccp", "criterion"), ("scale", "scaled", "scale"),
                                 ("tolerance", 1e-3, "tolerance"),
                                 ("max_iterations", 7, "iteration limit")):
            document = self.document(PLAIN)
            document["run"][key] = value
            self.refused("compare", base, self.write("other.json", document), code=3,
                         saying=["other.json", "not comparable", word])

    def test_nothing_in_common(self) -> None:
        base = self.write("base.json", self.document(PLAIN))
        document = self.document(PLAIN)
        for number, problem in enumerate(document["problems"]):
            problem["sha256"] = f"{number:064}"
        self.refused("compare", base, self.write("other.json", document), code=3, saying=["no problem in common"])
        self.refused("compare", base, self.write("other.json", self.document(SLOWER)), code=3,
                     saying=["no solver in common", PLAIN, SLOWER])

    def test_bad_input(self) -> None:
        base = self.write("base.json", self.document(PLAIN))
        self.refused("compare", base, "absent.json", saying=["absent.json"])
        self.refused("compare", base, self.write("empty.json", {}), saying=["empty.json"])
        self.refused("compare", base, base, "--as", PLAIN, "ncp-pgz", saying=["candidate", "ncp-pgz", PLAIN])
        rules = self.write("rules.json", {"counters": {"iteration": 1}})
        self.refused("compare", base, base, "--rules", rules, saying=["rules.json", "counters", "iterations"])


class HistoryTest(CompareTest):
    def test_one_table_a_file_and_one_row_a_run(self) -> None:
        document = self.document(PLAIN)
        names = []
        for day in (3, 1, 2):
            document["run"]["started"] = f"2026-01-0{day}T00:00:00Z"
            names.append(self.write(f"day-{day}.json", document))
        text = self.program("summary", *names).stdout
        self.assertEqual(re.findall(r"(?m)^(day-\d\.json): started ", text), names)
        self.assertEqual(text.count(self.program("summary", names[0]).stdout), 3)

        for arguments in ((), ("--family", "Stack"), ("--family", "all")):
            text = self.program("summary", *names, "--history", PLAIN, *arguments).stdout
            self.assertEqual(re.findall(r"day-(\d)\.json", text), ["1", "2", "3"])
            solved = sum(record["solved"]["ncp"]["absolute"] for record in document["records"])
            self.assertEqual(text.count(f" {solved}/{len(document['records'])} "), 3)
        self.refused("summary", *names, "--history", "ncp-pgz", saying=["ncp-pgz", PLAIN])
        self.refused("summary", *names, "--history", PLAIN, "--family", "Stak", saying=["Stak", "Stack"])
        self.refused("summary", *names, "--family", "Stack", saying=["--history"])
