"""The commands of the package: what each is called, and the module whose `main` it is."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Mapping, NoReturn

from frictionbench.command_line import ArgumentParser, run_main

COMMANDS = {
    "report": ("report.command", "makes a page to explore of results"),
    "profiles": ("profiles.command", "draws performance profiles"),
    "plot": ("plots.against", "draws costs against size, condition or sliding, with scaling exponents"),
    "versus": ("versus.command", "compares our solvers with those of others"),
    "validate": ("results.validate", "checks results files"),
    "paper": ("papers", "makes tables and figures of papers, of results"),
    "tune": ("tuning.command", "finds the settings of a solver"),
    "data": ("data", "brings files of datasets/ up to date"),
}
# Commands that are followed by the name of a part.
PARTS = {
    "paper": {
        "run": ("papers.run", "runs and writes a document, or makes it again of kept results"),
        "problems": ("papers.problems", "files that a paper takes of a collection"),
        "tables": ("papers.tables", "tables of [Carpentier24], and the text about its section V-C"),
        "figures": ("papers.figures", "figures of [Carpentier24], [LeLidec24] and [Castro22]"),
        "impulses": ("papers.impulses", "the impulses of a run's solves"),
        "compliance": ("papers.compliance", "what compliance does: text and pictures"),
        "inverse": ("papers.inverse", "[Carpentier24] Fig. 8: inverse dynamics of an arm"),
        "models": ("papers.models", "[LeLidec24] Tables II and III: contact models and their laws"),
        "motion": ("papers.motion", "[LeLidec24] Figs. 9 to 12 and 15: a cube that slides, or is dragged"),
        "ncp": ("papers.ncp", "what NCP solvers solve of families that constants have seen, and of others"),
        "pivoting": ("papers.pivoting", "[YamaneNakamura08] Tables I to III: pivoting"),
        "robots": ("papers.robots", "[Carpentier24] Figs. 5 and 6, [LeLidec24] Figs. 16 and 17: times on robots"),
        "sap": ("papers.sap", "[Castro22]: convergence, warm starts and scaling of SAP"),
        "second-order": ("papers.second_order", "second-order methods beside first-order ones"),
        "sizes": ("papers.sizes", "what is solved by number of contacts"),
        "spring": ("papers.spring", "[Castro22] Figs. 4 to 7: a cylinder on a spring"),
        "stack": ("papers.stack", "how far solvers get on stacks, and what stops them"),
    },
    "data": {
        "conformance": ("conformance.vectors", "datasets/conformance: small problems with every expected residual"),
        "models": ("models.command", "datasets/models: models in MuJoCo's format"),
        "open-problems": ("results.open_problems", "datasets/open.csv: problems that nothing solves yet"),
    },
}


def part_of(command: str, parts: Mapping[str, tuple[str, str]], words: list[str]) -> int:
    """Runs the part of a command that the first of the words names."""
    if words and words[0] in parts:
        module, _ = parts[words[0]]
        return import_module(f"frictionbench.{module}").main(words[1:])
    listed = "".join(f"  {name:14}{what}\n" for name, (_, what) in parts.items())
    parser = ArgumentParser(f"frictionbench-{command}", f"{COMMANDS[command][1].capitalize()}:\n\n{listed}")
    parser.add_argument("part", metavar="PART", choices=parts, help="which; PART --help has its arguments")
    parser.add_argument("arguments", metavar="ARGUMENT", nargs="*", help="of the part")
    parser.parse_args(words)
    return 2  # not reached: a part that is known has run


def run() -> NoReturn:
    """Runs the command that this process was started as: `frictionbench-report` the report, and so on."""
    command = Path(sys.argv[0]).name.removeprefix("frictionbench-")
    if command in PARTS:
        run_main(lambda: part_of(command, PARTS[command], sys.argv[1:]))
    run_main(lambda: import_module(f"frictionbench.{COMMANDS[command][0]}").main())
