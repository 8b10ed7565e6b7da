"""Real FCLIB files: all of them are read, and an independent tool confirms the verdicts.

The tool is tools/verdict.py beside the collection. Both compute u = W r + q in double precision, each in
its own order, so that they may differ by round-off; and round-off is relative to what is added up, not to
the sum, which is nearly zero at a solution. The sizes of the terms, contact by contact, are

    of an impulse    rho_i = ||r_i||
    of a velocity    nu_i  = (1 + mu_i) || (|W| |r| + |q|)_i ||     where 1 + mu_i is for û = u + mu ||u_T||
    of a product     rho_i nu_i

and each number of the verdict must agree to 1e-13 of the largest of its kind (the natural map: of the
norm of rho + nu, divided as the map is): a few hundred terms per row, each accurate to 1e-16. A global
problem has W = H^T M^-1 H, whose terms are those of |H|^T |M^-1| (|H| |r| + |f|) + |w|.
"""

from __future__ import annotations

import csv
import importlib.util
import os
import re
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

import h5py
import numpy as np

from program import ProgramTest

DATA = Path(os.environ["FRICTIONBENCH_FCLIB_DATA"])
COLLECTION = DATA / "fclib"
TOOL = DATA.parent / "tools" / "verdict.py"

RELATIVE = 1e-13
FILES_A_FAMILY = 4
LARGEST = 200  # contacts: for global problems, dense matrices are inverted here


def manifest() -> list[dict[str, str]]:
    with open(COLLECTION / "MANIFEST.csv", newline="", encoding="utf-8") as table:
        return [row for row in csv.DictReader(table) if row["kind"] in ("local", "global")]


