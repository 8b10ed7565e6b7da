"""What the tests of peers share: solvers of other projects, of which a build has those that were installed."""

from __future__ import annotations

import functools
import json
import subprocess
import unittest
from pathlib import Path
from typing import Any

from program import PROGRAM, ProgramTest
from test_conformance import write_fclib


@functools.cache
def peers_there() -> frozenset[str]:
    listed = subprocess.run([PROGRAM, "list", "peers", "--json"], check=True, capture_output=True, encoding="utf-8")
    return frozenset(peer["name"] for peer in json.loads(listed.stdout) if peer["there"])


def peer_arguments(name: str) -> tuple[str, str]:
    """What makes the solvers of a peer known; the test is skipped if this build does not have it."""
    if name not in peers_there():
        raise unittest.SkipTest(f"this build does not have the peer {name}")
    return "--peer", name


def solver_options(*solvers: str) -> list[str]:
    return [argument for solver in solvers for argument in ("--solver", solver)]


# One contact with W = diag(2, 1, 1): q, mu and the impulse that answers, the same for the cone and the pyramid.
STICKING = ([-2, 0.25, -0.5], 1, [1, -0.25, 0.5])
SLIDING = ([-2, 3, 0], 0.5, [1, -0.5, 0])
SEPARATING = ([1, 2, 3], 0.5, [0, 0, 0])
FRICTIONLESS = ([-2, 3, 4], 0, [1, 0, 0])
# Along no axis: on the cone r_T is opposite to u_T = (2.7, 3.6), on the pyramid it is in a corner.
SLIDING_ON_CONE = ([-2, 3, 4], 0.5, [1, -0.3, -0.4])
SLIDING_ON_PYRAMID = ([-2, 3, 4], 0.5, [1, -0.5, -0.5])
# The CCP's: u = (2, 2.4, 3.2) is orthogonal to r, and so u_N = mu ||u_T||; to separate takes u_N >= mu ||u_T||.
SLIDING_IN_CCP = ([-2, 3, 4], 0.5, [2, -0.6, -0.8])
SEPARATING_IN_CCP = ([2, 2, 3], 0.5, [0, 0, 0])

Case = tuple[list[float], float, list[float]]


class PeerTest(ProgramTest):
    """A test of the peer of this name."""

    peer: str

    def setUp(self) -> None:
        super().setUp()
        self.arguments = peer_arguments(self.peer)

    def problem(self, W: Any, q: list[float], mu: list[float]) -> Path:
        """A 3D problem, W in rows, one after the other."""
        path = self.folder / "problem.hdf5"
        write_fclib(path, {"dimension": 3, "W": W, "q": q, "mu": mu, "compliance": None})
        return path

    def answer(self, solver: str, W: Any, q: list[float], mu: list[float], *arguments: Any) -> list[float]:
        self.solve_document(self.problem(W, q, mu), *self.arguments, "--solver", solver, "--write-impulse", "r.txt",
                            *arguments)
        return [float(line) for line in (self.folder / "r.txt").read_text(encoding="utf-8").split()]

    def assert_answers(self, solver: str, *cases: Case, accuracy: float = 1e-9) -> None:
        for q, mu, expected in cases:
            with self.subTest(solver, q=q, mu=mu):
                r = self.answer(solver, [2, 0, 0, 0, 1, 0, 0, 0, 1], q, [mu], "--tolerance", accuracy / 10)
                for value, right in zip(r, expected, strict=True):
                    self.assertAlmostEqual(value, right, delta=accuracy)

    def peer_records(self, *arguments: Any) -> list[dict[str, Any]]:
        return self.run_document(*arguments, *self.arguments, "--time-limit", 5)["records"]

    def assert_refuses(self, solver: str, path: Path, saying: str) -> None:
        record, = self.peer_records(path, "--solver", solver)
        self.assertEqual(record["status"], "refused")
        self.assertEqual(record["message"], saying)
