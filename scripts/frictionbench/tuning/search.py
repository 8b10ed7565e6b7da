"""Where candidates come from: random ones, and a refinement that each search makes around its own best."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Mapping, Sequence

from frictionbench.tuning.scoring import Scores
from frictionbench.tuning.space import Candidate, SearchRules, Setting

# Draws in a row that may bring nothing new before a space counts as exhausted.
PATIENCE = 1000


def random_candidates(settings: Sequence[Setting], rules: SearchRules, known: Candidate) -> list[Candidate]:
    """Different candidates, none of them the known one; fewer than asked for in a smaller space."""
    numbers = random.Random(f"{rules.seed} candidates")
    found = {known: None}
    in_vain = 0
    while len(found) <= rules.candidates and in_vain < PATIENCE:
        candidate = tuple(setting.draw(numbers) for setting in settings)
        in_vain = in_vain + 1 if candidate in found else 0
        found[candidate] = None
    return list(found)[1:]


def variants(settings: Sequence[Setting], candidate: Candidate, index: int) -> list[Candidate]:
    """The candidate with the other values of one setting."""
    return [(*candidate[:index], value, *candidate[index + 1:])
            for value in settings[index].others(candidate[index])]


class Search:
    """One search: the candidates that it knows, and the only families that it looks at.

    A search that leaves a family out must not profit from it in any way. So it chooses among
    candidates that were drawn at random or that it proposed itself, never among those that another
    search, which saw the family, came upon.
    """

    def __init__(self, start: Sequence[Candidate], families: Sequence[str]) -> None:
        self.families = list(families)
        self.known = list(start)

    def best(self, scores: Scores) -> Candidate:
        return scores.best(self.known, self.families)

    def learn(self, candidates: Sequence[Candidate]) -> None:
        self.known += [candidate for candidate in candidates if candidate not in self.known]


@dataclass(frozen=True)
class Tuned:
    """A search over all families, and for each family one that has not seen it."""

    default: Candidate
    drawn: Sequence[Candidate]  # at random
    over_all: Search
    without: Mapping[str, Search]  # by the family that is left out

    def candidates(self) -> list[Candidate]:
        """All that any search knows."""
        searches = (self.over_all, *self.without.values())
        return list(dict.fromkeys(candidate for search in searches for candidate in search.known))

    def origin(self, candidate: Candidate) -> str:
        if candidate == self.default:
            return "default"
        return "random" if candidate in self.drawn else "refinement"


def tune(settings: Sequence[Setting], rules: SearchRules, default: Candidate, families: Sequence[str],
         scores: Scores) -> Tuned:
    """Searches over all families and without each of them.

    All values of each setting around the choice over all families are evaluated when this returns.
    """
    drawn = random_candidates(settings, rules, default)
    start = [default, *drawn]
    over_all = Search(start, families)
    without = {family: Search(start, [other for other in families if other != family])
               for family in families}
    refine(settings, [over_all, *without.values()], scores, rules.passes)
    choice = over_all.best(scores)
    scores.evaluate([candidate for index in range(len(settings))
                     for candidate in variants(settings, choice, index)])
    return Tuned(default, drawn, over_all, without)


def refine(settings: Sequence[Setting], searches: Sequence[Search], scores: Scores, passes: int) -> None:
    """Coordinate refinement: setting by setting, each search tries the other values at its best.

    A pass goes over all settings; a search that stayed where it was during one has settled. The
    searches go side by side so that what they want to know runs concurrently, and mostly only once.
    """
    moving = list(searches)
    for search in moving:
        scores.evaluate(search.known)
    for _ in range(passes):
        before = [search.best(scores) for search in moving]
        for index in range(len(settings)):
            proposals = [variants(settings, search.best(scores), index) for search in moving]
            scores.evaluate([candidate for proposed in proposals for candidate in proposed])
            for search, proposed in zip(moving, proposals):
                search.learn(proposed)
        moving = [search for search, candidate in zip(moving, before) if search.best(scores) != candidate]
        if not moving:
            break
