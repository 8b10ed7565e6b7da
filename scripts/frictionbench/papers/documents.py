"""What the documents of papers are made with and written as: a text and its pictures, in a folder."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator, Mapping

from frictionbench.papers.inverse_measures import Program
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
            for suffix in (".svg", ".png"):
                save(picture, folder / f"{of}{suffix}")
