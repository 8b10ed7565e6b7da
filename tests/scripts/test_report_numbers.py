"""The numbers in the page of frictionbench-report, against what the project's Python says of the same documents."""

import base64
import gzip
import json
import math
import re
import shlex
import unittest

import numpy
from report_browser import PageTest
from report_support import large_document
from support import TemporaryFolderTest, full_document, made_up_document

from frictionbench.profiles import MEASURES, family_profiles
from frictionbench.report.answer import answer
from frictionbench.report.data import CRITERIA, report_data
from frictionbench.report.statistics import cost_curve, count_edge, count_name
from frictionbench.statistics import shifted_geometric_mean, verified_shares
from frictionbench.results import frame_of, load

KINDS = ("cholesky", "lu", "ldlt", "unspecified")  # of factorisations


class ByHand(unittest.TestCase):
    def test_groups_of_contacts(self):
        names = [count_name(count_edge(contacts)) for contacts in (0, 1, 2, 4, 5, 9, 10, 19, 20, 49, 50, 99, 100, 23456)]
        self.assertEqual(names, ["0", "1", "2–4", "2–4", "5–9", "5–9", "10–19", "10–19", "20–49", "20–49", "50–99", "50–99",
                                 "100–199", "20000–49999"])

    def test_data_profiles(self):
        costs, counts, at = cost_curve(numpy.array([3, 1, math.inf, 3]), 100)
        self.assertEqual((costs, counts), ([1, 3], [1, 3]))
        self.assertEqual(at, [1, 1, 3, 3, None])  # at 10, 25, 50, 75 and 90 % of four problems
        self.assertEqual(cost_curve(numpy.array([math.inf]), 100), [[], [], [None] * 5])

    def test_long_curves_keep_their_ends(self):
        costs, counts, _ = cost_curve(numpy.arange(1.0, 1001.0), 50)
        self.assertEqual((len(costs), costs[0], costs[-1], counts[0], counts[-1]), (50, 1, 1000, 1, 1000))
        self.assertEqual(costs, counts)


class Answer(TemporaryFolderTest):
    def test_a_success_under_a_model_of_the_solvers_own_failed_the_check(self):
        document = made_up_document({"X": {"good": [1, 1, 1], "soft": [2, None, None], "bad": [9, None, None]}})
        document["solvers"][1]["model"] = "ccp"
        ends = {("X/1", "soft"): "other_model", ("X/2", "soft"): "other_model", ("X/1", "bad"): "wrong"}

        def sentence():
            for record in document["records"]:
                record["status"] = ends.get((record["problem"], record["solver"]), record["status"])
            return answer(report_data([load(self.write("a.json", document))]))[-1]

        self.assertIn("3 reported successes failed this check (soft 2 and bad 1); 2 of them satisfied a model of their own.",
                      sentence())
        ends |= {("X/2", "soft"): "stalled", ("X/1", "bad"): "stalled"}
        self.assertIn("1 reported success failed this check (soft 1), which satisfied a model of its own.", sentence())


