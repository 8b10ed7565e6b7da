"""Real FCLIB files: all of them are read, and an independent tool confirms the verdicts.

The tool is tools/verdict.py beside the collection. Both compute u = W r + q in double precision, each in
its own order, so that they may differ by round-off; and round-off is relative to what is added up, not to
the sum, which is nearly zero at a solution. The sizes of the terms, contact by contact, are

    of an impulse    rho_i = ||r_i||
    of a velocity    nu_i  = (1 + mu_i) || (|W| |r| + |q|)_i ||     where 1 + mu_i is for û = u + mu ||u_T||
    of a product     rho_i nu_i

and each number of the verdict must agree to 1e-13 of the largest of its kind (the natural map: of the
norm of rho + nu, divided as the map is; relative residuals: of the sizes as relative residuals are made of them): a
few hundred terms per row, each accurate to 1e-16. A global problem has W = H^T M^-1 H, whose terms are those of
|H|^T |M^-1| (|H| |r| + |f|) + |w|. A compliance adds R to W and to its terms.
"""

from __future__ import annotations

import copy
import csv
import importlib.util
import json
import os
import re
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

import h5py
import numpy as np
from scipy import sparse

from program import ProgramTest

DATA = Path(os.environ["FRICTIONBENCH_FCLIB_DATA"])
COLLECTION = DATA / "fclib"
TOOL = DATA.parent / "tools" / "verdict.py"

RELATIVE = 1e-13
FILES_A_FAMILY = 5
FEWEST_FILES = 100
COMPLIANCES = (None, "1e-3", "diag:1e-2")
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

    def with_compliance(self, R: np.ndarray) -> Terms:
        softened = copy.copy(self)
        softened.W = self.W + (np.diag(R) if isinstance(self.W, np.ndarray) else sparse.diags(R))
        return softened


def compliance_of(rule: str | None, W: Any, entries: int) -> np.ndarray:
    """The diagonal of R that `--compliance` means."""
    if rule is None:
        return np.zeros(entries)
    if rule.startswith("diag:"):
        return float(rule.removeprefix("diag:")) * W.diagonal()
    return np.full(entries, float(rule))


def recorded(document: dict[str, Any]) -> dict[str, float]:
    """What a record, or `frictionbench judge`, says, by the names of the tool."""
    values = flat(document["verdict"])
    return values | {"ncp_relative": values["ncp.relative"], "ccp_relative": values["ccp.relative"]}


def sizes_of(tool: ModuleType, terms: Terms, stated: tuple[Any, np.ndarray, np.ndarray, int], r: np.ndarray
             ) -> dict[str, float]:
    """What each number of the verdict may be wrong in proportion to; see above."""
    W, q, mu, dimension = stated
    rho = np.linalg.norm(r.reshape(-1, dimension), axis=1)
    nu = (1 + mu) * np.linalg.norm((terms.W @ np.abs(r) + terms.q).reshape(-1, dimension), axis=1)
    impulse, velocity, product = (float(np.max(v, initial=0)) for v in (rho, nu, rho * nu))

    U = float(np.max(np.abs(q), initial=0)) or 1.0
    diagonal = float(np.mean(W.diagonal())) if q.size else 0.0
    F = U / (diagonal if diagonal > 0 else 1.0)
    sizes = {"natural_map": float(np.linalg.norm(rho + nu)) / max(1.0, float(np.linalg.norm(q))),
             "signorini.product": product, "signorini.velocity": velocity, "signorini.impulse": impulse,
             "dissipation": product}
    w, speed = tool.velocity_scales(W, q, dimension)
    relative = float(np.max([w * rho / speed, nu / speed, w * rho * nu / speed**2], initial=0))
    sizes |= {"ncp_relative": relative, "ccp_relative": relative, "creep": velocity, "lift": velocity}
    for model in ("ncp", "ccp"):
        sizes |= {f"{model}.primal": impulse, f"{model}.dual": velocity, f"{model}.complementarity": product,
                  f"{model}.max": max(impulse, velocity, product),
                  f"{model}.scaled": max(impulse / F, velocity / U, product / (F * U))}
    return sizes


