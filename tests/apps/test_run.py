"""Runs over several problems: what is chosen, what is recorded, and that it is the same every time."""

from __future__ import annotations

import json
import re
from typing import Any

from program import DATASET, ROOT, ProgramTest, problem, without_measurements

SMALL = ["Stack-boxes2-local-8-00000", "Stack-boxes1-global-4-00000", "PushedBox2D-default-local-2-00000"]


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
        self.assertEqual([item["id"] for item in document["solvers"]], [item["name"] for item in solvers])
        self.assertEqual([(record["problem"], record["solver"]) for record in document["records"]],
                         [(p["id"], s["id"]) for p in document["problems"] for s in document["solvers"]])
        for record in document["records"]:
            self.assertIn(record["status"], ("converged", "max_iterations", "inaccurate", "wrong"), record)

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
        for criterion, scale in (("ncp", "absolute"), ("ncp", "scaled"), ("ccp", "absolute"), ("ccp", "scaled"),
                                 ("lcp", "absolute"), ("native", "absolute"), ("native", "scaled")):
            with self.subTest(criterion=criterion, scale=scale):
                document = self.run_document(*self.files, "--criterion", criterion, "--scale", scale,
                                             "--max-iterations", 2000)
                self.assertEqual((document["run"]["criterion"], document["run"]["scale"]), (criterion, scale))
                models = {solver["id"]: solver["model"] for solver in document["solvers"]}
                for record in document["records"]:
                    model = models[record["solver"]] if criterion == "native" else criterion
                    residual = record["verdict"][model]["scaled" if scale == "scaled" else "max"]
                    solved = record["solved"][model][scale]
                    self.assertEqual(solved, residual <= 1e-6, record)
                    self.assertEqual(record["status"] == "converged", solved, record)

    def test_iteration_limit(self) -> None:
        document = self.run_document(problem(SMALL[0]), "--max-iterations", 1, "--tolerance", 1e-12)
        for record in document["records"]:
            self.assertEqual((record["status"], record["iterations"]), ("max_iterations", 1))
            self.assertFalse(record["solved"]["ncp"]["absolute"])
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
                expected[family, record["solver"]] = (solved + record["solved"]["ncp"]["absolute"], total + 1)
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
