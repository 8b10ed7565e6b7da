"""What the commands of the package have in common: their arguments, and how they end."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Callable, NoReturn

from frictionbench.files import ResultsError


def pattern(text: str) -> re.Pattern[str]:
    """An argparse type for regular expressions."""
    try:
        return re.compile(text)
    except re.error as failure:
        raise argparse.ArgumentTypeError(f"'{text}' is not a regular expression: {failure}") from None


class ArgumentParser(argparse.ArgumentParser):
    """Reports a wrong command line as any other bad input: one line, exit code 2."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(prog, description=description, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter)

    def add_force(self) -> None:
        """Adds --force, for check_outputs()."""
        self.add_argument("--force", action="store_true", help="overwrite existing files")

    def error(self, message: str) -> NoReturn:
        print(f"error: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(2)


def run_main(main: Callable[[], int]) -> NoReturn:
    """Runs a command's main: bad input becomes one `error:` line and exit code 2, not a traceback."""
    try:
        sys.exit(main())
    except ResultsError as failure:
        print(f"error: {failure}", file=sys.stderr)
    except (AttributeError, KeyError, TypeError):
        # Reading checks little of a document: what is wrong with the rest shows where it is used.
        from frictionbench.results.findings import invalid_input

        reason = invalid_input()
        if reason is None:
            raise
        print(f"error: {reason}", file=sys.stderr)
    except ModuleNotFoundError as failure:
        print(f"error: {failure}; scripts/setup.sh --papers installs it", file=sys.stderr)
    except ImportError as failure:  # the compiled module is not built
        print(f"error: {failure}", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has closed the pipe
    except OSError as failure:
        print(f"error: {failure.filename}: {failure.strerror}", file=sys.stderr)
    sys.exit(2)
