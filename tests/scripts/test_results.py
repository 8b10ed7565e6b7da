"""The reader of results documents, and its statistics."""

import json
import math
import unittest

from support import FULL, TemporaryFolderTest, full_document, made_up_document

from frictionbench.files import ResultsError, UnreadableFile
from frictionbench.results import SAME_JUDGE, frame_of, load, load_all, load_runs, renamed
from frictionbench.statistics import shifted_geometric_mean
from frictionbench.text import samples, short

ADMM = "ncp-admm(rho_update=linear,tau=4)"


class Reading(TemporaryFolderTest):
    def test_problems_solvers_and_records(self):
        results = load(FULL)
        self.assertEqual(results.families(), ["BoxesStack", "Spheres"])
        self.assertEqual([solver.id for solver in results.solvers], ["ncp-pgs", ADMM])
        self.assertEqual((results.criterion, results.tolerance), ("ncp", 1e-6))
        record = results.record(results.problems[0], results.solvers[1])
        self.assertEqual(record["iterations"], 12)

    def test_solved_under_the_run_and_under_a_criterion(self):
        document = full_document()
        # The answer is good although the solver did not say so: the verdict alone decides.
        document["records"][1]["status"] = "max_iterations"
        results = load(self.write("a.json", document))
        problem, admm = results.problems[0], results.solvers[1]
        self.assertTrue(results.solved(problem, admm))
        self.assertTrue(results.solved(problem, admm, "ncp"))
        self.assertTrue(results.solved(problem, admm, "native"))
        self.assertFalse(results.solved(problem, admm, "ccp"))

    def test_an_answer_that_is_not_repeatable_is_not_solved(self):
        document = full_document()
        document["records"][1]["status"] = "not_repeatable"
        results = load(self.write("a.json", document))
        for criterion in (None, "ncp", "native"):
            self.assertFalse(results.solved(results.problems[0], results.solvers[1], criterion))
        rows = frame_of(results)
        self.assertFalse(rows["solved"][1])
        self.assertTrue(rows["solved.ncp.absolute"][1], "the verdict on the first answer")

    def test_native_is_what_the_document_says_of_the_solvers_own_model(self):
        document = full_document()
        document["records"][1]["solved"]["native"]["absolute"] = False
        results = load(self.write("a.json", document))
        self.assertFalse(results.solved(results.problems[0], results.solvers[1], "native"))

    def test_solved_at_another_scale(self):
        document = full_document()
        document["records"][1]["solved"]["ncp"]["scaled"] = False
        results = load(self.write("a.json", document))
        self.assertTrue(results.solved(results.problems[0], results.solvers[1], "ncp"))
        self.assertFalse(results.solved(results.problems[0], results.solvers[1], "ncp_scaled"))
        document["run"]["scale"] = "scaled"
        results = load(self.write("a.json", document))
        self.assertEqual((results.criterion, results.judged, results.relative),
                         ("ncp_scaled", "ncp (scaled)", "ncp_relative"))
        self.assertFalse(results.solved(results.problems[0], results.solvers[1]))
        document["run"] |= {"scale": "absolute", "compliance": "diag:0.001"}
        self.assertEqual(load(self.write("a.json", document)).judged, "ncp (absolute) with compliance diag:0.001")

    def test_version_1_is_read_as_version_2(self):
        old = json.loads((FULL.parent / "full_version1.json").read_text(encoding="utf-8"))
        for file in (old["solvers"], old["records"]):
            for item in file:
                for name in ("id", "name", "solver"):
                    if name in item:
                        item[name] = item[name].replace("ncp-pgs", "ccp-desaxce")
        old["run"]["criterion"] = "ccp_scaled"
        old["records"][1]["fired"] = "interior point"
        results = load(self.write("old.json", old))
        self.assertEqual(results.document["schema_version"], 2)
        self.assertEqual(results.criterion, "ccp_scaled")
        self.assertEqual(results.solvers[0].id, "ncp-desaxce")
        first, second = (results.record(results.problems[0], solver) for solver in results.solvers)
        self.assertEqual(first["stop_reason"], "iteration_limit")
        self.assertEqual((second["stop_reason"], second["stage"]), ("residuals", "interior point"))
        self.assertEqual(second["reported"], old["records"][1]["claimed"])
        self.assertEqual(second["work"]["factorizations"]["all"], old["records"][1]["work"]["factorizations"])
        self.assertEqual(second["time"]["concurrent_pairs"], 0)
        self.assertTrue(results.solved(results.problems[0], results.solvers[1], "ncp_scaled"))
        self.assertTrue(results.solved(results.problems[0], results.solvers[1], "native"))
        self.assertFalse(results.solved(results.problems[0], results.solvers[1], "ncp_relative"), "not measured then")
        self.assertEqual([second["verdict"][name] for name in ("creep", "lift", "time_step")], [None] * 3)
        self.assertIsNone(second["own_model"])
        self.assertIsNone(second["time"]["cholesky_equivalents"])
        self.assertEqual(results.problems[0].facts["compliance_max"], 0)

    def refusal(self, content) -> str:
        with self.assertRaises(ResultsError) as caught:
            load(self.write("bad.json", content))
        message = str(caught.exception)
        self.assertIn("bad.json", message)
        self.assertNotIn("\n", message)
        return message

    def test_refuses_what_is_no_results_document(self):
        self.assertIn("not a JSON file", self.refusal('{"schema": '))
        self.assertIn("not a JSON file", self.refusal(""))
        self.assertIn("not a results document", self.refusal([1, 2]))
        self.assertIn("not a results document", self.refusal({"schema": "other"}))
        self.assertIn("schema_version 3", self.refusal({**full_document(), "schema_version": 3}))
        self.assertIn("nested too deep", self.refusal("[" * 100000))

    def test_refuses_numbers_that_json_does_not_have(self):
        text = FULL.read_text(encoding="utf-8")
        for word in ("NaN", "Infinity", "-Infinity", "1e999"):
            with self.subTest(word):
                self.assertIn(word, self.refusal(text.replace('"asymmetry": 0,', f'"asymmetry": {word},')))
        self.assertIn("not a JSON file", self.refusal(text.replace('"asymmetry": 0,', f'"asymmetry": {"1" * 5000},')))

    def test_refuses_missing_members_and_second_records(self):
        document = full_document()
        del document["records"]
        self.assertIn("`records`", self.refusal(document))
        document = full_document()
        del document["problems"][0]["family"]
        self.assertIn("`family`", self.refusal(document))
        document = full_document()
        document["records"].append(document["records"][0])
        self.assertIn("two records of ncp-pgs", self.refusal(document))

    def test_refuses_ids_and_records_that_do_not_fit_together(self):
        for kind in ("problem", "solver"):
            document = full_document()
            document[f"{kind}s"].append(document[f"{kind}s"][0])
            self.assertIn(f"two {kind}s have one id", self.refusal(document))
            document = full_document()
            document["records"][0][kind] = "unknown"
            self.assertIn(f"no {kind} 'unknown' is listed", self.refusal(document))
        document = full_document()
        del document["records"][2]["verdict"]
        self.assertIn("`verdict`", self.refusal(document))

    def test_a_missing_record_is_named(self):
        document = full_document()
        del document["records"][3]
        results = load(self.write("shard.json", document))
        with self.assertRaisesRegex(ResultsError, "no record of ncp-admm.* on BoxesStack/pushed-box"):
            results.solved(results.problems[1], results.solvers[1])

    def test_a_file_that_cannot_be_opened(self):
        with self.assertRaisesRegex(UnreadableFile, "No such file"):
            load(self.folder / "missing.json")
        with self.assertRaisesRegex(UnreadableFile, "directory"):
            load(self.folder)


