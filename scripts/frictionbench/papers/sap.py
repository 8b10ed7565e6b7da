"""Writes what [Castro22] says of SAP, measured: a text with tables."""

from __future__ import annotations

import math
import statistics
from typing import Sequence

import numpy as np

from frictionbench.files import ResultsError
from frictionbench.papers.documents import folders, write_document
from frictionbench.papers.numbers import papers
from frictionbench.plots.curves import bodies
from frictionbench.results import NO_TEST, Problem, Results, Solver, load, member, number
from frictionbench.results.circumstances import machine
from frictionbench.statistics import power_law
from frictionbench.tables import ABSENT, Grid, Line, markdown, mean_cell
from frictionbench.text import bullets, listed, paragraphs, short

DESCRIPTION = """\
Writes sap.md: what [Castro22] shows of SAP in Figs. 9 to 15 beside what is measured here.
"""
PAPER = "[Castro22]"
NAMES = {"ccp-sap": "exact", "ccp-newton": "ccp-newton", "ccp-ipm": "ccp-ipm"}
RELATIVE = 1e-6  # relative residual at which the own model of a solver counts as solved
TAIL = 0.1  # momentum errors below are those of the tail
ROUND_OFF = 1e-12  # and below this, of rounding
INTERVALS = 8  # that a simulation is cut into
SMALL_SIGMA = 0.01  # what [Castro22] varies is below


def label(solver: Solver) -> str:
    """A solver; ccp-sap by its line search."""
    if solver.settings.get("line_search") == "armijo":
        return "Armijo"
    return NAMES.get(solver.name, solver.id)


def reported(results: Results, problem: Problem, solver: Solver, name: str) -> float:
    return number(results.record(problem, solver), f"reported.{name}", results.path)


def steps(results: Results, problem: Problem, solver: Solver) -> int:
    """Newton steps: a problem without contacts, or whose start is the answer, takes none."""
    return max(int(number(results.record(problem, solver), "iterations", results.path)) - 1, 0)


def ended(results: Results, problem: Problem, solver: Solver) -> bool:
    """Whether the solver's own stopping test ended the solve: the balance of momentum, or the CCP."""
    return member(results.record(problem, solver), "stop_reason", results.path) not in NO_TEST


def own_model_solved(results: Results, problem: Problem, solver: Solver) -> bool:
    """Whether the impulse solves the solver's own model, with the compliance that it chose, at RELATIVE."""
    record = results.record(problem, solver)
    model = member(record, "own_model", results.path)
    if model is None and (verdict := member(record, "verdict", results.path)) is not None:
        model = verdict[solver.model]
    return model is not None and model["relative"] is not None and model["relative"] <= RELATIVE


def own_models(results: Results, problems: Sequence[Problem], solver: Solver) -> str:
    return f"{sum(own_model_solved(results, problem, solver) for problem in problems)} / {len(problems)}"


def gaps(results: Results, problems: Sequence[Problem], solver: Solver) -> list[float]:
    """Model gaps of answers with a compliance that the solver chose."""
    found = [member(results.record(problem, solver), "own_model", results.path) for problem in problems]
    return [model["gap"] for model in found if model is not None and model["gap"] is not None]


# Warm starts, [Castro22] Fig. 9


def time_step(problem: Problem) -> int:
    return int(problem.id.rsplit("-", 1)[1])


def fall_grid(results: Results) -> Grid:
    problems = sorted(results.problems, key=time_step)
    size = math.ceil(len(problems) / INTERVALS)
    lines = []
    for first in range(0, len(problems), size):
        part = problems[first:first + size]
        warm = sum(member(results.record(problem, results.solvers[0]), "start", results.path) == "previous"
                   for problem in part)
        lines.append(Line(f"{time_step(part[0])} to {time_step(part[-1])}", [
            mean_cell([problem.facts["contacts"] for problem in part]), f"{warm} / {len(part)}",
            *(mean_cell([steps(results, problem, solver) for problem in part]) for solver in results.solvers),
            *(own_models(results, part, solver) for solver in results.solvers)]))
    columns = [("", "contacts"), ("", "warm starts"), *(("steps", label(solver)) for solver in results.solvers),
               *(("own model, relative", label(solver)) for solver in results.solvers)]
    return Grid(f"{PAPER} Fig. 9: {bodies(problems[0])} spheres, Newton steps by time step", columns,
                [("time steps", lines)], [falling(results, problems, size)])


