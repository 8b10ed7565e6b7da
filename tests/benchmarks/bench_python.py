#!/usr/bin/python3
"""What Python adds to a solve and to a verdict, for problems of about 100 contacts. The bar: less than 2 ms a solve.

Measured, never asserted: run it by hand, after building frictionbench_python.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import frictionbench  # noqa: E402  (found only now)

FILES = ("Pyramid/Pyramid-default-global-116-00000", "Wall/Wall-columns3-mu_spread0.4-global-84-00000")
REPETITIONS = 100


def main() -> None:
    for name in FILES:
        problem = frictionbench.read(ROOT / f"datasets/default/{name}.hdf5")
        frictionbench.solve(problem, "ncp-pgs")  # reduces it, and loads what is loaded once
        added, judged = [], []
        for _ in range(REPETITIONS):
            start = time.perf_counter()
            answer = frictionbench.solve(problem, "ncp-pgs", max_iterations=50)
            added.append(time.perf_counter() - start - answer.time)
            start = time.perf_counter()
            frictionbench.judge(problem, answer.impulses)
            judged.append(time.perf_counter() - start)
        print(f"{problem.contacts} contacts: {1e3 * median(added):.3f} ms beyond a solve, "
              f"{1e3 * median(judged):.3f} ms for a verdict")


if __name__ == "__main__":
    main()