def spread_over_families(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Of each family, the smallest and largest file, the least symmetric and some in between."""
    chosen = []
    for key in sorted({(row["kind"], row["family"]) for row in rows}):
        family = [row for row in rows if (row["kind"], row["family"]) == key and int(row["n_contacts"]) <= LARGEST]
        family.sort(key=lambda row: (int(row["n_contacts"]), row["path"]))
        steps = np.linspace(0, len(family) - 1, min(FILES_A_FAMILY, len(family)))
        picked = [family[int(k)] for k in steps]
        if family:
            picked.append(max(family, key=lambda row: float(row["W_asym_global"] or row["asym"] or 0)))
        chosen += [row for k, row in enumerate(picked) if row not in picked[:k]]
    return chosen


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("independent_verdict", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flat(values: dict[str, Any], prefix: str = "") -> dict[str, float]:
    """{"ncp": {"dual": 1}} as {"ncp.dual": 1}."""
    flattened: dict[str, float] = {}
    for key, value in values.items():
        flattened |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return flattened


class Terms:
    """Bounds on the terms of u = W r + q of a problem."""

    def __init__(self, tool: ModuleType, path: Path, W: Any, q: np.ndarray) -> None:
        with h5py.File(path, "r") as file:
            if "fclib_global" in file:
                group = file["fclib_global"]
                H = abs(tool.matrix(group["H"])).toarray()
                MinvH = np.abs(np.linalg.inv(tool.matrix(group["M"]).toarray())) @ H
                f, w = (np.abs(np.ravel(group[f"vectors/{name}"][()])) for name in "fw")
                self.W, self.q = H.T @ MinvH, MinvH.T @ f + w
            else:
                self.W, self.q = abs(W), np.abs(q)


def sizes_of(terms: Terms, W: Any, q: np.ndarray, mu: np.ndarray, dimension: int, r: np.ndarray) -> dict[str, float]:
    """What each number of the verdict may be wrong in proportion to; see above."""
    rho = np.linalg.norm(r.reshape(-1, dimension), axis=1)
    nu = (1 + mu) * np.linalg.norm((terms.W @ np.abs(r) + terms.q).reshape(-1, dimension), axis=1)
    impulse, velocity, product = (float(np.max(v, initial=0)) for v in (rho, nu, rho * nu))

    U = float(np.max(np.abs(q), initial=0)) or 1.0
    diagonal = float(np.mean(W.diagonal())) if q.size else 0.0
    F = U / (diagonal if diagonal > 0 else 1.0)
    sizes = {"natural_map": float(np.linalg.norm(rho + nu)) / max(1.0, float(np.linalg.norm(q))),
             "signorini.product": product, "signorini.velocity": velocity, "signorini.impulse": impulse,
             "dissipation": product}
    for model in ("ncp", "ccp"):
        sizes |= {f"{model}.primal": impulse, f"{model}.dual": velocity, f"{model}.complementarity": product,
                  f"{model}.max": max(impulse, velocity, product),
                  f"{model}.scaled": max(impulse / F, velocity / U, product / (F * U))}
    return sizes


@unittest.skipUnless(COLLECTION.is_dir(), f"no collection of real files in {DATA}")
class ReadingTest(ProgramTest):
    def test_every_file_is_read(self) -> None:
        rows = manifest()
        finished = self.program("info", COLLECTION / "local", COLLECTION / "global")
        self.assertEqual(finished.stderr, "")
        told = {}
        for block in re.split(r"(?m)^(?=/)", finished.stdout)[1:]:
            path = Path(block.splitlines()[0]).relative_to(COLLECTION)
            told[str(path)] = tuple(re.search(r"form +(\w+), (\d)D\n +size +(\d+) contacts", block).groups())
        expected = {row["path"]: (row["kind"], row["spacedim"], row["n_contacts"]) for row in rows}
        self.assertGreater(len(expected), 0)
        self.assertEqual(told, expected)

    def test_rolling_friction_is_refused(self) -> None:
        for kind in ("rolling_local", "rolling_global"):
            path = next((COLLECTION / kind).glob("*/*.hdf5"))
            self.refused("info", path, saying=[str(path), "rolling friction"])


@unittest.skipUnless(COLLECTION.is_dir() and TOOL.is_file(), f"no real files and verdict tool in {DATA}")
class VerdictTest(ProgramTest):
    def test_verdicts_agree(self) -> None:
        tool = load_tool()
        rows = spread_over_families(manifest())
        worst = (0.0, "")
        confirmed = 0
        for row in rows:
            path = COLLECTION / row["path"]
            W, q, mu, dimension, _ = tool.load(str(path))
            terms = Terms(tool, path, W, q)
            # Far from a solution; and at one, where u has cancelled.
            for limit in (2, 500):
                with self.subTest(file=row["path"], iterations=limit):
                    document = self.solve_document(path, "--solver", "ncp-pgs", "--max-iterations", limit,
                                                   "--time-limit", 1, "--write-impulse", "r.txt")
                    impulse = np.array((self.folder / "r.txt").read_text(encoding="ascii").split(), dtype=float)
                    stated = flat(tool.verdict(W, q, mu, dimension, impulse))
                    recorded = flat(document["records"][0]["verdict"])
                    sizes = sizes_of(terms, W, q, mu, dimension, impulse)
                    self.assertEqual(set(stated), set(sizes))
                    for name, value in stated.items():
                        difference = abs(recorded[name] - value)
                        self.assertLessEqual(difference, RELATIVE * sizes[name], name)
                        if difference > 0:
                            worst = max(worst, (difference / sizes[name], f"{name} of {row['path']}"))
                    confirmed += 1
        self.assertGreaterEqual(confirmed, 2 * 60)
        print(f"{confirmed} verdicts on {len(rows)} files agree; farthest apart: {worst[0]:.1e}, {worst[1]}")

    def test_choice_of_files(self) -> None:
        rows = spread_over_families(manifest())
        self.assertGreaterEqual(len(rows), 60)
        self.assertEqual({(row["kind"], row["spacedim"]) for row in rows},
                         {("local", "2"), ("local", "3"), ("global", "2"), ("global", "3")})
        asymmetries = [float(row["asym"] or 0) for row in rows if row["kind"] == "local"]
        self.assertGreater(sum(value > 1e-8 for value in asymmetries), 5)
        self.assertGreater(sum(value < 1e-15 for value in asymmetries), 5)
