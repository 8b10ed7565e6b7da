"""The numbers in the page of frictionbench-report, against what the project's Python says of the same documents."""

import math
import random
import re
import shlex
import unittest
from collections import Counter

from report_browser import BrowserTest, PageTest
from report_support import large_document
from support import full_document, made_up_document

from frictionbench.profiles import MEASURES, family_profiles, performance_profiles
from frictionbench.report.page import PARTS, esbuild
from frictionbench.results import CRITERIA, SIZE_CLASSES, size_class
from frictionbench.statistics import shifted_geometric_mean

# Forces are for documents with a time step.
SHOWN = tuple(criterion for criterion in CRITERIA if not criterion.endswith("_force"))
KINDS = ("cholesky", "lu", "ldlt", "unspecified")  # of factorisations


def module(name):
    """A module of the page's program as a script that defines it."""
    return esbuild(str(PARTS / f"{name}.js"), "--bundle", "--format=iife", f"--global-name={name}")


class ProfileNumbers(BrowserTest):
    def test_as_in_python(self):
        self.browser.driver.get("about:blank")
        draw = random.Random(7)
        for solvers, problems in ((1, 1), (1, 8), (2, 0), (3, 40), (5, 200)):
            costs = [[draw.choice((math.inf, draw.uniform(1, 100), float(draw.randrange(1, 6))))
                      for _ in range(problems)] for _ in range(solvers)]
            expected = performance_profiles({str(k): row for k, row in enumerate(costs)})
            found = self.browser.run(module("profiles") + """
                const costs = arguments[0].map((row) => row.map((cost) => cost ?? Infinity));
                return profiles.performanceProfiles(costs).map((profile) => ({
                  problems: profile.problems, steps: profile.steps,
                  shares: [1, 1.7, 30, Infinity].map((tau) => profiles.shareAt(profile, tau))}));
                """, [[None if math.isinf(cost) else cost for cost in row] for row in costs])
            for profile, of_python in zip(found, expected.values()):
                self.assertEqual(profile["problems"], of_python.problems)
                self.assertEqual([tuple(step) for step in profile["steps"]], of_python.steps())
                self.assertEqual(profile["shares"], [of_python.share(tau) for tau in (1, 1.7, 30, math.inf)])

    def test_data_profiles_by_hand(self):
        self.browser.driver.get("about:blank")
        found = self.browser.run(module("profiles") + """
            const [profile, empty] = profiles.dataProfiles([[3, 1, Infinity, 3], [Infinity, Infinity, Infinity, Infinity]]);
            return [profile.steps, empty.steps, profiles.shareAt(profile, 2.9), profiles.costOfShare(profile, 0.5),
                    profiles.costOfShare(profile, 0.9)];""")
        self.assertEqual(found, [[[1, 1], [3, 3]], [], 0.25, 3, None])

    def test_groups_by_hand(self):
        self.browser.driver.get("about:blank")
        found = self.browser.run(module("statistics") + """
            const edges = statistics.countEdges(23);
            return [edges, statistics.grouped([0, 1, 4, 5, 23, null, 49], edges), statistics.decadeEdges(0.5, 1000),
                    statistics.shiftedGeometricMean([]), statistics.shiftedGeometricMean([1, 4], 0)];""")
        edges, groups, decades, nothing, mean = found
        self.assertEqual(edges, [0, 1, 2, 5, 10, 20, 50])
        self.assertEqual(groups, [[0], [1], [2], [3], [], [4, 6]])
        for decade, expected in zip(decades, (0.1, 1, 10, 100, 1000, 10000), strict=True):
            self.assertAlmostEqual(decade, expected)
        self.assertIsNone(nothing)
        self.assertAlmostEqual(mean, 2)


