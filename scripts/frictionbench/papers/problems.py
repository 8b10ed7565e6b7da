"""Finds the problems of a paper in collections of FCLIB files."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

import h5py

from frictionbench.command_line import ArgumentParser, pattern
from frictionbench.files import ResultsError, check_outputs, write_text
from frictionbench.papers.numbers import ProblemChoice, has_all, problem_choices

DESCRIPTION = """\
Prints the files of the folders that a paper's comparison takes, one per line, family by family:
s_fclib is that of [Carpentier24], section V-C, s_stack the stack of [Carpentier24], section V-A, all_3d no paper's, but
every 3D problem. A family is the folder that files are in. With -o paths are relative to the list, as
`frictionbench run @LIST` reads them. A file that cannot be read is listed: the run reports it.
"""
EPILOG = """\
  frictionbench-paper problems FCLIB_FOLDER --problems s_fclib -o fclib.txt
  frictionbench-paper problems FCLIB_FOLDER --problems s_fclib --filter '^Chain' --most 10
  frictionbench-paper problems FCLIB_FOLDER --problems all_3d --every 10
"""
ROOTS = {"fclib_local": "local", "fclib_global": "global"}  # group of an FCLIB file -> form of the problem


def files_below(folder: Path) -> list[Path]:
    """Every HDF5 file, in the order of `frictionbench run`."""
    if not folder.is_dir():
        raise ResultsError(f"{folder}: no such folder")
    return sorted(path for path in folder.rglob("*") if path.suffix in (".hdf5", ".h5") and path.is_file())


def problem_id(path: Path) -> str:
    """As results documents name the problem: family/name."""
    absolute = path.absolute()
    return f"{absolute.parent.name}/{absolute.stem}"


def facts(path: Path) -> dict[str, Any] | None:
    """Form and dimension of the problem in a file; None if it cannot be read."""
    try:
        with h5py.File(path, "r") as file:
            for root, form in ROOTS.items():
                if root in file:
                    return {"form": form, "dimension": int(file[root]["spacedim"][0])}
    except (OSError, KeyError, TypeError, ValueError, IndexError):
        pass
    return None


def evenly_spaced(files: Sequence[Path], most: int) -> list[Path]:
    """At most that many, from the middles of as many equal parts."""
    count = min(most, len(files))
    return [files[(2 * index + 1) * len(files) // (2 * count)] for index in range(count)]


def every_nth(files: Sequence[Path], step: int) -> Iterator[Path]:
    """The first of each folder, and every step-th after it."""
    before: Counter[Path] = Counter()
    for path in files:
        if before[path.parent] % step == 0:
            yield path
        before[path.parent] += 1


def taken(path: Path, where: Mapping[str, Any]) -> bool:
    known = facts(path)
    return known is None or has_all(known, where)


def chosen(folders: Sequence[Path], choice: ProblemChoice, wanted: re.Pattern[str],
           most: int | None, step: int = 1) -> Iterator[Path]:
    """Files of the choice, a family after the other, whose ids match the pattern `wanted` as well.

    Of each folder every step-th, and of what that leaves at most so many a family.
    """
    found = [path for folder in folders for path in files_below(folder)
             if re.search(choice.ids, problem_id(path)) and wanted.search(problem_id(path))]
    families = [problem_id(path).split("/")[0] for path in found]
    for family in choice.families or dict.fromkeys(families):
        members = list(every_nth([path for path, its in zip(found, families)
                                  if its == family and taken(path, choice.where)], step))
        yield from members if most is None else evenly_spaced(members, most)


def main(words: list[str] | None = None) -> int:
    choices = problem_choices()
    parser = ArgumentParser("frictionbench-paper problems", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("folders", metavar="FOLDER", nargs="+", type=Path, help="searched for *.hdf5, with its subfolders")
    add("--problems", metavar="NAME", choices=choices, required=True, help=", ".join(choices))
    add("--filter", metavar="REGEX", type=pattern, default="",
        help="only problems whose id (family/name) matches")
    add("--most", metavar="N", type=int, help="at most that many per family, evenly spaced by name")
    add("--every", metavar="N", type=int, default=1, help="only every N-th of each folder, the first included")
    add("-o", "--output", metavar="LIST", type=Path, help="default: standard output")
    parser.add_force()
    arguments = parser.parse_args(words)
    check_outputs([arguments.output], arguments.force)
    if arguments.most is not None and arguments.most < 1:
        parser.error(f"--most {arguments.most}: give 1 or more")
    if arguments.every < 1:
        parser.error(f"--every {arguments.every}: give 1 or more")
    base = arguments.output.absolute().parent if arguments.output else Path.cwd()
    paths = chosen(arguments.folders, choices[arguments.problems], arguments.filter, arguments.most,
                   arguments.every)
    lines = [str(path) if path.is_absolute() else os.path.relpath(path, base) for path in paths]
    text = "".join(f"{line}\n" for line in lines)
    write_text(text, arguments.output)
    return 0
