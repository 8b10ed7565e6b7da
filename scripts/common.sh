# Sourced by the other scripts: where things are, setting up, building, and the baseline.
# shellcheck shell=bash

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

step() { printf '== %s\n' "$*"; }

# Ends the script that was called with one line about its arguments.
refuse() {
  echo "error: $* (see scripts/${0##*/} --help)" >&2
  exit 2
}

# Configures preset $1 and builds it; further arguments go to `cmake --build`.
build() {
  local preset=$1
  shift
  (
    cd -- "$root" || exit # presets are looked up in the working directory
    step "building ($preset; the first time takes a few minutes)"
    cmake --preset "$preset" >/dev/null # its warnings and errors come on standard error
    build_with_progress "$preset" "$@"
  )
}

# Builds the program and further targets, which need no package of the tests. It shares a folder with the
# preset `release`, so that nothing is compiled twice; where that folder is configured, it is left as it is,
# except that packages of further targets are looked for again.
# shellcheck disable=SC2120 # without further targets it needs no arguments
build_program() {
  (
    cd -- "$root" || exit
    step "building (the first time takes a few minutes)"
    if [[ ! -e build/release/build.ninja ]]; then
      cmake --preset app >/dev/null
    elif [[ $# -gt 0 ]]; then
      cmake build/release >/dev/null
    fi
    build_with_progress app --target frictionbench_app "$@"
  )
}

# On a terminal ninja keeps its progress on one line. In a log it would print a line per file: there a
# line per tenth is enough.
build_with_progress() {
  if [[ -t 1 ]]; then
    cmake --build --preset "$@"
    return
  fi
  NINJA_STATUS='[%f/%t] ' cmake --build --preset "$@" | {
    local line tenths last=0
    while IFS= read -r line; do
      if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
        tenths=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
        if ((tenths > last)); then printf '   %3d %%  %s\n' $((10 * tenths)) "$(date +%T)"; fi
        last=$tenths
      elif [[ $line != 'ninja: no work to do.' ]]; then
        printf '%s\n' "$line"
      fi
    done
  }
}

# shellcheck disable=SC2034 # used by the scripts that source this
baseline=results/baselines/default.json

# What the baseline holds, made by program $1 into file $2: every registered solver on the shipped data
# set, one sample each, because counters and verdicts do not depend on repetitions. Without lcp-pivot-search,
# whose searches on the largest problems end at the time limit, after as many pivots as the machine makes.
baseline_run() {
  (
    cd -- "$root" || exit # problems are named relative to it
    # OpenBLAS picks its kernels by processor. Each rounds differently in the LU factorisation, which
    # changes the work of some interior point and Newton solves, so one kernel is chosen for all machines.
    export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-Haswell}
    "$1" run datasets/default --exclude lcp-pivot-search --repeat-time 0 --time-limit 300 --jobs "$(nproc)" --quiet --force -o "$2"
  )
}
