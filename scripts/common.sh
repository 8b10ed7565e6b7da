# Sourced by the other scripts: where things are, setting up, building, and the baseline.
# shellcheck shell=bash

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

step() { printf '== %s\n' "$*"; }

# Configures preset $1 and builds it; further arguments go to `cmake --build`.
build() {
  local preset=$1
  shift
  local ninja=()
  # On a terminal ninja keeps its progress on one line; in a log it would be a line a file.
  if [[ ! -t 1 ]]; then ninja=(-- --quiet); fi
  step "building ($preset; the first time takes a few minutes)"
  (
    cd -- "$root" || exit # presets are looked up in the working directory
    cmake --preset "$preset" >/dev/null # its warnings and errors come on standard error
    cmake --build --preset "$preset" "$@" "${ninja[@]}"
  )
}

# shellcheck disable=SC2034 # for those who source this
baseline=results/baselines/default.json

# What the baseline holds, made by program $1 into file $2: every registered solver on the shipped data
# set, one sample each, because counters and verdicts do not depend on repetitions.
baseline_run() {
  (
    cd -- "$root" || exit # problems are named relative to it
    "$1" run datasets/default --repeat-time 0 --jobs "$(nproc)" --quiet --force -o "$2"
  )
}
