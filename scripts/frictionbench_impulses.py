"""Whether the verdicts of results documents can be recomputed: only from the impulses, if a run has kept them."""

from __future__ import annotations

import hashlib
from typing import Sequence

from frictionbench_results import Results, ResultsError, member

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
