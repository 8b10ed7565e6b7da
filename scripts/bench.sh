#!/bin/bash
# Runs every registered solver on the data set that ships with the project.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/bench.sh [ARGUMENT of `frictionbench run`]...

Installs missing packages, builds the program, runs every registered solver on datasets/default,
prints a summary table, and draws performance profiles. Works from any directory; everything it writes
goes to results/runs/<UTC time>/: results.json, performance_profile.svg and .png, the same of solvers of
other models (performance_profile-ccp.svg, ...), and report.html.

The run takes about a minute on two cores, because it is quicker than a plain `frictionbench run`:

  --jobs $(nproc)       a pair on each core, so times vary more than with one job
  --time-limit 2        seconds per solve; every pair that is solved today needs less
  --repeat-time 0.01    seconds over which a short solve is repeated

Arguments are passed on to `frictionbench run`; those three give way to yours:

  scripts/bench.sh --jobs 1 --time-limit 60 --repeat-time 0.1
  scripts/bench.sh --solver ncp-pgs --solver 'ncp-admm(rho_update=linear)'
  scripts/bench.sh --tolerance 1e-8 --criterion ncp --scale scaled --filter Stack

The exit code is that of `frictionbench run`, or of the step that failed.
END
}

declare -A defaults=([--jobs]=$(nproc) [--time-limit]=2 [--repeat-time]=0.01)
for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    -o* | --output | --output=*)
      echo "error: bench.sh chooses --output itself; use \`frictionbench run\` to choose another" >&2
      exit 2
      ;;
    # One by one: bash expands a subscript of `unset`, and would run a $(command) in an argument.
    --jobs | --jobs=*) unset 'defaults[--jobs]' ;;
    --time-limit | --time-limit=*) unset 'defaults[--time-limit]' ;;
    --repeat-time | --repeat-time=*) unset 'defaults[--repeat-time]' ;;
  esac
done
options=()
for option in --jobs --time-limit --repeat-time; do
  if [[ -v defaults[$option] ]]; then options+=("$option" "${defaults[$option]}"); fi
done

"$root/scripts/setup.sh" --quiet
build_program
frictionbench=$root/build/release/apps/frictionbench

# Relative to the working directory, so that paths in arguments keep their meaning and results files do
# not depend on where the checkout is.
data=$(realpath --relative-to=. -- "$root/datasets/default")
run=$(realpath --relative-to=. -m -- "$root/results/runs/$(date -u +%Y%m%dT%H%M%SZ)")
mkdir -p -- "$run"

step "running"
status=0
"$frictionbench" run "$data" --output "$run/results.json" "${options[@]}" "$@" || status=$? # prints the table
# 1: some file could not be read, but there are results to draw. Above 1: nothing to draw.
if [[ $status -gt 1 || ! -f $run/results.json ]]; then
  rmdir --ignore-fail-on-non-empty -- "$run"
  exit "$((status > 0 ? status : 1))"
fi

step "drawing"
"$root/scripts/frictionbench-profiles" "$run/results.json" \
  -o "$run/performance_profile.svg" -o "$run/performance_profile.png"
"$root/scripts/frictionbench-report" "$run/results.json" -o "$run/report.html"

step "done"
echo "results   $run/results.json"
echo "profiles  $run/performance_profile.svg"
echo "          $run/performance_profile.png"
echo "report    $run/report.html"
if [[ $(command -v frictionbench) != "$frictionbench" ]]; then
  # shellcheck disable=SC2016 # the user's shell expands PATH
  printf 'program   export PATH=%q:$PATH  # then: frictionbench --help\n' "${frictionbench%/*}"
fi
exit "$status"
