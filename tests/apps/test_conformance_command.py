"""`frictionbench conformance`: right solvers pass, and each mistake fails the check that is for it."""

from __future__ import annotations

import json
from typing import Any

from plugins import EXAMPLES, PluginBuilder

PASS, FAIL, NOT_APPLICABLE = "pass", "fail", "not_applicable"
# The zero impulse, which solves only what opens by itself.
GARBAGE = "answer->status = FRICTIONBENCH_CONVERGED;"
SPIN = "for (volatile int64_t i = 0; ; ++i) {}"


class ConformanceCommandTest(PluginBuilder):
    def findings(self, *arguments: Any, code: int | None = None) -> dict[str, tuple[str, str]]:
        """Finding and what was seen, by check."""
        finished = self.program("conformance", *arguments, "--json", code=code)
        rows = json.loads(finished.stdout)
        found = {row["check"]: (row["finding"], row["seen"] or "") for row in rows}
        self.assertEqual(finished.returncode, int(any(finding == FAIL for finding, _ in found.values())))
        return found

    def failed(self, *arguments: Any) -> dict[str, str]:
        return {check: seen for check, (finding, seen) in self.findings(*arguments).items() if finding == FAIL}

    def failed_of(self, solve: str, *arguments: Any) -> dict[str, str]:
        """Of the solver `mine`, whose function has this body."""
        library = self.library("mine", solve=solve)
        return self.failed("--plugin", library, "--solver", "mine", "--time-limit", 1, *arguments)

    def test_built_in_solvers(self) -> None:
        for solver in ("ncp-pgs", "ccp-admm", "lcp-pgs", "ncp-active-set", "kkt-proximal"):
            with self.subTest(solver=solver):
                self.assertEqual(self.failed("--solver", solver), {})
        self.assertEqual(self.findings("--solver", "lcp-pgs")["slide-direction"][0], NOT_APPLICABLE)

    def test_the_example_in_python(self) -> None:
        command = f"/usr/bin/python3 {EXAMPLES / 'numpy_uzawa.py'}"
        self.assertEqual(self.failed("--solver", f"external(command='{command}',name=uzawa)"), {})

    def test_the_example_in_c(self) -> None:
        library = self.compiled(EXAMPLES / "c_pgs.c", "-std=c99", "-Wpedantic")
        self.assertEqual(self.failed("--plugin", library, "--solver", "c-pgs"), {})

    def test_the_example_in_cpp(self) -> None:
        library = self.compiled(EXAMPLES / "eigen_gradient.cpp", "-std=c++17", "-isystem", "/usr/include/eigen3")
        self.assertEqual(self.failed("--plugin", library, "--solver", "eigen-gradient"), {})

    def test_garbage_that_claims_convergence(self) -> None:
        failed = self.failed_of(GARBAGE)
        for check in ("stick", "slide", "coupled", "box", "units", "tight-tolerance"):
            self.assertIn("status wrong: reported convergence", failed[check])
        for check in ("take-off", "no-velocity", "refusal", "iteration-limit", "time-limit", "repeatable", "unchanged",
                      "silent"):
            self.assertNotIn(check, failed)

    def test_a_solver_that_changes_the_problem(self) -> None:
        failed = self.failed_of("((double*)problem->q)[0] += 1;", "--check", "unchanged", "--check", "silent")
        self.assertEqual(list(failed), ["unchanged"])
        self.assertIn("changed q", failed["unchanged"])
        failed = self.failed_of("((double*)problem->W.values)[0] *= 2;", "--check", "unchanged")
        self.assertIn("changed W", failed["unchanged"])

    def test_a_solver_that_ignores_the_time_limit(self) -> None:
        failed = self.failed_of(SPIN, "--check", "time-limit", "--check", "refusal")
        self.assertEqual(list(failed), ["time-limit"])
        self.assertIn("did not stop at its time limit", failed["time-limit"])
        failed = self.failed_of("usleep(1200000); answer->status = FRICTIONBENCH_TIME_LIMIT;", "--check", "time-limit")
        self.assertRegex(failed["time-limit"], r"took 1\.2. s, with a limit of 0\.2 s")

    def test_other_mistakes(self) -> None:
        for check, solve, seen in (
                ("iteration-limit", "answer->iterations = 7;", "7 iterations, asked for at most 3"),
                ("repeatable", "static int n; answer->r[0] = ++n;", "another impulse"),
                ("silent", 'printf("hello");', "printed 5 bytes"),
                ("stick", "abort();", "status crashed"),
                ("stick", "return 3;", "returned 3"),
                ("stick", "answer->r[0] = NAN;", "status stalled")):
            with self.subTest(check=check, solve=solve):
                failed = self.failed_of(solve, "--check", check)
                self.assertEqual(list(failed), [check])
                self.assertIn(seen, failed[check])

    def test_a_crash_fails_its_checks_only(self) -> None:
        failed = self.failed_of("if (problem->dimension == 2) abort();", "--check", "stick", "--check", "slide-direction",
                                "--check", "refusal")
        self.assertIn("2D: status crashed", failed["stick"])
        self.assertNotIn("crashed", failed["slide-direction"])

    def test_a_dimension_that_is_not_taken(self) -> None:
        entry = r'{\"solvers\": [{\"name\": \"mine\", \"model\": \"ncp\", \"dimensions\": [2]}]}'
        library = self.library("flat", describe=f'return "{entry}";', solve="answer->status = FRICTIONBENCH_STALLED;")
        found = self.findings("--plugin", library, "--solver", "mine", "--time-limit", 1)
        self.assertEqual(found["slide-direction"][0], NOT_APPLICABLE)
        self.assertEqual(found["refusal"], (PASS, "all 2 cases"))
        self.assertTrue(found["stick"][1].startswith("2D: status stalled"), found["stick"][1])

    def test_forms_of_the_table(self) -> None:
        text = self.program("conformance", "--solver", "ncp-pgs", "--check", "stick").stdout
        self.assertRegex(text, r"(?m)^ncp-pgs +stick +pass +all 2 cases, at most \d+ iterations$")
        self.assertTrue(text.endswith("\n1 passed, 0 failed, 0 not applicable\n"), text)
        lines = self.program("conformance", "--solver", "ncp-pgs", "--check", "stick", "--csv").stdout.splitlines()
        self.assertEqual(lines[0], "solver,check,asks,finding,seen")
        self.assertTrue(lines[1].startswith("ncp-pgs,stick,one contact that sticks"), lines[1])

    def test_every_check_is_in_the_help(self) -> None:
        text = self.program("conformance", "--help").stdout.split("\nChecks:\n")[1]
        for check in self.findings("--solver", "ncp-pgs"):
            self.assertRegex(text, rf"(?m)^  {check} +\w")

    def test_errors(self) -> None:
        self.refused("conformance", saying=["--solver", "required"])
        self.refused("conformance", "--solver", "ncp-pgz", saying=["ncp-pgz", "ncp-pgs"])
        self.refused("conformance", "--solver", "ncp-pgs", "--check", "stik", saying=["--check", "stik", "stick"])
