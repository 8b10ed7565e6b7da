"""Writes datasets/models: models in MuJoCo's format and what their actuators are told."""

from __future__ import annotations

import sys
from pathlib import Path

from frictionbench.checkout import ROOT
from frictionbench.command_line import ArgumentParser
from frictionbench.files import check_outputs
from frictionbench.models import bodies, humanoid, masonry, phenomena, robots

FOLDER = ROOT / "datasets/models"
FAMILIES = (humanoid, robots, bodies, masonry, phenomena)


def files() -> dict[str, str]:
    """The text of every file, by its name."""
    made: dict[str, str] = {}
    for family in FAMILIES:
        made |= family.files()
    return made


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser(
        "frictionbench-data models",
        "Writes the models of datasets/models, and the files of their controls. The pages there are written by hand.")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, metavar="FOLDER",
                        help="folder to write to (default: %(default)s, whose files are brought up to date)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file is not as it would be written")
    parser.add_force()
    arguments = parser.parse_args(words)
    made, different = files(), []
    if not arguments.check:
        check_outputs([arguments.output / name for name in made], arguments.force or arguments.output == FOLDER)
    for name, text in made.items():
        path = arguments.output / name
        if arguments.check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                different.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in different:
        print(f"{arguments.output / name}: not as frictionbench-data models writes it", file=sys.stderr)
    return 1 if different else 0
