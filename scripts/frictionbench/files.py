"""Files that people write and read: JSON, TOML, text; what is said of bad ones."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path
from typing import Any, Iterable, NoReturn


class ResultsError(Exception):
    """Bad input; the message is for the user."""


class UnreadableFile(ResultsError):
    """A file that cannot be opened."""


def load_toml(path: Path) -> dict[str, Any]:
    """Reads a TOML file. Raises ResultsError if there is no such file, or if it is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as failure:
        raise ResultsError(f"{path}: {failure.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        raise ResultsError(f"{path}: not a TOML file ({failure})") from None


def check_outputs(paths: Iterable[Path | None], force: bool) -> None:
    """Raises ResultsError if a file that is to be written is there already, unless it may be overwritten."""
    for path in paths:
        if path and path.is_file() and not force:
            raise ResultsError(f"{path}: already exists; choose another name or use --force")


def write_text(text: str, output: Path | None) -> None:
    """Writes to a file, or to standard output if none is given."""
    if output:
        output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def load_json(path: Path) -> Any:
    """Reads a JSON file. Raises ResultsError; NaN and Inf, which JSON does not have, are refused."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as failure:
        raise UnreadableFile(f"{path}: {failure.strerror}") from None
    except UnicodeDecodeError:
        raise ResultsError(f"{path}: not a JSON file (not UTF-8 text)") from None

    def finite(digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            raise ResultsError(f"{path}: the number {digits} is out of range")
        return value

    def refuse(word: str) -> NoReturn:
        raise ResultsError(f"{path}: {word} is not JSON; values that are not measured or not finite must be null")

    try:
        return json.loads(text, parse_float=finite, parse_constant=refuse)
    except ValueError as failure:  # of the syntax, or an integer of thousands of digits
        raise ResultsError(f"{path}: not a JSON file ({failure})") from None
    except RecursionError:
        raise ResultsError(f"{path}: not a results document (nested too deep)") from None
