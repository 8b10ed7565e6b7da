"""Solving and judging in Python gives what the program gives, bit by bit: impulses, verdicts, work and status."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from support import DATASET, BindingsTest, frictionbench, shipped, with_blocks

SOLVERS = ["ncp-hybrid", "ncp-pgs", "ccp-admm", "ncp-active-set", "lcp-lemke"]
OPTIONS = {"tolerance": 1e-5, "max_iterations": 60}  # some solves end early, which must be the same, too
LARGEST = 120  # contacts

# What is measured by a clock or the process, and what only a run knows.
NOT_COMPARED = ("problem", "time", "hardware", "memory_peak")


def as_arguments(options: dict[str, Any]) -> list[str]:
    return [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]


def comparable(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in NOT_COMPARED}


def size(path: Path) -> int:
    """Contacts, which the names of these files have before the time step."""
    return int(path.stem.split("-")[-2])


class SameAsProgram(BindingsTest):
    def problems(self) -> list[Path]:
        """100 files: shipped, generated, and with blocks of other sets."""
        generated = self.folder / "generated"
        for arguments in (*(["stack", "--boxes", boxes, "--pull", 1] for boxes in range(3, 9)),
                          ["packed_spheres", "--grains", 12, "--steps", 200, "--snapshots", 8],
                          ["disks_2d", "--grains", 20, "--steps", 200, "--snapshots", 6]):
            self.program("generate", *arguments, "--form", "both", "-o", generated)
        for seed in range(6):
            for form in ("local", "global"):
                with_blocks(seed, form).write(self.folder / f"blocks-{form}-{seed}.hdf5")
        shipped_files = [path for path in sorted(DATASET.glob("*/*.hdf5")) if size(path) <= LARGEST]
        files = [*sorted(self.folder.glob("*.hdf5")), *sorted(generated.rglob("*.hdf5")), *shipped_files]
        self.assertGreaterEqual(len(files), 100)
        return files[:100]

    def run_program(self, files: list[Path]) -> dict[tuple[str, str], dict[str, Any]]:
        """Records of the program, by file and solver."""
        listed = self.folder / "problems.txt"
        listed.write_text("".join(f"{path}\n" for path in files), encoding="utf-8")
        solvers = [word for solver in SOLVERS for word in ("--solver", solver)]
        self.program("run", f"@{listed}", *solvers, *as_arguments(OPTIONS), "--repeat-time", 0, "--quiet",
                     "-o", "results.json", codes=(0, 1))
        document = json.loads((self.folder / "results.json").read_text(encoding="utf-8"))
        self.assertEqual(document["unreadable"], [])
        paths = {problem["id"]: problem["path"] for problem in document["problems"]}
        return {(paths[record["problem"]], record["solver"]): record for record in document["records"]}

    def test_answers_and_verdicts_of_100_files(self):
        files = self.problems()
        records = self.run_program(files)
        forms, statuses = set(), set()
        for path in files:
            problem = frictionbench.read(path)
            forms.add((problem.form, problem.dimension, bool(problem.sets)))
            for solver in SOLVERS:
                with self.subTest(path=path.name, solver=solver):
                    answer = frictionbench.solve(problem, solver, **OPTIONS)
                    theirs = records[str(path), solver]
                    self.assertEqual(comparable(answer.record), comparable(theirs))
                    statuses.add(answer.status)
        # Otherwise the comparison would say little.
        self.assertGreaterEqual(statuses, {"converged", "max_iterations", "refused"})
        self.assertGreaterEqual(forms, {("local", 3, False), ("global", 3, False), ("local", 2, False),
                                        ("global", 2, False), ("local", 3, True), ("global", 3, True)})

    def test_impulses_and_judge(self):
        for name in ("Stack-default*", "PackedSpheres-default-global-82*", "Disks2D-default*"):
            path = shipped(name)
            problem = frictionbench.read(path)
            answer = frictionbench.solve(problem, "ncp-pgs", **OPTIONS)
            with self.subTest(name=name):
                self.program("solve", path, "--solver", "ncp-pgs", *as_arguments(OPTIONS), "--write-impulse", "r.txt",
                             "--force", codes=(0, 1))
                impulse = np.loadtxt(self.folder / "r.txt")
                self.assert_same_bits(answer.impulses.reshape(-1), impulse)
                for judged in ({}, {"criterion": "ccp", "scale": "absolute", "tolerance": 1e-8},
                               {"scale": "force", "time_step": 0.01}, {"criterion": "lcp", "facets": 6},
                               {"compliance": "diag:1e-3"}):
                    said = self.program("judge", path, "--impulse", "r.txt", "--json", *as_arguments(judged),
                                        codes=(0, 1))
                    verdict = frictionbench.judge(problem, impulse, **judged)
                    self.assertEqual(verdict.as_dict(), json.loads(said))

    def test_other_options_of_solve(self):
        path = shipped("Stack-mass_ratio100-local*")
        problem = frictionbench.read(path)
        for options in ({"compliance": "0.01"}, {"criterion": "native", "scale": "scaled"}, {"match_verdict": True},
                        {"tolerance": 1e-3, "history": True}):
            words = as_arguments({name: value for name, value in options.items() if value is not True})
            flags = [f"--{name.replace('_', '-')}" for name, value in options.items() if value is True]
            with self.subTest(options=options):
                self.program("solve", path, "--solver", "ccp-admm", *words, *flags, "--json", "solve.json", "--force",
                             codes=(0, 1))
                theirs = json.loads((self.folder / "solve.json").read_text(encoding="utf-8"))["records"][0]
                mine = frictionbench.solve(problem, "ccp-admm", **options).record
                for record in (theirs, mine):
                    for once in record["tries"] or []:
                        del once["time"]
                self.assertEqual(comparable(mine), comparable(theirs))

    def test_warm_starts(self):
        path = self.folder / "stack.hdf5"
        problem = frictionbench.read(shipped("Stack-default*"))
        problem.write(path)
        self.program("solve", path, "--solver", "ncp-pgs", "--tolerance", 1e-10, "--write-solution", codes=(0, 1))
        cold = frictionbench.solve(problem, "ncp-pgs")
        stored = frictionbench.read(path)
        warm = frictionbench.solve(stored, "ncp-pgs", warm_start="solution")
        self.assertEqual(warm.record["start"], "solution")
        self.assertLess(warm.iterations, cold.iterations)
        again = frictionbench.solve(problem, "ncp-pgs", start=stored.solution["r"])
        self.assert_same_bits(again.impulses, warm.impulses)
        self.assertIsNone(again.record["start"])

    def test_solvers_are_those_of_the_program(self):
        for peers in ({}, {"peer": "all"}):  # those of the build
            listed = json.loads(self.program("list", "solvers", "--json", *as_arguments(peers)))
            self.assertEqual(list(frictionbench.solvers(**peers).values()), listed)


if __name__ == "__main__":
    unittest.main()
