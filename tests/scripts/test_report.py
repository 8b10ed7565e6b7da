"""frictionbench-report: what it takes from documents, how it puts them together, what it refuses."""

import html.parser
import json
import math
import re
import unittest

import numpy
from report_support import large_document, tidy_findings
from support import FULL, TemporaryFolderTest, full_document, made_up_document

from frictionbench.plots import looks
from frictionbench.profiles import performance as frictionbench_profiles
from frictionbench.report import command as report, data as report_data
from frictionbench.report.combine import combine
from frictionbench.report.numbers import rounded, thinned
from frictionbench.report.page import PARTS
from frictionbench.results import frame_of, load
from frictionbench.statistics import costs, verified_shares

ADMM = "ncp-admm(rho_update=linear,tau=4)"


class Numbers(unittest.TestCase):
    def test_rounded(self):
        self.assertEqual(rounded(1.23456e-7, 3), 1.23e-7)
        self.assertEqual(rounded(123456789, 3), 123456789)
        self.assertEqual(json.dumps(rounded(3.0, 3)), "3")
        self.assertEqual(rounded(0.0, 3), 0)

    def test_thinned(self):
        rows = list(range(1000))
        for count in (2, 7, 60):
            few = thinned(rows, count)
            self.assertLessEqual(len(few), count)
            self.assertEqual((few[0], few[-1]), (0, 999))
            self.assertEqual(few, sorted(set(few)))
        # Even over a logarithmic axis: of three decades, the first two get more than half.
        few = thinned(rows, 60)
        self.assertGreater(sum(row < 100 for row in few), len(few) / 2)
        self.assertEqual(thinned(rows[:5], 5), rows[:5])


class ReportTest(TemporaryFolderTest):
    def documents(self, *documents):
        names = [f"run-{chr(ord('a') + index)}.json" for index in range(len(documents))]
        return [load(self.write(name, document)) for name, document in zip(names, documents)]

    def page(self, *documents, title=None):
        """The page of some documents, as the script writes it, and the data in it."""
        paths = [document.path for document in self.documents(*documents)]
        options = ["--title", title] if title else []
        result = self.call_script(report, *paths, "-o", "page.html", "--force", *options)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        return (self.folder / "page.html").read_text(encoding="utf-8")


