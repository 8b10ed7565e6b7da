"""The options of commands that count as solved what another criterion says than that of the run."""

from __future__ import annotations

import argparse

from frictionbench.command_line import ArgumentParser
from frictionbench.results.document import MODELS, SCALES, Results, criterion_name, same_run_value


def add_criterion(parser: ArgumentParser, more: str = "") -> None:
    """Adds --criterion and --scale, which mean what they do in the program. `more`: what else --criterion does."""
    parser.add_argument("--criterion", choices=MODELS,
                        help=f"count as solved by this model instead of the run's, at the run's tolerance{more}")
    parser.add_argument("--scale", choices=SCALES, help="units of residuals instead of the run's")


def chosen_criterion(arguments: argparse.Namespace, results: Results) -> str:
    """One of CRITERIA: that of the run, unless the options say otherwise."""
    return criterion_name(arguments.criterion or same_run_value(results, "criterion"),
                          arguments.scale or same_run_value(results, "scale"))