def falling(results: Results, problems: Sequence[Problem], size: int) -> str:
    """How many steps the solvers take in the most expensive part of the fall, and in the last one."""
    parts = [problems[first:first + size] for first in range(0, len(problems), size)]
    said = []
    for solver in results.solvers:
        means = [statistics.fmean(steps(results, problem, solver) for problem in part) for part in parts]
        worst = max(range(len(parts)), key=means.__getitem__)
        first, last = time_step(parts[worst][0]), time_step(parts[worst][-1])
        said.append(f"{label(solver)} {means[worst]:.1f} steps (time steps {first} to {last}) at most and "
                    f"{means[-1]:.1f} in the end")
    return f"Here: {'; '.join(said)}."


# Convergence, [Castro22] Fig. 10


class History:
    """Cost and momentum error of a solver on a problem, by Newton step."""

    def __init__(self, runs: Sequence[Results], problem: Problem, solver: Solver) -> None:
        self.costs: list[float] = []
        self.errors: list[float] = []
        for taken, results in enumerate(runs):
            if steps(results, problem, solver) < taken:
                break  # it had ended before
            self.costs.append(reported(results, problem, solver, "cost"))
            self.errors.append(reported(results, problem, solver, "momentum_error"))

    def order(self) -> float:
        """p in e_m+1 = c e_m^p, from the last three errors of the tail above rounding: 2 where it is quadratic."""
        triples = [errors for errors in zip(self.errors, self.errors[1:], self.errors[2:])
                   if TAIL > errors[0] > errors[1] > errors[2] > ROUND_OFF]
        if not triples:
            return math.nan
        a, b, c = triples[-1]
        return math.log(c / b) / math.log(b / a)

    def before_the_tail(self) -> int:
        """Steps until the momentum error stays below TAIL."""
        return max((step for step, error in enumerate(self.errors, 1) if error >= TAIL), default=0)

    def gaps(self) -> list[float]:
        """The cost above the last one, by that of the start."""
        return [(cost - self.costs[-1]) / (self.costs[0] - self.costs[-1]) for cost in self.costs[:-1]]


def convergence_grid(runs: Sequence[Results], problem: Problem) -> Grid:
    histories = {label(solver): History(runs, problem, solver) for solver in runs[0].solvers}
    longest = max(len(history.errors) for history in histories.values())
    columns = [(name, what) for name in histories for what in ("cost", "e_m")]
    lines = []
    for step in range(longest):
        cells = []
        for history in histories.values():
            gaps, errors = history.gaps(), history.errors
            cells += [f"{gaps[step]:.0e}" if step < len(gaps) else ABSENT,
                      f"{errors[step]:.0e}" if step < len(errors) else ABSENT]
        lines.append(Line(str(step), cells))
    title = f"{PAPER} Fig. 10: time step {time_step(problem)}, {problem.facts['contacts']} contacts"
    grid = Grid(title, columns, [("step", lines)])
    for name, history in histories.items():
        order = history.order()
        falls = all(after <= before * (1 + 1e-15) for before, after in zip(history.costs, history.costs[1:]))
        grid.notes.append(
            f"{name}: {len(history.errors) - 1} steps, {history.before_the_tail()} of them before the tail, to "
            f"e_m = {history.errors[-1]:.0e}; the cost "
            f"{'falls with every step' if falls else 'does not fall with every step'}; "
            + (f"the order of its last steps is {order:.1f}." if math.isfinite(order)
               else "the tail is too short to tell its order."))
    return grid


# Scaling, [Castro22] Figs. 11 to 13


def scaling_grid(results: Results) -> Grid:
    columns = [("", "contacts")]
    for solver in results.solvers:
        columns += [(label(solver), what)
                    for what in ("ended", "own model", "gap", "steps", "most", "evaluations", "e_m")]
    lines = []
    for count in sorted({bodies(problem) for problem in results.problems}):
        problems = [problem for problem in results.problems if bodies(problem) == count]
        cells = [mean_cell([problem.facts["contacts"] for problem in problems])]
        for solver in results.solvers:
            cells += scaling_cells(results, problems, solver)
        lines.append(Line(str(count), cells))
    sizes = [bodies(problem) for problem in results.problems]
    title = f"{PAPER} Figs. 11 to 13: clutters of {min(sizes)} to {max(sizes)} spheres"
    return Grid(title, columns, [("spheres", lines)], [
        "Ended: solves that the solver's own stopping test ended, of all. Steps: Newton steps, one factorisation "
        "each; mean and largest number. Evaluations: line-search evaluations per step. e_m: the largest relative "
        f"momentum error. Own model: answers that solve the CCP with the compliance that the solver chose at a relative "
        f"residual of {short(RELATIVE)}, from the impulse alone. Gap: the largest model gap, the velocity that this "
        "compliance makes, over that of the contact's island.",
        searches(results), accuracy(results)])


