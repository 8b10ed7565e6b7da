"""What a document of a paper is made by: the steps of papers/declarations/NAME.toml, with the user's options filled in.

The tables `step` of a declaration are carried out in order, in the folder of the run. Each has one of these members:

  generate  arguments of `frictionbench generate`, a list; problems go to problems/<list>, and their folder to <list>.txt
  extract   the same of `frictionbench extract`, each with --name: every motion is a line of <list>.txt
  find      arguments of `frictionbench-paper problems`, whose answer is <list>.txt
  rewrite   a file made of the file `of`, with `replace`, a regular expression, replaced by `by`
  run       the results document <run>.json of `frictionbench run` on <list>.txt, or <run>.txt; `solvers` and `arguments`
  impulses  documents whose impulses are written to impulses/<document>
  judge     a document whose impulses are judged on the problems of `list`; the verdicts go to judged/<document>
  measure   a command that leaves measurements in the folder
  write     a command that makes texts and pictures of what is in the folder

A step with `if` is left out if that list is empty, or, with `has`, if no line of it matches this regular expression.

Everywhere {name} is a value: an option, one of `values`, or one of `each`, for each of which the step is repeated;
{2*name} and {name//2:05} are computed. {--option=name} stands for the option with each of the values, {*name} for the
values alone. In `generate` and `solvers` {a,b} stands for either. "@ncp" of `solvers` are all registered solvers of that
model, "@all" of any; `solvers` may also name a list of `values`.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

from frictionbench.files import ResultsError, load_toml

FOLDER = Path(__file__).resolve().parent / "declarations"
KINDS = ("generate", "extract", "find", "rewrite", "run", "impulses", "judge", "measure", "write")
Values = Mapping[str, Any]  # text, or a list of texts; None for an option that was not given

_VALUE = re.compile(r"\{(?:(\d+)\*)?([A-Za-z][\w-]*)(?://(\d+))?(?::0?(\d+))?\}")
_OPTION = re.compile(r"\{(?:(--[\w-]+)=|\*)([\w-]+)\}")
_EITHER = re.compile(r"\{([^{}]*,[^{}]*)\}")


@dataclass(frozen=True)
class Step:
    kind: str
    table: dict[str, Any]

    @property
    def name(self) -> str:
        """What a run, a rewritten file or a judged document is called."""
        return self.table[self.kind]


@dataclass(frozen=True)
class Declaration:
    name: str
    title: str
    about: str
    folders: bool  # whether it takes folders of FCLIB files
    options: list[str]
    defaults: dict[str, str]
    builds: list[str]  # targets besides the program
    kept: list[str]  # patterns of what texts and pictures are made of; none if results are not kept
    documents: list[str]  # the names of texts and pictures
    values: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def expanded(self, values: Values) -> Iterator[Step]:
        """The steps with all values filled in. Raises ResultsError for an unknown one."""
        known = {**values, **self.values}
        for step in self.steps:
            table = dict(step.table)
            each = table.pop("each", {})
            if isinstance(table.get("solvers"), str):
                table["solvers"] = self.values[table["solvers"]]
            for choice in product(*each.values()):
                here = known | dict(zip(each, map(str, choice)))
                yield Step(step.kind, {name: self._filled(value, here) for name, value in table.items()})

    def _filled(self, value: Any, values: Values) -> Any:
        if isinstance(value, list):
            return [self._filled(item, values) for item in value]
        return filled(value, values, self.name) if isinstance(value, str) else value


def filled(text: str, values: Values, where: str) -> str:
    """The text with its values. Raises ResultsError for an unknown one."""
    def value(match: re.Match[str]) -> str:
        times, name, parts, digits = match.groups()
        if name not in values:
            raise ResultsError(f"{where}: no value '{name}' for {match[0]}; values: {', '.join(sorted(values))}")
        if not (times or parts or digits):
            return filled(str(values[name] or ""), values, where)
        return f"{int(times or 1) * int(values[name]) // int(parts or 1):0{digits or 1}d}"

    def words(match: re.Match[str]) -> str:
        option, name = match.groups()
        found = values[name] if isinstance(values[name], list) else [values[name]]
        return shlex.join(word for item in found if item is not None for word in ([option] if option else []) + [item])

    return _VALUE.sub(value, _OPTION.sub(words, text))


def either(text: str) -> list[str]:
    """The texts that {a,b} stands for; the last of several varies first."""
    match = _EITHER.search(text)
    if match is None:
        return [text]
    return [other for word in match[1].split(",") for other in either(text[:match.start()] + word + text[match.end():])]


def alternatives(texts: Sequence[str]) -> list[str]:
    return [other for text in texts for other in either(text)]


def document_files(folder: Path, documents: Sequence[str]) -> list[Path]:
    """The files of texts, which end in .md, and of pictures, which are named without their kind."""
    return [folder / (name + suffix) for name in documents for suffix in (("",) if "." in name else (".svg", ".png"))]


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def declaration(name: str) -> Declaration:
    """The declaration of this name. Raises ResultsError if it is not one."""
    path = FOLDER / f"{name}.toml"
    table = load_toml(path)
    own = table.get("step", [])
    if "after" in table:  # its problems are others, what is made of them is the same
        other = load_toml(FOLDER / f"{table['after']}.toml")
        table = other | table | {"values": other["values"] | table["values"]}
        own = own + [step for step in other["step"] if "find" not in step]
    steps = []
    for number, step in enumerate(own, 1):
        kinds = [kind for kind in KINDS if kind in step]
        if len(kinds) != 1:
            raise ResultsError(f"{path}: step {number} must have one of {', '.join(KINDS)}, not {len(kinds)} of them")
        steps.append(Step(kinds[0], step))
    return Declaration(name, table["title"], table["about"], table.get("folders", False), table.get("options", []),
                       table.get("defaults", {}), table.get("builds", []), table.get("kept", []), table["documents"],
                       table.get("values", {}), steps)
