"""Tables and sentences about compliance, from what frictionbench-paper run compliance measured."""

from __future__ import annotations

import statistics
from typing import Mapping, Sequence

from frictionbench.papers.compliance_measures import (
    SMALL_SIGMA, Slip, Standing, bodies, by_bodies, complementarity, means, momentum_error, slope, solved_and_iterations,
)
from frictionbench.plots.curves import Points
from frictionbench.results import Results, Solver
from frictionbench.tables import ABSENT, Grid, Line
from frictionbench.text import listed, percent, short, tiny

LINEAR = 0.02  # by how much the exponent of what grows linearly may differ from 1
NO_EXCESS = 1e-3  # largest share of internal forces that counts as none

SCENES = {"PushedBox": "pushed box", "Stack": "pulled stack"}
PLACES = {"walls": "spheres between walls", "pyramid": "pyramid", "floor": "spheres on a floor"}


def scene_name(family: str) -> str:
    return SCENES.get(family, family)


def place_name(name: str) -> str:
    return PLACES.get(name, name)


def linear(points: Points) -> bool:
    return abs(slope(points) - 1) <= LINEAR


# The standing scenes


def standing_grid(scenes: Mapping[str, Standing]) -> Grid:
    columns, by_scene = [], []
    for family, scene in scenes.items():
        columns += [(scene_name(family), what) for what in ("penetration, m/s", "creep, m/s", "‖r‖ / least norm")]
        by_scene.append((dict(scene.penetration), dict(scene.creep), dict(scene.norms())))
    lines = [Line("rigid", [cell for scene in scenes.values() for cell in rigid_cells(scene)])]
    for R in next(iter(scenes.values())).compliant:
        lines.append(Line(short(R), [
            cell for penetration, creep, norms in by_scene
            for cell in (tiny(penetration.get(R, 0)), tiny(creep.get(R, 0)), f"{norms[R]:.4f}")]))
    return Grid("[LeLidec24] Fig. 14: answers with compliance, judged on the rigid problem", columns, [("R", lines)])


def rigid_cells(scene: Standing) -> list[str]:
    solver = scene.rigid.solvers[0]
    judged = scene.judged(scene.rigid, solver)
    verdict = judged["verdict"]
    return [tiny(verdict["signorini"]["velocity"]), tiny(verdict["creep"]), f"{judged['impulse_norm'] / scene.least:.4f}"]


def standing_text(scenes: Mapping[str, Standing]) -> list[str]:
    said, same = [], []
    for family, scene in scenes.items():
        penetration, creep = scene.small(scene.penetration), scene.small(scene.creep)
        same += [linear(penetration), linear(creep)]
        last, speed = scene.penetration[-1]
        most = max((R for R, _ in penetration), default=0)
        said.append(f"{scene_name(family)}: for R ≤ {short(most)}, penetration grows as R^{slope(penetration):.3f} and "
                    f"creep as R^{slope(creep):.3f}; at R = {short(last)} the penetration is "
                    f"{percent(speed / scene.free_speed)} of the largest free speed")
    agree = "Here, too, both are linear" if all(same) else "Here they are not all linear"
    return [
        "[LeLidec24]: normal forces vary linearly with R, and tangential compliance replaces sticking by a motion. "
        f"{agree} while R is small. Slopes fitted to logarithms: {'; '.join(said)}.",
        *(internal(family, scene) for family, scene in scenes.items()),
    ]


def internal(family: str, scene: Standing) -> str:
    """What the rigid answers have of internal forces, and what is left with compliance."""
    rigid = [f"`{solver}` {percent(norm - 1)}" for solver, norm in scene.rigid_norms().items()]
    norms = scene.norms()
    R, smallest = norms[0]
    left = smallest - 1
    agree = "they vanish, as in [LeLidec24]" if abs(left) <= NO_EXCESS else "they do not vanish, unlike in [LeLidec24]"
    below = [R for R, norm in norms if norm < 1 - NO_EXCESS]
    softer = (f"; from R = {short(below[0])} on the compliant impulse is more than {percent(NO_EXCESS)} below the least norm"
              if below else "")
    return (f"Internal forces, {scene_name(family)}: the impulses of the rigid answers exceed the least norm by "
            f"{listed(rigid)}; at R = {short(R)}, that of the compliant answer by {percent(left)}: {agree}{softer}.")


# Rigid and compliant


def both_grid(both: Mapping[str, Results]) -> Grid:
    names = sorted(both, key=softness)
    labels = {name: "rigid" if name == "rigid" else f"R = {name.removeprefix('diag-')} diag W" for name in names}
    columns = [(labels[name], what) for name in names for what in ("solved", "iterations")]
    lines = []
    for solver in both[names[0]].solvers:
        cells = []
        for name in names:
            count, iterations = solved_and_iterations(both[name], solver)
            cells += [f"{count} / {len(both[name].problems)}", ABSENT if iterations is None else f"{iterations:g}"]
        lines.append(Line(f"`{solver.id}`", cells))
    return Grid("[Carpentier24] Fig. 2: one solver for rigid and compliant contacts", columns, [("solver", lines)],
                [families_text(both[names[0]]), both_text(both)])


