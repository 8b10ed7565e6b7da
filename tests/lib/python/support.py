"""What the tests of the Python bindings share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
DATASET = ROOT / "datasets" / "default"
PROGRAM = os.environ["FRICTIONBENCH_PROGRAM"]
sys.path.insert(0, str(ROOT / "scripts"))

import frictionbench  # noqa: E402  (found only now)


def shipped(name: str) -> Path:
    """A problem of the data set that ships, by its name; the first, if that has wildcards."""
    return sorted(DATASET.glob(f"*/{name}.hdf5"))[0]


def with_blocks(seed: int, form: str = "local") -> Any:
    """A random problem of contacts, a joint, a limit and a rolling contact, in local or global form."""
    random = np.random.default_rng(seed)
    sets = ["equality(3)", "interval(0,inf)", "rolling(0.5,0.1)"]
    mu = random.uniform(0.2, 0.8, 3)
    rows, bodies = 3 * 3 + 3 + 1 + 5, 24
    H = random.normal(size=(bodies, rows)) * (random.uniform(size=(bodies, rows)) < 0.5)
    M = np.diag(random.uniform(1, 3, bodies))
    f = random.normal(size=bodies)
    if form == "global":
        return frictionbench.Problem(mu=mu, M=M, H=H, f=f, w=np.zeros(rows), sets=sets)
    W = H.T @ np.linalg.inv(M) @ H
    q = H.T @ np.linalg.inv(M) @ f
    return frictionbench.Problem(mu=mu, W=(W + W.T) / 2, q=q, sets=sets)  # files have one half of W's blocks


class BindingsTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="frictionbench test "))
        self.addCleanup(shutil.rmtree, self.folder)

    def program(self, *arguments: Any, codes: tuple[int, ...] = (0,)) -> str:
        """What the program prints, run in the folder."""
        finished = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, check=False, capture_output=True,
                                  encoding="utf-8", timeout=500)
        self.assertIn(finished.returncode, codes, finished.stderr)
        return finished.stdout

    def assert_same_bits(self, one: Any, other: Any) -> None:
        one, other = np.asarray(one), np.asarray(other)
        self.assertEqual((one.dtype, one.shape), (other.dtype, other.shape))
        self.assertEqual(one.tobytes(), other.tobytes())
