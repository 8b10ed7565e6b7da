"""The reader of results documents, and its statistics."""

import math
import unittest

from support import FULL, TemporaryFolderTest, full_document

import frictionbench_results as results_module
from frictionbench_results import ResultsError, load, shifted_geometric_mean

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

    def test_native_is_the_criterion_of_the_solvers_model(self):
        document = full_document()
        document["solvers"][1]["model"] = "ccp"
        results = load(self.write("a.json", document))
        self.assertFalse(results.solved(results.problems[0], results.solvers[1], "native"))

    def test_null_is_not_solved(self):
        results = load(FULL)
        self.assertFalse(results.solved(results.problems[1], results.solvers[0], "lcp"))

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
        self.assertIn("schema_version 2", self.refusal({**full_document(), "schema_version": 2}))
        self.assertIn("nested too deep", self.refusal("[" * 100000))

    def test_refuses_numbers_that_json_does_not_have(self):
        text = FULL.read_text(encoding="utf-8")
        for word in ("NaN", "Infinity", "-Infinity", "1e999"):
            with self.subTest(word):
                self.assertIn(word, self.refusal(text.replace('"asymmetry": 0,', f'"asymmetry": {word},')))

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

    def test_a_missing_record_is_named(self):
        document = full_document()
        del document["records"][3]
        results = load(self.write("shard.json", document))
        with self.assertRaisesRegex(ResultsError, "no record of ncp-admm.* on BoxesStack/pushed-box"):
            results.solved(results.problems[1], results.solvers[1])

    def test_a_file_that_cannot_be_opened(self):
        with self.assertRaisesRegex(results_module.UnreadableFile, "No such file"):
            load(self.folder / "missing.json")
        with self.assertRaisesRegex(results_module.UnreadableFile, "directory"):
            load(self.folder)


class Statistics(unittest.TestCase):
    def test_shifted_geometric_mean(self):
        self.assertAlmostEqual(shifted_geometric_mean([1, 4], 0), 2)
        self.assertAlmostEqual(shifted_geometric_mean([0, 3], 1), 1)  # sqrt(1 * 4) - 1
        self.assertAlmostEqual(shifted_geometric_mean([5, 5, 5], 10), 5)
        self.assertTrue(math.isnan(shifted_geometric_mean([], 1)))
        with self.assertRaises(ValueError):
            shifted_geometric_mean([0.0], 0)


if __name__ == "__main__":
    unittest.main()
