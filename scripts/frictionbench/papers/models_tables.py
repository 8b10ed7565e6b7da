"""Tables about contact models and algorithms as [LeLidec24] draws them, with measured lines in them."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from frictionbench.papers.contact_answers import Answer
from frictionbench.papers.marks import MarkRow, MarkTable
from frictionbench.papers.models_measures import (
    LAW_HOLDS, NO_APPROACH, SMALL_EXCESS, Measured, Scenes, by_mass_ratio, converges, counted, digits, hard_contacts, laws,
    median_iterations, no_internal_forces, of_the_model, own_fixed_point, robust, tick,
)
from frictionbench.results import Problem, Results, Solver
from frictionbench.tables import ABSENT, Grid, Line
from frictionbench.text import percent, short

PAPER = "[LeLidec24]"


def code(text: str) -> str:
    return f"`{text}`"


class MarkedGrid:
    """A table of the paper with measured marks, and the sentences about those that differ.

    A row of the paper counts once: by the first solver that answers for it. The others show what becomes of it.
    """

    def __init__(self, table: MarkTable, more: Sequence[str]) -> None:
        """`more` are columns that the paper does not have."""
        self.table = table
        self.grid = Grid(f"{PAPER} Table {table.number}: {table.what}",
                         [("", column) for column in (*table.columns, *more)], [])
        self.more = more
        self.differences: list[str] = []
        self.agreeing = self.compared = 0

    def add_row(self, row: MarkRow, measured: Sequence[tuple[str, str, Sequence[Measured], Sequence[str]]]) -> None:
        """Adds a row and its (label, solver id, marks, other cells) as they were measured here."""
        lines = [Line(PAPER, [*(tick(mark) for mark in row.marks), *[""] * len(self.more)])]
        lines += [Line(label, [*map(str, marks), *more]) for label, _, marks, more in measured]
        if not measured:
            lines.append(Line("ours", [ABSENT] * (len(row.marks) + len(self.more))))
        self.grid.sections.append((row.label, lines))
        for index, (label, solver, marks, _) in enumerate(measured):
            for column, papers, ours in zip(self.table.columns, row.marks, marks):
                if ours.holds is None:
                    continue
                self.compared += index == 0
                if papers == ours.holds:
                    self.agreeing += index == 0
                    continue
                why = self.table.explanation(row, solver, column) or "Not explained yet."
                whose = f", {label}" if solver else ""
                variant = "" if index == 0 else " (not counted)"
                self.differences.append(
                    f"{row.label}{whose}{variant}, {column}: {ours} here, {tick(papers)} in {PAPER}. {why}")

    def comparison(self) -> list[str]:
        return [f"{self.agreeing} of {self.compared} measured marks are those of {PAPER}, each row by the first solver "
                "below it; what was not measured is not counted.", *self.differences]

    def sources(self) -> list[str]:
        """Where the paper says in words what its ticks say; text versions of it lose the ticks."""
        return [f"{row.label}: {row.source}" for row in self.table.rows]


def models_table(table: MarkTable, scenes: Scenes) -> MarkedGrid:
    """[LeLidec24] Table II."""
    made = MarkedGrid(table, ["answers", "of these by relative residuals"])
    results = scenes.results
    for row in table.rows:
        solvers = table.solvers(row, results.solvers)
        marks, answers = laws(scenes, solvers, row.model is not None)
        relative = sum(results.solved(problem, solver, "native_relative") for problem in results.problems
                       for solver in solvers if of_the_model(results, problem, solver))
        made.add_row(row, [("ours", "", marks, [str(answers), str(relative)])] if answers else [])
    made.grid.notes = [
        "Numbers: the largest violation over all answers, in scaled units. Signorini: |r_N u_N|, (-u_N)₊ or "
        "(-r_N)₊; Coulomb: the distance to the friction cone; MDP: |r_T·u_T + μ r_N ‖u_T‖|.",
        f"A law holds (✓) up to {digits(LAW_HOLDS)}: answers are only as accurate as the run's absolute "
        "tolerance.",
        f"Answers, one per solver and scene: those that satisfy the criterion of their own model at "
        f"{short(results.tolerance)}, without a compliance that the solver chose; for RaiSim, those at its fixed "
        "point, which no criterion of the verdict judges.",
    ]
    return made


def algorithms_table(table: MarkTable, scenes: Scenes, friction: Results, stacks: Results) -> MarkedGrid:
    """[LeLidec24] Table III, and below it the registered solvers that it does not have."""
    made = MarkedGrid(table, ["solved, absolute / relative"])
    runs = (scenes.results, friction, stacks)

    def marks(solver: Solver) -> list[Measured]:
        return [hard_contacts(scenes, solver), no_internal_forces(scenes, solver), robust(stacks, solver),
                converges([scenes.results, friction], solver)]

    def solved(solver: Solver) -> list[str]:
        absolute, relative, _ = map(sum, zip(*(counted(run, solver) for run in runs)))
        return [f"{absolute} / {relative} of {sum(len(run.problems) for run in runs)}"]

    for row in table.rows:
        solvers = table.solvers(row, scenes.results.solvers)
        made.add_row(row, [(code(solver.id), solver.id, marks(solver), solved(solver)) for solver in solvers])
    others = table.others(scenes.results.solvers)
    for model in dict.fromkeys(solver.model for solver in others):
        lines = [Line(code(solver.id), [*map(str, marks(solver)), *solved(solver)])
                 for solver in others if solver.model == model]
        made.grid.sections.append((f"{model.upper()}, not in {PAPER}", lines))
    tolerance = short(stacks.tolerance)
    made.grid.notes = [
        "Hard contacts: scenes answered, all without compliance (R = 0), and the largest velocity into a contact, "
        f"in scaled units; ✓ if all are answered and that is at most {digits(NO_APPROACH)}.",
        "No internal forces: the largest excess of ‖r‖ over the smallest impulse of the same velocities, of scenes "
        f"where every contact sticks; ✓ up to {percent(SMALL_EXCESS)}; {ABSENT} where no answer of the solver sticks.",
        f"Robust: stacks solved at {tolerance}, mass ratios 1 to 1e6; ✓ if all are. Fixed points: answers of RaiSim's "
        "own model, by the solver's word; they do not count as solved.",
        "Convergence guarantees: runs on scenes and friction that are lost, i.e. reach the iteration limit "
        "unsolved, with a residual above that of the first iteration or no longer falling (median over the last "
        "quarter of the iterations against the second quarter); ✓ if none is. That none is lost proves nothing.",
        "The friction scenes and the thresholds were chosen after first runs, so that they distinguish algorithms. "
        "Judge the marks by the numbers.",
        "Solved: of all scenes, friction scenes and stacks, under the solver's own model with the compliance that it "
        "chose, in the units of the problems, as the paper judges, and by relative residuals, at the tolerance of "
        "each run.",
        f"{ABSENT} in every column: no registered solver that takes these problems is this algorithm.",
    ]
    return made


def excess_grid(scenes: Scenes) -> Grid:
    """Internal forces by solver and scene, [LeLidec24] Figs. 4 and 12."""
    problems = scenes.results.problems
    sticking = {solver.id: scenes.excesses(solver, sticking=True) for solver in scenes.results.solvers}
    sliding = {solver.id: scenes.excesses(solver, sticking=False) for solver in scenes.results.solvers}
    stuck = [problem for problem in problems if any(problem.id in found for found in sticking.values())]
    grid = Grid("Internal forces: ‖r‖ above the smallest impulse of the same velocities",
                [("", scene_name(problem)) for problem in stuck] + [("", "largest where contacts slide")], [])
    for model, solvers in by_model(scenes.results).items():
        grid.sections.append((model.upper(), [
            Line(code(solver.id), [percent_or_absent(sticking[solver.id].get(problem.id)) for problem in stuck]
                 + [percent_or_absent(max(sliding[solver.id].values(), default=None))])
            for solver in solvers]))
    return grid


def percent_or_absent(share: float | None) -> str:
    return ABSENT if share is None else percent(share)


def robustness_grid(stacks: Results) -> Grid:
    """Stacks solved, and median iterations, by mass ratio."""
    groups = by_mass_ratio(stacks)
    sizes = sorted({len(group) for group in groups.values()})
    of_each = " or ".join(map(str, sizes))
    grid = Grid(f"Two cubes on one another, {of_each} stacks of each ratio: solved, absolute / relative, and median of "
                "iterations of those solved", [("mass ratio", short(ratio)) for ratio in groups], [])
    for model, solvers in by_model(stacks).items():
        grid.sections.append((model.upper(), [
            Line(code(solver.id), [robustness_cell(stacks, group, solver) for group in groups.values()])
            for solver in solvers]))
    return grid


def robustness_cell(stacks: Results, group: Sequence[Problem], solver: Solver) -> str:
    absolute, relative, _ = counted(stacks, solver, group)
    iterations = median_iterations(stacks, group, solver)
    return f"{absolute} / {relative}, {ABSENT if iterations is None else f'{iterations:g}'}"


def direction_grid(table: MarkTable, scenes: Scenes) -> Grid:
    """Error of the direction of friction by direction of sliding, [LeLidec24] Figs. 6 and 9."""
    found = scenes.directions()
    grid = Grid("Angle between friction and the opposite of slip, degrees",
                [("sliding at", f"{short(degrees)}°") for degrees, _ in found], [])
    for row, curves in direction_errors(table, scenes).items():
        grid.sections.append((row, [Line(what, [f"{value:.1f}" for _, value in points])
                                    for what, points in curves.items()]))
    return grid


def direction_errors(table: MarkTable, scenes: Scenes) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """By model: (direction, largest angle over its solvers) of the sum of impulses, and of any contact."""
    errors = {}
    for row in table.rows:
        solvers = table.solvers(row, scenes.results.solvers)
        total, worst = [], []
        for degrees, problem in scenes.directions():
            answers = [answer for _, _, answer in scenes.answers(solvers, [problem])]
            if answers:
                total.append((degrees, max(answer.total_friction_angle() for answer in answers)))
                worst.append((degrees, max(answer.friction_angles().max(initial=0.0) for answer in answers)))
        if total:
            errors[row.label] = {"all contacts together": total, "worst contact": worst}
    return errors


def take_off_grid(table: MarkTable, scenes: Scenes) -> Grid:
    """Normal velocity and height while sliding, measured and predicted, [LeLidec24] (19) and Fig. 10."""
    grid = Grid("Take-off of sliding contacts",
                [("", "slip ‖u_T‖, m/s"), ("", "u_N, m/s"), ("", "μ ‖u_T‖, m/s"), ("", "largest error"),
                 ("", "height h u_N, mm"), ("", "h μ ‖u_T‖, mm"), ("other models", "largest u_N, m/s")], [])
    relaxed = [solver for solver in scenes.results.solvers if solver.model == "ccp"]
    exact = [solver for row in table.rows if row.model != "ccp"
             for solver in table.solvers(row, scenes.results.solvers)]
    for problem in scenes.without_directions():
        rigid = [solver for solver in relaxed if of_the_model(scenes.results, problem, solver)]
        answers = [answer for _, _, answer in scenes.answers(rigid, [problem]) if answer.sliding.any()]
        if answers:
            others = [answer for _, _, answer in scenes.answers(exact, [problem])]
            grid.sections.append((scene_name(problem), [Line("CCP", take_off_cells(answers, others))]))
    return grid


def take_off_cells(answers: Sequence[Answer], others: Sequence[Answer]) -> list[str]:
    """A line of the table: the fastest contact of the first answer, and the largest error of all."""
    first = answers[0]
    i = int(np.argmax(np.where(first.sliding, first.slip, 0)))
    rise, predicted = first.u[i, 0], first.problem.mu[i] * first.slip[i]
    step = first.problem.time_step or float("nan")
    error = max(answer.take_off_errors().max() for answer in answers)
    rest = max((float(np.abs(answer.u[answer.loaded, 0]).max(initial=0)) for answer in others), default=0.0)
    return [f"{first.slip[i]:.4f}", f"{rise:.4f}", f"{predicted:.4f}", digits(error), f"{1e3 * step * rise:.4f}",
            f"{1e3 * step * predicted:.4f}", digits(rest)]


def dissipation_grid(scenes: Scenes) -> Grid:
    """Angles between friction and slip of solvers that end at a fixed point of their own, [LeLidec24] (24)."""
    grid = Grid("RaiSim: friction and slip, degrees",
                [("", "friction off the opposite of slip"), ("", "slip off what [LeLidec24] (24) predicts"),
                 ("", "dissipated, of μ r_N ‖u_T‖")], [])
    results = scenes.results
    inexact = [solver for solver in results.solvers
               if any(own_fixed_point(results, problem, solver) for problem in results.problems)]
    for problem, solver, answer in scenes.answers(inexact, scenes.without_directions()):
        if answer.sliding.any():
            angles = answer.friction_angles()
            cells = [f"{angles.max():.2f}", digits(answer.raisim_angles().max()),
                     percent(float(np.cos(np.radians(angles)).min()))]
            grid.sections.append((scene_name(problem), [Line(code(solver.id), cells)]))
    return grid


def by_model(results: Results) -> dict[str, list[Solver]]:
    models = dict.fromkeys(solver.model for solver in results.solvers)
    return {model: [solver for solver in results.solvers if solver.model == model] for model in models}


def scene_name(problem: Problem) -> str:
    """The name of a scene without form, contacts and step."""
    return problem.id.split("/")[-1].split("-local-")[0]
