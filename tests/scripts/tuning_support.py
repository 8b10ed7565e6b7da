#!/usr/bin/python3
"""What the tests of scripts/frictionbench/tuning share: a space, and a stand-in for the program with a made-up world.

The world is the file world.json in the working directory: the settings of the one solver, and the
factorisations that each setting set needs on each problem, null for unsolved. As a script this file is
the stand-in: it answers as `frictionbench` does, and writes down how it was called.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, Callable

from support import TemporaryFolderTest, full_document, made_up_document

SPACE = """\
solver = "made-up"
[run]
tolerances = [1e-6]
max_iterations = 100
time_limit = 10
[sample]
seed = 1
problems_per_family = 5
[search]
seed = 1
candidates = 20
passes = 1
[score]
unsolved = 10000
[score.weights]
factorizations = 1
[settings]
a = [0, 1, 2]
"""

Work = Callable[..., int | None]


class TuningTest(TemporaryFolderTest):
    """A test with a space, a world, and the stand-in, in a folder of its own."""

    def make_world(self, families: dict[str, list[Work]], values: dict[str, list[Any]],
                   space: str = SPACE, **more: Any) -> None:
        """`families` have a function of the settings for each problem, `values` all values of a setting."""
        problems, work = [], {}
        for family, functions in families.items():
            (self.folder / "problems" / family).mkdir(parents=True, exist_ok=True)
            for index, function in enumerate(functions):
                id = f"{family}/{index}"
                path = self.write(f"problems/{id}.hdf5", f"problem {id}")
                problems.append({"id": id, "path": str(path), "family": family, "contacts": index + 1})
                work[id] = {spec(dict(zip(values, chosen))): function(**dict(zip(values, chosen)))
                            for chosen in itertools.product(*values.values())}
        defaults = {name: listed[0] for name, listed in values.items()}
        self.write("world.json", {"defaults": defaults, "problems": problems, "work": work, **more})
        self.write("space.toml", space)
        (self.folder / "calls").touch()

    def runs(self) -> list[list[str]]:
        """The arguments of every run that solved something, without options that name files."""
        lines = (self.folder / "calls").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def document(self) -> dict[str, Any]:
        return json.loads((self.folder / "report.json").read_text(encoding="utf-8"))

    def report(self) -> str:
        return (self.folder / "report.md").read_text(encoding="utf-8")


def spec(settings: dict[str, Any]) -> str:
    return f"made-up({','.join(f'{name}={value:g}' for name, value in settings.items())})"


def settings_of(spec: str) -> dict[str, float]:
    inside = spec[spec.index("(") + 1:-1]
    return {name: float(value) for name, value in (item.split("=") for item in inside.split(","))}


def run(world: dict[str, Any], arguments: list[str]) -> int:
    specs = [arguments[index + 1] for index, name in enumerate(arguments) if name == "--solver"]
    refused = [text for text in specs if any(value < 0 for value in settings_of(text).values())]
    if refused:
        print(f"error: {refused[0]} is out of range", file=sys.stderr)
        return 2
    if "--dry-run" in arguments:
        return 0
    output = Path(arguments[arguments.index("--output") + 1])
    journal = Path(f"{output}.journal")
    if journal.exists() != ("--resume" in arguments):
        print("error: a journal without --resume, or the other way round", file=sys.stderr)
        return 2
    with open("calls", "a", encoding="utf-8") as calls:
        calls.write(json.dumps([*specs, *(name for name in arguments if name == "--resume")]) + "\n")
    if sum(1 for _ in open("calls", encoding="utf-8")) == world.get("interrupt_at"):
        journal.touch()
        os.kill(os.getppid(), signal.SIGINT)
        signal.signal(signal.SIGINT, lambda *_: sys.exit(1))
        time.sleep(60)
    output.write_text(json.dumps(results(world, arguments, specs)), encoding="utf-8")
    journal.unlink(missing_ok=True)
    return 0


def results(world: dict[str, Any], arguments: list[str], specs: list[str]) -> dict[str, Any]:
    """The document of a run, as a program with this world would write it."""
    listed = Path(arguments[1][1:]).read_text(encoding="utf-8").splitlines()
    problems = [problem for problem in world["problems"] if problem["path"] in listed]
    unreadable = world.get("unreadable", [])
    families: dict[str, list[str]] = {}
    for problem in problems:
        families.setdefault(problem["family"], []).append(problem["id"])
    template = full_document()
    made = made_up_document({
        family: {text: [None if world["work"][id][text] is None else world["work"][id][text] / 100 for id in ids]
                 for text in specs} for family, ids in families.items()})
    by_place = {f"{family}/{index}": id for family, ids in families.items() for index, id in enumerate(ids)}
    for record in made["records"]:
        record["problem"] = by_place[record["problem"]]
    for entry in made["problems"]:
        (problem,) = [one for one in problems if one["id"] == by_place[entry["id"]]]
        sha256 = hashlib.sha256(Path(problem["path"]).read_bytes()).hexdigest()
        entry |= {"id": problem["id"], "path": problem["path"], "sha256": sha256}
    made["problems"] = [entry for entry in made["problems"] if entry["id"] not in unreadable]
    made["records"] = [record for record in made["records"] if record["problem"] not in unreadable]
    for solver in made["solvers"]:
        solver |= {"name": "made-up", "settings": {**world["defaults"], **settings_of(solver["id"])}}
    tolerance = float(arguments[arguments.index("--tolerance") + 1])
    made["run"] = {**template["run"], "tolerance": tolerance, "criterion": "ncp"}
    return made


def main() -> int:
    world = json.loads(Path("world.json").read_text(encoding="utf-8"))
    arguments = sys.argv[1:]
    if arguments[:2] == ["list", "solvers"]:
        if arguments[2] != "made-up":
            print(f"error: unknown solver '{arguments[2]}'", file=sys.stderr)
            return 2
        settings = [{"name": name, "default": value} for name, value in world["defaults"].items()]
        print(json.dumps([{"name": "made-up", "settings": settings,
                           "shorthands": world.get("shorthands", [])}]))
        return 0
    if arguments[:2] == ["list", "problems"]:
        print(json.dumps(world["problems"]))
        for path in world.get("unlisted", []):
            print(f"error: {path}: not a problem", file=sys.stderr)
        return 1 if world.get("unlisted") else 0
    return run(world, arguments)


if __name__ == "__main__":
    sys.exit(main())
