"""Commands of the program that repeat what results documents record."""

from __future__ import annotations

import re
import shlex
from typing import Any, Sequence

from frictionbench.results.document import Results, Solver, same_run_value
from frictionbench.text import listed

KNOWN = ("--plugin", "--peer")  # options by which solvers of others are known


def is_peer(settings: dict[str, Any]) -> bool:
    """Whether a solver comes from outside the project, by its settings: of a peer, a plug-in or an external program."""
    return any(name in settings for name in ("library", "library_sha256", "command"))


def solver_spec(id: str, settings: dict[str, Any]) -> str:
    """A solver as `--solver` takes it: its id, except for a program of the user's, whose id is only its name."""
    if "command" not in settings or "library" in settings:  # the programs of peers are known by name
        return id

    def quoted(value: Any) -> str:
        plain = re.fullmatch(r"[\w.+-]+", text := str(value))
        return text if plain else "'" + text.replace("'", "''") + "'"

    return f"external({','.join(f'{name}={quoted(value)}' for name, value in settings.items())})"


def made_by(document: Results, solver: Solver) -> list[list[str]]:
    """The command lines that a solver's results are of: of a joined document, that of the last part that ran it."""
    run = document.document["run"]
    joined = [part["command"] for part in run.get("joined") or [] if solver.id in part["solvers"]]
    return joined[-1:] or [run["command"], *(shard["command"] for shard in run.get("shards") or [])]


def given_options(commands: Sequence[Sequence[str]], names: Sequence[str]) -> list[tuple[str, str]]:
    """The options of these names on command lines, each once: (name, value)."""
    found = []
    for words in commands:
        for word, after in zip(words, [*words[1:], ""]):
            name, equals, value = word.partition("=")
            if name in names:
                found.append((name, value if equals else after))
    return list(dict.fromkeys(found))


def known_solvers(document: Results, solver: Solver) -> list[str]:
    """The options `--plugin` and `--peer` of the command lines that a solver's results are of."""
    return [word for option in given_options(made_by(document, solver), KNOWN) for word in option]


def missing_options(document: Results, solver: Solver) -> str | None:
    """What must be added to the command that repeats a solver's solve, in words; None if nothing is known to be missing.

    Documents have the command line, and not what a file of --config says.
    """
    if not any(name in solver.settings for name in ("library", "library_sha256")):
        return None
    files = [file for _, file in given_options(made_by(document, solver), ["--config"])]
    if files:
        return f"add --plugin and --peer as {listed(files)} has them"
    return None if known_solvers(document, solver) else "add the --plugin or --peer of the solver, which is not recorded"


def repeat_options(document: Results, solver: Solver) -> list[str]:
    """The options of `solve` and `run` that judge, limit and start solves as a document's were, and know the solver."""
    run = document.document["run"]
    asked = run.get("asked") or run  # of a document that was judged again, what its solvers were asked for
    options = ["--criterion", asked["criterion"], "--scale", asked["scale"], "--tolerance", repr(asked["tolerance"]),
               "--max-iterations", str(run["max_iterations"])]
    if run["time_step"] is not None:
        options += ["--time-step", repr(run["time_step"])]
    if run["compliance"] is not None:
        options += ["--compliance", run["compliance"]]
    if run["facets"] != 4:
        options += ["--facets", str(run["facets"])]
    if run["time_limit"] is not None:
        options += ["--time-limit", repr(run["time_limit"])]
    if (start := same_run_value(document, "warm_start")) != "zero":
        options += ["--warm-start", start]
    if run.get("match_verdict"):
        options.append("--match-verdict")
    return options + known_solvers(document, solver)


def solve_arguments(document: Results, path: str, solver: Solver) -> list[str]:
    """What follows the program in solve_command()."""
    return ["solve", path, "--solver", solver_spec(solver.id, solver.settings), *repeat_options(document, solver)]


def solve_command(document: Results, path: str, solver: Solver) -> str:
    """The command line that repeats one solve of a document, from the folder that its run was started in.

    With a comment where something must be added, see missing_options.
    """
    command = shlex.join([document.document["run"]["command"][0], *solve_arguments(document, path, solver)])
    missing = missing_options(document, solver)
    return f"{command}  # {missing}" if missing else command
