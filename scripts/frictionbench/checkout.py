"""Where files of the project are that the package reads or writes, if it is used in a checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/apps/frictionbench"  # what scripts/test.sh and scripts/bench.sh build
