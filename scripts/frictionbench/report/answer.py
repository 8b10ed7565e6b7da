"""The report's answer in three sentences: which solver solves what, how fast, and what that means."""

from __future__ import annotations

from typing import Any, Mapping

from frictionbench.report.statistics import ALL
from frictionbench.text import listed, short
from frictionbench.versus.text import seconds

NAMED = 3  # solvers that a sentence names


def answer(data: Mapping[str, Any]) -> list[str]:
    """Sentences on all problems, under the criterion and tolerance of the first document."""
    file, statistics = data["files"][0], data["statistics"]
    found = statistics["judgements"].get(f"{file['criterion']}@{data['tolerances'].index(file['tolerance'])}")
    where = f"{data['criteria'][file['criterion']]} at {short(file['tolerance'])}"
    model = file["criterion"].partition("_")[0]
    ranked = [] if found is None else [
        dict(zip(statistics["summary"], found["summaries"][0][solver]))
        | {"solver": solver, "name": data["solvers"][solver]["label"]}
        for solver in found.get("order", [[]])[0] if found["tells"][solver] == ALL]
    own = [row for row in ranked if model in ("native", data["solvers"][row["solver"]]["model"]) and row["problems"]] or ranked
    if not any(row["solved"] for row in own):
        return [f"No solver is known to solve any problem ({where})."]
    return [solved_sentence(own, found["intervals"], where, model), time_sentence(own, found, data),
            accuracy_sentence(ranked, where)]


def rounded_percent(share: float) -> str:
    """In whole percents that round neither to all nor to nothing what is not."""
    number = round(100 * share)
    text = "over 99 %" if number == 100 and share < 1 else "under 1 %" if number == 0 and share > 0 else f"{number} %"
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def share(row: Mapping[str, Any]) -> str:
    return rounded_percent(row["solved"] / row["problems"])


def solved_sentence(rows: list[dict[str, Any]], intervals: list, where: str, model: str) -> str:
    first = rows[0]
    sure = intervals[first["solver"]]
    interval = f" (95 % interval {rounded_percent(sure[0])} to {rounded_percent(sure[1])})" if sure and sure[0] < sure[1] else ""
    others = listed([f"{row['name']} {share(row)}" for row in rows[1:1 + NAMED]])
    of = f"{len(rows)} solver{'s' * (len(rows) != 1)}{'' if model == 'native' else f' of the {model.upper()}'}"
    equal = len(rows) > 1 and rows[1]["solved"] * first["problems"] == first["solved"] * rows[1]["problems"]
    rank = "no less than any" if equal else "the most"
    verb = "" if not others else f", {rank} of {of}; then {others}"
    return f"{first['name']} solves {share(first)} of {first['problems']} problems{interval}{verb}."


def time_sentence(rows: list[dict[str, Any]], found: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    first, curves = rows[0], found["profiles"]["time"][0]["performance"]["curves"]
    if first["time"] is None:
        return "How fast is not known: solves were not timed."
    said = f"Where it solves, {first['name']} takes {seconds(first['time'])} on average"
    if not curves:
        return f"{said}; who is fastest is not known, because no problem was given to all solvers."
    at = {row["solver"]: curves[str(row["solver"])][2] for row in rows}
    said += (f", is the fastest of all {len(curves)} solvers on {rounded_percent(at[first['solver']][0])} of the problems, "
             f"and solves {rounded_percent(at[first['solver']][2])} within twice the time of the fastest")
    rival = max(rows, key=lambda row: (at[row["solver"]][0], row is first))
    if rival is first:
        return f"{said}."
    return (f"{said}; {rival['name']}, which solves {share(rival)}, is the fastest on "
            f"{rounded_percent(at[rival['solver']][0])}.")


def accuracy_sentence(rows: list[dict[str, Any]], where: str) -> str:
    """Of solvers of every model: one that satisfies another model reports success, too."""
    failed = sorted(((row["wrong"] + row["other"], row["name"]) for row in rows), key=lambda pair: -pair[0])
    failed = [(number, name) for number, name in failed if number]
    count, own = sum(number for number, _ in failed), sum(row["other"] for row in rows)
    claims = listed([f"{name} {number}" for number, name in failed[:NAMED]] + ["others"] * (len(failed) > NAMED))
    satisfied = ""
    if own:
        satisfied = ", which satisfied a model of its own" if count == 1 else f"; {own} of them satisfied a model of their own"
    return (f"Solved means the residual ({where}), computed from the impulse alone, is within the tolerance, whatever the solver "
            f"reports: {f'{count} reported success' + 'es' * (count != 1) if count else 'no reported success'} "
            f"failed this check{f' ({claims})' if claims else ''}{satisfied}.")