def both_text(both: Mapping[str, Results]) -> str:
    total = len(next(iter(both.values())).problems)
    solvers = next(iter(both.values())).solvers
    everything = [f"`{solver.id}`" for solver in solvers
                  if all(solved_and_iterations(results, solver)[0] == total for results in both.values())]
    fewer = []
    for solver in solvers:
        counts = {name: solved_and_iterations(results, solver)[1] for name, results in both.items()}
        softest = counts[max(counts, key=softness)]
        if counts["rigid"] is not None and softest is not None and softest < counts["rigid"]:
            fewer.append(f"`{solver.id}`")
    return (f"[Carpentier24]: one solver handles both. Here {listed(everything) or 'no solver'} "
            f"{'solve' if len(everything) > 1 else 'solves'} all problems, rigid and compliant. With the largest "
            f"compliance, {listed(fewer) or 'no solver'} {'need' if len(fewer) > 1 else 'needs'} fewer iterations than "
            "without.")


def families_text(results: Results) -> str:
    counts = [f"{sum(problem.family == family for problem in results.problems)} {family}" for family in results.families()]
    return f"Problems: {listed(counts)}, tolerance {short(results.tolerance)}."


def softness(name: str) -> float:
    """The multiple of diag W, from the name of a document."""
    return 0.0 if name == "rigid" else float(name.removeprefix("diag-"))


# The slip parameter


def slip_grid(slips: Mapping[str, Slip]) -> Grid:
    columns = [("", "v_s, m/s")] if len({tuple(slip.estimates()) for slip in slips.values()}) == 1 else []
    for name in slips:
        columns += [(place_name(name), what) for what in ("creep, m/s", "mean, m/s", "inside their cone")]
    first = next(iter(slips.values()))
    measured = {name: (dict(slip.creep()), dict(slip.mean())) for name, slip in slips.items()}
    lines = []
    for sigma, estimate in first.estimates():
        cells = [tiny(estimate)] if columns[0][0] == "" else []
        for name, slip in slips.items():
            _, inside = slip.inside(slip.by_sigma()[sigma])
            creep, mean = (values[sigma] for values in measured[name])
            cells += [tiny(creep), tiny(mean), f"{inside.sum()} / {inside.size}"]
        lines.append(Line(short(sigma), cells))
    return Grid("[Castro22] Fig. 14: slip of contacts at rest, by slip parameter", columns, [("σ", lines)])


def small_sigma(points: Points) -> Points:
    return [(sigma, value) for sigma, value in points if sigma <= SMALL_SIGMA]


def slip_text(slips: Mapping[str, Slip], springs: Slip) -> list[str]:
    return [*(f"{place_name(name)}: {slip_of(slip)}." for name, slip in slips.items()), *compared_with_paper(slips),
            springs_text(springs)]


def springs_text(springs: Slip) -> str:
    """How many contacts are inside their cone with springs of several stiffnesses."""
    counts, said = [], []
    for solver in springs.results.solvers:
        _, inside = springs.inside(solver)
        counts.append(int(inside.sum()))
        said.append(f"{inside.sum()} with β = {short(float(solver.settings['beta']))}" if "beta" in solver.settings else
                    f"{inside.sum()} in the rigid answer of `{solver.id}`")
    agree = "so that more contacts slide" if counts[0] < min(counts[1:]) else "but that lets no more contacts slide"
    return ("The near-rigid contacts of SAP have a spring in the normal direction, which carries no load in the rigid "
            "state; within the step the pile settles on them, softer ones by more, "
            f"{agree}: of {springs.problem.facts['contacts']} contacts between walls, inside their cone are "
            f"{listed(said)}. Those that slide are not in the table.")


def slip_of(slip: Slip) -> str:
    creep, mean, estimates = slip.creep(), slip.mean(), dict(slip.estimates())
    if not any(value for _, value in creep):
        return "no contact slips, whatever σ"
    small = small_sigma(mean)
    share = max(value / estimates[sigma] for sigma, value in mean)
    largest = max(value / estimates[sigma] for sigma, value in creep)
    counts = [slip.inside(solver)[1] for solver in slip.by_sigma().values()]
    few, most = min(int(inside.sum()) for inside in counts), max(int(inside.sum()) for inside in counts)
    return (f"for σ ≤ {short(SMALL_SIGMA)} creep grows as σ^{slope(small_sigma(creep)):.2f} and the mean as "
            f"σ^{slope(small):.2f}; at most creep is {largest:.2g} v_s and the mean {share:.2g} v_s. "
            f"{few if few == most else f'{few} to {most}'} of {counts[0].size} contacts are inside their cone")


