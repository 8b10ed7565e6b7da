#!/bin/bash
# Compares the solvers' verdicts and work on the shipped data set with the baseline.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/check_baseline.sh [--program FRICTIONBENCH] [--results FILE]
                                 [ARGUMENT of `frictionbench compare`]...

Runs every registered solver on datasets/default and compares verdicts and work counters with
results/baselines/default.json. Times are ignored, because they differ between machines. Builds nothing.

  --program FRICTIONBENCH  the program (default: build/release/apps/frictionbench)
  --results FILE           keep the run's results in FILE; if it exists, compare it without a new run

  scripts/check_baseline.sh
  scripts/check_baseline.sh --format markdown

The exit code is that of `frictionbench compare`: 0 nothing is worse, 1 something is, 2 bad input, 3 the
runs cannot be compared. If the change is intended, update the baseline with scripts/update_baseline.sh.
END
}

program=$root/build/release/apps/frictionbench
results=''
while [[ $# -ge 2 ]]; do
  case $1 in
    --program) program=$2 ;;
    --results) results=$2 ;;
    *) break ;;
  esac
  shift 2
done
for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
  esac
done
if [[ ! -x $program ]]; then
  echo "error: $program: no such program; build it first, e.g. with scripts/test.sh" >&2
  exit 2
fi
program=$(realpath -s -- "$program") # the run is started in another folder

if [[ -z $results ]]; then
  made=$(mktemp -d)
  trap 'rm -rf -- "$made"' EXIT
  results=$made/results.json
fi
if [[ ! -e $results ]]; then baseline_run "$program" "$(realpath -- "$results")"; fi
"$program" compare "$root/$baseline" "$results" --no-time "$@"
