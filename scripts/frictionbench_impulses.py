"""What impulses that a run has kept are good for: to recompute its verdicts, and to judge it again otherwise."""

from __future__ import annotations

import hashlib
from typing import Sequence

from frictionbench_results import Results, ResultsError, criterion_name, member, short

NOT_KEPT = "verdict not recomputable: impulses were not kept (run --keep-impulses)"


def recomputable(document: Results) -> str:
    """Whether the verdicts of one document can be recomputed, in words.

    `run.impulses` names the file beside the document that has the impulses, and its SHA-256. Raises ResultsError if
    that file is there and is another one.
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
    return f"verdicts recomputable: impulses kept in {name}"


def recomputable_notes(documents: Sequence[Results]) -> list[str]:
    """The same of several documents, a line each, or one line if it is the same of all. Raises ResultsError."""
    said = [(document, recomputable(document)) for document in documents]
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
        criterion, tolerance = asked_for(document)
        if (criterion, tolerance) != (document.criterion, document.tolerance):
            said.append(f"{document.path} was judged again: its solvers were run, and stopped, under {criterion} at "
                        f"{short(tolerance)}, so that their costs are not those of {document.criterion} at "
                        f"{short(document.tolerance)}.")
    return said
