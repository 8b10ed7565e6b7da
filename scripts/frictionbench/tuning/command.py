"""Finds one setting set of a solver for all families of problems, and its worth on unseen ones."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path
from typing import Any

from frictionbench.checkout import PROGRAM
from frictionbench.command_line import ArgumentParser
from frictionbench.files import ResultsError, check_outputs, load_json, write_text
from frictionbench.tuning.conclusion import Conclusion
from frictionbench.tuning.evaluation import Evaluations, identity, work_folder
from frictionbench.tuning.markdown import markdown
from frictionbench.tuning.program import Program, SolverInterface
from frictionbench.tuning.sampling import Sample, draw_sample
from frictionbench.tuning.scoring import Scores
from frictionbench.tuning.search import tune
from frictionbench.tuning.space import Candidate, Space
from frictionbench.tuning.space_file import load_space

DESCRIPTION = """\
Looks for the setting set of a solver that is best over all families of problems: random candidates, then
a refinement around the best, judged by solved shares and by work counters, never by time. What the choice
is worth is measured by leaving one family out: each family is judged with settings that were chosen
on the other families only, next to the default, the final choice, and the best of the family itself.

Writes a Markdown report, and a JSON document of the same next to it.
"""
EPILOG = """\
SPACE is a TOML file: scripts/frictionbench/tuning/ncp-admm.toml is one, scripts/frictionbench/tuning/README.md describes it.
Every run is kept in the work folder, and none is made twice: the same command continues a tuning that
was stopped. Exit code 0: done; 1: interrupted; 2: bad input.

  frictionbench-tune scripts/frictionbench/tuning/ncp-admm.toml FCLIB_FOLDER --work /scratch/ncp-admm --dry-run
  frictionbench-tune scripts/frictionbench/tuning/ncp-admm.toml FCLIB_FOLDER --work /scratch/ncp-admm --jobs 2 \\
      -o tuning.md
