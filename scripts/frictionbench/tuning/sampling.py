"""The problems that candidates are judged on: some of each family, small and large ones alike."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

from frictionbench.files import ResultsError
from frictionbench.tuning.space import SampleRules


@dataclass(frozen=True)
class SampledProblem:
    id: str
    family: str
    contacts: int
    path: Path
    sha256: str


@dataclass(frozen=True)
class Sample:
    problems: tuple[SampledProblem, ...]  # by family, then by size
    available: Mapping[str, int]  # problems that each family has
    copies: int  # files left out because another has the same content
    empty: int  # files left out because they have no contact

    def families(self) -> list[str]:
        return list(dict.fromkeys(problem.family for problem in self.problems))

    def of_family(self, family: str) -> list[SampledProblem]:
        return [problem for problem in self.problems if problem.family == family]

    def fingerprint(self) -> str:
        """SHA-256 of the lines "<SHA-256 of the file>  <id>", as sha256sum would write them."""
        lines = [f"{problem.sha256}  {problem.id}\n" for problem in self.problems]
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def draw_sample(listed: Sequence[Mapping[str, Any]], rules: SampleRules) -> Sample:
    """Draws from problems as `frictionbench list problems --json` lists them.

    Raises ResultsError with fewer than two families: none could be left out.
    """
    folders = {folder: family for family, members in rules.families.items() for folder in members}
    wanted = [problem for problem in listed
              if (rules.filter is None or re.search(rules.filter, problem["id"]))
              and (rules.max_contacts is None or problem["contacts"] <= rules.max_contacts)]
    with_contacts = [problem for problem in wanted if problem["contacts"] > 0]
    copies = find_copies([Path(problem["path"]) for problem in with_contacts])
    families: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for problem in with_contacts:
        if Path(problem["path"]) not in copies:
            families[folders.get(problem["family"], problem["family"])].append(problem)
    if len(families) < 2:
        raise ResultsError(f"problems of {', '.join(families) or 'no family'} only; "
                           "leaving one family out takes two at least")
    drawn = []
    for family, members in sorted(families.items()):
        # Numbers of its own for each family: what one has does not change what is drawn of another.
        numbers = random.Random(f"{rules.seed} {family}")
        for problem in draw_stratified(members, rules.problems_per_family, numbers):
            path = Path(problem["path"]).absolute()
            drawn.append(SampledProblem(problem["id"], family, problem["contacts"], path, file_sha256(path)))
    return Sample(tuple(drawn), {family: len(members) for family, members in sorted(families.items())},
                  len(copies), len(wanted) - len(with_contacts))


def draw_stratified(members: Sequence[Mapping[str, Any]], wanted: int,
                    numbers: random.Random) -> list[Mapping[str, Any]]:
    """One problem of each of `wanted` equally large classes of size; all if there are no more."""
    ordered = sorted(members, key=lambda problem: (problem["contacts"], problem["id"]))
    classes = min(wanted, len(ordered))
    drawn = []
    for index in range(classes):
        members = ordered[index * len(ordered) // classes:(index + 1) * len(ordered) // classes]
        drawn.append(members[int(numbers.random() * len(members))])
    return drawn


def find_copies(paths: Sequence[Path]) -> set[Path]:
    """Files with the content of an earlier one: a copy in another family would be seen and judged on."""
    sizes = Counter(path.stat().st_size for path in paths)
    seen: set[str] = set()
    copies = set()
    for path in paths:
        if sizes[path.stat().st_size] > 1:
            sha256 = file_sha256(path)
            if sha256 in seen:
                copies.add(path)
            seen.add(sha256)
    return copies


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