class Numbers(PageTest):
    """What the page shows, against what the project's Python says of the same document."""

    def test_performance_profiles(self):
        (results,) = self.show(large_document(40, 3))
        families = ["", *map(str, range(len(results.families())))]
        for index, family in enumerate(families):
            problems = [p for p in results.problems if not family or p.family == results.families()[int(family)]]
            self.browser.choose("family", family)
            for measure in MEASURES:
                self.browser.choose("measure", measure)
                for criterion in ("ncp", "native") if index == 1 else ("ncp",):  # solvers stop by their own model
                    self.browser.choose("criterion", criterion)
                    with self.subTest(family=family, measure=measure, criterion=criterion):
                        panels = family_profiles(results, problems, results.solvers, measure, criterion)
                        self.assert_curves("performance", next(iter(panels.values())), results)

    def assert_curves(self, plot, profiles, results):
        traces = self.browser.picture(plot)
        self.assertEqual([trace["name"] for trace in traces], [solver.id for solver in results.solvers])
        for trace, profile in zip(traces, profiles.values()):
            corners = list(zip(trace["x"], trace["y"]))[:-1]  # the last goes on to the end of the axis
            for (tau, share), (expected, count) in zip(corners, profile.steps(), strict=True):
                self.assertAlmostEqual(tau / expected, 1, delta=1e-4)  # times have five digits in the page
                self.assertAlmostEqual(share, count / profile.problems)

    def test_data_profiles(self):
        self.show(made_up_document({"Stack": {"a": [1, 4, 3, None], "b": [2, 2, None, None]}}))
        traces = self.browser.picture("data")
        self.assertEqual([(trace["x"][1:-1], trace["y"][1:-1]) for trace in traces],
                         [([1, 3, 4], [0.25, 0.5, 0.75]), ([2], [0.5])])

    def test_looser_tolerances(self):
        (results,) = self.show(large_document(40, 2))
        for tolerance in (1e-3, 1e-6):
            self.browser.choose_tolerance(tolerance)
            for trace, solver in zip(self.browser.picture("data"), results.solvers, strict=True):
                solved = sum(results.record(problem, solver)["verdict"]["ncp"]["max"] <= tolerance
                             for problem in results.problems)
                self.assertAlmostEqual(trace["y"][-1], solved / 40)

    def test_solved_at_the_tolerance_of_the_run_is_what_the_document_says(self):
        (results,) = self.show(large_document(40, 3))
        found = self.browser.run(module("store") + """
            const report = new store.Report(JSON.parse(document.getElementById("report-data").textContent));
            return report.records.problem.map((_, row) => arguments[0].map((criterion) =>
              report.isSolved(row, {criterion, tolerance: report.files[0].tolerance})));""", list(SHOWN))
        expected = [[results.solved(problem, solver, criterion) for criterion in SHOWN]
                    for problem in results.problems for solver in results.solvers]
        self.assertEqual(found, expected)

    def test_table_of_families_and_solvers(self):
        (results,) = self.show(large_document(40, 2))
        rows = self.browser.run("""return [...document.querySelectorAll("#overview-table tr")].map((row) =>
            [...row.children].map((cell) => cell.innerText.split("\\n").filter(Boolean)));""")
        sizes = Counter(size_class(problem.facts["contacts"]) for problem in results.problems)
        self.assertEqual([row[0] for row in rows[6:]],
                         [[f"{name} contacts", f"{sizes[name]} problems"] for name, _ in SIZE_CLASSES if sizes[name]])
        self.assertEqual([row[0][0] for row in rows[1:6]], ["all families", *results.families()])
        self.assertEqual(rows[1][0], ["all families", "40 problems"])
        for solver, cell in zip(results.solvers, rows[1][1:], strict=True):
            solved = [p for p in results.problems if results.solved(p, solver)]
            records = [results.record(problem, solver) for problem in solved]
            times = [record["time"]["solve"]["median"] for record in records]
            self.assertEqual(cell[0], f"{math.floor(100 * len(solved) / 40 + 0.5)} %")
            self.assert_number(cell[1], shifted_geometric_mean(times, 1e-4), {"s": 1, "ms": 1e-3})
            cholesky = [record["time"]["cholesky_equivalents"] for record in records]
            self.assert_number(cell[2], shifted_geometric_mean(cholesky, 0), {"chol.": 1})
            self.assert_number(cell[3], sum(r["iterations"] for r in records) / len(records), {"it.": 1})
            factorizations = [sum(record["work"]["factorizations"][kind] for kind in KINDS) for record in records]
            self.assert_number(cell[4], sum(factorizations) / len(records), {"fact.": 1})
            own = sum(results.solved(problem, solver, "native") for problem in results.problems)
            wrong = sum(results.record(p, solver)["status"] == "wrong" for p in results.problems)
            self.assertEqual(cell[5:], ([f"{40 - len(solved)} unsolved"] if len(solved) < 40 else [])
                             + ([f"own model {own}"] if own != len(solved) else [])
                             + ["creep 0", "lift 0"] + ([f"{wrong} wrong"] if wrong else []))

    def assert_number(self, text, expected, units):
        value, unit = text.split()
        self.assertAlmostEqual(float(value) * units[unit] / expected, 1, delta=5e-3)

    def test_shares_by_size_and_condition(self):
        document = large_document(60, 2)
        (results,) = self.show(document)
        for plot, fact, low, high, name in (("contacts", "contacts", 20, 50, "20–49"),
                                            ("condition", "condition", 1e3, 1e4, "10<sup>3</sup>")):
            members = [p for p, entry in zip(results.problems, document["problems"])
                       if entry[fact] is not None and low <= entry[fact] < high]
            bars, *curves = self.browser.picture(plot)
            place = bars["x"].index(name)
            self.assertEqual(bars["y"][place], len(members))
            for curve, solver in zip(curves, results.solvers, strict=True):
                share = sum(results.solved(problem, solver) for problem in members) / len(members)
                self.assertAlmostEqual(curve["y"][place], share)

    def test_convergence_curves(self):
        self.show(full_document())
        # The second iteration has no complementarity; the largest of what there is is the dual residual.
        self.assertEqual([(t["x"], t["y"]) for t in self.browser.picture("convergence")], [([1, 2], [0.5, 0.01])])
        self.browser.choose("residual", "penalty")
        self.assertEqual([t["y"] for t in self.browser.picture("convergence")], [[10, None]])

    def test_failures_and_their_commands(self):
        document = large_document(40, 2)
        document["run"]["memory_limit"] = 1 << 30
        document["records"][0]["status"] = "memory_limit"
        self.show(document)
        kinds = {}
        for record in document["records"]:
            kinds.setdefault(record["status"], []).append(record)
        del kinds["converged"]
        shown = self.browser.run("""
            for (const kind of document.querySelectorAll(".kind")) kind.open = true;
            return [...document.querySelectorAll(".kind")].map((kind) =>
                [kind.dataset.kind, kind.querySelector("summary").innerText]);""")
        counts = {kind: int(re.search(r" (\d+)", summary)[1]) for kind, summary in shown}
        self.assertTrue(dict(shown)["memory_limit"].startswith("memory limit 1"))
        self.assertEqual(counts, {**{kind: len(records) for kind, records in kinds.items()}, "unreadable": 1})
        self.browser.pause(0.2)
        commands = self.browser.run("""return Object.fromEntries([...document.querySelectorAll(".kind")].map((kind) =>
            [kind.dataset.kind, [...kind.querySelectorAll("code")].map((code) => code.textContent)]));""")
        paths = {problem["id"]: problem["path"] for problem in document["problems"]}
        for record, command in zip(kinds["wrong"], commands["wrong"], strict=True):
            self.assertEqual(shlex.split(command), [
                "frictionbench", "solve", paths[record["problem"]], "--solver", record["solver"],
                "--criterion", "ncp", "--scale", "absolute",
                "--tolerance", "1e-06", "--max-iterations", "20000", "--time-limit", "60", "--history"])
        self.assertEqual(shlex.split(commands["unreadable"][0]), ["frictionbench", "info", "data/it's broken.hdf5"])
        self.assertTrue(commands["memory_limit"][0].startswith("(ulimit -v 1048576; frictionbench solve "))

    def test_two_documents_side_by_side(self):
        self.show(large_document(12, 1), large_document(12, 1, seed=2))
        names = [trace["name"] for trace in self.browser.picture("performance")]
        self.assertEqual(names, ["ncp-admm(tau=2) [run-a.json]", "ncp-admm(tau=2) [run-b.json]"])

    def test_only_problems_of_all_solvers_are_compared(self):
        first, second = large_document(10, 2), large_document(6, 4)
        second["solvers"] = second["solvers"][2:]
        ids = {solver["id"] for solver in second["solvers"]}
        second["records"] = [record for record in second["records"] if record["solver"] in ids]
        self.show(first, second)
        self.assertIn("Profiles compare 6 problems, and leave out 4", self.browser.text("judgement"))
        self.browser.run("document.querySelectorAll('#solver-boxes input')[2].click()")
        self.browser.run("document.querySelectorAll('#solver-boxes input')[3].click()")
        self.assertIn("Profiles compare 10 problems.", self.browser.text("judgement"))


if __name__ == "__main__":
    unittest.main()
