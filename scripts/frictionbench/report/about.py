"""How the documents of a report were made, in words and as a table."""

from __future__ import annotations

import shlex
from typing import Any, Iterator, Sequence

from frictionbench.report.html import escaped
from frictionbench.results import Results, different_limits, same_run_value
from frictionbench.results.impulses import recomputed

UNKNOWN = "not known"


def notes(documents: Sequence[Results], names: Sequence[str]) -> Iterator[str]:
    """What a reader must know before the first number."""
    runs = [document.document["run"] for document in documents]
    judged = [f"{document.judged} at {document.tolerance:g}" for document in documents]
    if len(set(judged)) > 1:
        each = "; ".join(f"{name}: {text}" for name, text in zip(names, judged))
        yield (f"The documents were judged differently ({each}). Of what is chosen below, a document tells "
               "only if it was judged by that criterion, at that tolerance or a tighter one.")
    yield from different_limits(documents, names)
    beginnings = [starts(document) for document in documents]
    if len(set(beginnings)) > 1:
        each = "; ".join(f"{name}: {start}" for name, start in zip(names, beginnings))
        yield f"The documents' solves started differently ({each})."
    yield from different_machines(documents)
    for document, name, run in zip(documents, names, runs):
        prefix = f"{name}: " if len(names) > 1 else ""
        yield f"{prefix}{recomputed(document)}"
        if run["shard"] is not None:
            yield (f"{prefix}this is part {run['shard']} of a run; "
                   "`frictionbench merge` makes the whole of its parts.")
        if run["git"]["dirty"]:
            yield f"{prefix}built from a checkout with uncommitted changes."
        for shard in run.get("shards") or []:
            for warning in shard["warnings"]:
                yield f"{prefix}part {shard['shard']}: {warning}"
        for warning in run["warnings"]:
            yield f"{prefix}{warning}"
        if unreadable := document.document["unreadable"]:
            yield (f"{prefix}{len(unreadable)} file{'s' * (len(unreadable) != 1)} could not be read; "
                   "see the list of failures.")


def different_machines(documents: Sequence[Results]) -> list[str]:
    """A sentence if processors or builds differ."""
    runs = [document.document["run"] for document in documents]
    machines = {(run["host"].get("cpu"), run["build"]["compiler"], run["build"]["flags"]) for run in runs}
    return ["The documents come from different processors or builds: compare counts, not times."] if len(machines) > 1 else []


def about(documents: Sequence[Results], names: Sequence[str]) -> str:
    """A table: a column a document, a row a fact."""
    columns = [dict(facts(document)) for document in documents]
    head = "".join(f'<th scope="col">{escaped(name)}</th>' for name in names)
    rows = []
    for label in dict.fromkeys(label for column in columns for label in column):
        cells = "".join(f"<td>{column.get(label, '')}</td>" for column in columns)
        rows.append(f'<tr><th scope="row">{escaped(label)}</th>{cells}</tr>')
    return (f'<table class="about"><caption>How each results document was made</caption>'
            f'<thead><tr><td></td>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>')


def facts(document: Results) -> Iterator[tuple[str, str]]:
    """Facts of a run and their values, the values as HTML."""
    run = document.document["run"]
    git, build, host = run["git"], run["build"], run["host"]
    yield "Command", f"<code>{escaped(shlex.join(run['command']))}</code>"
    yield "Started, finished", escaped(f"{instant(run['started'])} – {instant(run['finished'])}")
    revision = escaped((git["revision"] or UNKNOWN)[:12])
    changed = ", with uncommitted changes" if git["dirty"] else ""
    yield "frictionbench", f"{escaped(run['version'])}, revision <code>{revision}</code>{changed}"
    yield "Judged by", escaped(f"{document.judged}, tolerance {run['tolerance']:g}")
    yield "Limits of a solve", escaped(", ".join(limits(run)))
    yield "Start of a solve", starts(document)
    yield "Timing", escaped(f"{repetition(run['repeat_time'])}, {run['jobs']} "
                            f"concurrent pair{'s' * (run['jobs'] != 1)}, seed {run['seed']}")
    if run["shard"] is not None:
        yield "Part of a run", escaped(run["shard"])
    if shards := run.get("shards"):
        lines = "".join(f"<li>{escaped(shard_line(shard))}</li>" for shard in shards)
        yield "Merged of", f"<ul>{lines}</ul>"
    yield "Build", (f"{escaped(build['compiler'])}, {escaped(build['type'])}, "
                    f"<code>{escaped(build['flags'])}</code>")
    yield "Libraries", escaped(", ".join(f"{name} {version or UNKNOWN}"
                                         for name, version in build["libraries"].items()))
    yield "Machine", escaped(machine(host))


def repetition(seconds: float) -> str:
    return f"each solve repeated for {seconds:g} s" if seconds else "each solve once"


def starts(document: Results) -> str:
    start = same_run_value(document, "warm_start")
    place = "zero" if start == "zero" else f"the {start} in its file, or zero"
    if not same_run_value(document, "sequence"):
        return place
    return f"the answer to the time step before where there is one that fits, otherwise {place}"


def limits(run: dict[str, Any]) -> Iterator[str]:
    yield f"{run['max_iterations']} iterations"
    yield "no time limit" if run["time_limit"] is None else f"{run['time_limit']:g} s"
    memory = run["memory_limit"]
    yield "no memory limit" if not memory else f"{memory / 2**30:.3g} GiB"


def shard_line(shard: dict[str, Any]) -> str:
    finished = f"{instant(shard['started'])} – {instant(shard['finished'])}"
    return f"{shard['shard']}: {finished}, {machine(shard['host'])}"


def machine(host: dict[str, Any]) -> str:
    cpu, cores, memory = host.get("cpu"), host.get("cores"), host.get("memory")
    parts = [
        cpu or f"processor {UNKNOWN}",
        f"{cores} logical processors" if cores else "",
        f"{memory / 2**30:.3g} GiB" if memory else "",
        host.get("kernel") or "",
        f"governor {host['governor']}" if host.get("governor") else "",
        "load {:.2f}, {:.2f}, {:.2f}".format(*host["load_average"]) if host.get("load_average") else "",
    ]
    return ", ".join(part for part in parts if part)


def instant(time: str) -> str:
    """A time of a document without its fractions of a second."""
    return time.partition(".")[0].rstrip("Z").replace("T", " ") + " UTC"
