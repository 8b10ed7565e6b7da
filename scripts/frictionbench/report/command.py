"""Makes one self-contained HTML page of results documents."""

from __future__ import annotations

from pathlib import Path

from frictionbench.command_line import ArgumentParser
from frictionbench.files import check_outputs
from frictionbench.report.page import report_page
from frictionbench.report.site import write_site
from frictionbench.report.versus import OURS
from frictionbench.results import load

DESCRIPTION = """\
Makes one HTML page of results documents: which solver solves what in three sentences and a picture; solvers by
model and share; profiles, shares by size and condition number, two solvers side by side, one solver, one
problem, convergence curves, versions over time, our solvers and those of others, every failure with the
command that repeats it, and how the documents were made. The page opens from disk and needs no network.
What is looked at is in its address; tables and pictures can be saved as CSV and PNG. Under another criterion
or a tighter tolerance than a run's, nothing is known of its solvers, and the page ranks none.
"""
EPILOG = """\
Several documents become one page. Problems are the same if their files have the same SHA-256. A solver
that several documents have on the same problems is shown once for each document, so that runs can be
compared; one whose documents share no problem is shown as one. Curves are relative to the best of all solvers
of the page, on the problems that all were run on: leave out documents to compare others.

The page says what to run for what the documents lack: `frictionbench run --history` for convergence
curves, `--condition` for condition numbers. `--graphs` needs the problems' files, where the run had them, and
the compiled part of the package; the page says of each problem why it has no picture.

Where impulses were kept (`frictionbench run --keep-impulses`), the program judges them again, and a
document with a forged record is refused: the program that this checkout built, or $FRICTIONBENCH_PROGRAM.

  frictionbench-report results.json -o report.html
  frictionbench-report before.json after.json -o comparison.html --title "Before and after"
  frictionbench-report runs/*.json --site public    # public/index.html: a leaderboard that links a report of each
"""


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-report", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="+", help="results document of `frictionbench run`")
    add("-o", "--output", metavar="PAGE", type=Path, help="HTML file to write")
    add("--site", metavar="DIR", type=Path,
        help="write a leaderboard instead: index.html, and a report of each document, for any web server")
    add("--graphs", action="store_true",
        help="read the problems' files, and draw their contacts and the spectrum of W")
    add("--title", default="Frictional contact solvers, compared",
        help="heading of the page (default: %(default)s)")
    add("--ours", metavar="PATTERN", action="append",
        help=f"names of our solvers, which are compared with those of plug-ins and external programs (default: {OURS[0]}); "
             "repeatable")
    parser.add_force()
    arguments = parser.parse_args(words)
    if (arguments.output is None) == (arguments.site is None):
        parser.error("one of -o and --site is needed")
    check_outputs([arguments.output], arguments.force)
    documents = [load(path) for path in arguments.results]
    if arguments.site:
        write_site(documents, arguments.site, arguments.title, arguments.ours or OURS, arguments.graphs, arguments.force)
    else:
        page = report_page(documents, arguments.title, arguments.ours or OURS, arguments.graphs)
        arguments.output.write_text(page, encoding="utf-8")
    return 0
