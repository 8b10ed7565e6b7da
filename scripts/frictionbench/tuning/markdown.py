"""A tuning's document (conclusion.py) as a Markdown report. Nothing is computed here but ratios."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from frictionbench.text import percent, short
from frictionbench.tuning.space import spell

Members = Mapping[str, Any]

WAYS = {
    "default": "default",
    "held_out": "chosen without the family",
    "choice": "**chosen over all families**",
    "best": "best of each family",
}


def markdown(document: Members) -> str:
    sections = [
        head(document), summary(document), folds(document), fold_settings(document), chosen_values(document),
        sensitivity(document), sample(document), space(document),
    ]
    return "\n".join("\n".join(lines) + "\n" for lines in sections)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], numbers_from: int = 1) -> list[str]:
    """Lines of a table; columns from `numbers_from` on are flush right."""
    rules = ["---" if index < numbers_from else "---:" for index in range(len(header))]
    return [f"| {' | '.join(cells)} |" for cells in (header, rules, *rows)]


def amount(work: float) -> str:
    return f"{work:.0f}" if work >= 100 else f"{work:.1f}"


def cells(members: Members) -> list[str]:
    return [percent(members["solved"]), amount(members["work"])]


def ratio(members: Members, others: Members) -> str:
    return f"{members['work'] / others['work']:.2f}"


def counted(number: int, one: str, more: str | None = None) -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"


def settings_text(settings: Members) -> str:
    return ", ".join(f"{name} = {spell(value)}" for name, value in settings.items())


def head(document: Members) -> list[str]:
    what = document["space"]
    limits = what["run"]
    problems = len(document["sample"]["problems"])
    return [
        f"# One setting set of {what['solver']} for all families of problems",
        "",
        f"    {document['choice']['solver']}",
        "",
        f"{counted(len(document['candidates']), 'candidate')} on {counted(problems, 'problem')} of "
        f"{len(document['folds'])} families, at tolerance {' and '.join(map(short, limits['tolerances']))} of "
        f"the `{limits['criterion']}` criterion. Written by `frictionbench-tune`, whose README explains how "
        "the choice is made; the JSON file next to this one has every number.",
    ]


def summary(document: Members) -> list[str]:
    found = document["summary"]
    tolerances = document["space"]["run"]["tolerances"]
    header = ["settings", "solved", "work", "work ÷ default"]
    header += [f"{what} at {short(tolerance)}" for tolerance in tolerances for what in ("solved", "work")]
    rows = [[label, *cells(found[way]), ratio(found[way], found["default"]),
             *(cell for members in found[way]["tolerances"] for cell in cells(members))]
            for way, label in WAYS.items()]
    worse = [fold["family"] for fold in document["folds"] if is_worse(fold["held_out"], fold["default"])]
    return [
        "## What it comes to",
        "",
        *table(header, rows),
        "",
        "Every family weighs the same. *chosen without the family*: each family is judged with settings that were "
        "chosen on the others only, which is what to expect of an unseen family. *best of each family*: with "
        "hindsight, different settings for each family.",
        "",
        f"Not knowing the family costs a factor of {ratio(found['held_out'], found['best'])} in work and "
        f"{percent(found['best']['solved'] - found['held_out']['solved'])} of the problems. Settings that were chosen "
        f"without the family are worse than the default (fewer solved, or as many with more work) in "
        f"{len(worse)} of {len(document['folds'])} families{': ' if worse else ''}{', '.join(worse)}.",
        "",
        *endings(document),
    ]


def is_worse(members: Members, others: Members) -> bool:
    return (-members["solved"], members["work"]) > (-others["solved"], others["work"])


def endings(document: Members) -> list[str]:
    """How the pairs of candidates and problems ended; a time limit is the machine's, not the solver's."""
    found = document["endings"]
    pairs = sum(found.values())
    by_time = found.get("time_limit", 0)
    limit = f"the time limit of {document['space']['run']['time_limit']:g} s"
    if by_time:
        verdict = (f"**{by_time} ended at {limit}**: they count as unsolved, and on a faster machine might not; "
                   "raise `run.time_limit` or lower `run.max_iterations` for an outcome that no machine changes.")
    else:
        verdict = f"None reached {limit}, so nothing here depends on the speed of the machine."
    listed = ", ".join(f"{status} {count}" for status, count in found.items())
    return [f"{pairs} solves: {listed}. {verdict}"]


def folds(document: Members) -> list[str]:
    header = ["family", "problems", "default: solved", "work", "without it: solved", "work",
              "over all: solved", "work", "best on it: solved", "work", "without ÷ default", "without ÷ best"]
    rows = [[fold["family"], str(fold["problems"]), *cells(fold["default"]), *cells(fold["held_out"]),
             *cells(fold["choice"]), *cells(fold["best"]), ratio(fold["held_out"], fold["default"]),
             ratio(fold["held_out"], fold["best"])] for fold in document["folds"]]
    return ["## Leaving one family out", "",
            "Solved share and work of each family, with the settings that the column names; *without it*: chosen on "
            "all other families.", "", *table(header, rows)]


def fold_settings(document: Members) -> list[str]:
    choice = document["choice"]["settings"]

    def difference(settings: Members) -> str:
        other = {name: value for name, value in settings.items() if value != choice[name]}
        return settings_text(other) or "the same"

    rows = [[fold["family"], difference(fold["held_out"]["settings"]), difference(fold["best"]["settings"])]
            for fold in document["folds"]]
    return ["### What they differ in from the choice over all families", "",
            *table(["family", "chosen without it", "best on it"], rows, numbers_from=3)]


def chosen_values(document: Members) -> list[str]:
    choice, default = document["choice"]["settings"], document["default"]["settings"]
    rows = [[f"`{name}`", spell(default[name]), f"**{spell(choice[name])}**",
             ", ".join(f"{spell(one['value'])}: {one['folds']}" for one in values)]
            for name, values in document["chosen_values"].items()]
    return ["## How often each value was chosen", "",
            f"In {counted(len(document['folds']), 'fold')}, a fold a family that is left out.", "",
            *table(["setting", "default", "chosen", "value: folds"], rows, numbers_from=4)]


def sensitivity(document: Members) -> list[str]:
    choice = document["summary"]["choice"]
    rows = []
    for name, values in document["sensitivity"].items():
        for one in values:
            value = spell(one["value"])
            rows.append([f"`{name}`", f"**{value}**" if one["chosen"] else value, *cells(one),
                         ratio(one, choice)])
    ending = ("No change of one setting makes the choice better: the search has settled." if document["settled"] else
              "A change of one setting makes the choice better: the search ended before it settled, and more "
              "`search.passes` would find it.")
    return ["## Sensitivity", "", "One setting changed, the others as chosen; over all families. " + ending, "",
            *table(["setting", "value", "solved", "work", "work ÷ chosen"], rows, numbers_from=2)]


def sample(document: Members) -> list[str]:
    found = document["sample"]
    rows = [[one["family"], str(one["available"]), str(one["problems"]), "–".join(
        str(number) for number in dict.fromkeys(one["contacts"]))] for one in found["families"]]
    return [
        "## The sample",
        "",
        *table(["family", "problems there", "drawn", "contacts"], rows),
        "",
        f"SHA-256 of the list of drawn problems (`<SHA-256>  <id>`, a line each, as in the JSON file): "
        f"`{found['sha256']}`. Left out: {counted(found['copies'], 'copy', 'copies')} of "
        f"other files, {counted(found['empty'], 'problem')} without contacts, "
        f"{counted(document['unreadable'], 'file')} that cannot be read.",
    ]


def space(document: Members) -> list[str]:
    what, made_by = document["space"], document["program"]
    rules, limits, search, score = (what[name] for name in ("sample", "run", "search", "score"))
    weights = ", ".join(f"{name} {weight:g}" for name, weight in score["weights"].items() if weight)
    rows = [[f"`{name}`", values] for name, values in what["settings"].items()]
    lines = ["## The space", "", *table(["setting", "candidate values"], rows, numbers_from=2), ""]
    if what["fixed"]:
        lines += [f"Fixed: {settings_text(what['fixed'])}.", ""]
    git = made_by["git"]
    revision = f"{git['revision'] or 'unknown'}{' with changes' if git['dirty'] else ''}"
    return lines + [
        f"* search: {counted(search['candidates'], 'random candidate')} (seed {search['seed']}), refined in at most "
        f"{counted(search['passes'], 'pass', 'passes')}",
        f"* sample: at most {counted(rules['problems_per_family'], 'problem')} a family (seed {rules['seed']})",
        f"* limits: {counted(limits['max_iterations'], 'iteration')}, {limits['time_limit']:g} s",
        f"* work: {weights}; an unsolved problem counts {score['unsolved']:g}",
        f"* solved shares that differ by no more than {percent(score['solved_slack'])} count as equal",
        f"* space: `{what['file']}`, SHA-256 `{what['sha256']}`",
        f"* program: frictionbench {made_by['version']}, revision {revision}, {made_by['build']['compiler']}, "
        f"{made_by['build']['flags']}",
    ]
