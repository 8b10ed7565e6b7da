#!/usr/bin/python3
"""Writes datasets/models: models in MuJoCo's format and what their actuators are told."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from models import bodies, humanoid, masonry, phenomena, robots

FOLDER = Path(__file__).resolve().parents[1] / "datasets" / "models"
FAMILIES = (humanoid, robots, bodies, masonry, phenomena)


def files() -> dict[str, str]:
    """The text of every file, by its name."""
    made: dict[str, str] = {}
    for family in FAMILIES:
        made |= family.files()
    return made


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Writes the models of datasets/models, and the files of their controls. The pages there are written by hand.",
        epilog="Example: scripts/make_models.py")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, metavar="FOLDER",
                        help="folder to write to (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file is not as it would be written")
    arguments = parser.parse_args()
    different = []
    for name, text in files().items():
        path = arguments.output / name
        if arguments.check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                different.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in different:
        print(f"{arguments.output / name}: not as scripts/make_models.py writes it", file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