def accuracy(results: Results) -> str:
    """The momentum errors at which ccp-sap ended, [Castro22] Fig. 13."""
    said = []
    for solver in results.solvers:
        errors = [reported(results, problem, solver, "momentum_error") for problem in results.problems
                  if solver.name == "ccp-sap" and ended(results, problem, solver) and problem.facts["contacts"]]
        if errors:
            tolerance = short(float(solver.settings["relative_tolerance"]))
            said.append(f"{label(solver)} at most {max(errors):.0e} with a tolerance of {tolerance}")
    return (f"{PAPER} Fig. 13: the momentum error of SAP is below the tolerance of its stopping test, which is 1e-5 "
            f"there. Here, of the solves that the test ended: {listed(said) or 'none'}.")


def searches(results: Results) -> str:
    """The line searches of ccp-sap compared, over all problems."""
    saps = [solver for solver in results.solvers if solver.name == "ccp-sap"]
    totals = []
    for solver in saps:
        count = sum(steps(results, problem, solver) for problem in results.problems)
        work = sum(number(results.record(problem, solver), "work.line_search", results.path)
                   for problem in results.problems)
        totals.append(f"{label(solver)} {count} steps and {work} evaluations")
    return f"All problems together: {', '.join(totals)}. {PAPER} prefers the exact one, but gives no numbers."


def scaling_cells(results: Results, problems: Sequence[Problem], solver: Solver) -> list[str]:
    counts = [steps(results, problem, solver) for problem in problems]
    evaluations = [number(results.record(problem, solver), "work.line_search", results.path) / count
                   for problem, count in zip(problems, counts) if count]
    errors = [error for problem in problems
              if (error := results.record(problem, solver)["reported"].get("momentum_error")) is not None]
    ends = sum(ended(results, problem, solver) for problem in problems)
    gap = max(gaps(results, problems, solver), default=None)
    return [f"{ends} / {len(problems)}", own_models(results, problems, solver), ABSENT if gap is None else f"{gap:.0e}",
            mean_cell(counts), str(max(counts)),
            mean_cell(evaluations) if any(evaluations) else ABSENT, f"{max(errors):.0e}" if errors else ABSENT]


# Slip parameter, [Castro22] Fig. 15


def by_sigma(results: Results, search: str) -> dict[float, Solver]:
    chosen = {float(solver.settings["sigma"]): solver for solver in results.solvers
              if solver.settings["line_search"] == search}
    return dict(sorted(chosen.items(), reverse=True))


def conditions(results: Results) -> dict[float, float]:
    """The condition number of the Hessian in the final configuration, by sigma."""
    final = max(results.problems, key=time_step)
    return {sigma: reported(results, final, solver, "hessian_condition")
            for sigma, solver in by_sigma(results, "exact").items()}


def mean_steps(results: Results, search: str) -> dict[float, float]:
    return {sigma: statistics.fmean(steps(results, problem, solver) for problem in results.problems)
            for sigma, solver in by_sigma(results, search).items()}


def growth(values: dict[float, float], most: float = math.inf) -> float:
    """The exponent of sigma in the values, for sigma of at most `most`."""
    kept = {sigma: value for sigma, value in values.items() if sigma <= most}
    return power_law(list(kept), list(kept.values()))[0]


def slip_grid(results: Results) -> Grid:
    condition = conditions(results)
    counts = {search: mean_steps(results, search) for search in ("exact", "armijo")}
    lines = []
    for sigma in condition:
        solvers = [by_sigma(results, search)[sigma] for search in counts]
        worst = max(reported(results, problem, solver, "momentum_error")
                    for problem in results.problems for solver in solvers)
        lines.append(Line(short(sigma), [
            f"{condition[sigma]:.1e}", *(f"{counts[search][sigma]:.1f}" for search in counts), f"{worst:.0e}",
            *(own_models(results, results.problems, solver) for solver in solvers)]))
    a_tenth = {search: -np.polyfit(np.log10(list(counts[search])), list(counts[search].values()), 1)[0] for search in counts}
    factor = {search: 10 ** -growth(counts[search], SMALL_SIGMA) for search in counts}
    return Grid(f"{PAPER} Fig. 15: {bodies(results.problems[0])} spheres by slip parameter",
                [("", "condition of H"), ("steps", "exact"), ("steps", "Armijo"), ("", "e_m"),
                 ("own model, relative", "exact"), ("own model, relative", "Armijo")], [("σ", lines)], [
        f"{PAPER}: the condition number scales as 1/σ. Here it scales as "
        f"σ^{growth(condition, SMALL_SIGMA):.2f} for σ ≤ {short(SMALL_SIGMA)}, and as "
        f"σ^{growth(condition):.2f} over all values.",
        f"{PAPER}: the mean number of iterations is roughly proportional to ln σ. Here a tenfold decrease of σ costs "
        f"{a_tenth['exact']:.1f} steps with the exact line search and {a_tenth['armijo']:.1f} with Armijo's, by a "
        f"straight line through all values; from {short(SMALL_SIGMA)} on, each tenfold decrease multiplies them by "
        f"{factor['exact']:.2f} and {factor['armijo']:.2f}. {bend(counts['exact'])}"])


