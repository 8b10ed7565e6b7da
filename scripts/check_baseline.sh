#!/bin/bash
# Compares what the solvers do on the shipped data set with the baseline.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/check_baseline.sh [--program FRICTIONBENCH] [ARGUMENT of `frictionbench compare`]...

Runs every registered solver on datasets/default and compares verdicts and work counters with
results/baselines/default.json. Times are left out: they belong to a machine. Nothing is built;
the program is build/release/apps/frictionbench if none is given.

  scripts/check_baseline.sh
  scripts/check_baseline.sh --format markdown

The exit code is that of `frictionbench compare`: 0 nothing is worse, 1 something is, 2 the two cannot
be compared. If what changed is meant, scripts/update_baseline.sh renews the baseline.
END
}

program=$root/build/release/apps/frictionbench
if [[ ${1-} == --program && $# -ge 2 ]]; then
  program=$2
  shift 2
fi
for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
  esac
done
if [[ ! -x $program ]]; then
  echo "error: $program: there is no such program; build it first: scripts/test.sh" >&2
  exit 2
fi

made=$(mktemp -d)
trap 'rm -rf -- "$made"' EXIT
baseline_run "$program" "$made/candidate.json"
"$program" compare "$root/$baseline" "$made/candidate.json" --no-time "$@"
