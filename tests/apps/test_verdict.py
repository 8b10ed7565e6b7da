"""The verdict in a record against a second one, computed from the impulse that the program writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import oracle
from program import DATASET, ProgramTest, problem

# 2D and 3D, local and global, frictionless, a mu for each contact, mass ratios, one contact and many.
PROBLEMS = [
    "PushedBox2D-default-local-2-00000",
    "PushedBox2D-default-global-2-00000",
    "Disks2D-*-local-*",
    "Stack-boxes1-global-4-00000",
    "Stack-boxes2-mass_ratio10000-local-8-00000",
    "Stack-offset0.03-mu0-local-20-00000",
    "Stack-pull4-mu_spread0.3-local-20-00000",
    "Stack-boxes15-mass_ratio10000-global-60-00000",
    "Wall-columns3-mu_spread0.4-global-84-00000",
    "PackedSpheres-grains20-*-local-*-00120",
]


class VerdictTest(ProgramTest):
    def solve(self, path: Path, *arguments: Any) -> tuple[dict[str, Any], np.ndarray]:
        """A record, and the impulse behind it."""
        document = self.solve_document(path, *arguments, "--write-impulse", "r.txt")
        impulse = np.loadtxt(self.folder / "r.txt", ndmin=1)
        self.assertEqual(len(impulse), document["problems"][0]["unknowns"])
        return document["records"][0], impulse

    def check(self, path: Path, record: dict[str, Any], impulse: np.ndarray) -> dict[str, float]:
        stated = oracle.read(path)
        values, sizes = oracle.judge(stated, impulse)
        said = oracle.of_record(record)
        self.assertEqual(oracle.disagreements(said, values, sizes), [])
        # From one number of the record to the next there is no cancellation to forgive.
        for model in ("ncp", "ccp", "lcp"):
            parts = record["verdict"][model]
            self.assertEqual(parts["max"], max(parts["primal"], parts["dual"], parts["complementarity"]))
            scaled = max(parts["primal"] / said["F"], parts["dual"] / said["U"],
                         parts["complementarity"] / (said["F"] * said["U"]))
            self.assertAlmostEqual(parts["scaled"], scaled, delta=1e-15 * scaled)
        if stated.dimension == 2:  # the pyramid is the cone
            self.assertAlmostEqual(record["verdict"]["lcp"]["max"], record["verdict"]["ncp"]["max"],
                                   delta=1e-12 * sizes["ncp.max"])
        return values

    def test_far_from_a_solution(self) -> None:
        """Residuals are large, so that a wrong formula shows in the first digits."""
        largest: dict[str, float] = {}
        for name in PROBLEMS:
            for solver in ("ncp-pgs", "ccp-pgs", "ncp-admm", "ccp-admm"):
                for iterations in (1, 2, 5):
                    with self.subTest(problem=name, solver=solver, iterations=iterations):
                        path = problem(name)
                        record, impulse = self.solve(path, "--solver", solver, "--max-iterations", iterations,
                                                     "--tolerance", 1e-14)
                        values = self.check(path, record, impulse)
                        for key, value in values.items():
                            largest[key] = max(largest.get(key, 0), value)
        for key, value in largest.items():
            # Impulses of projecting solvers are in the cone; the next but one test is for others.
            if "primal" not in key and key != "signorini.impulse":
                self.assertGreater(value, 1e-4, key)

    def test_at_a_solution(self) -> None:
        for name, solver in (("Stack-boxes2-local-8-00000", "ncp-pgs"), ("Stack-boxes1-global-4-00000", "ncp-admm"),
                             ("Disks2D-*-local-*", "ncp-admm"),
                             ("PackedSpheres-grains20-*-local-*-00120", "ncp-pgs")):
            with self.subTest(problem=name):
                path = problem(name)
                record, impulse = self.solve(path, "--solver", solver, "--tolerance", 1e-9)
                self.assertEqual(record["status"], "converged")
                values = self.check(path, record, impulse)
                self.assertLess(values["ncp.max"], 1.001e-9)

    def test_any_impulse(self) -> None:
        """`info` judges a stored impulse: here one that is outside every cone, to the digits it prints."""
        generator = np.random.default_rng(1)
        for name in PROBLEMS:
            with self.subTest(problem=name):
                path = self.folder / problem(name).name
                path.write_bytes(problem(name).read_bytes())
                stated = oracle.read(path)
                impulse = generator.normal(size=len(stated.q))
                with h5py.File(path, "r+") as file:
                    if "solution" in file:
                        del file["solution"]
                    file["solution/r"] = impulse
                values, _ = oracle.judge(stated, impulse)
                self.assertGreater(values["ncp.primal"], 0.1)
                line = next(line for line in self.program("info", path).stdout.splitlines() if "solution" in line)
                for key in ("ncp.max", "ncp.relative", "natural_map"):
                    self.assertIn(f"{values[key]:.2e}", line, key)

    def test_momentum_is_for_solvers_that_return_a_velocity(self) -> None:
        """The velocity of any other would be computed from its impulse, and balance to round-off."""
        stack = "Stack-boxes10-mass_ratio100-"
        for name, solver, expected in (("global", "ncp-pgs", False), ("global", "ccp-sap", True)):
            record, _ = self.solve(problem(f"{stack}{name}-40-00000"), "--solver", solver, "--max-iterations", 5)
            self.assertEqual(record["verdict"]["momentum"] is not None, expected, (name, solver))

    def test_creep_and_lift(self) -> None:
        """What a compliant model does to a box that friction holds, and the convex one to a box that slides."""
        held, sliding = "PushedBox-direction30-local-4-00000", "PushedBox-push2-direction30-local-4-00000"
        found = {(name, solver): self.solve(problem(name), "--solver", solver)[0]["verdict"]
                 for name in (held, sliding) for solver in ("ncp-pgs", "ccp-pgs", "ccp-newton")}
        for name in (held, sliding):
            exact = found[name, "ncp-pgs"]
            self.assertLess(max(exact["creep"], exact["lift"]), 1e-5 * exact["scale"]["velocity"])
        self.assertGreater(found[sliding, "ccp-pgs"]["lift"], 1e-2 * found[sliding, "ccp-pgs"]["scale"]["velocity"])
        self.assertGreater(found[held, "ccp-newton"]["creep"], 1e-2 * found[held, "ccp-newton"]["scale"]["velocity"])

    def test_contact_states(self) -> None:
        """Scenes with a known answer: a box that friction holds, one that slides, and balls in free fall."""
        found = {}
        for name in ("PushedBox-direction30-local-4-00000", "PushedBox-push2-direction30-local-4-00000"):
            record, _ = self.solve(problem(name), "--solver", "ncp-pgs", "--scale", "scaled",
                                   "--tolerance", 1e-9)
            self.assertEqual(record["status"], "converged")
            found[name] = record["states"]
        self.assertEqual(list(found.values()), [{"sticking": 4, "sliding": 0, "separated": 0},
                                                {"sticking": 0, "sliding": 4, "separated": 0}])

    def test_data_set_covers_what_the_problems_here_are_chosen_for(self) -> None:
        listed = json.loads(self.program("list", "problems", DATASET, "--json").stdout)
        paths = {str(problem(name)) for name in PROBLEMS}
        chosen = [item for item in listed if item["path"] in paths]
        self.assertEqual({(item["form"], item["dimension"]) for item in chosen},
                         {("local", 2), ("local", 3), ("global", 2), ("global", 3)})
        self.assertEqual({bool(oracle.read(item["path"]).mu.any()) for item in chosen}, {True, False})