def bend(counts: dict[float, float]) -> str:
    """Whether steps grow as ln(1 / sigma), by a parabola through them."""
    curvature = np.polyfit(np.log(list(counts)), list(counts.values()), 2)[0]
    rise = (max(counts.values()) - min(counts.values())) / np.ptp(np.log(list(counts))) ** 2
    if curvature > 0.1 * rise:
        return "With the exact one they grow faster than ln(1/σ)."
    return "With the exact one they grow about as ln(1/σ), or slower."


def document(fall: Results, convergence: Sequence[Results], scaling: Results, slip: Results) -> str:
    figures = [convergence_grid(convergence, problem) for problem in convergence[0].problems]
    parts = [
        "# SAP, as [Castro22] measures it",
        f"[Castro22] is {papers()['d']}. This text is generated by `frictionbench-paper sap`; "
        "`frictionbench-paper run sap` makes its results, and has the scenes.",
        "## How it was measured",
        bullets([*dict.fromkeys(map(machine, (fall, scaling, slip, convergence[0]))), *CIRCUMSTANCES]),
        "## Warm starts", markdown(fall_grid(fall)), bullets(FALL),
        "## Convergence", *map(markdown, figures), bullets(CONVERGENCE),
        "## Scaling", markdown(scaling_grid(scaling)), bullets(SCALING),
        "## Slip parameter", markdown(slip_grid(slip)), bullets(SLIP),
        "## What is not here", bullets(NOT_HERE),
    ]
    return paragraphs(parts)


CIRCUMSTANCES = [
    "The clutter of [Castro22], section VI-C, with spheres alone: radius 5 cm, 1000 kg/m³, μ = 1, four columns, time "
    "step 10 ms, near-rigid contacts. The box is 24 cm wide instead of 80 cm, where one layer would take all of "
    "them; drag brings the spheres to rest.",
    "Problems are snapshots of one simulation by projected Gauss-Seidel, the same for all solvers. Solves start "
    "from the free velocity, except those of Figs. 9 and 15: they start from the impulse of the snapshot before "
    "where that has as many contacts. [Castro22] always starts from the velocity of the previous time step.",
    "A step is a Newton step with one factorisation. No time is measured.",
    "\"Exact\" and \"Armijo\" are the line searches of `ccp-sap`.",
]
FALL = [
    "[Castro22]: more iterations during the energetic initial transient; about 3 a time step once the clutter is "
    "at rest.",
]
CONVERGENCE = [
    "Cost: (l - l*) / (l⁰ - l*), with l* the cost of the last step; at the level of rounding it may have either "
    "sign.",
    "[Castro22]: the cost falls monotonically; at step 60 convergence is linear first and quadratic in the end, 21 "
    "iterations in all; at step 520 it is linear, 5 iterations. Both from a warm start; here from a cold one.",
    "The order p is that in (e_m after a step) = c e_m^p, from the last three errors above 1e-12; 2 is quadratic.",
    f"The tail begins where e_m stays below {TAIL}; before that, the set of contacts that stick, slide and separate "
    "still changes.",
]
SCALING = [
    "[Castro22] Fig. 12 shows wall-clock times relative to Gurobi's, and Figs. 9 and 13 iterations and errors of "
    "Gurobi and of a geodesic interior point method. Neither is available here; `ccp-ipm`, also an interior point "
    "method, takes their place, on the CCP without compliance and to a residual of 1e-8. Its matrix has a row per "
    "component of the impulse, SAP's a row per degree of freedom.",
]
SLIP = [
    "The condition number is that of the last Hessian of the solve in the final configuration, computed from all "
    "eigenvalues (`condition=true`); steps are means over all snapshots, falling and at rest.",
]
NOT_HERE = [
    "[Castro22] Figs. 4 to 7, the cylinder on a spring, are in `spring.md`.",
    "[Castro22] Figs. 16 to 21 show robots in Drake, whose contact problems are not published.",
]


def main(words: list[str] | None = None) -> int:
    folder, output = folders("sap", DESCRIPTION, words, "sap.md")
    files = sorted((folder / "convergence").glob("*.json"))
    if not files:
        raise ResultsError(f"{folder / 'convergence'}: no results documents; frictionbench-paper run sap makes them")
    fall, scaling, slip = (load(folder / f"{name}.json") for name in ("fall", "scaling", "slip"))
    write_document(output, "sap", document(fall, [load(file) for file in files], scaling, slip), {})
    return 0
