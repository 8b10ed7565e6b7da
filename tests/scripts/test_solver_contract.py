"""The sources of the solvers: short, and without a loop, count or stopping test of their own.

`Solve` and the counted pieces of lib/frictionbench/linalg do those, once for all solvers.
"""

import re
import unittest
from collections.abc import Iterator

from support import ROOT

SOLVERS = ROOT / "solvers"
# These pass problems on to methods of others, which count and end as they please.
METHODS_OF_OTHERS = (SOLVERS / "external", SOLVERS / "peers")
COUNTERS = (
    "work_?|factorizations|cholesky|lu|ldlt|analyses|triangular_solves|products|sweeps"
    "|pivots|line_search"
)
MEMBER = r"(?:\.|->)"
MUTATED = r"\s*(?:\+\+|--|[-+*/]?=(?!=))"

# What no solver's source has, and what it has instead.
FORBIDDEN = {
    "counts iterations by hand, instead of by Solve::begin_iteration()": [
        rf"(?:\+\+|--)\s*[\w.()>-]*{MEMBER}iterations?_?\b",
        rf"{MEMBER}iterations?_?\b{MUTATED}",
        r"(?:\+\+|--)\s*iterations?_?\b",
        r"(?<![.\w])(?<!int )iterations?_?\s*(?:\+\+|--|\+=)",
        r"\bfor\s*\([^)]*(?:max|most)_iterations",
    ],
    "counts work by hand, instead of by the counted pieces": [
        rf"(?:\+\+|--)\s*[\w.()>-]*{MEMBER}(?:{COUNTERS})\b",
        rf"(?:\+\+|--)\s*\*?(?:{COUNTERS})\b",
        rf"\bwork(?:_|\(\))?{MEMBER}[\w.]+{MUTATED}",
        rf"(?<!\w)(?:{COUNTERS})\s*(?:\+\+|\+=)",
    ],
    "stops by a test of its own, instead of by Solve": [
        r"(?<![\w.])cone_residuals\s*\(",
        r"(?<!solve\.)(?<!stage\.)(?<!solve_\.)\bjudge\s*\(",
        r"\bsteady_clock\b",
        r"\bdeadline\b",
        rf"\blimits\(\){MEMBER}time_is_up\b",
        r"[<>]=?\s*[\w.()>-]*\btolerance\(\)",
        r"[<>]=?\s*[\w.()]*limits(?:_|\(\))?\.(?:tolerance|max_iterations)\b",
    ],
    "says itself how the solve ended, instead of telling Solve": [
        rf"{MEMBER}(?:status|stop_reason|stage|reported)\b{MUTATED}",
        r"\bResult\s+\w+\s*(?:;|\{)",
    ],
    "talks to the observer, instead of letting Solve": [
        r"\bsetup_finished\b",
        r"\biterated\b",
    ],
    "knows JSON": [r"nlohmann", r"\bjson\b"],
    "prints": [r"\bstd::c(?:out|err)\b", r"\bf?printf\s*\(", r"\bfmt::print\b"],
}


def without_comments_and_texts(source: str) -> str:
    """The source with as many lines, and nothing in them but code."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

    def blank(match: re.Match[str]) -> str:
        return '""' if match[0].startswith('"') else "\n" * match[0].count("\n")

    # The paths of includes stay: they are what some rules are about.
    return "\n".join(
        line if line.startswith("#include") else code
        for line, code in zip(source.split("\n"), pattern.sub(blank, source).split("\n"), strict=True)
    )


def offences(source: str) -> Iterator[str]:
    for number, line in enumerate(without_comments_and_texts(source).split("\n"), start=1):
        for offence, patterns in FORBIDDEN.items():
            if any(re.search(pattern, line) for pattern in patterns):
                yield f"line {number} {offence}: {line.strip()}"


def readme_example() -> str:
    section = (SOLVERS / "README.md").read_text(encoding="utf-8").split("## Adding a solver", 1)[1]
    return section.split("```cpp\n", 1)[1].split("```", 1)[0]


class SolverContract(unittest.TestCase):
    def test_solvers_leave_to_solve_what_is_its(self) -> None:
        found = [*SOLVERS.rglob("*.cpp"), *SOLVERS.rglob("*.hpp")]
        sources = sorted(path for path in found if not any(map(path.is_relative_to, METHODS_OF_OTHERS)))
        self.assertGreater(len(sources), 50)
        for path in sources:
            with self.subTest(path.relative_to(ROOT)):
                self.assertEqual(list(offences(path.read_text(encoding="utf-8"))), [])

    def test_a_complete_solver_takes_no_more_than_45_lines(self) -> None:
        self.assertLessEqual(len(readme_example().splitlines()), 45)
        smallest = (SOLVERS / "gauss_seidel" / "ccp_pgs.cpp").read_text(encoding="utf-8")
        self.assertLessEqual(len(smallest.splitlines()), 45)
        self.assertEqual(list(offences(readme_example())), [])

    def test_registering_a_solver_takes_one_line(self) -> None:
        mentions = [
            (path, line)
            for path in sorted(SOLVERS.rglob("*pp"))
            for line in path.read_text(encoding="utf-8").splitlines()
            if re.search(r"\bccp_pgs\b", line)
        ]
        entry, registered = sorted(mentions, key=lambda mention: mention[0].name)
        self.assertEqual(entry, (SOLVERS / "gauss_seidel" / "ccp_pgs.cpp", "RegisteredSolver ccp_pgs() {"))
        self.assertEqual(registered[0].name, "register_all.cpp")
        self.assertEqual(registered[1].strip(), "FRICTIONBENCH_REGISTER(registry, ccp_pgs);")

    def test_offences_are_found(self) -> None:
        for line in (
            "++result.iterations;",
            "result.iterations += taken;",
            "for (result.iterations = 1; true; )",
            "for (int k = 0; k < limits.max_iterations; ++k) {",
            "++iteration_;",
            "++result.work.products;",
            "++work.sweeps;",
            "work.products += 2;",
            "++work_->line_search;",
            "solve.work().products += 2;",
            "solve.work().factorizations.lu = 3;",
            "++products;",
            "if (residuals.max() <= solve.tolerance()) return;",
            "if (error < limits.tolerance) break;",
            "const auto r = cone_residuals(model, problem, r, u);",
            "if (judge(problem, r).ncp.max() < 1e-6) return;",
            "while (std::chrono::steady_clock::now() < limits.deadline) {",
            "result.status = Status::converged;",
            "Result result;",
            "observer.setup_finished();",
            "observer.iterated({1, residuals});",
            "#include <nlohmann/json.hpp>",
            'std::cout << "here";',
        ):
            with self.subTest(line):
                self.assertNotEqual(list(offences(line)), [])
        for line in (
            "solve.add_iterations(taken - 1);",
            "// ++result.iterations",
            'solve.fail("++work.products");',
            "int inner_iterations = 20;",
            "if (++inner == settings.inner_iterations) {",
            "for (int k = 0; k < sweeps; ++k)",
            "InteriorPointSettings rough;",
            "while (solve.begin_iteration()) {",
            "if (solve.ends(r, u)) return;",
            "const Result answer = inner.solve(ccp, limits, r, silent);",
        ):
            with self.subTest(line):
                self.assertEqual(list(offences(line)), [])


if __name__ == "__main__":
    unittest.main()
