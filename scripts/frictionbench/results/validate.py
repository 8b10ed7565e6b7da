"""The command that checks results documents."""

from __future__ import annotations

import sys
from pathlib import Path

from frictionbench.command_line import ArgumentParser
from frictionbench.files import ResultsError, UnreadableFile, load_json
from frictionbench.results.findings import DEFAULT_SCHEMA, findings, validator_of
from frictionbench.results.version1 import updated

DESCRIPTION = """\
Checks results documents: against the JSON Schema, and that problems and solvers are unique, that every
pair of them has exactly one record (at most one in a shard), and that each record agrees with itself:
converged with solved, solved with the verdict, counts and times with each other.

Prints one line for each thing that is wrong, or that a document is valid.
Exit code 0: all valid; 1: something is wrong, such as a file that is not JSON; 2: a file cannot be opened.
"""


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-validate", DESCRIPTION)
    parser.add_argument("results", metavar="RESULTS", nargs="+", type=Path, help="results document")
    parser.add_argument("--schema", metavar="FILE", type=Path, default=DEFAULT_SCHEMA,
                        help="JSON Schema (default: results/results.schema.json of the project)")
    arguments = parser.parse_args(words)

    validator_of(arguments.schema)  # a bad schema is one error, and not one for each document
    worst = 0
    for path in arguments.results:
        try:
            found = findings(updated(load_json(path)), arguments.schema)
        except ResultsError as failure:
            print(f"error: {failure}", file=sys.stderr)
            # A file that is not JSON is a finding, like any other wrong content.
            worst = max(worst, 2 if isinstance(failure, UnreadableFile) else 1)
            continue
        for finding in found:
            print(f"{path}: {finding}")
        if found:
            worst = max(worst, 1)
        else:
            print(f"{path}: valid")
    return worst