def compared_with_paper(slips: Mapping[str, Slip]) -> list[str]:
    above = []
    for name, slip in slips.items():
        estimates = dict(slip.estimates())
        count = sum(value > estimates[sigma] for sigma, value in slip.mean())
        if count:
            above.append(f"{place_name(name)} at {count} of {len(estimates)} values of σ")
    said = [f"[Castro22]: the mean slip remains below the estimate v_s = σ μ h g. Here it is above it for "
            f"{listed(above)}." if above else
            "[Castro22]: the mean slip remains below the estimate v_s = σ μ h g, and so it does here."]
    if "walls" in slips:
        slips_with = small_sigma(slips["walls"].mean())
        follows = "it does" if linear(slips_with) else "it does not"
        without = {name: slip for name, slip in slips.items() if name != "walls"}
        shares = []
        for name, slip in without.items():
            ratio = statistics.median(value / dict(slips_with)[sigma] for sigma, value in small_sigma(slip.mean()))
            shares.append(f"{place_name(name)} {ratio:.2g} times" if ratio else f"{place_name(name)} none")
        said.append("[Castro22]: with walls the mean slip closely follows the slope of the estimate, and without them "
                    f"slips are significantly smaller. Here {follows} with walls for σ ≤ {short(SMALL_SIGMA)}; without, "
                    f"in the median over these σ, the mean slip is, compared with that between walls: "
                    f"{listed(shares)}.")
    return said


# Momentum and complementarity


def accuracy_name(solver: Solver) -> str:
    if solver.name != "ccp-sap":
        return solver.id
    return f"ccp-sap, ε_r = {short(float(solver.settings['relative_tolerance']))}"


def accuracy_pairs(accuracy: Sequence[Results]) -> list[tuple[Results, Solver]]:
    return [(results, solver) for results in accuracy for solver in results.solvers]


def has_momentum(results: Results, solver: Solver) -> bool:
    return all(results.record(problem, solver)["verdict"]["momentum"] is not None for problem in results.problems)


def accuracy_grid(accuracy: Sequence[Results]) -> Grid:
    columns, curves = [], []
    for results, solver in accuracy_pairs(accuracy):
        if has_momentum(results, solver):
            columns.append((accuracy_name(solver), "e_m"))
            curves.append(dict(means(momentum_error, results, solver)))
        columns.append((accuracy_name(solver), "complementarity"))
        curves.append(dict(means(complementarity, results, solver)))
    contacts = {count: statistics.fmean(problem.facts["contacts"] for problem in problems)
                for count, problems in by_bodies(accuracy[0].problems).items()}
    lines = [Line(str(count), [f"{contacts[count]:.1f}", *(tiny(curve[count]) for curve in curves)])
             for count in contacts]
    snapshots = len(accuracy[0].problems) // len(contacts)
    return Grid(f"[Castro22] Fig. 13: spheres between walls, means over {snapshots} snapshots",
                [("", "contacts"), *columns], [("spheres", lines)])


def accuracy_text(accuracy: Sequence[Results]) -> list[str]:
    return [*(momentum_text(results, solver) for results, solver in accuracy_pairs(accuracy)
              if has_momentum(results, solver)),
            *(complementarity_text(results, solver) for results, solver in accuracy_pairs(accuracy))]


def momentum_text(results: Results, solver: Solver) -> str:
    errors = [momentum_error(results, problem, solver) for problem in results.problems]
    tolerance = float(solver.settings["relative_tolerance"])
    below = sum(error < tolerance for error in errors)
    agree = "the same here" if below == len(errors) else "not always here"
    averages = [value for _, value in means(momentum_error, results, solver)]
    return (f"[Castro22]: the momentum error of SAP is below the tolerance of its stopping test; {agree}: `ccp-sap` with "
            f"ε_r = {short(tolerance)} is below it in {below} of {len(errors)} solves, at most at {tiny(max(errors))}; "
            f"means by size are {tiny(min(averages))} to {tiny(max(averages))}, for "
            f"{min(map(bodies, results.problems))} to {max(map(bodies, results.problems))} spheres.")


def complementarity_text(results: Results, solver: Solver) -> str:
    values = [complementarity(results, problem, solver) for problem in results.problems]
    largest, total = max(values), len(values)
    if has_momentum(results, solver):
        ratio = max(value / momentum_error(results, problem, solver) for value, problem in zip(values, results.problems)
                    if momentum_error(results, problem, solver) > 0)
        return (f"{accuracy_name(solver)}: complementarity at most {tiny(largest)}, and at most {ratio:.2g} times e_m of "
                "the same solve. [Castro22] finds it exact for SAP at the velocity that SAP returns; at the velocity of "
                "its impulse, the momentum error shows up in it.")
    solved = sum(results.solved(problem, solver) for problem in results.problems)
    below = sum(value < 1e-5 for value in values)
    paper = ", as that of the interior point method of [Castro22] is," if solver.name == "ccp-ipm" else ""
    return (f"{accuracy_name(solver)}: {solved} of {total} solved at {short(results.tolerance)}; complementarity below 1e-5"
            f"{paper} in {below} of {total}, at most {tiny(largest)}.")
