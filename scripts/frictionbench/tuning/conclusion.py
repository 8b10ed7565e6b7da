"""What a tuning comes to, as one JSON-ready document; markdown.py shows it to people."""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import Any, Iterable, Mapping

from frictionbench.statistics import geometric_mean
from frictionbench.tuning.sampling import Sample
from frictionbench.tuning.scoring import Score, Scores
from frictionbench.tuning.search import Tuned, variants
from frictionbench.tuning.space import Candidate, Choices, Setting, Space, Value

SCHEMA = "frictionbench-tuning"
SCHEMA_VERSION = 1


def score_members(score: Score) -> dict[str, float]:
    return {"solved": score.solved, "work": score.work}


class Conclusion:
    """Computes the document's members from the scores of candidates."""

    def __init__(self, space: Space, sample: Sample, scores: Scores, tuned: Tuned) -> None:
        self._space = space
        self._sample = sample
        self._scores = scores
        self._tuned = tuned
        self._families = list(tuned.without)
        self.choice = tuned.over_all.best(scores)
        self._held_out = {family: search.best(scores) for family, search in tuned.without.items()}
        self._best = {family: scores.best(tuned.candidates(), [family]) for family in self._families}

    def document(self) -> dict[str, Any]:
        """All but how the outcomes were made."""
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "choice": {"solver": self._space.spec(self.choice), "settings": self._space.named(self.choice)},
            "default": {"settings": self._space.named(self._tuned.default)},
            "summary": self._summary(),
            "folds": [self._fold(family) for family in self._families],
            "chosen_values": {setting.name: self._chosen_values(setting, index)
                              for index, setting in enumerate(self._space.settings)},
            "sensitivity": {setting.name: self._sensitivity(setting, index)
                            for index, setting in enumerate(self._space.settings)},
            "settled": self._settled(),
            "space": space_members(self._space),
            "sample": sample_members(self._sample),
            "candidates": [{"settings": self._space.named(candidate), "origin": self._tuned.origin(candidate),
                            **score_members(self._scores.of(candidate, self._families))}
                           for candidate in self._tuned.candidates()],
        }

    def _summary(self) -> dict[str, Any]:
        """What each way to choose comes to over all families."""
        ways = {
            "default": dict.fromkeys(self._families, self._tuned.default),
            "held_out": self._held_out,
            "choice": dict.fromkeys(self._families, self.choice),
            "best": self._best,
        }
        tolerances = self._space.limits.tolerances
        return {way: {**score_members(self._total(by_family, None)),
                      "tolerances": [{"tolerance": tolerance,
                                      **score_members(self._total(by_family, tolerance))}
                                     for tolerance in tolerances]}
                for way, by_family in ways.items()}

    def _total(self, by_family: Mapping[str, Candidate], tolerance: float | None) -> Score:
        """The score of a choice that may differ from family to family."""
        scores = [self._scores.of(candidate, [family], tolerance) for family, candidate in by_family.items()]
        return Score(fmean(score.solved for score in scores), geometric_mean(score.work for score in scores))

    def _fold(self, family: str) -> dict[str, Any]:
        def members(candidate: Candidate) -> dict[str, Any]:
            return {"settings": self._space.named(candidate),
                    **score_members(self._scores.of(candidate, [family]))}

        return {"family": family, "problems": len(self._sample.of_family(family)),
                "default": members(self._tuned.default), "held_out": members(self._held_out[family]),
                "choice": members(self.choice), "best": members(self._best[family])}

    def _chosen_values(self, setting: Setting, index: int) -> list[dict[str, Any]]:
        """In how many folds each value was chosen."""
        folds = Counter(candidate[index] for candidate in self._held_out.values())
        offered = setting.values if isinstance(setting, Choices) else ()
        return [{"value": value, "folds": folds[value]} for value in in_order(setting, {*offered, *folds})]

    def _around(self, index: int) -> list[Candidate]:
        return [self.choice, *variants(self._space.settings, self.choice, index)]

    def _sensitivity(self, setting: Setting, index: int) -> list[dict[str, Any]]:
        """The score over all families with other values of one setting than the choice's."""
        by_value = {candidate[index]: candidate for candidate in self._around(index)}
        return [{"value": value, "chosen": value == self.choice[index],
                 **score_members(self._scores.of(by_value[value], self._families))}
                for value in in_order(setting, by_value)]

    def _settled(self) -> bool:
        """Whether no change of one setting makes the choice better."""
        around = [candidate for index in range(len(self._space.settings)) for candidate in self._around(index)]
        return self._scores.best(around, self._families) == self.choice


def in_order(setting: Setting, values: Iterable[Value]) -> list[Value]:
    """Values as the space lists them, one that is only a default last; numbers of a range ascending."""
    if isinstance(setting, Choices):
        return sorted(values, key=[*setting.values, *values].index)
    return sorted(values)


def space_members(space: Space) -> dict[str, Any]:
    return {
        "file": space.file.name,
        "sha256": space.sha256,
        "solver": space.solver,
        "settings": {setting.name: str(setting) for setting in space.settings},
        "fixed": dict(space.fixed),
        "run": vars(space.limits),
        "sample": {**vars(space.sample), "families": dict(space.sample.families)},
        "search": vars(space.search),
        "score": {**vars(space.score), "weights": dict(space.score.weights)},
    }


def sample_members(sample: Sample) -> dict[str, Any]:
    families = []
    for family in sample.families():
        problems = sample.of_family(family)
        families.append({"family": family, "available": sample.available[family], "problems": len(problems),
                         "contacts": [problems[0].contacts, problems[-1].contacts]})
    return {
        "sha256": sample.fingerprint(),
        "copies": sample.copies,
        "empty": sample.empty,
        "families": families,
        "problems": [{"id": problem.id, "family": problem.family, "contacts": problem.contacts,
                      "sha256": problem.sha256} for problem in sample.problems],
    }
