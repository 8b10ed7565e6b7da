"""Tables of papers with measured numbers next to the printed ones."""

from __future__ import annotations

from pathlib import Path
from typing import Sequence

from frictionbench.command_line import ArgumentParser
from frictionbench.files import check_outputs, write_text
from frictionbench.papers.admm import DOCUMENTS
from frictionbench.papers.grids import make_grid
from frictionbench.papers.numbers import Reading, Table, readings_of, setting, tables
from frictionbench.results import load_all, load_runs
from frictionbench.tables import FORMATS

DESCRIPTION = """\
Prints a table of a paper with what the same solvers did here: for each family the paper's line, ours,
and how many problems are solved. Ours are means ± standard deviations (n - 1 in the denominator).

A solver of RESULTS stands in a column if it has the column's settings, whatever its others are; if
several do, --with says which, or puts them on lines of their own. What RESULTS does not have is shown
as "–" and said below the table.

--document admm is the whole text about section V-C of [Carpentier24]: its tables, medians, and what is solved and
how fast at every tolerance that RESULTS was run at. frictionbench-paper run admm makes its results.
"""
EPILOG = """\
  frictionbench-paper tables --list                        the tables, and how to run what they need
  frictionbench-paper tables s3.json --table s3
  frictionbench-paper tables linear.json spectral.json --table s4 --format latex -o s4.tex
  frictionbench-paper tables s3.json --table s3 --with stop=admm --over all
  frictionbench-paper tables s3.json --table s3 --with variant=rss2024 --with variant=accelerated
  frictionbench-paper tables 1e-6.json 1e-8.json --document admm -o admm-tables.md
"""


def print_list(known: dict[str, Table], readings: Sequence[Reading]) -> None:
    for table in known.values():
        print(f"{table.id}  {table.source}: {table.what}")
        print(f"    {table.command(readings)}")
    print("\nThe ADMM that [Carpentier24] prints numbers of is ncp-admm(variant=rss2024): --with variant=rss2024 asks for it,\n"
          "here in the commands. frictionbench-paper run admm runs all that [Carpentier24] tells of FCLIB.\n"
          "[LeLidec24] and [Castro22] print no table of numbers; frictionbench-paper figures --list has their figures.")


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-paper tables", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("results", metavar="RESULTS", nargs="*",
        help="results documents, all of equal runs, which are taken as one")
    add("--table", metavar="ID", help="which table, as --list names it")
    add("--document", choices=DOCUMENTS, help="a Markdown text with several tables instead of one table")
    add("--list", action="store_true", help="list the tables and the commands that make their results")
    add("--format", choices=FORMATS, default="markdown", help="default: markdown")
    add("--with", dest="settings", metavar="SETTING=VALUE", action="append", default=[],
        help="only solvers that also have this setting; repeatable, and a SETTING with several values "
             "has lines for each")
    add("--over", choices=("solved", "all"), default="solved",
        help="problems that means are over: solved ones (default), or all that were measured")
    add("-o", "--output", metavar="FILE", type=Path, help="default: standard output")
    parser.add_force()
    arguments = parser.parse_args(words)
    check_outputs([arguments.output], arguments.force)

    known = tables()
    readings = readings_of([setting(text) for text in arguments.settings])
    if arguments.list:
        print_list(known, readings)
        return 0
    if arguments.document:
        if arguments.table or arguments.format != "markdown" or arguments.over != "solved":
            parser.error("--document implies all tables, Markdown, and means over solved problems")
        if not arguments.results:
            parser.error("RESULTS is missing; frictionbench-paper run admm makes it")
        runs = load_runs(arguments.results)
        text = DOCUMENTS[arguments.document](runs, readings if arguments.settings else ())
    else:
        if arguments.table not in known:
            parser.error(f"--table must be one of {', '.join(known)}")
        table = known[arguments.table]
        if not arguments.results:
            parser.error(f"RESULTS is missing; to make it: {table.command(readings)}")
        grid = make_grid(load_all(arguments.results), table, arguments.over == "solved", readings)
        text = FORMATS[arguments.format](grid)
    write_text(text, arguments.output)
    return 0
