"""Results documents: reading, checking and grouping them, and what they are made of."""

from frictionbench.results.document import (
    CRITERIA, NO_TEST, SAME_JUDGE, SAME_RUN, SCALES, SCHEMA, SCHEMA_VERSION, SIZE_CLASSES, Problem, Record, Results, Solver,
    criterion_name, criterion_words, different_limits, hyperstaticity, load, load_all, load_runs, member, number, renamed,
    repeatable, same_run_value, size_class, united, united_runs,
)
from frictionbench.results.frames import document_of, frame, frame_of

__all__ = [
    "CRITERIA", "NO_TEST", "SAME_JUDGE", "SAME_RUN", "SCALES", "SCHEMA", "SCHEMA_VERSION", "SIZE_CLASSES", "Problem", "Record",
    "Results", "Solver", "criterion_name", "criterion_words", "different_limits", "hyperstaticity", "load", "load_all",
    "load_runs", "member", "document_of", "frame", "frame_of", "number", "renamed", "repeatable", "same_run_value",
    "size_class", "united", "united_runs",
]