class Numbers(PageTest):
    """What the page shows, against what the project's Python says of the same document."""

    def test_performance_profiles(self):
        (results,) = self.show(large_document(40, 3))
        for index, family in enumerate(["", *results.families()]):
            problems = [problem for problem in results.problems if family in ("", problem.family)]
            self.browser.choose("selection", str(index))
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
        packed = self.browser.run("return document.getElementById('report-data').textContent")
        data = json.loads(gzip.decompress(base64.b64decode(packed)))
        place = data["tolerances"].index(results.tolerance)
        for criterion in ("ncp", "native"):
            self.assertEqual(data["statistics"]["judgements"][f"{criterion}@{place}"]["solved"], "".join(
                "01"[results.solved(problem, solver, criterion)] for problem in results.problems for solver in results.solvers))
        self.assertTrue(set(data["criteria"]) <= set(CRITERIA))

    def test_table_of_solvers(self):
        document = large_document(40, 3)
        for problem in document["problems"]:  # simulations of their own, so that there are intervals
            problem["path"] += "-scene.hdf5"
        (results,) = self.show(document)
        head, *rows = self.browser.run("""return [...document.querySelectorAll("#overview-table tr")].map((row) =>
            [...row.children].map((cell) => cell.innerText.trim()));""")
        self.assertEqual([row[0] for row in rows if len(row) == 1],
                         ["Coulomb friction (NCP)", "relaxed to a cone complementarity problem (CCP)"])
        rows = [row for row in rows if len(row) > 1]
        solved = {solver.id: [p for p in results.problems if results.solved(p, solver)] for solver in results.solvers}
        expected = sorted(results.solvers, key=lambda solver: (solver.model != "ncp", -len(solved[solver.id])))
        self.assertEqual([row[0] for row in rows], [solver.id for solver in expected])
        intervals = verified_shares(frame_of(results)).loc
        for solver, row in zip(expected, rows):
            cells = dict(zip(head, row, strict=True))
            records = [results.record(problem, solver) for problem in solved[solver.id]]
            self.assertEqual(cells["solved"], f"{math.floor(100 * len(records) / 40 + 0.5)} %")
            low, high = intervals[solver.id][["low", "high"]]
            self.assertEqual(cells["95 % interval"], "–" if not low < high else
                             f"{math.floor(100 * low + 0.5)} % – {math.floor(100 * high + 0.5)} %")
            times = [record["time"]["solve"]["median"] for record in records]
            self.assert_number(cells["mean time"], shifted_geometric_mean(times, 1e-4), {"s": 1, "ms": 1e-3})
            cholesky = [record["time"]["cholesky_equivalents"] for record in records]
            self.assert_number(f"{cells['in Cholesky factorisations']} x", shifted_geometric_mean(cholesky, 0), {"x": 1})
            self.assert_number(f"{cells['iterations']} x", sum(r["iterations"] for r in records) / len(records), {"x": 1})
            factorizations = [sum(record["work"]["factorizations"][kind] for kind in KINDS) for record in records]
            self.assert_number(f"{cells['factorisations']} x", sum(factorizations) / len(records), {"x": 1})
            self.assertEqual(cells["own model solved"], str(sum(results.solved(p, solver, "native") for p in results.problems)))
            self.assertEqual(cells["wrong"], str(sum(results.record(p, solver)["status"] == "wrong" for p in results.problems)))
            for family in results.families():
                members = [p for p in results.problems if p.family == family]
                share = sum(results.solved(p, solver) for p in members) / len(members)
                self.assertEqual(cells[family], f"{math.floor(100 * share + 0.5)} %")

    def test_the_answer(self):
        document = made_up_document({"X": {"good": [1, 1, 4, 4, 4], "fast": [0.5, 2, 2, 2, None],
                                           "bad": [9, None, None, None, None]}})
        document["records"][2]["status"] = "wrong"
        self.show(document)
        first, second, third = [paragraph.text.replace("\N{NO-BREAK SPACE}", " ") for paragraph in
                                self.browser.driver.find_elements("css selector", "#answer > div > p")]
        self.assertIn("good solves 100 % of 5 problems", first)
        self.assertIn("the most of 3 solvers of the NCP; then fast 80 % and bad 20 %.", first)
        # Geometric mean of 1, 1, 4, 4, 4; the best on the second and the last, within twice on all five.
        self.assertEqual(second, "Where it solves, good takes 2.3 s on average, is the fastest of all 3 solvers on 40 % of the "
                         "problems, and solves 100 % within twice the time of the fastest; fast, which solves 80 %, is the "
                         "fastest on 60 %.")
        self.assertIn("(NCP, absolute at 1e-6)", third)
        self.assertIn("1 reported success failed this check (bad 1).", third)

    def assert_number(self, text, expected, units):
        value, unit = text.split()
        self.assertAlmostEqual(float(value) * units[unit] / expected, 1, delta=5e-3)

    def test_shares_by_size_and_condition(self):
        document = large_document(60, 2)
        (results,) = self.show(document)
        for plot, fact, low, high, name in (("contacts", "contacts", 20, 50, "20–49"),
                                            ("condition", "condition", 1e3, 1e4, "10³")):
            members = [p for p, entry in zip(results.problems, document["problems"])
                       if entry[fact] is not None and low <= entry[fact] < high]
            bars, *curves = self.browser.picture(plot)
            place = bars["x"].index(name)
            self.assertEqual(bars["y"][place], len(members))
            for curve, solver in zip(curves, results.solvers, strict=True):
                share = sum(results.solved(problem, solver) for problem in members) / len(members)
                self.assertAlmostEqual(curve["y"][place], share, places=4)

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
        document["run"] = document["run"] | {"command": ["frictionbench", "run", "--config", "a.toml"]}
        document["solvers"][0]["settings"] = {"library_sha256": "0" * 64}
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
            _, _, comment = command.partition("  # ")
            of_peer = record["solver"] == document["solvers"][0]["id"]
            self.assertEqual(comment, "add --plugin and --peer as a.toml has them" if of_peer else "")
            self.assertEqual(shlex.split(command, comments=True), [
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
        before = self.browser.picture("performance")
        self.browser.run("document.querySelectorAll('#solver-boxes input')[2].click()")
        # A solver that is not shown stays among those that are compared: picking only hides curves.
        self.assertEqual([trace["y"][-1] for trace in self.browser.picture("performance")],
                         [trace["y"][-1] for place, trace in enumerate(before) if place != 2])


if __name__ == "__main__":
    unittest.main()
