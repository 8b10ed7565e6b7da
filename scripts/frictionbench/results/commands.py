"""Commands of the program that repeat what results documents record."""

from __future__ import annotations

import re
import shlex
from typing import Any

from frictionbench.results.document import Results, Solver, same_run_value


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


def known_solvers(document: Results) -> list[str]:
    """The options `--plugin` and `--peer` of the command line that made a document, or of those that made its parts."""
    run = document.document["run"]
    options = []
    for words in (run["command"], *(shard["command"] for shard in run.get("shards") or [])):
        for word, after in zip(words, [*words[1:], ""]):
            name, equals, value = word.partition("=")
            if name in ("--plugin", "--peer"):
                options.append((name, value if equals else after))
    return [word for option in dict.fromkeys(options) for word in option]


def repeat_options(document: Results) -> list[str]:
    """The options of `solve` and `run` that judge, limit and start solves as a document's were."""
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
    return options + known_solvers(document)


def solve_arguments(document: Results, path: str, solver: Solver) -> list[str]:
    """What follows the program in solve_command()."""
    return ["solve", path, "--solver", solver_spec(solver.id, solver.settings), *repeat_options(document)]


def solve_command(document: Results, path: str, solver: Solver) -> str:
    """The command line that repeats one solve of a document, from the folder that its run was started in."""
    return shlex.join([document.document["run"]["command"][0], *solve_arguments(document, path, solver)])
