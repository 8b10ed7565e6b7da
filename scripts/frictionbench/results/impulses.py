"""What impulses that a run has kept are good for: to recompute its verdicts, and to judge it again otherwise."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from typing import Sequence

from frictionbench.checkout import PROGRAM
from frictionbench.files import ResultsError
from frictionbench.results.document import Results, criterion_name, criterion_words, member
from frictionbench.text import short

NOT_KEPT = "verdict not recomputable: impulses were not kept (run --keep-impulses)"


def recomputed(document: Results) -> str:
    """What recomputing the verdicts of one document gave, in words.

    `run.impulses` names the file beside the document that has the impulses, and its SHA-256. `frictionbench rejudge`
    judges them; it is what $FRICTIONBENCH_PROGRAM names, or what this checkout has built, or what PATH has. Raises
    ResultsError if the file is another one, or if a record is not what its impulse gives.
    """
    kept = member(document.document, "run", document.path).get("impulses")
    if kept is None:
        return NOT_KEPT
    name, expected = (member(kept, key, document.path) for key in ("file", "sha256"))
    file = document.path.parent / name
    try:
        with file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
    except FileNotFoundError:
        return f"verdict not recomputable here: impulses were kept in {name}, which is not beside {document.path.name}"
    except OSError as failure:
        raise ResultsError(f"{file}: {failure.strerror}") from None
    if found != expected:
        raise ResultsError(f"{file}: not the impulses of {document.path}: its SHA-256 is {found}, "
                           f"and run.impulses.sha256 is {expected}")
    program = os.environ.get("FRICTIONBENCH_PROGRAM") or shutil.which(str(PROGRAM)) or shutil.which("frictionbench")
    if program is None:
        return f"verdicts recomputable, and not recomputed: impulses kept in {name}; no program frictionbench to judge them"
    return f"{rejudged(program, document)} (impulses kept in {name})"


def rejudged(program: str, document: Results) -> str:
    """What `frictionbench rejudge` says of a document, in one line. Raises ResultsError if it refuses it."""
    try:
        done = subprocess.run([program, "rejudge", str(document.path)], capture_output=True, text=True, check=False)
    except OSError as failure:
        raise ResultsError(f"{program}: {failure.strerror}") from None
    if done.returncode not in (0, 1):  # 1: some of them could not be recomputed
        said = (done.stderr.strip().splitlines() or [f"{program} rejudge: exit code {done.returncode}"])[-1]
        raise ResultsError(said.removeprefix("error: "))
    return "; ".join(done.stdout.splitlines())


def recomputed_notes(documents: Sequence[Results]) -> list[str]:
    """The same of several documents, a line each, or one line if it is the same of all. Raises ResultsError."""
    said = [(document, recomputed(document)) for document in documents]
    if len({text for _, text in said}) == 1:
        return [said[0][1]]
    return [f"{document.path}: {text}" for document, text in said]


def asked_for(document: Results) -> tuple[str, float]:
    """The criterion and the tolerance by which the solvers of a document stopped.

    Those that it is judged by, unless `frictionbench rejudge` has judged it again (`run.asked`).
    """
    asked = member(document.document, "run", document.path).get("asked")
    if asked is None:
        return document.criterion, document.tolerance
    model, scale, tolerance = (member(asked, name, document.path) for name in ("criterion", "scale", "tolerance"))
    return criterion_name(model, scale), tolerance


def judged_again(documents: Sequence[Results]) -> list[str]:
    """A sentence for each document whose solvers were asked for something else than it is judged by."""
    said = []
    for document in documents:
        asked, judged = asked_for(document), (document.criterion, document.tolerance)
        if asked != judged:
            then, now = (f"{criterion_words(criterion)} at {short(tolerance)}" for criterion, tolerance in (asked, judged))
            said.append(f"{document.path} was judged again: its solvers were run, and stopped, under {then}, so that their "
                        f"costs are not those of {now}.")
    return said
