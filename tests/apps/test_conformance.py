"""The shipped conformance vectors: `frictionbench judge` says every number that they expect, and they are what their
generator writes."""

from __future__ import annotations

import json
import math
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Iterator

import h5py
import numpy as np

from program import ROOT, ProgramTest

from frictionbench.conformance import vectors as conformance_vectors
from frictionbench.conformance.judge import Problem, verdict

COMPRESSED_ROWS = -2  # `nz` of an FCLIB file
ROUNDING = 1e-12  # of the size of what was added up


def load() -> dict[str, Any]:
    return json.loads(conformance_vectors.VECTORS.read_text(encoding="utf-8"))


def write_fclib(path: Path, stated: dict[str, Any]) -> None:
    """The problem of a vector as any program would write it; zeros of W are not stored."""
    m = len(stated["q"])
    W = np.array(stated["W"]).reshape(m, m)
    rows, columns = np.nonzero(W)
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_local")
        group["spacedim"] = np.array([stated["dimension"]], dtype=np.int32)
        matrix = group.create_group("W")
        for name, value in (("m", m), ("n", m), ("nz", COMPRESSED_ROWS), ("nzmax", len(rows))):
            matrix[name] = np.array([value], dtype=np.int32)
        matrix["p"] = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=m))]).astype(np.int32)
        matrix["i"] = columns.astype(np.int32)
        matrix["x"] = W[rows, columns]
        group["vectors/q"] = np.array(stated["q"], dtype=float)
        group["vectors/mu"] = np.array(stated["mu"], dtype=float)
        if stated["compliance"] is not None:
            file["frictionbench/compliance"] = np.array(stated["compliance"])


def leaves(values: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def sizes(stated: dict[str, Any], r: list[float]) -> dict[str, float]:
    """What the round-off of a number is proportional to, by the last part of its name; numbers have cancelled."""
    problem = Problem(**stated)
    d, contacts = problem.dimension, len(problem.mu)
    if contacts == 0:
        return {}
    absolute = Problem(d, problem.mu, [list(map(abs, row)) for row in problem.W], list(map(abs, problem.q)),
                       problem.compliance)
    rho = np.linalg.norm(np.reshape(r, (contacts, d)), axis=1)
    terms = np.reshape(absolute.velocity(list(map(abs, r))), (contacts, d))
    nu = np.linalg.norm(terms, axis=1) * (1 + 2 * np.array(problem.mu))
    w, U = map(np.array, problem.contact_scales())
    F, V = problem.problem_scale()
    impulse, velocity, product = rho.max(), nu.max(), (rho * nu).max()
    return {"primal": impulse, "impulse": impulse, "dual": velocity, "velocity": velocity, "creep": velocity,
            "lift": velocity, "complementarity": product, "product": product, "dissipation": product,
            "max": max(impulse, velocity, product), "natural_map": np.linalg.norm(rho + nu),
            "relative": max((w * rho / U).max(), (nu / U).max(), (w * rho * nu / U**2).max()),
            "scaled": max(impulse / F, velocity / V, product / (F * V))}


class ConformanceTest(ProgramTest):
    def judged(self, vector: dict[str, Any], tolerance: float) -> dict[str, Any]:
        """What the program says, by the names of the vectors."""
        problem, impulse = (self.folder / f"{vector['id']}{suffix}" for suffix in (".hdf5", ".txt"))
        impulse.write_text("".join(f"{value}\n" for value in vector["r"]), encoding="utf-8")
        finished = self.program("judge", problem, "--impulse", impulse, "--tolerance", tolerance, "--json", code=None)
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        said = json.loads(finished.stdout)
        return said["verdict"] | {"states": said["states"]}

    def test_every_number(self) -> None:
        content = load()
        for vector in content["vectors"]:  # h5py is not for several threads
            write_fclib(self.folder / f"{vector['id']}.hdf5", vector["problem"])
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda vector: self.judged(vector, content["tolerance"]), content["vectors"]))
        for vector, said in zip(content["vectors"], found, strict=True):
            with self.subTest(vector["id"], tests=vector["tests"]):
                self.compare(vector, dict(leaves(said)))

    def compare(self, vector: dict[str, Any], said: dict[str, Any]) -> None:
        finite = all(isinstance(value, float) for value in vector["r"])
        size = sizes(vector["problem"], vector["r"]) if finite else {}
        for name, expected in leaves(vector["expected"]):
            if expected is None or name.startswith("states."):
                self.assertEqual(said[name], expected, name)
            else:
                allowed = ROUNDING * float(size.get(name.split(".")[-1], 0))
                self.assertLessEqual(abs(said[name] - expected), allowed, name)


class VectorsTest(unittest.TestCase):
    def test_the_generator_writes_the_file(self) -> None:
        self.assertEqual(conformance_vectors.text(), conformance_vectors.VECTORS.read_text(encoding="utf-8"),
                         "run frictionbench-data conformance")

    def test_what_they_cover(self) -> None:
        vectors = load()["vectors"]
        self.assertGreaterEqual(len(vectors), 200)
        self.assertLess(conformance_vectors.VECTORS.stat().st_size, 1 << 20)
        self.assertEqual(len({vector["id"] for vector in vectors}), len(vectors))
        problems = [vector["problem"] for vector in vectors]
        self.assertEqual({problem["dimension"] for problem in problems}, {2, 3})
        self.assertEqual({len(problem["mu"]) for problem in problems}, {0, 1, 2, 3, 4})
        self.assertTrue(any(0 in problem["mu"] for problem in problems))
        self.assertTrue(any(problem["compliance"] for problem in problems))
        self.assertTrue(any(problem["q"] and not any(problem["q"]) for problem in problems))
        states = {state: sum(vector["expected"].get("states", {}).get(state, 0) for vector in vectors)
                  for state in ("sticking", "sliding", "separated")}
        self.assertGreater(min(states.values()), 20, states)
        texts = {value for vector in vectors for value in vector["r"] if isinstance(value, str)}
        self.assertEqual(texts, {"nan", "inf", "-inf"})
        for member in ("creep", "lift"):
            self.assertGreater(sum(vector["expected"].get(member, 0) > 0 for vector in vectors), 10, member)

    def test_no_state_hangs_on_round_off(self) -> None:
        """A little more or less tolerance changes no state, so that every correct program finds the same."""
        tolerance = load()["tolerance"]
        for name, problem, r in conformance_vectors.vectors():
            if all(map(math.isfinite, r)):
                states = [verdict(problem, r, factor * tolerance)["states"] for factor in (0.99, 1.01)]
                self.assertEqual(*states, name)

    def test_the_page_beside_them(self) -> None:
        page = (ROOT / "datasets/conformance/README.md").read_text(encoding="utf-8")
        self.assertIn(f"{len(load()['vectors'])} vectors", page)


if __name__ == "__main__":
    unittest.main()
