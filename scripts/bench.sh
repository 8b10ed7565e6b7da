#!/bin/bash
# Runs every registered solver on the data set that ships with the project.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/bench.sh [ARGUMENT of `frictionbench run`]...

Installs what is missing, builds, runs every registered solver on datasets/default, prints a summary
table, and draws performance profiles. Works from any directory; leaves everything in
results/runs/<UTC time>/: results.json, performance_profile.svg, performance_profile.png and report.html.

Arguments are passed on to `frictionbench run`, after the data set and --output:

  scripts/bench.sh --solver ncp-pgs --solver 'ncp-admm(rho_update=linear)'
  scripts/bench.sh --tolerance 1e-8 --criterion ncp --scale scaled --filter Stack

The exit code is that of `frictionbench run`, or of the step that failed.
END
}

for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    -o* | --output | --output=*)
      echo "error: bench.sh chooses --output itself; use \`frictionbench run\` to choose another" >&2
      exit 2
      ;;
  esac
done

"$root/scripts/setup.sh" --quiet
build release --target frictionbench_app
frictionbench=$root/build/release/apps/frictionbench

# Relative to where the user is, so that arguments with paths mean what they say, and so that results
# files do not depend on where the checkout is.
data=$(realpath --relative-to=. -- "$root/datasets/default")
run=$(realpath --relative-to=. -m -- "$root/results/runs/$(date -u +%Y%m%dT%H%M%SZ)")
mkdir -p -- "$run"

step "running"
status=0
"$frictionbench" run "$data" --output "$run/results.json" "$@" || status=$? # prints the table
# 1: some file could not be read, but the others are there to be drawn. More: nothing to draw.
if [[ $status -gt 1 || ! -f $run/results.json ]]; then
  rmdir --ignore-fail-on-non-empty -- "$run"
  exit "$((status > 0 ? status : 1))"
fi

step "drawing"
# Not the python3 of PATH: that may be another one, without the packages of apt-packages.txt.
/usr/bin/python3 "$root/scripts/performance_profile.py" "$run/results.json" \
  -o "$run/performance_profile.svg" -o "$run/performance_profile.png"
/usr/bin/python3 "$root/scripts/report.py" "$run/results.json" -o "$run/report.html"

step "done"
echo "results   $run/results.json"
echo "profiles  $run/performance_profile.svg"
echo "          $run/performance_profile.png"
echo "report    $run/report.html"
exit "$status"
