"""frictionbench: contact problems, solvers and verdicts, by the C++ library. docs/python.md is a tutorial.

    problem = frictionbench.read("file.hdf5")
    answer = frictionbench.solve(problem, "ncp-hybrid", tolerance=1e-8)
    verdict = frictionbench.judge(problem, answer.impulses)

What is compiled is loaded when it is first used. Subpackages, which are Python alone, read, count, draw and tabulate
results: frictionbench.results, statistics, profiles, plots, report, papers.
"""

from __future__ import annotations

from typing import Any

_COMPILED = ("Answer", "Problem", "Verdict", "judge", "read", "solve", "solvers")


def __getattr__(name: str) -> Any:
    if name not in _COMPILED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from frictionbench import native
    return getattr(native.load(), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_COMPILED})
