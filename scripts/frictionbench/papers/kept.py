"""Results that are kept with the project, one compressed archive for each document of a paper: writing and unpacking."""

from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path
from typing import Sequence

from frictionbench.checkout import ROOT
from frictionbench.files import ResultsError
from frictionbench.papers.declaration import Declaration, declaration, names

FOLDER = ROOT / "results/paper/kept"


def kept() -> list[Declaration]:
    """The declarations that results are kept of."""
    return [declaration(name) for name in names() if archive(name).exists()]


def archive(name: str) -> Path:
    return FOLDER / f"{name}.tar.xz"


def keep(folder: Path, patterns: Sequence[str], output: Path) -> None:
    """Packs the files of a run that match. The same files make the same archive. Raises ResultsError if none match."""
    files = sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
    if not files:
        raise ResultsError(f"{folder}: nothing to keep of {', '.join(patterns)}")
    output.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(output, "wb", preset=9) as compressed, tarfile.open(fileobj=compressed, mode="w") as packed:
        for path in files:
            content = path.read_bytes()
            entry = tarfile.TarInfo(str(path.relative_to(folder)))  # without owner and date
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))


def unpack(source: Path, folder: Path) -> None:
    """Raises ResultsError if it is not such an archive, or would write elsewhere."""
    try:
        with tarfile.open(source, "r:xz") as packed:
            for entry in packed:  # Debian 12's tarfile has no filters that refuse other places
                if not entry.isfile() or not (folder / entry.name).resolve().is_relative_to(folder.resolve()):
                    raise ResultsError(f"{source}: {entry.name} is not a file below the folder of the run")
                packed.extract(entry, folder)
    except FileNotFoundError:
        raise ResultsError(f"{source}: no results are kept there; --keep of a run writes them") from None
    except (tarfile.TarError, lzma.LZMAError, EOFError) as failure:
        raise ResultsError(f"{source}: not an archive of kept results ({failure})") from None
