"""Carries out the declaration of a paper's document: problems, runs, impulses, texts and pictures."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from argparse import Namespace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Iterator

from frictionbench.checkout import PROGRAM, ROOT
from frictionbench.command_line import ArgumentParser
from frictionbench.files import ResultsError, check_outputs
from frictionbench.papers.declaration import Declaration, Step, alternatives, declaration, document_files, names
from frictionbench.papers.kept import archive, keep, kept, unpack
from frictionbench.papers.run_options import identity, parser_of, passed_on, values_of

DESCRIPTION = """\
Runs what a document of a paper is made of, and makes it: NAME --help tells more. `all --from-results` makes all documents
again whose results are kept in results/paper, without running anything.
"""
EPILOG = """\
  frictionbench-paper run compliance --jobs 2
  frictionbench-paper run admm ~/fclib-library --time-limit 10 --output-dir admm
  frictionbench-paper run sizes --repeat-time 0 --time-limit 60 big ~/fclib-library/local ~/fclib-library/global
  frictionbench-paper run versus --peer siconos ~/fclib-library/local
  frictionbench-paper run sap --from-results --output-dir /tmp/sap
  frictionbench-paper run all --from-results --output-dir /tmp/papers
"""
TEXTS, RUNS = ROOT / "results/paper", ROOT / "results/runs"


class Ended(Exception):
    """A step failed, and has said why; the argument is its exit code."""


def say(text: str) -> None:
    print(f"== {text}", flush=True)


class Run:
    """A run of a declaration in its folder, which is the working directory meanwhile: documents then name their problems
    from there, wherever the project is, and results can be unpacked anywhere."""

    def __init__(self, declared: Declaration, arguments: Namespace, folder: Path, texts: Path) -> None:
        self.declared, self.folder, self.texts = declared, folder, texts
        self.program = str((arguments.program or PROGRAM).absolute())
        self.dry, self.status = arguments.dry_run, 0
        self.passed = passed_on(declared, arguments)
        self.values: dict[str, Any] = {
            **values_of(declared, arguments, self.shown),
            **{name: shlex.quote(value) for name, value in (
                ("datasets", self.shown(ROOT / "datasets")), ("texts", self.shown(texts)),
                ("program", self.program))}}

    def shown(self, path: Path) -> str:
        """A path from the folder of the run."""
        return os.path.relpath(path.absolute(), self.folder.absolute())

    def carry_out(self, kinds: str = "") -> None:
        """All steps, or those of one kind. Raises Ended, or ResultsError."""
        found: list[str] = []
        with contextlib.chdir(self.folder):
            for step in self.declared.expanded(self.values):
                if kinds not in ("", step.kind):
                    continue
                if step.kind == "find":
                    found.append(f"{step.table['list']}.txt")
                elif step.kind == "run" and found and not any(Path(name).stat().st_size for name in found):
                    folders = ", ".join(self.values["folders"]) or str(self.folder)
                    raise ResultsError(f"{folders}: no problem that {self.declared.name} takes")
                if not (self.dry and step.kind in ("impulses", "judge", "measure", "write")) and self._wanted(step):
                    getattr(self, step.kind)(step)

    @staticmethod
    def _wanted(step: Step) -> bool:
        """Whether the list `if` has problems, or a line that matches `has`."""
        needed = step.table.get("if")
        return not needed or bool(re.search(step.table.get("has", "."), Path(needed).read_text(encoding="utf-8")))

    def call(self, *words: str, output: Any = None) -> int:
        """The exit code of the program: 0 or 1. Raises Ended for any other."""
        try:
            code = subprocess.run([self.program, *words], stdout=output, check=False).returncode
        except OSError as failure:
            raise ResultsError(f"{self.program}: {failure.strerror}") from None
        if code not in (0, 1):
            raise Ended(code if code > 0 else 1)
        return code

    @staticmethod
    def command(text: str, *more: str) -> None:
        """A command of the package, in this process. Raises Ended if it fails, or ResultsError."""
        # The list of commands imports this module.
        from frictionbench.commands import COMMANDS, PARTS, part_of
        name, *words = [*shlex.split(text), *more]
        code = (part_of(name, PARTS[name], words) if name in PARTS
                else import_module(f"frictionbench.{COMMANDS[name][0]}").main(words))
        if code:
            raise Ended(code)

    def generate(self, step: Step) -> None:
        self._make(step, [(f"problems/{step.table['list']}", text) for text in alternatives(step.table["generate"])])
        self._list(step, [f"problems/{step.table['list']}"])

    def extract(self, step: Step) -> None:
        texts = step.table["extract"]
        self._make(step, [(f"problems/{step.table['list']}", text) for text in texts])
        names_of = [(words := shlex.split(text))[words.index("--name") + 1] for text in texts]
        self._list(step, [f"problems/{step.table['list']}/{name}" for name in names_of])

    def _make(self, step: Step, problems: list[tuple[str, str]]) -> None:
        say(f"making problems: {step.table['list']}")
        for folder, text in problems:
            if self.call(step.kind, *shlex.split(text), "--force", "-o", folder, output=subprocess.DEVNULL):
                raise Ended(1)

    @staticmethod
    def _list(step: Step, lines: list[str]) -> None:
        """Paths in a list are relative to it."""
        Path(f"{step.table['list']}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def find(self, step: Step) -> None:
        say(f"finding problems: {step.table['list']}")
        self.command(f"paper problems {step.table['find']} -o {step.table['list']}.txt", "--force")

    def rewrite(self, step: Step) -> None:
        text = Path(*shlex.split(step.table["of"])).read_text(encoding="utf-8")
        Path(step.name).write_text(re.sub(step.table["replace"], step.table["by"], text), encoding="utf-8")

    def run(self, step: Step) -> None:
        output, problems = Path(f"{step.name}.json"), f"{step.table.get('list', step.name)}.txt"
        if not Path(problems).stat().st_size:
            say(f"no problems for {output}")
            return
        how: list[str] = []
        if self.dry:
            say(f"would run {output}")
            how = ["--dry-run"]
        elif Path(f"{output}.journal").exists():
            say(f"resuming {output}")
            how = ["--resume"]
        elif output.exists():
            say(f"finished before: {output}")
            return
        else:
            say(f"running {output}")
        output.parent.mkdir(exist_ok=True)
        named = [solver for text in alternatives(step.table.get("solvers", []))
                 for solver in (self._registered(text[1:]) if text.startswith("@") else [text])]
        solvers = [word for solver in named for word in ("--solver", solver)]
        # 1: some file could not be read, but there are results.
        self.status = self.call("run", f"@{problems}", "--output", str(output), *solvers,
                                *shlex.split(step.table["arguments"]), *self.passed, *how) or self.status
        if not self.dry and not output.exists():
            raise Ended(1)

    def _registered(self, model: str) -> list[str]:
        """The names of the solvers of a model that take contacts, or of all models; without those that need a setting."""
        listed = subprocess.run([self.program, "list", "solvers", "--json"], capture_output=True, text=True, check=False)
        if listed.returncode:
            raise Ended(listed.returncode)
        return [solver["name"] for solver in json.loads(listed.stdout)
                if solver["contacts"] and model in ("all", solver["model"])
                and not any(setting["required"] for setting in solver["settings"])]

    def impulses(self, step: Step) -> None:
        say("solving again, for the impulses")
        for document in _matching(step.table["impulses"]):
            self.command(shlex.join(["paper", "impulses", str(document), "--program", self.program, "-o",
                                     str(Path("impulses", document.with_suffix("")))]))

    def judge(self, step: Step) -> None:
        say("judging answers on other problems")
        for document in _matching([step.name]):
            of = Path("impulses", document.with_suffix(""))
            for impulse in sorted(of.rglob("*.txt")):
                judged = Path("judged", document.stem, impulse.relative_to(of).with_suffix(".json"))
                judged.parent.mkdir(parents=True, exist_ok=True)
                with judged.open("w", encoding="utf-8") as output:  # 1: not solved, as no compliant answer is
                    self.call("judge", f"problems/{step.table['list']}/{impulse.relative_to(of).parent}.hdf5",
                              "--impulse", str(impulse), "--json", output=output)

    def measure(self, step: Step) -> None:
        say(f"measuring: {shlex.split(step.name)[1]}")
        self.command(step.name, "--force")  # the files are the run's own

    def write(self, step: Step) -> None:
        say(f"writing: {' '.join(shlex.split(step.name)[:2])}")
        self.command(step.name, "--force")  # the files are the run's own


def _matching(patterns: list[str]) -> list[Path]:
    return [path for pattern in patterns for path in sorted(Path().glob(pattern))]


def prepare(declared: Declaration) -> None:
    """Installs missing packages and builds the program."""
    script = 'source "$0/common.sh"; "$root/scripts/setup.sh" --papers --quiet; build_program "$@"'
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script, str(ROOT / "scripts"), *declared.builds], check=False)
    if done.returncode:
        raise Ended(done.returncode)


@contextlib.contextmanager
def opened(declared: Declaration, arguments: Namespace) -> Iterator[Path]:
    """The folder of a run. A failure before there are results leaves nothing. Raises ResultsError for a wrong one."""
    own, kind = identity(declared, arguments), f"-paper-{declared.name}"
    if arguments.dry_run:
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)
        return
    folder: Path = arguments.output_dir or RUNS / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}{kind}"
    if arguments.resume:
        if arguments.output_dir is None:
            found = sorted(path for path in RUNS.glob(f"*{kind}") if path.is_dir())
            if not found:
                raise ResultsError(f"no run in {RUNS}, nothing to resume")
            folder = found[-1]
        known = folder / "arguments.txt"
        if not known.is_file():
            raise ResultsError(f"{folder}: no run of {declared.name} in it, nothing to resume")
        if known.read_text(encoding="utf-8") != own:
            raise ResultsError(f"{folder}: was run with other arguments or from another directory, see arguments.txt there")
    else:
        if folder.exists() and any(folder.iterdir()):
            raise ResultsError(f"{folder}: not empty; continue it with --resume, or choose another folder")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "arguments.txt").write_text(own, encoding="utf-8")
    try:
        yield folder
    except (Ended, ResultsError):
        if any(folder.rglob("*.json*")):
            print(f"not finished; to continue, repeat the command with --resume --output-dir {folder}", flush=True)
        else:
            shutil.rmtree(folder)
        raise


def run(declared: Declaration, arguments: Namespace) -> int:
    with opened(declared, arguments) as folder:
        if arguments.program is None:
            prepare(declared)
        going = Run(declared, arguments, folder, arguments.output_dir or TEXTS)
        going.carry_out()
        if getattr(arguments, "keep", False) and not arguments.dry_run:
            keep(folder, declared.kept, archive(declared.name))
    if not arguments.dry_run:
        say("done")
        print(os.path.relpath(folder), *written(declared, going.texts), sep="\n")
    return going.status


def rebuild(declared: Declaration, arguments: Namespace) -> int:
    """Makes texts and pictures of results alone."""
    source, texts = Path(arguments.from_results or archive(declared.name)), arguments.output_dir or TEXTS
    if arguments.output_dir:
        check_outputs(document_files(texts, declared.documents), arguments.force)
    texts.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as unpacked:
        if not source.is_dir():
            unpack(source, Path(unpacked))
        Run(declared, arguments, source if source.is_dir() else Path(unpacked), texts).carry_out("write")
    print(*written(declared, texts), sep="\n")
    return 0


def written(declared: Declaration, texts: Path) -> list[str]:
    """The documents that there are; a picture of problems that were not there is not drawn."""
    return [os.path.relpath(path) for path in document_files(texts, declared.documents) if path.exists()]


def main(words: list[str] | None = None) -> int:
    chosen, *rest = words or ["--help"]
    if chosen not in (*names(), "all"):
        listed = "".join(f"\n  {name:16} {declaration(name).title}" for name in names())
        listing = ArgumentParser("frictionbench-paper run", DESCRIPTION + listed, EPILOG)
        listing.add_argument("name", metavar="NAME", choices=(*names(), "all"))
        listing.parse_args([chosen])
        return 2  # not reached: it is none of the names
    if chosen == "all":
        return all_of_them(rest)
    declared = declaration(chosen)
    parser = parser_of(declared)
    arguments = parser.parse_args(rest)
    try:
        if arguments.from_results is not None:
            return rebuild(declared, arguments)
        if declared.folders and not arguments.folders:
            parser.error("a folder of FCLIB files is missing")
        if declared.name == "versus" and not (arguments.peer or arguments.solver):
            parser.error("no peer to compare with: --peer or --solver is missing")
        return run(declared, arguments)
    except Ended as failure:
        return failure.args[0]


def all_of_them(words: list[str]) -> int:
    parser = ArgumentParser("frictionbench-paper run all", "Makes all documents again whose results are kept.")
    parser.add_argument("--from-results", action="store_true", required=True, help="run nothing")
    parser.add_argument("--output-dir", metavar="DIR", type=Path, help="default: results/paper, whose files are written again")
    parser.add_force()
    arguments = parser.parse_args(words)
    more = [*(["--output-dir", str(arguments.output_dir)] if arguments.output_dir else []),
            *(["--force"] if arguments.force else [])]
    return max(main([declared.name, "--from-results", *more]) for declared in kept())
