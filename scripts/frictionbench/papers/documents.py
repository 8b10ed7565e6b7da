"""What the documents of papers are made with and written as: a text and its pictures, in a folder."""

from __future__ import annotations

import argparse
import json
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

import numpy as np

from frictionbench.command_line import ArgumentParser
from frictionbench.files import check_outputs, load_json
from frictionbench.papers.declaration import document_files
from frictionbench.papers.inverse_measures import Program, dividing
from frictionbench.plots.pictures import PRINT_STYLE, Figure, save, style


@contextmanager
def working_program(path: Path) -> Iterator[tuple[Program, str]]:
    """A program with a folder for its files, and its version."""
    with tempfile.TemporaryDirectory() as folder:
        program = Program(str(path.absolute()), Path(folder))
        _, version = program.call("--version")
        yield program, version.split()[-1]


def write_document(folder: Path, name: str, text: str, pictures: Mapping[str, Callable[[], Figure]]) -> None:
    """Writes a text in Markdown, and pictures of these names as SVG and PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    with style(PRINT_STYLE):
        for of, draw in pictures.items():
            picture = draw()
            for path in document_files(folder, [of]):
                save(picture, path)


def folders(name: str, description: str, words: list[str] | None, *documents: str) -> tuple[Path, Path]:
    """The arguments of a document that is made of the folder of its run: that folder, and where the document goes.

    `documents`: the names of text and pictures. Raises ResultsError if they are there and may not be overwritten.
    """
    parser = ArgumentParser(f"frictionbench-paper {name}", description)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help=f"of `frictionbench-paper run {name}`")
    parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, required=True, help="where text and pictures go")
    parser.add_force()
    arguments = parser.parse_args(words)
    check_outputs(document_files(arguments.output, documents), arguments.force)
    return arguments.folder, arguments.output


def measure_or_write(name: str, description: str, words: list[str] | None,
                     measure: Callable[[Program, argparse.Namespace], Any], write: Callable[[Path, Any, str], None],
                     documents: Sequence[str], whole: float | None = None) -> int:
    """The main of a document that is measured by calls of the program, without results documents.

    `measure` gives what is kept, as JSON (arrays as lists), in FOLDER/<name>.json; `write` makes text and pictures of
    that and of the program's version, in the folder -o; `documents` as of folders(). With a --time-step if it
    must be a whole part of `whole`, s.
    """
    parser = ArgumentParser(f"frictionbench-paper {name}", description)
    add = parser.add_argument
    add("folder", metavar="FOLDER", type=Path, help=f"of the measurements, {name}.json")
    add("--program", metavar="FILE", type=Path, help="frictionbench, to measure; without it they must be there")
    if whole is not None:
        add("--time-step", metavar="SECONDS", type=dividing(whole), default=1e-3,
            help=f"a whole part of {whole:g}; default: 0.001")
    add("-o", "--output", metavar="FOLDER", type=Path, help="where the text and the pictures go")
    parser.add_force()
    arguments = parser.parse_args(words)
    if arguments.program is None and arguments.output is None:
        parser.error("nothing to do: --program measures, -o writes")
    file = arguments.folder / f"{name}.json"
    check_outputs([*([file] if arguments.program else []),
                   *(document_files(arguments.output, documents) if arguments.output else [])], arguments.force)
    if arguments.program is not None:
        with working_program(arguments.program) as (program, version):
            measured = measure(program, arguments)
        arguments.folder.mkdir(parents=True, exist_ok=True)
        content = json.dumps({"version": version, "measured": measured}, default=np.ndarray.tolist)
        file.write_text(f"{content}\n", encoding="utf-8")
    if arguments.output is not None:
        known = load_json(file)
        write(arguments.output, known["measured"], known["version"])
    return 0
