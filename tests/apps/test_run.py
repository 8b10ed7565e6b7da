"""Runs over several problems: what is chosen, what is recorded, and that it is the same every time."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any
from unittest import mock

import h5py
import numpy as np

from program import DATASET, PROGRAM, ROOT, ProgramTest, problem, without_measurements

STEP = 0.005  # s
SMALL = ["Stack-boxes2-local-8-00000", "Stack-boxes1-global-4-00000", "PushedBox2D-default-local-2-00000"]


def residual_at(scale: str, residuals: dict[str, Any], verdict: dict[str, Any]) -> float:
    """What a scale compares with the tolerance: from the parts, because own_model has no more."""
    if scale == "relative":
        return residuals["relative"]
    units = {"absolute": (1, 1), "force": (STEP, 1),
             "scaled": (verdict["scale"]["impulse"], verdict["scale"]["velocity"])}
    impulse, velocity = units[scale]
    return max(residuals["primal"] / impulse, residuals["dual"] / velocity,
               residuals["complementarity"] / (impulse * velocity))


class RunTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.files = [problem(name) for name in SMALL]

    def test_every_pair_has_a_record(self) -> None:
        """The whole data set, every registered solver, few iterations."""
        document = self.run_document(DATASET, "--max-iterations", 20)
        files = sorted(DATASET.glob("*/*.hdf5"))
        solvers = json.loads(self.program("list", "solvers", "--json").stdout)
        self.assertEqual([item["path"] for item in document["problems"]], [str(file) for file in files])
        ready = [item["name"] for item in solvers
                 if item["contacts"] and not any(setting["required"] for setting in item["settings"])]
        self.assertEqual([item["id"] for item in document["solvers"]], ready)
        self.assertEqual([(record["problem"], record["solver"]) for record in document["records"]],
                         [(p["id"], s["id"]) for p in document["problems"] for s in document["solvers"]])
        contacts = {problem["id"]: problem["contacts"] for problem in document["problems"]}
        for record in document["records"]:
            is_refused = record["solver"] == "ncp-active-set" and contacts[record["problem"]] > 40
            self.assertIn(record["status"], ("refused",) if is_refused else
                          ("converged", "max_iterations", "inaccurate", "other_model", "ray", "cycle", "stalled"), record)

    def test_the_same_command_gives_the_same_document(self) -> None:
        arguments = [*self.files, "--max-iterations", 300, "--repeat-time", 0.002]
        first, second = (self.run_document(*arguments) for _ in range(2))
        self.assertEqual(without_measurements(first), without_measurements(second))

    def test_repetitions_change_times_only(self) -> None:
        once, often = (self.run_document(*self.files, "--repeat-time", time) for time in (0, 0.02))
        self.assertEqual([record["time"]["solve"]["samples"] for record in once["records"]],
                         [1] * len(once["records"]))
        samples = [record["time"]["solve"]["samples"] for record in often["records"]]
        self.assertGreater(max(samples), 1)
        self.assertEqual(without_measurements(once), without_measurements(often))

    def test_kernels_of_blas(self) -> None:
        """Those of the processor, also where OpenBLAS does not know it, unless the user chooses others."""
        def kernels() -> str:
            return self.run_document(self.files[0], "--solver", "ncp-pgs")["run"]["build"]["libraries"]["blas"]

        processor = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        if "OpenBLAS" not in kernels() or not re.search(r"\bavx2\b", processor):
            self.skipTest("another BLAS, or a processor without AVX2")
        with mock.patch.dict(os.environ):
            os.environ.pop("OPENBLAS_CORETYPE", None)
            self.assertNotIn("Prescott", kernels())
            os.environ["OPENBLAS_CORETYPE"] = "Prescott"
            self.assertIn("Prescott", kernels())

    def test_solvers_with_settings(self) -> None:
        specs = ["ncp-pgs", "ncp-admm(rho_update=linear,tau=4)", "ncp-pgs(relaxation=1.5)", "ncp-pgs(relaxation=1.2)"]
        document = self.run_document(self.files[0], *[part for spec in specs for part in ("--solver", spec)])
        # The last is the first in other words.
        self.assertEqual([solver["id"] for solver in document["solvers"]], specs[:3])
        admm, relaxed = (solver["settings"] for solver in document["solvers"][1:])
        self.assertEqual((admm["rho_update"], admm["tau_inc"], admm["tau_dec"]), ("linear", 4, 4))
        self.assertIn("eta", admm)  # a default
        self.assertEqual(relaxed["relaxation"], 1.5)
        residuals = [record["verdict"]["ncp"]["max"] for record in document["records"]]
        self.assertEqual(len(set(residuals)), 3)  # the settings had an effect

    def chosen(self, *arguments: Any) -> list[dict[str, Any]]:
        return self.run_document(DATASET, "--solver", "ncp-pgs", "--max-iterations", 1, *arguments)["problems"]

    def test_selection(self) -> None:
        problems = self.chosen()
        ids = [item["id"] for item in problems]

        pattern = "^(Stack|Wall)/.*global"
        expected = [id for id in ids if re.search(pattern, id)]
        self.assertTrue(0 < len(expected) < len(ids))
        self.assertEqual([item["id"] for item in self.chosen("--filter", pattern)], expected)

        for dimension in (2, 3):
            expected = [item["id"] for item in problems if item["dimension"] == dimension]
            self.assertTrue(expected)
            self.assertEqual([item["id"] for item in self.chosen("--dimension", dimension)], expected)

        limit = 20
        self.assertIn(limit, [item["contacts"] for item in problems])  # "at most" includes the limit
        expected = [item["id"] for item in problems if item["contacts"] <= limit]
        self.assertEqual([item["id"] for item in self.chosen("--max-contacts", limit)], expected)

    def test_list_of_problems(self) -> None:
        """Paths in a list are relative to the list."""
        (self.folder / "lists").mkdir()
        (self.folder / "near").mkdir()
        near = self.folder / "near" / "box.hdf5"
        near.write_bytes(self.files[0].read_bytes())
        (self.folder / "lists" / "some.txt").write_text(
            f"# a comment\n\n{self.files[1]}\n  ../near/box.hdf5  \n{self.files[1]}\n", encoding="utf-8")
        document = self.run_document("@lists/some.txt", "--solver", "ncp-pgs")
        self.assertEqual([item["id"] for item in document["problems"]], [f"Stack/{SMALL[1]}", "near/box"])

    def test_same_names_in_different_folders_stay_apart(self) -> None:
        for folder in ("a", "b"):
            (self.folder / folder / "Stack").mkdir(parents=True)
            (self.folder / folder / "Stack" / "x.hdf5").write_bytes(self.files[0].read_bytes())
        document = self.run_document("a", "b", "--solver", "ncp-pgs")
        self.assertEqual([item["id"] for item in document["problems"]], ["a/Stack/x", "b/Stack/x"])

    def test_each_criterion(self) -> None:
        for criterion, scale in (("ncp", "relative"), ("ncp", "absolute"), ("ncp", "scaled"), ("ncp", "force"),
                                 ("ccp", "relative"), ("ccp", "scaled"), ("lcp", "absolute"), ("native", "relative"),
                                 ("native", "absolute"), ("native", "scaled"), ("native", "force")):
            with self.subTest(criterion=criterion, scale=scale):
                document = self.run_document(*self.files, "--criterion", criterion, "--scale", scale,
                                             "--time-step", STEP, "--max-iterations", 2000)
                self.assertEqual((document["run"]["criterion"], document["run"]["scale"]), (criterion, scale))
                models = {solver["id"]: solver["model"] for solver in document["solvers"]}
                own_models = 0
                for record in document["records"]:
                    residuals = record["verdict"][models[record["solver"]] if criterion == "native" else criterion]
                    if criterion == "native" and record["own_model"]:
                        residuals = record["own_model"]
                        own_models += 1
                    solved = record["solved"][criterion][scale]
                    self.assertEqual(solved, residual_at(scale, residuals, record["verdict"]) <= 1e-6, record)
                    if record["status"] not in ("ray", "cycle"):  # whose last impulse may happen to solve it
                        self.assertEqual(record["status"] == "converged", solved, record)
                self.assertEqual(own_models > 0, criterion == "native")

    def test_force_needs_a_time_step(self) -> None:
        file = self.files[0]
        for command in (["run", file], ["solve", file, "--solver", "ncp-pgs"], ["judge", file, "--impulse", "r.txt"]):
            (self.folder / "r.txt").write_text("0\n" * 24, encoding="utf-8")
            line = self.refused(*command, "--scale", "force", saying=["force", "--time-step"])
            self.assertLess(len(line), 200)
            self.refused(*command, "--scale", "force", "--time-step", 0, saying=["--time-step"])

    def test_solved_in_another_model(self) -> None:
        """A CCP solver's answer to a sliding contact is the CCP's, and not Coulomb's: no error of the solver."""
        path = problem("Stack-pull4-mu_spread0.3-local-20-00000")
        document = self.run_document(path, "--solver", "ccp-pgs", "--solver", "ccp-sap", "--criterion", "ncp")
        for record in document["records"]:
            self.assertEqual(record["status"], "other_model")
            self.assertFalse(record["solved"]["ncp"]["relative"])
            self.assertTrue(record["solved"]["native"]["relative"])
            self.assertRegex(record["message"], "^solved its own model, ccp.* relative ncp residual of ")
        first, second = document["records"]
        self.assertIsNone(first["own_model"])
        self.assertIn("with a compliance", second["message"])
        self.assertGreater(second["own_model"]["compliance_min"], 0)
        self.assertGreater(second["own_model"]["gap"], 0)
        native = self.run_document(path, "--solver", "ccp-pgs", "--solver", "ccp-sap", "--criterion", "native")
        self.assertEqual([record["status"] for record in native["records"]], ["converged"] * 2)

    def test_iteration_limit(self) -> None:
        document = self.run_document(problem(SMALL[0]), "--max-iterations", 1, "--tolerance", 1e-12)
        for record in document["records"]:
            self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 1))
            self.assertFalse(record["solved"]["ncp"]["relative"])
            self.assertIsNotNone(record["verdict"])

    def test_time_limit(self) -> None:
        # The criterion cannot be met, and the iterations would take minutes.
        document = self.run_document(problem("Stack-boxes15-mass_ratio10000-global-60-00000"), "--solver", "ncp-pgs",
                                     "--tolerance", 1e-300, "--max-iterations", 2000000000, "--time-limit", 0.2)
        record = document["records"][0]
        self.assertEqual(record["status"], "time_limit")
        self.assertGreaterEqual(record["time"]["solve"]["median"], 0.2)
        self.assertLess(record["time"]["solve"]["median"], 1)

    def test_condition_number(self) -> None:
        """Computed in a process of its own: where that fails, the run goes on."""
        # Of 660 unknowns: a small matrix fits into memory that the process has already.
        arguments = [problem("Wall-rows6-columns5-global-*"), "--solver", "ncp-pgs", "--max-iterations", 10]
        self.assertIsNone(self.run_document(*arguments)["problems"][0]["condition"])
        document = self.run_document(*arguments, "--condition")
        self.assertGreater(document["problems"][0]["condition"], 1)
        document = self.run_document(*arguments, "--condition", "--memory-limit", "1M")
        self.assertIsNone(document["problems"][0]["condition"])
        warnings = [text for text in document["run"]["warnings"] if text.startswith("no condition number of ")]
        self.assertEqual(len(warnings), 1, document["run"]["warnings"])

    def test_a_problem_whose_W_does_not_fit_costs_only_itself(self) -> None:
        """1 500 contacts of one body, whose W is full: 240 MB, of a file of 200 kB."""
        rows = 4500
        with h5py.File(self.folder / "full.hdf5", "w") as file:
            group = file.create_group("fclib_global")
            group["spacedim"] = [3]
            indices = np.arange(1, rows + 1)
            for name, shape, row, column in (("M", (3, 3), [1, 2, 3], [1, 2, 3]),
                                             ("H", (3, rows), np.tile([1, 2, 3], rows), np.repeat(indices, 3))):
                matrix = group.create_group(name)
                matrix["m"], matrix["n"], matrix["nzmax"], matrix["nz"] = (
                    [shape[0]], [shape[1]], [len(row)], [len(row)])
                matrix["i"], matrix["p"] = np.array(row) - 1, np.array(column) - 1
                matrix["x"] = np.ones(len(row))
            vectors = group.create_group("vectors")
            vectors["f"], vectors["w"], vectors["mu"] = -np.ones(3), np.zeros(rows), np.full(rows // 3, 0.5)
        limited = ["bash", "-c", 'ulimit -v 450000; exec "$@"', "bash", PROGRAM, "run", "full.hdf5", str(self.files[0]),
                   "--solver", "ncp-pgs", "-o", "results.json"]
        finished = subprocess.run(limited, cwd=self.folder, capture_output=True, encoding="utf-8", check=False)
        if "AddressSanitizer" in finished.stderr:
            self.skipTest("the address sanitizer needs all of the address space")
        self.assertEqual(finished.returncode, 1, finished.stderr)
        document = self.load("results.json")
        self.assertEqual([entry["reason"] for entry in document["unreadable"]],
                         ["full.hdf5: W: does not fit into memory"])
        self.assertEqual(len(document["records"]), 1)

    def test_problem_without_contacts(self) -> None:
        empty = [path for path in DATASET.glob("*/*.hdf5") if "-local-0-" in path.name or "-global-0-" in path.name]
        self.assertTrue(empty)
        for record in self.run_document(*empty)["records"]:
            self.assertEqual((record["status"], record["iterations"]), ("converged", 0))

    def test_document_says_how_it_was_made(self) -> None:
        document = self.run_document(self.files[0], "--solver", "ncp-pgs", "--tolerance", 1e-5, "--time-limit", 7)
        run = document["run"]
        self.assertEqual(run["command"][:3], ["frictionbench", "run", str(self.files[0])])
        self.assertEqual((run["tolerance"], run["time_limit"], run["repeat_time"]), (1e-5, 7, 0))
        if (ROOT / ".git").exists():
            self.assertRegex(run["git"]["revision"], "^[0-9a-f]{40}$")
        else:  # built from an archive
            self.assertEqual(run["git"], {"revision": None, "dirty": None})
        self.assertIn(f"frictionbench {run['version']}\n", self.program("--version").stdout)


class SummaryTest(ProgramTest):
    def test_counts_are_those_of_the_document(self) -> None:
        arguments = ["run", DATASET, "--filter", "Stack|PushedBox", "--max-iterations", 200, "--repeat-time", 0,
                     "--criterion", "ncp", "-o", "results.json"]
        printed = self.program(*arguments).stdout
        document = self.load("results.json")
        text = self.program("summary", "results.json").stdout
        self.assertEqual(text, printed)

        families = {item["id"]: item["family"] for item in document["problems"]}
        expected = {}
        for record in document["records"]:
            for family in (families[record["problem"]], "all"):
                solved, total = expected.get((family, record["solver"]), (0, 0))
                expected[family, record["solver"]] = (solved + record["solved"]["ncp"]["relative"], total + 1)
        self.assertGreater(len({solved for solved, _ in expected.values()}), 2)

        found, family = {}, None
        ids = "|".join(re.escape(solver["id"]) for solver in document["solvers"])
        for line in text.splitlines():
            row = re.match(rf"(\S*) +({ids}) +(\d+)/(\d+) +(\d+) ", line)
            if row:
                family = row[1] or family
                found[family, row[2]] = (int(row[3]), int(row[4]))
                self.assertEqual(int(row[5]), round(100 * int(row[3]) / int(row[4])))
        self.assertEqual(found, expected)

    def table(self, text: str) -> list[dict[str, str]]:
        """Rows of the first table by the titles of its columns, as far apart as the titles are."""
        lines = text.splitlines()
        rule = next(k for k, line in enumerate(lines) if line.startswith("---"))
        body = [line for line in itertools.takewhile(str.strip, lines[rule + 1:]) if not line.startswith("---")]
        # A column ends where every line has a blank, and the next one begins after two.
        width = max(map(len, [lines[rule - 1], *body]))
        padded = [line.ljust(width) for line in [lines[rule - 1], *body]]
        gaps = [k for k in range(width) if all(line[k] == " " for line in padded)]
        starts = [0] + [k + 1 for k in gaps if k - 1 in gaps and k + 1 not in gaps]
        cells = [[line[a:b].strip() for a, b in zip(starts, [*starts[1:], None])] for line in padded]
        return [dict(zip(cells[0], row)) for row in cells[1:]]

    def test_times_are_of_solved_problems(self) -> None:
        """What is not solved has no time, and none is made up from the time limit."""
        arguments = [problem(SMALL[0]), "--solver", "ncp-pgs", "--solver", "ncp-admm", "--repeat-time", 0]
        document = self.run_document(*arguments, "--max-iterations", 60)
        text = self.program("summary", "results.json").stdout
        rows = {row["solver"]: row for row in self.table(text)}
        solved = {record["solver"]: record["solved"]["ncp"]["relative"] for record in document["records"]}
        self.assertEqual(solved, {"ncp-pgs": False, "ncp-admm": True})
        self.assertEqual((rows["ncp-pgs"]["solved"], rows["ncp-pgs"]["time"], rows["ncp-pgs"]["cholesky"]), ("0/1", "", ""))
        time = document["records"][1]["time"]
        self.assertEqual(rows["ncp-admm"]["cholesky"], f"{time['cholesky_equivalents']:.3g}")
        self.assertIn("solved problems only; 1 cold sample each", text)
        self.assertNotIn("60 s for", text)
        self.run_document(problem(SMALL[0]), "--solver", "ncp-admm", "--repeat-time", 2, "--max-samples", 3)
        self.assertRegex(self.program("summary", "results.json").stdout, r"only; medians of \d+ samples\n")

    def test_creep(self) -> None:
        path = problem("Stack-pull4-mu_spread0.3-local-20-00000")
        document = self.run_document(path, "--solver", "ncp-admm", "--solver", "ccp-admm", "--solver", "ccp-newton")
        plain = self.program("summary", "results.json").stdout
        self.assertNotIn("creep", plain)
        rows = self.table(self.program("summary", "results.json", "--creep").stdout)
        for row, record in zip(rows, document["records"], strict=True):
            self.assertEqual(row["solver"], record["solver"])
            for name in ("creep", "lift"):
                self.assertEqual(row[name], f"{record['verdict'][name]:.1e}")
            gap = record["own_model"] and f"{record['own_model']['gap']:.1e}"
            self.assertEqual(row["model gap"], gap or "")
        exact, convex, compliant = document["records"]
        self.assertLess(max(exact["verdict"]["creep"], exact["verdict"]["lift"]), 1e-4)
        self.assertGreater(convex["verdict"]["lift"], 1e-3, "a sliding contact of the CCP opens")
        self.assertGreater(compliant["verdict"]["creep"], 1e-3)
        self.assertEqual([row["other"] for row in rows], ["", "1", "1"])
        self.assertIn("model gap", self.program("summary", "results.json", "--history", "ccp-newton", "--creep").stdout)

    def test_warnings_and_unreadable_files_are_told(self) -> None:
        self.run_document(problem(SMALL[0]), "--solver", "ncp-pgs")
        path = self.folder / "results.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        document["run"]["warnings"] = ["something to mind"]
        document["unreadable"] = [{"path": "bad.hdf5", "reason": "bad.hdf5: is no good"}]
        path.write_text(json.dumps(document), encoding="utf-8")
        text = self.program("summary", "results.json").stdout
        self.assertIn("something to mind", text)
        self.assertIn("bad.hdf5: is no good", text)
