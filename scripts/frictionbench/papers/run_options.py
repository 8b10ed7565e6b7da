"""The options of `frictionbench-paper run`: a declaration says which of them it takes."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any, Callable

from frictionbench.command_line import ArgumentParser, pattern
from frictionbench.papers.declaration import Declaration

PASSED = ("jobs", "repeat-time", "memory-limit")  # to `frictionbench run`; and --quiet


def whole(text: str) -> str:
    """An argparse type for numbers from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return str(int(text))


def regex(text: str) -> str:
    return pattern(text).pattern


def table(text: str) -> str:
    """An argparse type for CSV files, which need not be below the folder of the run."""
    if not text.endswith(".csv") or not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{text}: no such .csv file")
    return str(Path(text).absolute())


OPTIONS: dict[str, dict[str, Any]] = {
    "steps": {"metavar": "N", "type": whole, "default": "300", "help": "consecutive time steps of each robot in l17"},
    "max-contacts": {"metavar": "N", "type": whole, "help": "only problems with at most N contacts"},
    "time-step": {"metavar": "SECONDS", "help": "of the motion"},
    "peers": {"metavar": "CSV", "nargs": "+", "type": table,
              "help": "runs of other programs on the same files; see frictionbench-paper second-order --help"},
    "peer": {"metavar": "NAME", "action": "append", "default": [],
             "help": "the solvers, too, of a project that this build has some of (`frictionbench list peers`); repeatable"},
    "plugin": {"metavar": "FILE", "action": "append", "default": [], "help": "a shared library with peers; repeatable"},
    "solver": {"metavar": "SOLVER", "action": "append", "default": [],
               "help": "these solvers instead of the default ones; repeatable"},
    "ours": {"metavar": "PATTERN", "action": "append", "default": [], "help": "our solvers; repeatable"},
    "filter": {"metavar": "REGEX", "type": regex, "help": "only problems whose id (family/name) matches"},
    "every": {"metavar": "N", "type": whole, "default": "1",
              "help": "only every N-th file of each folder, for a look before the whole run"},
    "time-limit": {"metavar": "SECONDS", "default": "20", "help": "of a solve"},
    "jobs": {"metavar": "N", "help": "of `frictionbench run`, as the next ones"},
    "repeat-time": {"metavar": "SECONDS"}, "memory-limit": {"metavar": "MIB"}, "quiet": {"action": "store_true"},
}


def parser_of(declared: Declaration) -> ArgumentParser:
    about = (f"Runs what is measured of {declared.title}.\n\n{declared.about}\n\nWrites {', '.join(declared.documents)} to "
             "results/paper, whose files it overwrites, pictures as .svg and .png.\nOther files go to "
             f"results/runs/<UTC time>-paper-{declared.name}/. Missing packages are installed and the program is built first.\n"
             "The exit code is that of the step that failed; 1 if some file could not be read.")
    parser = ArgumentParser(f"frictionbench-paper run {declared.name}", about)
    add = parser.add_argument
    if declared.folders:
        add("folders", metavar="FOLDER", nargs="*", help="of FCLIB files, with its subfolders")
    add("--output-dir", metavar="DIR", type=Path,
        help="everything goes there instead: a new folder, or with --resume one of an interrupted run")
    add("--resume", action="store_true",
        help="continue an interrupted run, given the same arguments: in DIR, or in the newest folder of results/runs; finished "
             "work is kept, texts and pictures are made again")
    add("--dry-run", action="store_true", help="only print what would run, and for how long")
    add("--from-results", metavar="RESULTS", nargs="?", const="", help=(
        "run nothing: make texts and pictures of the folder of a run, or of an archive of --keep"
        f"{' (default: what is kept in results/paper)' if declared.kept else ''}"))
    add("--force", action="store_true", help="with --from-results, overwrite files in DIR")
    if declared.kept:
        add("--keep", action="store_true", help="keep the results in results/paper/kept, compressed")
    add("--program", metavar="FILE", type=Path, help="frictionbench; nothing is installed and built then")
    for name in declared.options:
        fixed = declared.defaults.get(name)
        settings = dict(OPTIONS[name])
        # A default of a repeatable option must not be added to.
        if fixed is not None and settings.get("action") != "append":
            settings["default"] = fixed
        shown = fixed or settings.get("default")
        if shown:
            settings["help"] += f" (default: {shown if isinstance(shown, str) else ' '.join(shown)})"
        add(f"--{name}", **settings)
    return parser


def values_of(declared: Declaration, arguments: argparse.Namespace, shown: Callable[[Path], str]) -> dict[str, Any]:
    """What stands for {name} in the declaration, of the options; `shown` makes a path one from the folder of the run."""
    given = {name: getattr(arguments, name.replace("-", "_")) for name in declared.options}
    values = {name: value or declared.defaults.get(name, value) for name, value in given.items()}
    values["plugin"] = [shown(Path(plugin)) for plugin in values.get("plugin", [])]
    values["folders"] = [shown(Path(folder)) for folder in getattr(arguments, "folders", [])]
    values["others"] = given.get("solver") or [*values.get("solver", []), *(f"{peer}-*" for peer in values.get("peer", []))]
    return values


def passed_on(declared: Declaration, arguments: argparse.Namespace) -> list[str]:
    """Further arguments of every `frictionbench run`."""
    words = [word for name in PASSED if name in declared.options
             if (value := getattr(arguments, name.replace("-", "_"))) is not None for word in (f"--{name}", value)]
    return words + (["--quiet"] if getattr(arguments, "quiet", False) else [])


def identity(declared: Declaration, arguments: argparse.Namespace) -> str:
    """A line that tells runs apart: only the same one can be resumed."""
    left_out = ("output_dir", "resume", "dry_run", "keep", "from_results", "force", "program")
    said = [f"{name}={value}" for name, value in sorted(vars(arguments).items()) if name not in left_out]
    return shlex.join([str(Path.cwd()), declared.name, *said]) + "\n"