class Data(ReportTest):
    def test_everything_of_a_record(self):
        data = report_data.report_data(self.documents(full_document()))
        row = 1  # ncp-admm on two-boxes
        told = {name: quantity["values"][row] for name, quantity in data["quantities"].items()}
        self.assertEqual(data["problems"]["label"][data["records"]["problem"][row]], "BoxesStack/two-boxes")
        self.assertEqual(data["solvers"][data["records"]["solver"][row]]["label"], ADMM)
        self.assertEqual(data["texts"][data["records"]["status"][row]], "converged")
        self.assertEqual(data["texts"][data["records"]["path"][row]], "datasets/default/BoxesStack/two-boxes.hdf5")
        for name, value in {"time": 0.0012, "iterations": 12, "factorizations": 4, "triangular_solves": 14,
                            "products": 24, "ncp": 8e-7, "ncp_scaled": 8e-7, "ccp": 0.03, "ccp_scaled": 0.06,
                            "ncp_relative": 8e-7, "native": 8e-7, "cholesky": 3,
                            "creep": 0, "lcp": 0.01, "sticking": 4, "memory": 8388608}.items():
            self.assertEqual(told[name], value, name)
        self.assertEqual((data["quantities"]["model_gap"]["values"][0], told["model_gap"]), (0.01, None))
        self.assertEqual(data["quantities"]["native_relative"]["values"][0], 0.3, "of the model that the solver made")
        self.assertNotIn("ncp_force", data["criteria"])
        self.assertEqual(data["histories"]["by_record"][row],
                         {"iteration": [1, 2], "primal": [0.5, 0], "dual": [0.25, 0.01],
                          "complementarity": [0.5, None], "penalty": [10, None]})
        self.assertEqual(data["unreadable"][0]["path"], full_document()["unreadable"][0]["path"])

    def test_version_1(self):
        document = json.loads((FULL.parent / "full_version1.json").read_text(encoding="utf-8"))
        data = report_data.report_data(self.documents(document))
        counts = [(record["work"] or {"factorizations": 0})["factorizations"] for record in document["records"]]
        self.assertEqual(data["quantities"]["factorizations"]["values"], counts)
        ends = [place if place is None else data["texts"][place] for place in data["records"]["fired"]]
        # `absolute` was the name of the test of absolute residuals.
        self.assertEqual(ends, [{"absolute": "residuals"}.get(record["fired"], record["fired"])
                                for record in document["records"]])
        self.assertEqual(tidy_findings(self.page(document)), [])

    def test_measures_are_those_of_profiles(self):
        for name, (path, floor) in frictionbench_profiles.MEASURES.items():
            self.assertEqual(report_data.QUANTITIES[name].path, path)
            self.assertEqual(report_data.REPORT_MEASURES[name], floor)

    def test_solved_is_decided_by_the_exact_residual(self):
        document = large_document(60, 3)
        edge = document["records"][0]["verdict"]["ncp"]
        tolerance = document["run"]["tolerance"] = 1.2345678e-6
        for value, expected in ((math.nextafter(tolerance, 1), "0"), (tolerance, "1")):
            edge["max"] = value
            data = report_data.report_data(self.documents(document))
            judgement = data["statistics"]["judgements"][f"ncp@{data['tolerances'].index(tolerance)}"]
            self.assertEqual(judgement["solved"][0], expected)
            self.assertEqual(judgement["solved"][1:], "".join(
                "01"[record["verdict"]["ncp"]["max"] <= tolerance] for record in document["records"][1:]))

    def test_what_is_not_repeatable_is_solved_nowhere(self):
        """Table, bars, every profile and interval of the page agree with the profiles, shares and pictures of the scripts."""
        document = made_up_document({"X": {"a": [1.0] * 4, "b": [2.0] * 4}})
        document["records"][0]["status"] = "not_repeatable"  # a on the first
        (results,) = self.documents(document)
        data = report_data.report_data([results])
        judged = data["statistics"]["judgements"][f"ncp@{data['tolerances'].index(1e-6)}"]
        self.assertEqual(judged["solved"], "01111111")
        self.assertEqual(judged["satisfied"], [3, 4])
        summary = dict(zip(data["statistics"]["summary"], judged["summaries"][0][0]))
        self.assertEqual([summary[name] for name in ("problems", "solved", "own", "failed")], [4, 3, 3, 1])
        self.assertEqual(judged["shares"]["contacts"][0]["shares"], [[0.75], [1]])
        for measure in frictionbench_profiles.MEASURES:
            for kind in ("performance", "data"):
                found = judged["profiles"][measure][0][kind]
                self.assertEqual((found["unmeasured"], [counts[-1] for _, counts, _ in found["curves"].values()]), (0, [3, 4]))
            (panel,) = frictionbench_profiles.family_profiles(results, results.problems, results.solvers, measure).values()
            self.assertEqual([profile.share() for profile in panel.values()], [0.75, 1])
            self.assertEqual(numpy.isfinite(costs(frame_of(results), measure)).sum().tolist(), [3, 4])
        self.assertEqual(verified_shares(frame_of(results))["share"].tolist(), [0.75, 1])
        self.assertEqual([looks.standing("ncp", [results.record(problem, solver) for problem in results.problems], "ncp").solved
                          for solver in results.solvers], [3, 4])
        document["records"][1]["status"] = "not_repeatable"
        data = report_data.report_data(self.documents(document))
        self.assertIn("No solver of the report solves it", data["problems"]["best"][0])

    def test_what_no_record_has_is_left_out(self):
        document = large_document(4, 2, condition=False)
        for record in document["records"]:
            del record["history"], record["time"]["setup"]
            record["verdict"] = None
        data = report_data.report_data(self.documents(document))
        self.assertNotIn("condition", data["problems"])
        for name in ("setup", "ncp", "natural_map"):
            self.assertNotIn(name, data["quantities"])
        self.assertEqual(data["histories"]["by_record"], {})

    def test_a_solve_in_no_time_does_not_count_in_the_mean_of_equivalents(self):
        document = made_up_document({"X": {"a": [1, 1], "b": [1, 1]}})
        for record, equivalents in zip(document["records"], (0, 0, 4, 0)):
            record["time"]["cholesky_equivalents"] = equivalents
        data = report_data.report_data(self.documents(document))
        judged = data["statistics"]["judgements"][f"ncp@{data['tolerances'].index(1e-6)}"]
        place = data["statistics"]["summary"].index("cholesky")
        self.assertEqual([solver[place] for solver in judged["summaries"][0]], [4, None])

    def test_long_histories_are_thinned(self):
        document = large_document(2, 1, history_rows=5000)
        for record in document["records"]:
            record["history"] = [dict(record["history"][0], iteration=k) for k in range(5000)]
        data = report_data.report_data(self.documents(document))
        self.assertEqual((data["histories"]["thinned"], data["histories"]["kept"]), (2, 200))
        for history in data["histories"]["by_record"].values():
            self.assertEqual((history["iteration"][0], history["iteration"][-1]), (0, 4999))
            self.assertLessEqual(len(history["iteration"]), 200)
        self.assertIn("Of 2 longer histories the page has 200 rows at most", self.page(document))

    def test_commands_are_quoted(self):
        data = report_data.report_data(self.documents(large_document(1, 1)))
        self.assertEqual(data["texts"][data["records"]["path"][0]], "'../data of ours/Stack/problem-00000.hdf5'")
        self.assertEqual(data["solvers"][0]["quoted"], "'ncp-admm(tau=2)'")
        self.assertEqual(data["texts"][data["records"]["options"][0]],
                         "--criterion ncp --scale absolute --tolerance 1e-06 --max-iterations 20000 --time-limit 60 --history")
        self.assertEqual(data["unreadable"][0]["quoted"], """'data/it'"'"'s broken.hdf5'""")

    def test_commands_know_where_their_solver_is_from(self):
        ours, peers = large_document(1, 1), large_document(1, 1)
        peers["solvers"][0] |= {"id": "other", "name": "other", "settings": {"library_sha256": "0" * 64}}
        peers["records"][0]["solver"] = "other"
        for options, expected, missing in ((["--plugin", "a.so"], " --plugin a.so ", None),
                                           (["--config", "a.toml"], "", "add --plugin and --peer as a.toml has them")):
            peers["run"] = peers["run"] | {"command": ["frictionbench", "run", *options]}
            data = report_data.report_data(self.documents(ours, peers))
            records, texts = data["records"], [*data["texts"], None]
            self.assertNotIn("--plugin", texts[records["options"][0]])
            self.assertIn(expected, texts[records["options"][1]])
            self.assertEqual([place if place is None else texts[place] for place in records["missing"]], [None, missing])

    def test_where_solves_started(self):
        document = large_document(3, 1)
        document["run"] |= {"warm_start": "guess", "sequence": True}
        before, after, _ = document["records"]
        before["start"] = "guess"
        after |= {"start": "previous", "previous": before["problem"]}
        data = report_data.report_data(self.documents(document))
        started = [place if place is None else data["texts"][place] for place in data["records"]["started"]]
        self.assertEqual(started, ["at the guess in the file", f"at the answer to {before['problem']}", None])
        self.assertIn(" --warm-start guess ", data["texts"][data["records"]["options"][0]])
        page = self.page(document, full_document())
        for words in ("the answer to the time step before where there is one that fits",
                      "solves started differently (run-a.json: the answer"):
            self.assertIn(words, page)


