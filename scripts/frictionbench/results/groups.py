"""Problems in groups: by number of contacts, by the simulation that they are from, and those that are comparable."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Callable, Sequence

from frictionbench.files import ResultsError, load_toml
from frictionbench.results.document import FRICTION_CLASSES, SIZE_CLASSES, Problem, Results, Solver, class_of, size_class

SIDES = ("unseen", "seen")  # of a split: families that constants were chosen on, and others


def contacts(problem: Problem) -> int:
    return int(problem.facts["contacts"])


def grouped(problems: Sequence[Problem], group: Callable[[Problem], str], order: Sequence[str] = ()) -> dict[str, list[Problem]]:
    """Problems by group: those of `order` first, then others in the order of the first problem of each; none is empty."""
    groups: dict[str, list[Problem]] = {name: [] for name in order}
    for problem in problems:
        groups.setdefault(group(problem), []).append(problem)
    return {name: members for name, members in groups.items() if members}


def by_class(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    return grouped(problems, lambda problem: size_class(contacts(problem)), [name for name, _ in SIZE_CLASSES])


def by_family(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    return grouped(problems, lambda problem: problem.family)


def by_data_set(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    """Problems by the data set that has them."""
    return grouped(problems, lambda problem: (problem.facts.get("data_set") or {"name": "in no set"})["name"])


def by_friction(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    """Problems by the class of their largest friction coefficient."""
    return grouped(problems, lambda problem: class_of(problem.facts["mu_max"], FRICTION_CLASSES),
                   [name for name, _ in FRICTION_CLASSES])


def simulation(problem: Problem) -> str:
    """The simulation that a problem is a time step of, see simulation_of."""
    return simulation_of(problem.family, problem.facts.get("path") or problem.id, contacts(problem))


def simulation_of(family: str, path: str, contacts: int) -> str:
    """The simulation that a file is a time step of: family and name without what differs between its steps.

    As `frictionbench run --sequence` reads names (lib/frictionbench/bench/plan/internal/sequences.cpp), except that files
    made of one step are one simulation here: its local and its global form, and what `frictionbench convert` makes of it,
    islands (`-island3`) and parts with some of the contacts. Their names keep the number of contacts of the whole. So a
    number that scenes and FCLIB mark as such (`-local-12`, `-i000098-12`, `_nc_12`) is left out whatever it is; another
    one if the file has as many contacts, or is an island with at most as many. A name without a time step is a simulation
    of its own.
    """
    stem = Path(path).stem
    whole = re.sub(r"-island[0-9]+$", "", stem)
    scene, step = without_last_number(whole)
    if step is None:
        return f"{family}/{whole}"
    shorter, number = without_last_number(scene)
    if number is not None and (number == contacts or whole != stem and number > contacts
                               or re.search(r"[-_](local|global|i[0-9]+|nc)$", shorter)):
        scene = re.sub(r"[-_]nc$", "", shorter)
    scene = re.sub(r"[-_]i[0-9]+$", "", scene)
    scene = re.sub(r"[-_](local|global)(?=[-_]|$)", "", scene)
    return f"{family}/{scene}"


def without_last_number(text: str) -> tuple[str, int | None]:
    """`text-12` and `text_12` as `text` and 12, `12` as nothing and 12; other texts as they are, and None."""
    found = re.fullmatch(r"(?:(.*)[-_])?([0-9]+)", text)
    return (found[1] or "", int(found[2])) if found else (text, None)


def common_problems(results: Results, solvers: Sequence[Solver]) -> list[Problem]:
    """Problems of which there is a record of every one of the solvers: those that can be compared."""
    return [problem for problem in results.problems
            if all((problem.id, solver.id) in results.records for solver in solvers)]


def compared_on(count: int, missing: int) -> str:
    """How many problems are compared because they are common, and how many are not, in words."""
    return (f"compared on the {count} problem{'s' * (count != 1)} that every solver was run on; "
            f"{missing or 'none'} left out")


def split_sides(problems: Sequence[Problem], path: Path) -> dict[str, list[Problem]]:
    """The problems of each side of the split. Raises ResultsError for one that is on none."""
    split = load_toml(path)
    patterns = {side: [re.compile(text) for text in split[side]["ids"]] for side in SIDES}
    found: dict[str, list[Problem]] = {side: [] for side in SIDES}
    for problem in problems:
        for side in SIDES:
            if any(pattern.search(problem.id) for pattern in patterns[side]):
                found[side].append(problem)
                break
        else:
            raise ResultsError(f"{path}: no list has an expression for {problem.id}")
    return found
