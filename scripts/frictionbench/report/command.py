"""Makes one self-contained HTML page of results documents."""

from __future__ import annotations

from pathlib import Path

from frictionbench.command_line import ArgumentParser
from frictionbench.report.page import report_page
from frictionbench.report.versus import OURS
from frictionbench.results import load

DESCRIPTION = """\
Makes one HTML page of results documents: how they were made, solvers by families, performance and data
profiles, solved shares by size and condition number, two solvers side by side, convergence curves, our
solvers and those of others, and every failure with the command that repeats it. The page opens from disk
and needs no network; family, measure, criterion, tolerance and solvers are chosen in it. Under another
criterion or a tighter tolerance than a run's, nothing is known of its solvers, and the page ranks none.
"""
EPILOG = """\
Several documents become one page. Problems are the same if their files have the same SHA-256. A solver
that several documents have on the same problems is shown once for each document, so that runs can be
compared; one whose documents share no problem is shown as one.

The page says what to run for what the documents lack: `frictionbench run --history` for convergence
curves, `--condition` for condition numbers.

Where impulses were kept (`frictionbench run --keep-impulses`), the program judges them again, and a
document with a forged record is refused: the program that this checkout built, or $FRICTIONBENCH_PROGRAM.

  frictionbench-report results.json -o report.html
  frictionbench-report before.json after.json -o comparison.html --title "Before and after"
"""


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-report", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="+", help="results document of `frictionbench run`")
    add("-o", "--output", metavar="PAGE", type=Path, required=True, help="HTML file to write")
    add("--title", default="Frictional contact solvers, compared",
        help="heading of the page (default: %(default)s)")
    add("--ours", metavar="PATTERN", action="append",
        help=f"names of our solvers, which are compared with those of plug-ins and external programs (default: {OURS[0]}); "
             "repeatable")
    arguments = parser.parse_args(words)
    page = report_page([load(path) for path in arguments.results], arguments.title, arguments.ours or OURS)
    arguments.output.write_text(page, encoding="utf-8")
    return 0