"""


def known_solver(space: Space, program: Program) -> SolverInterface:
    try:
        return program.solver(space.solver)
    except ResultsError as failure:
        raise ResultsError(f"{space.file}: `solver`: {failure}") from None


def default_candidate(space: Space, interface: SolverInterface) -> Candidate:
    """Raises ResultsError if the space names a setting that the solver does not have."""
    known = [*interface.defaults, *interface.shorthands]
    for table, names in (("settings", [setting.name for setting in space.settings]), ("fixed", space.fixed)):
        for name in names:
            if name not in known:
                raise ResultsError(f"{space.file}: `{table}.{name}` is not a setting of {space.solver}; "
                                   f"known: {', '.join(known)}")
    values = []
    for setting in space.settings:
        value = space.default.get(setting.name, interface.default(setting.name))
        if value is None:
            raise ResultsError(f"{space.file}: `default.{setting.name}` is missing, and {space.solver} has "
                               "no single default for it")
        values.append(value)
    return tuple(values)


def check_values(space: Space, default: Candidate, program: Program, problem: Path) -> None:
    """Raises ResultsError, naming the key, if the solver does not take a value of the space."""
    try:
        program.check(problem, [space.spec(default)])
    except ResultsError as failure:
        raise ResultsError(f"{space.file}: `default` or `fixed`: {failure}") from None
    for index, setting in enumerate(space.settings):
        specs = [space.spec((*default[:index], value, *default[index + 1:])) for value in setting.extremes()]
        try:
            program.check(problem, specs)
        except ResultsError as failure:
            raise ResultsError(f"{space.file}: `settings.{setting.name}`: {failure}") from None


def print_plan(space: Space, sample: Sample) -> None:
    for family in sample.families():
        problems = sample.of_family(family)
        print(f"{family}: {len(problems)} of {sample.available[family]} problems, "
              f"{problems[0].contacts} to {problems[-1].contacts} contacts")
    pairs = (1 + space.search.candidates) * len(sample.problems) * len(space.limits.tolerances)
    print(f"{len(sample.problems)} problems of {len(sample.families())} families, list {sample.fingerprint()}\n"
          f"{1 + space.search.candidates} candidates and their refinement at "
          f"{len(space.limits.tolerances)} tolerances: {pairs} solves, then those of the refinement")


def print_choice(document: dict[str, Any], written: list[Path]) -> None:
    found = document["summary"]
    print(document["choice"]["solver"])
    for way, label in (("default", "default"), ("held_out", "without the family"), ("choice", "over all families"),
                       ("best", "best of each family")):
        print(f"  {label:<20} {100 * found[way]['solved']:5.1f} % solved, work {found[way]['work']:.1f}")
    for path in written:
        print(f"wrote {path}")


def run(arguments: argparse.Namespace) -> int:
    written = [] if arguments.dry_run else [arguments.output, arguments.output.with_suffix(".json")]
    check_outputs(written, arguments.force)  # now rather than after hours
    space = load_space(arguments.space)
    program = Program(arguments.program)
    interface = known_solver(space, program)
    default = default_candidate(space, interface)
    listed, unreadable = program.problems(arguments.problems)
    sample = draw_sample(listed, space.sample)
    check_values(space, default, program, sample.problems[0].path)
    if arguments.dry_run:
        print_plan(space, sample)
        return 0

    members = {family: [problem.sha256 for problem in sample.of_family(family)] for family in sample.families()}
    with work_folder(arguments.work, identity(space, sample, program)) as lock:
        evaluations = Evaluations(space, interface, sample, program, arguments.work, lock=lock,
                                  jobs=arguments.jobs, quiet=arguments.quiet)
        scores = Scores(evaluations, members, space.score)
        tuned = tune(space.settings, space.search, default, list(members), scores)
    document = {**Conclusion(space, sample, scores, tuned).document(), "unreadable": unreadable,
                "endings": evaluations.endings(tuned.candidates()), "program": evaluations.made_by}
    written[0].write_text(markdown(document), encoding="utf-8")
    written[1].write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    print_choice(document, written)
    return 0


def write_again(document: Path, output: Path | None) -> int:
    """The report of a tuning, made of its document alone."""
    try:
        text = markdown(load_json(document))
    except (KeyError, TypeError, IndexError):
        raise ResultsError(f"{document}: not the document of a tuning") from None
    write_text(text, output)
    return 0


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-tune", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("space", metavar="SPACE", type=Path,
        help="TOML file: solver, settings, sample, limits, score; or REPORT.json, to write its report again")
    add("problems", metavar="PROBLEM_FOLDER", nargs="*", help="as `frictionbench run` takes them")
    add("--work", metavar="FOLDER", type=Path, help="where runs are kept; may be an earlier tuning's")
    add("-o", "--output", metavar="REPORT.md", type=Path,
        help="report to write; the JSON document goes next to it, as REPORT.json")
    add("--program", metavar="FRICTIONBENCH", type=Path, default=PROGRAM,
        help="default: build/release/apps/frictionbench")
    add("--jobs", metavar="N", type=int, default=1, help="concurrent pairs (default: 1); does not change the outcome")
    add("--quiet", action="store_true", help="no progress")
    add("--dry-run", action="store_true", help="check the space, show the sample, and run nothing")
    parser.add_force()
    arguments = parser.parse_args(words)
    output: Path | None = arguments.output
    if arguments.space.suffix == ".json":
        check_outputs([output], arguments.force)
        return write_again(arguments.space, output)
    if not arguments.problems:
        parser.error("no PROBLEM_FOLDER")
    if not arguments.dry_run and (arguments.work is None or output is None):
        parser.error("--work and --output are needed")
    if output is not None and output.suffix != ".md":
        parser.error(f"--output {output}: the name must end with .md")
    if output is not None and not output.parent.is_dir():
        parser.error(f"--output {output}: no such folder")  # now rather than after hours
    if arguments.jobs < 1:
        parser.error("--jobs must be at least 1")

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # to be stopped by either signal is the same
    try:
        return run(arguments)
    except KeyboardInterrupt:
        print(f"interrupted; finished runs are in {arguments.work}: repeat the command to continue", file=sys.stderr)
        return 1
