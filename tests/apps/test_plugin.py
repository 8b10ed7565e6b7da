"""Solvers in shared libraries: the examples, and libraries that are wrong or misbehave."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from unittest import mock

from plugins import EXAMPLES, PluginBuilder
from program import problem
from test_conformance import write_fclib

FILES = [problem(name) for name in ("PushedBox2D-default-local-2-00000", "Stack-boxes1-global-4-00000")]


class PluginTest(PluginBuilder):
    def records(self, library: Path, *arguments: Any, solver: str = "mine") -> list[dict[str, Any]]:
        return self.run_document(*FILES, "--plugin", library, "--solver", solver, "--time-limit", 1,
                                 *arguments)["records"]

    def test_the_example_in_c(self) -> None:
        library = self.compiled(EXAMPLES / "c_pgs.c", "-std=c99", "-Wpedantic")
        document = self.run_document(*FILES, "--plugin", library, "--solver", "c-pgs", "--solver",
                                     "c-pgs(relaxation=1.3)", "--solver", "ncp-pgs")
        self.assertEqual([solver["id"] for solver in document["solvers"]],
                         ["c-pgs", "c-pgs(relaxation=1.3)", "ncp-pgs"])
        settings = document["solvers"][1]["settings"]
        self.assertEqual(settings["relaxation"], 1.3)
        self.assertRegex(settings["library_sha256"], "^[0-9a-f]{64}$")
        for record in document["records"]:
            self.assertEqual(record["status"], "converged", record)
            if record["solver"] != "ncp-pgs":
                self.assertEqual(record["reported"]["sweeps"], record["iterations"])
                self.assertIn("no longer changed", record["message"])
        shown = self.program("list", "solvers", "c-pgs", "--plugin", library).stdout
        self.assertIn("relaxation = 1", shown)
        self.assertIn(str(library), shown)
        self.program("solve", FILES[0], "--plugin", library, "--solver", "c-pgs")

    def test_the_example_in_cpp(self) -> None:
        library = self.compiled(EXAMPLES / "eigen_gradient.cpp", "-std=c++17", "-isystem", "/usr/include/eigen3")
        records = self.records(library, "--criterion", "ccp", "--tolerance", 1e-4, solver="eigen-gradient")
        self.assertEqual([record["status"] for record in records], ["converged"] * 2)

    def test_settings_have_types_and_arrive(self) -> None:
        settings = ", ".join('{"name": "%s", "type": "%s", "default": %s}' % setting for setting in (
            ("a", "number", 0.5), ("b", "integer", 2), ("c", "boolean", "true"), ("d", "text", '"x y"')))
        library = self.library("settings", settings=settings, solve="""
            const frictionbench_setting* s = problem->settings;
            for (int k = 0; k < problem->settings_count; ++k) answer->report(answer->sink, s[k].name, s[k].number);
            strcpy(answer->message, s[3].text);""")
        for solver, values, text in (("mine", (0.5, 2, 1, 0), "x y"),
                                     ("mine(a=3,b=-1,c=false,d='it''s')", (3, -1, 0, 0), "it's")):
            for record in self.records(library, solver=solver):
                self.assertEqual(record["reported"], dict(zip("abcd", values)))
                self.assertEqual(record["message"], text)
        self.refused("run", FILES[0], "--plugin", library, "--solver", "mine(b=1.5)", "--force",
                     saying=["b = '1.5' is not an integer"])

    def test_a_softer_model_of_its_own(self) -> None:
        """r = -q / (W_NN + R) for one contact that only pushes."""
        file = self.folder / "one.hdf5"
        write_fclib(file, {"dimension": 3, "W": [2, 0, 0, 0, 1, 0, 0, 0, 1], "q": [-3, 0, 0], "mu": [0.5], "compliance": None})
        soft = self.library("soft", solve="""
            answer->compliance[0] += 0.5;
            answer->r[0] = -problem->q[0] / (problem->W.values[0] + answer->compliance[0]);
            answer->status = 0;""")
        record, = self.run_document(file, "--plugin", soft, "--solver", "mine", "--criterion", "native")["records"]
        self.assertEqual(record["status"], "converged")
        self.assertEqual((record["own_model"]["compliance_max"], record["own_model"]["relative"]), (0.5, 0))
        record, = self.run_document(file, "--plugin", soft, "--solver", "mine")["records"]
        self.assertEqual((record["status"], record["solved"]["native"]["relative"]), ("other_model", True))
        wrong = self.library("negative", solve="answer->compliance[1] = -1;")
        record, = self.run_document(file, "--plugin", wrong, "--solver", "mine")["records"]
        self.assertEqual(record["status"], "error")
        self.assertIn("compliance must not be negative", record["message"])

    # Looking names up for a sanitizer's report may take longer than the time limit allows.
    @mock.patch.dict(os.environ, {"ASAN_OPTIONS": "symbolize=0"})
    def test_misbehaviour_spoils_its_own_record(self) -> None:
        """Only in the problem of four contacts; the other one is solved after it or before it."""
        deeds = {
            "crash": ("abort();", ("crashed",), "signal"),
            "leave": ("_exit(0);", ("crashed",), "exit code 0"),
            "hang": ("for (;;) sleep(1);", ("time_limit",), "killed"),
            "code": ("return 7;", ("error",), "returned 7"),
            "status": ("answer->status = 99;", ("error",), "status 99"),
            "nan": ("answer->r[0] = NAN; answer->status = 0;", ("wrong",), "reported convergence"),
            "boast": ("answer->status = 0;", ("wrong",), "reported convergence"),
            "print": ('puts("hello"); fflush(stdout);', ("stalled",), ""),
            "long": ("memset(answer->message, 'x', sizeof answer->message);", ("stalled",), "xxx"),
            # What becomes of a corrupted heap is up to chance.
            "free": ("free((void*)problem->q); free((void*)problem->W.values);",
                     ("crashed", "stalled", "error", "not_repeatable"), ""),
        }
        for name, (deed, statuses, message) in deeds.items():
            with self.subTest(name):
                library = self.library(name, solve=f"if (problem->contacts == 4) {{ {deed} }}")
                sound, spoilt = self.records(library)
                self.assertEqual(sound["status"], "stalled")
                self.assertIn(spoilt["status"], statuses, spoilt["message"])
                self.assertIn(message, spoilt["message"] or "")

    def test_match_verdict(self) -> None:
        """c-pgs stops when its impulse hardly changes, which may be too early for the verdict."""
        library = self.compiled(EXAMPLES / "c_pgs.c")
        file = problem("Stack-boxes2-mass_ratio10-local-*-00000")

        def record(*options: str) -> dict[str, Any]:
            return self.run_document(file, "--plugin", library, "--solver", "c-pgs", "--tolerance", 1e-4,
                                     *options)["records"][0]
        alone = record()
        self.assertEqual((alone["status"], alone["tries"]), ("wrong", None))
        matched = record("--match-verdict")
        first, second = matched["tries"]
        self.assertEqual(matched["status"], "converged")
        self.assertEqual((first["tolerance"], first["status"], first["iterations"]), (1e-4, "wrong", alone["iterations"]))
        self.assertEqual(first["residual"], alone["verdict"]["ncp"]["relative"])
        self.assertEqual((second["status"], second["iterations"]), ("converged", matched["iterations"]))
        self.assertAlmostEqual(second["tolerance"], 1e-5)
        self.assertEqual(second["residual"], matched["verdict"]["ncp"]["relative"])

    def test_match_verdict_gives_up(self) -> None:
        """With a solver that claims at any tolerance, and immediately with one that claims nothing."""
        boaster = self.library("boaster", solve="answer->status = 0;")
        for record in self.records(boaster, "--match-verdict"):
            self.assertEqual(record["status"], "wrong")
            self.assertEqual(len(record["tries"]), 11)  # 1e-6 to 1e-16
        for record in self.records(self.library("modest"), "--match-verdict"):
            self.assertEqual((record["status"], len(record["tries"])), ("stalled", 1))

    def test_a_library_that_cannot_be_used_is_refused(self) -> None:
        text = self.folder / "text.so"
        text.write_text("not a library", encoding="utf-8")
        empty = self.folder / "empty.c"
        empty.write_text("int nothing;", encoding="utf-8")
        taken = 'return "{\\"solvers\\": [{\\"name\\": \\"ncp-pgs\\", \\"model\\": \\"ncp\\"}]}";'
        model = 'return "{\\"solvers\\": [{\\"name\\": \\"mine\\", \\"model\\": \\"qp\\"}]}";'
        for library, saying in [
            (self.folder / "absent.so", "absent.so: no such file"),
            (text, "text.so"),
            (self.compiled(empty), "does not export frictionbench_plugin_version"),
            (self.library("old", version="return 0;"), "is of version 0"),
            (self.library("crash", describe="abort();"), "ended the process that loaded it"),
            (self.library("null", describe="return 0;"), "did not return"),
            (self.library("garbage", describe='return "garbage";'), "did not return"),
            (self.library("taken", describe=taken), "'ncp-pgs' is registered twice"),
            (self.library("model", describe=model), "'qp'"),
            (self.library("type", settings='{"name": "a", "type": "complex", "default": 0}'), "'complex' is not a type"),
        ]:
            with self.subTest(library.name):
                self.refused("run", FILES[0], "--plugin", library, "--force", saying=[saying])

    def test_another_build_is_another_solver(self) -> None:
        first = self.records(self.library("one"))
        self.assertEqual(len(first), 2)
        settings = []
        for name in ("one", "two"):
            library = self.library(name, solve=f"answer->iterations = {len(name)} + {len(settings)};")
            document = self.run_document(FILES[0], "--plugin", library, "--solver", "mine")
            settings.append(document["solvers"][0]["settings"]["library_sha256"])
        self.assertNotEqual(*settings)