class Combining(ReportTest):
    def test_the_same_solver_on_the_same_problems_is_one_of_each_document(self):
        combined = combine(self.documents(large_document(3, 2), large_document(3, 1, seed=2)))
        self.assertEqual([solver.label for solver in combined.solvers],
                         ["ncp-admm(tau=2) [run-a.json]", "ncp-pgs(relaxation=1.1)", "ncp-admm(tau=2) [run-b.json]"])
        self.assertEqual(len(combined.problems), 3)
        self.assertEqual(len(combined.records), 9)
        self.assertEqual({record.solver for record in combined.records if record.file == 1}, {2})

    def test_the_same_solver_on_other_problems_is_one(self):
        whole = large_document(6, 2)
        halves = []
        for part in (whole["problems"][:3], whole["problems"][3:]):
            ids = {problem["id"] for problem in part}
            records = [record for record in whole["records"] if record["problem"] in ids]
            halves.append({**whole, "problems": part, "records": records})
        combined = combine(self.documents(*halves))
        self.assertEqual([solver.label for solver in combined.solvers], [s["id"] for s in whole["solvers"]])
        self.assertEqual(len(combined.problems), 6)
        self.assertEqual(len({(record.problem, record.solver) for record in combined.records}), 12)

    def test_other_settings_are_another_solver(self):
        first, second = large_document(1, 1), large_document(2, 1)
        second["problems"], second["records"] = second["problems"][1:], second["records"][1:]
        second["solvers"][0]["settings"] = {"tau": 3}
        combined = combine(self.documents(first, second))
        self.assertEqual([solver.label for solver in combined.solvers],
                         ["ncp-admm(tau=2) [run-a.json]", "ncp-admm(tau=2) [run-b.json]"])

    def test_problems_are_known_by_their_content(self):
        first, second = large_document(2, 1), large_document(2, 1)
        second["problems"][0]["id"] = second["records"][0]["problem"] = "elsewhere/renamed"
        second["problems"][1]["sha256"] = "f" * 64  # another file by the same name
        combined = combine(self.documents(first, second))
        name = first["problems"][1]["id"]
        self.assertEqual([problem.label for problem in combined.problems],
                         [first["problems"][0]["id"], name, f"{name} [run-b.json]"])

    def test_copies_of_a_file_stay_problems_of_their_own(self):
        document = large_document(3, 1)
        document["problems"][1]["sha256"] = document["problems"][0]["sha256"]
        self.assertEqual(len(combine(self.documents(document)).problems), 3)
        self.assertEqual(len(combine(self.documents(document, document)).problems), 3)

    def test_documents_of_one_name_are_told_apart_by_folder(self):
        for folder in ("before", "after"):
            (self.folder / folder).mkdir()
            self.write(f"{folder}/results.json", large_document(1, 1))
        documents = [load(self.folder / folder / "results.json") for folder in ("before", "after")]
        self.assertEqual(len({solver.label for solver in combine(documents).solvers}), 2)

    def test_what_differs_is_said_at_the_top(self):
        first, second = large_document(2, 1), large_document(2, 1)
        second["run"].update(criterion="ncp", scale="scaled", tolerance=1e-8, time_limit=5, shard="1/2")
        second["run"]["host"]["cpu"] = "Another CPU"
        second["run"]["git"]["dirty"] = True
        page = self.page(first, second)
        about = page[page.index('<section id="about"'):]
        notes = about[about.index('<ul class="notes">'):about.index("<table")]
        for words in ("run-a.json: ncp (absolute) at 1e-06; run-b.json: ncp (scaled) at 1e-08", "different time limits",
                      "different processors or builds", "part 1/2 of a run", "uncommitted changes",
                      "run-a.json: the CPU frequency governor is not known"):
            self.assertIn(words, notes)
        self.assertNotIn("iteration limits", notes)


