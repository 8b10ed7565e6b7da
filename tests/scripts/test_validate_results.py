"""frictionbench-validate as a user calls it."""

import unittest

from support import FULL, TemporaryFolderTest, full_document

from frictionbench.command_line import run_main
from frictionbench.results import load, validate as validate_results

ADMM = "ncp-admm(rho_update=linear,tau=4)"


def change_records(change):
    """A document with `change` applied to its list of records."""
    document = full_document()
    change(document["records"])
    return document


class ValidateResults(TemporaryFolderTest):
    def validate(self, *arguments):
        return self.call_script(validate_results, *arguments)

    def assert_found(self, document, *findings):
        """Exactly these findings, each a line with these words in it, and exit code 1."""
        result = self.validate(self.write("results.json", document))
        lines = result.stdout.splitlines()
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(lines), len(findings), result.stdout)
        for line, finding in zip(lines, findings):
            self.assertIn("results.json: ", line)
            self.assertIn(finding, line)

    def test_valid(self):
        result = self.run_script("frictionbench-validate", FULL, FULL)
        self.assertEqual(result.stdout, f"{FULL}: valid\n" * 2)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_version_1_is_valid(self):
        file = FULL.parent / "full_version1.json"
        self.assertEqual(self.validate(file).stdout, f"{file}: valid\n")

    def test_schema_findings_name_the_place(self):
        def change(records):
            records[0]["status"] = "solved"
            records[1]["verdict"]["ncp"]["primal"] = -1
            del records[2]["work"]["pivots"]
            records[2]["verdict"] = 3

        self.assert_found(
            change_records(change),
            "records[0].status: 'solved' is not one of",
            "records[1].verdict.ncp.primal: -1 is less than the minimum of 0",
            "records[2].verdict: 3 is not of type",
            "records[2].work: 'pivots' is a required property",
        )

    def test_duplicates(self):
        document = full_document()
        document["solvers"].append(document["solvers"][0])
        self.assert_found(document, "solvers: id 'ncp-pgs' occurs 2 times")
        document = full_document()
        document["problems"].append(document["problems"][0])
        self.assert_found(document, "problems: id 'BoxesStack/two-boxes' occurs 2 times")
        self.assert_found(change_records(lambda records: records.append(records[0])),
                          "2 records of ncp-pgs on BoxesStack/two-boxes")

    def test_references(self):
        self.assert_found(change_records(lambda records: records[0].update(problem="Other/x")),
                          "ncp-pgs on 'Other/x', which is not a listed problem",
                          "none of ncp-pgs on BoxesStack/two-boxes")
        self.assert_found(change_records(lambda records: records[0].update(solver="lemke")),
                          "'lemke' on BoxesStack/two-boxes, which is not a listed solver",
                          "none of ncp-pgs on BoxesStack/two-boxes")

    def test_a_missing_pair_unless_sharded(self):
        document = change_records(lambda records: records.pop())
        self.assert_found(document, f"none of {ADMM} on Spheres/free")
        document["run"]["shard"] = "1/2"
        self.assertEqual(self.validate(self.write("shard.json", document)).returncode, 0)

    def test_a_compliance_that_is_not_known_is_not_compared(self):
        document = full_document()
        document["problems"][0]["compliance_min"] = None
        self.assertEqual(self.validate(self.write("results.json", document)).returncode, 0)
        document["problems"][1] |= {"compliance_min": 2, "compliance_max": 1}
        self.assert_found(document, "compliance_min is larger than compliance_max")

    def test_status_against_solved(self):
        def claim(records):
            records[0]["status"] = "converged"

        self.assert_found(change_records(claim), "status is converged, but solved.ncp.absolute is not true")

        def slander(records):
            records[1]["status"] = "wrong"

        self.assert_found(change_records(slander), "status is wrong, but solved.ncp.absolute is true",
                          "status is wrong, but solved.native.absolute is true")

        def disguise(records):
            records[0]["status"] = "other_model"

        self.assert_found(change_records(disguise), "status is other_model, but solved.native.absolute is not true")

    def test_a_model_of_the_solvers_own(self):
        def choose(records):
            records[0]["own_model"] |= {"primal": 0, "dual": 1e-7, "complementarity": 1e-8, "relative": 1e-3}
            records[0]["status"] = "other_model"
            records[0]["solved"]["native"] |= {"absolute": True, "scaled": True}

        self.assertEqual(self.validate(self.write("own.json", change_records(choose))).returncode, 0)

        def boast(records):
            choose(records)
            records[0]["solved"]["native"]["relative"] = True

        self.assert_found(change_records(boast), "solved.native.relative is true, but the verdict is 0.001")

    def test_forces(self):
        def divide(records):
            records[1]["verdict"]["time_step"] = 0.01
            records[1]["solved"]["ncp"]["force"] = True

        self.assert_found(change_records(divide), "solved.ncp.force is true, but the verdict is 7.9")

    def test_status_under_other_criteria(self):
        document = full_document()
        document["run"]["criterion"] = "lcp"
        self.assert_found(
            document,
            "ncp-admm(rho_update=linear,tau=4) on BoxesStack/two-boxes: status is converged, but solved.lcp",
            "ncp-pgs on BoxesStack/pushed-box: status is converged, but solved.lcp",
        )
        document["run"]["criterion"] = "native"
        self.assertEqual(self.validate(self.write("native.json", document)).returncode, 0)
        document["records"][1]["solved"]["native"]["absolute"] = False
        self.assert_found(document, "status is converged, but solved.native.absolute is not true",
                          "solved.native.absolute is false, but the verdict is 8e-07")
        document["records"][1]["solved"]["native"]["absolute"] = True
        document["solvers"][1]["model"] = "ccp"
        self.assert_found(document, *(f"solved.native.{scale} is true, but the verdict is"
                                      for scale in ("relative", "absolute", "scaled")))

    def test_solved_against_the_verdict(self):
        def optimist(records):
            records[0]["solved"]["ccp"]["absolute"] = True

        self.assert_found(change_records(optimist), "solved.ccp.absolute is true, but the verdict is 0.4 at tolerance 1e-06")

        def pessimist(records):
            records[1]["solved"]["ncp"]["scaled"] = False

        self.assert_found(change_records(pessimist), "solved.ncp.scaled is false")

        def blind(records):
            records[3]["solved"]["ncp"]["absolute"] = True

        self.assert_found(change_records(blind), "solved.ncp.absolute is true without a verdict")

    def test_numbers_against_each_other(self):
        def change(records):
            records[0]["verdict"]["ncp"]["max"] = 0.25
            records[0]["verdict"]["ccp"]["worst_contact"] = 8
            records[0]["states"]["sliding"] = 6
            records[1]["time"]["solve"]["min"] = 1
            records[1]["history"].reverse()

        self.assert_found(
            change_records(change),
            "verdict.ncp.max is not the largest",
            "verdict.ccp.worst_contact is 8, but there are 8 blocks",
            "states add up to 9 of 8 contacts",
            "time.solve.min is larger",
            "history is not in the order of iterations",
        )

    def test_problems_and_run(self):
        document = full_document()
        document["problems"][0].update(unknowns=25, mu_min=0.9)
        document["problems"][1].update(dofs=None, compliance_min=1, islands=3)
        document["run"]["finished"] = "2026-11-20T00:00:00Z"
        self.assert_found(document, "unknowns are not", "mu_min is larger", "compliance_min is larger",
                          "more islands than blocks", "without dofs", "before it started")

    def test_what_is_not_json(self):
        text = FULL.read_text(encoding="utf-8")
        for name, content, words in (("nan.json", text.replace("0.125", "NaN"), "NaN is not JSON"),
                                     ("cut.json", text[:1000], "not a JSON file")):
            result = self.validate(self.write(name, content))
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, f"^error: .*{name}: {words}.*\n$")

    def test_help_has_the_exit_codes(self):
        self.assertIn("1: something is wrong, such as a file that is not JSON; 2: a file cannot be opened",
                      self.validate("--help").stdout)

    def test_what_is_no_object(self):
        self.assert_found([], "document: [] is not of type 'object'")

    def test_files_that_cannot_be_opened(self):
        self.assert_refused(self.validate("missing.json"), "missing.json", "No such file")
        self.assert_refused(self.validate(FULL, "--schema", "missing.json"), "missing.json")
        no_schema = self.write("s.json", {"type": 3})
        self.assert_refused(self.validate(FULL, "--schema", no_schema), "s.json", "not a JSON Schema")
        self.assert_refused(self.validate())

    def test_blames_no_valid_document_for_a_mistake_of_a_command(self):
        def mistaken():
            load(FULL)
            return {}["no such key"]

        with self.assertRaises(KeyError):
            run_main(mistaken)

    def test_goes_on_after_a_bad_file(self):
        result = self.validate("missing.json", self.write("a.json", []), FULL)
        self.assertIn("missing.json", result.stderr)
        self.assertIn("a.json", result.stdout)
        self.assertIn(f"{FULL}: valid", result.stdout)
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
