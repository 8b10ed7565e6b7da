"""Finds and loads the compiled part of the package: the C++ library, as lib/python makes it for Python."""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

NAME = "frictionbench._native"
FOLDER = "FRICTIONBENCH_PYTHON"  # names the folder that has frictionbench/_native*.so
BUILD = "scripts/setup.sh --papers, cmake --preset app and cmake --build build/release --target frictionbench_python"


def _folders() -> list[Path]:
    """Where the module may be, the likeliest first: beside this file, or in the folder that the user names, or in
    that of this source tree."""
    here = Path(__file__).resolve().parent
    given = os.environ.get(FOLDER)
    return [here, Path(given or here.parents[1] / "build" / "release" / "python") / "frictionbench"]


def _find() -> Path:
    folders = _folders()
    for folder in folders:
        for suffix in EXTENSION_SUFFIXES:
            if (path := folder / f"_native{suffix}").exists():
                return path
    others = [path for folder in folders for path in sorted(folder.glob("_native*.so"))]
    if others:
        raise ImportError(f"{others[0]} is for another Python than {sys.executable}: run that one, or configure with "
                          f"cmake --preset app -D Python_EXECUTABLE={sys.executable}, and build again")
    raise ImportError(f"{folders[-1]} has no compiled module of frictionbench: build it by {BUILD}, or let ${FOLDER} "
                      "name the folder python/ of another build or installation")


def load() -> ModuleType:
    """The module frictionbench._native. Raises ImportError, one line that says how to build it, if there is none."""
    if NAME not in sys.modules:
        spec = importlib.util.spec_from_file_location(NAME, _find())
        assert spec and spec.loader  # it is a file of a known suffix
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[NAME] = module
    return sys.modules[NAME]