class Page(ReportTest):
    def test_valid_html_that_needs_nothing_from_elsewhere(self):
        for documents in ([full_document()], [large_document(5, 2), large_document(5, 2, seed=2)]):
            page = self.page(*documents, title='A <title> & "quotes"')
            self.assertEqual(tidy_findings(page), [])
            self.assertIn("<h1>A &lt;title&gt; &amp; &quot;quotes&quot;</h1>", page)
            self.assertIn("default-src 'none'", page)
            self.assertEqual([link for link in links(page) if not link.startswith(("#", "data:"))], [])

    def test_no_text_of_a_document_ends_the_data(self):
        document = full_document()
        document["records"][0]["message"] = "</script><script>alert('here')</script><!--"
        document["unreadable"][0]["reason"] = "</ScRiPt>"
        page = self.page(document)
        self.assertEqual(page.count("</script>"), 3)
        self.assertNotIn("</ScRiPt>", page)
        self.assertEqual(tidy_findings(page), [])

    def test_says_how_it_was_made(self):
        document = full_document()
        document["run"]["command"] = ["frictionbench", "run", "a <folder>"]
        document["run"]["shards"] = [{"shard": "1/2", "command": ["frictionbench"],
                                      "host": document["run"]["host"] | {"cpu": "CPU of one"},
                                      "started": "2026-11-21T04:15:00Z", "finished": "2026-11-21T04:16:00Z",
                                      "warnings": ["the load was high"]}]
        page = self.page(document)
        for words in ("frictionbench run &#x27;a &lt;folder&gt;&#x27;", "2026-11-21 04:15:00 UTC – 2026-11-21 04:16:30 UTC",
                      "0123456789ab", "ncp (absolute), tolerance 1e-06", "20000 iterations, 60 s, no memory limit",
                      "GNU 12.2.0", "eigen 3.4.0", "Example CPU @ 2.00GHz", "CPU of one", "part 1/2: the load was high"):
            self.assertIn(words, page)

    def test_twenty_thousand_records_fit(self):
        page = self.page(large_document(5000, 4, history_rows=40, seed=3))
        self.assertLess(len(page.encode()), 15_000_000)
        self.assertIn("20\u202f000 records", page)

    def test_same_documents_same_page(self):
        self.assertEqual(self.page(full_document()), self.page(full_document()))

    def test_colours_are_those_of_the_other_pictures(self):
        light = (PARTS / "page.css").read_text(encoding="utf-8").partition("@media")[0]
        self.assertEqual(tuple(re.findall(r"--series-\d: (#\w+);", light)), looks.SOLVER_COLORS)