@unittest.skipUnless(COLLECTION.is_dir(), f"no collection of real files in {DATA}")
class ReadingTest(ProgramTest):
    def test_every_file_is_read(self) -> None:
        rows = manifest()
        finished = self.program("info", COLLECTION / "local", COLLECTION / "global",
                                timeout=1500)  # sanitizers
        self.assertEqual(finished.stderr, "")
        told = {}
        for block in re.split(r"(?m)^(?=/)", finished.stdout)[1:]:
            path = Path(block.splitlines()[0]).relative_to(COLLECTION)
            told[str(path)] = tuple(re.search(r"form +(\w+), (\d)D\n +size +(\d+) contacts?,", block).groups())
        expected = {row["path"]: (row["kind"], row["spacedim"], row["n_contacts"]) for row in rows}
        self.assertGreater(len(expected), 0)
        self.assertEqual(told, expected)

    def test_rolling_friction_is_read(self) -> None:
        for kind in ("rolling_local", "rolling_global"):
            path = next((COLLECTION / kind).glob("*/*.hdf5"))
            told = self.program("info", path).stdout
            self.assertRegex(told, r"sets +\d+ rolling")


@unittest.skipUnless(COLLECTION.is_dir() and TOOL.is_file(), f"no real files and verdict tool in {DATA}")
class VerdictTest(ProgramTest):
    def test_verdicts_agree(self) -> None:
        """Every member that the tool has, with and without a compliance."""
        tool = load_tool()
        rows = spread_over_families(manifest())
        self.worst = (0.0, "")
        confirmed = 0
        for row in rows:
            path = COLLECTION / row["path"]
            W, q, mu, dimension, _ = tool.load(str(path))
            terms = Terms(tool, path, W, q)
            # Far from a solution; and at one, where u has cancelled.
            for limit in (2, 500):
                document = self.solve_document(path, "--solver", "ncp-pgs", "--max-iterations", limit,
                                               "--time-limit", 1, "--write-impulse", "r.txt")
                impulse = np.array((self.folder / "r.txt").read_text(encoding="ascii").split(), dtype=float)
                for rule in COMPLIANCES:
                    with self.subTest(file=row["path"], iterations=limit, compliance=rule):
                        R = compliance_of(rule, W, len(q))
                        stated = (sparse.csr_matrix(W + sparse.diags(R)) if len(q) else W, q, mu, dimension)
                        said = document["records"][0] if rule is None else self.judged(path, rule)
                        self.compare(tool, stated, terms.with_compliance(R), impulse, said, row["path"])
                        confirmed += 1
        self.assertGreaterEqual(confirmed, 2 * len(COMPLIANCES) * FEWEST_FILES)
        size, where = self.worst
        print(f"{confirmed} verdicts on {len(rows)} files agree; farthest apart: {size:.1e}, {where}")

    def judged(self, path: Path, rule: str) -> dict[str, Any]:
        """What `frictionbench judge` says of the impulse in r.txt."""
        finished = self.program("judge", path, "--impulse", "r.txt", "--compliance", rule, "--json", code=None)
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return json.loads(finished.stdout)

    def compare(self, tool: ModuleType, stated: tuple[Any, np.ndarray, np.ndarray, int], terms: Terms,
                impulse: np.ndarray, said: dict[str, Any], name: str) -> None:
        more = tool.more(*stated, impulse)
        self.assertEqual(said["states"], more.pop("states"))
        expected = flat(tool.verdict(*stated, impulse)) | more
        found = recorded(said)
        sizes = sizes_of(tool, terms, stated, impulse)
        self.assertEqual(set(expected), set(sizes))
        for member, value in expected.items():
            difference = abs(found[member] - value)
            self.assertLessEqual(difference, RELATIVE * sizes[member], member)
            if difference > 0:
                self.worst = max(self.worst, (difference / sizes[member], f"{member} of {name}"))

    def test_choice_of_files(self) -> None:
        rows = spread_over_families(manifest())
        self.assertGreaterEqual(len(rows), FEWEST_FILES)
        self.assertEqual({(row["kind"], row["spacedim"]) for row in rows},
                         {("local", "2"), ("local", "3"), ("global", "2"), ("global", "3")})
        asymmetries = [float(row["asym"] or 0) for row in rows if row["kind"] == "local"]
        self.assertGreater(sum(value > 1e-8 for value in asymmetries), 5)
        self.assertGreater(sum(value < 1e-15 for value in asymmetries), 5)