class Statistics(unittest.TestCase):
    def test_shifted_geometric_mean(self):
        self.assertAlmostEqual(shifted_geometric_mean([1, 4], 0), 2)
        self.assertAlmostEqual(shifted_geometric_mean([0, 3], 1), 1)  # sqrt(1 * 4) - 1
        self.assertAlmostEqual(shifted_geometric_mean([5, 5, 5], 10), 5)
        self.assertTrue(math.isnan(shifted_geometric_mean([], 1)))
        with self.assertRaises(ValueError):
            shifted_geometric_mean([0.0], 0)


class ReadingSeveral(TemporaryFolderTest):
    def part(self, name, costs, **run):
        made = made_up_document(costs)
        made["run"] |= run
        return self.write(name, made)

    def test_problems_solvers_and_records_are_united(self):
        first = self.part("a.json", {"X": {"pgs": [1, 2]}})
        second = self.part("b.json", {"X": {"admm": [3, 4]}, "Y": {"admm": [5]}}, warnings=["it was warm"])
        results = load_all([first, second])
        self.assertEqual([problem.id for problem in results.problems], ["X/0", "X/1", "Y/0"])
        self.assertEqual([solver.id for solver in results.solvers], ["pgs", "admm"])
        self.assertEqual(len(results.records), 5)
        self.assertEqual(results.document["run"]["warnings"],
                         full_document()["run"]["warnings"] + ["it was warm"])
        self.assertEqual(results.record(results.problems[2], results.solvers[1])["iterations"], 50)
        with self.assertRaisesRegex(ResultsError, r"a\.json \+ .*b\.json: no record of pgs on Y/0"):
            results.record(results.problems[2], results.solvers[0])

    def test_one_is_what_it_is_alone(self):
        self.assertEqual(load_all([FULL]).path, FULL)

    def test_the_same_record_in_two_files_is_one(self):
        first = self.part("a.json", {"X": {"pgs": [1]}})
        both = load_all([first, self.part("b.json", {"X": {"pgs": [1], "admm": [2]}})])
        self.assertEqual(list(both.records), [("X/0", "pgs"), ("X/0", "admm")])

    def test_limits_may_differ_where_that_is_asked_for(self):
        first = self.part("a.json", {"X": {"pgs": [1]}})
        other = self.part("b.json", {"X": {"admm": [1]}}, time_limit=1)
        self.assertEqual(len(load_all([first, other], SAME_JUDGE).records), 2)
        other = self.part("b.json", {"X": {"admm": [1]}}, tolerance=1e-4)
        with self.assertRaisesRegex(ResultsError, "b.json: run.tolerance is 0.0001, but 1e-06 in .*a.json"):
            load_all([first, other], SAME_JUDGE)

    def test_what_does_not_go_together_is_refused(self):
        first = self.part("a.json", {"X": {"pgs": [1]}})
        for name, value in (("tolerance", 1e-4), ("criterion", "ccp"), ("max_iterations", 3), ("time_limit", 1)):
            other = self.part("b.json", {"X": {"admm": [1]}}, **{name: value})
            with self.assertRaisesRegex(ResultsError, f"b.json: run.{name} is {value}"):
                load_all([first, other])
        with self.assertRaisesRegex(ResultsError, "b.json: pgs on X/0 has another record in .*a.json"):
            load_all([first, self.part("b.json", {"X": {"pgs": [2]}})])
        changed = made_up_document({"X": {"admm": [1]}})
        changed["problems"][0] = {**changed["problems"][0], "sha256": "f" * 64}
        with self.assertRaisesRegex(ResultsError, "X/0 is not the file that it is in .*a.json"):
            load_all([first, self.write("b.json", changed)])
        changed = made_up_document({"Y": {"pgs": [1]}})
        changed["solvers"][0]["settings"] = {"relaxation": 0.5}
        with self.assertRaisesRegex(ResultsError, "pgs has other settings than in .*a.json"):
            load_all([first, self.write("b.json", changed)])

    def test_runs_of_different_limits_stay_apart(self):
        first = self.part("a.json", {"X": {"pgs": [1]}})
        tighter = self.part("b.json", {"X": {"pgs": [2]}}, tolerance=1e-8)
        more = self.part("c.json", {"X": {"admm": [3]}})
        runs = load_runs([first, tighter, more])
        self.assertEqual([run.tolerance for run in runs], [1e-6, 1e-8])
        self.assertEqual([[solver.id for solver in run.solvers] for run in runs], [["pgs", "admm"], ["pgs"]])

    def test_runs_of_different_starts_stay_apart(self):
        first = self.part("a.json", {"X": {"pgs": [1]}})
        earlier = made_up_document({"X": {"admm": [1]}})  # version 1, before there were other starts
        earlier["schema_version"] = 1
        for name in ("warm_start", "sequence", "scale"):
            earlier["run"].pop(name, None)
        warm = made_up_document({"X": {"admm": [1]}})
        warm["run"]["warm_start"] = "guess"
        runs = load_runs([first, self.write("b.json", earlier), self.write("c.json", warm)])
        self.assertEqual([[solver.id for solver in run.solvers] for run in runs], [["pgs", "admm"], ["admm"]])
        with self.assertRaisesRegex(ResultsError, "run.warm_start is guess, but zero in .*a.json"):
            load_all([first, self.folder / "c.json"])

    def test_solvers_under_other_names(self):
        results = load(self.part("a.json", {"X": {"pgs": [1], "admm": [2]}}))
        shown = renamed(results, {"pgs": "Gauss-Seidel"})
        self.assertEqual([solver.id for solver in shown.solvers], ["Gauss-Seidel", "admm"])
        self.assertEqual(shown.record(shown.problems[0], shown.solvers[0])["iterations"], 10)
        self.assertEqual([solver.id for solver in results.solvers], ["pgs", "admm"])
        with self.assertRaisesRegex(ResultsError, "no solver 'sor'; solvers: pgs, admm"):
            renamed(results, {"sor": "SOR"})
        with self.assertRaisesRegex(ResultsError, "two solvers would have one name"):
            renamed(results, {"pgs": "admm"})


class Numbers(unittest.TestCase):
    def test_samples(self):
        self.assertEqual([samples(counts) for counts in ([], [1, 1], [7, 7], [9, 2], [1, 30])],
                         ["not timed", "1 cold sample", "7 samples", "2 to 9 samples", "1 cold sample to 30 samples"])

    def test_short(self):
        self.assertEqual([short(value) for value in (1e-6, 1e-12, 20000, 0.5, 1e20)],
                         ["1e-6", "1e-12", "20000", "0.5", "1e+20"])


if __name__ == "__main__":
    unittest.main()