class Refusals(ReportTest):
    def refused(self, *words, document=None, arguments=("-o", "page.html")):
        paths = [self.write("results.json", document)] if document else []
        self.assert_refused(self.call_script(report, *paths, *arguments), *words)
        self.assertFalse((self.folder / "page.html").exists())

    def test_bad_command_lines(self):
        self.refused("RESULTS")
        self.refused("-o", document=full_document(), arguments=())
        self.refused("missing.json", "No such file", arguments=("missing.json", "-o", "page.html"))
        self.refused("nowhere/page.html", "No such file", document=full_document(), arguments=("-o", "nowhere/page.html"))
        twice = self.write("results.json", full_document())
        self.refused("given 2 times", arguments=(twice, twice, "-o", "page.html"))

    def test_bad_documents(self):
        self.refused("not a results document", document={"schema": "x"})
        for place, value, words in (
            (("run", "host"), None, ("results.json", "run.host")),
            (("run", "command"), [], ("run.command",)),
            (("unreadable",), [{"path": 3}], ("unreadable[0]",)),
            (("solvers",), [], ("no solver",)),
            (("records", 0, "problem"), "nothing/known", ("nothing/known", "listed")),
            (("records", 0, "iterations"), "many", ("ncp-pgs", "BoxesStack/two-boxes", "`iterations`", "many")),
            (("records", 1, "time", "solve", "median"), True, ("`time.solve.median`", "True")),
        ):
            document = full_document()
            parent = document
            for step in place[:-1]:
                parent = parent[step]
            parent[place[-1]] = value
            with self.subTest(place):
                self.refused(*words, document=document)
        for group, name, place in (("problems", "sha256", "sha256"), ("problems", "contacts", "problems[1]"),
                                   ("records", "status", "records[1]")):
            document = full_document()
            del document[group][1][name]
            with self.subTest(name):
                self.refused(name, place, document=document)

    def test_help_shows_how(self):
        result = self.run_script("frictionbench-report", "--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("frictionbench-report results.json -o report.html", result.stdout)


def links(page):
    """Everything that a page refers to by src or href."""
    class Collector(html.parser.HTMLParser):
        found = []

        def handle_starttag(self, tag, attributes):
            self.found += [value for name, value in attributes if name in ("src", "href")]

    collector = Collector()
    collector.found = []
    collector.feed(page)
    return collector.found


if __name__ == "__main__":
    unittest.main()
