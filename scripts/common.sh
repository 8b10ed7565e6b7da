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

# Reads the arguments of a paper script that moves something step by step: sets run, from --output-dir, and passed,
# with --time-step if it is given.
# shellcheck disable=SC2034 # used by the scripts
read_motion_arguments() {
  run='' passed=()
  while [[ $# -gt 0 ]]; do
    case $1 in
      -h | --help) usage; exit 0 ;;
      --output-dir=* | --time-step=*)
        set -- "${1%%=*}" "${1#*=}" "${@:2}"
        continue ;;
      --output-dir | --time-step)
        if [[ $# -eq 1 ]]; then refuse "$1: the value is missing"; fi
        if [[ $1 == --output-dir ]]; then run=$2; else passed+=("$1" "$2"); fi
        shift ;;
      *) refuse "${0##*/} has no argument $1" ;;
    esac
    shift
  done
}

# For a paper script of name $1, once it has read its arguments: chooses the folder `run` unless --output-dir
# did, refuses one with anything in it, and builds the program and further targets. Sets frictionbench.
# shellcheck disable=SC2034 # used by the scripts
prepare_paper() {
  run=${run:-$root/results/runs/$(date -u +%Y%m%dT%H%M%SZ)-$1}
  if [[ -n $(ls -A -- "$run" 2>/dev/null) ]]; then refuse "$run: not empty; choose another folder"; fi
  "$root/scripts/setup.sh" --papers --quiet
  build_program "${@:2}"
  frictionbench=$root/build/release/apps/frictionbench
  # Relative to where the user is, so that results files do not depend on where the checkout is.
  run=$(realpath --relative-to=. -m -- "$run")
}

# For the paper script of name $1 that makes problems in $run/problems and chooses most options of its runs: reads the
# other arguments, then as prepare_paper. Sets passed, what the runs are given besides. If the script ends before it has
# made the results file $2, the folder is removed.
prepare_paper_of_scenes() {
  local name=$1
  first_result=$2 run='' passed=()
  shift 2
  while [[ $# -gt 0 ]]; do
    case $1 in
      -h | --help) usage; exit 0 ;;
      --output-dir)
        if [[ $# -eq 1 ]]; then refuse "--output-dir: the value is missing"; fi
        run=$2
        shift ;;
      --output-dir=*) run=${1#*=} ;;
      -o* | --output | --output=* | --solver* | --tolerance* | --criterion* | --scale* | --max-iterations* | --history | \
        --repeat-time* | --dry-run | --resume | --force | --shard* | --filter* | --dimension* | --max-contacts*)
        refuse "${0##*/} chooses ${1%%=*} itself; leave it out" ;;
      *) passed+=("$1") ;;
    esac
    shift
  done
  prepare_paper "$name"
  mkdir -p -- "$run"
  trap remove_without_results EXIT
}
remove_without_results() {
  if [[ ! -e $run/$first_result ]]; then
    rm -rf -- "$run/problems"
    rmdir --ignore-fail-on-non-empty -- "$run"
  fi
}

# What the baseline holds, made by program $1 into file $2: every registered solver on the shipped data
# set, one sample each, because counters and verdicts do not depend on repetitions. Without lcp-pivot-search,
# whose searches on the largest problems end at the time limit, after as many pivots as the machine makes.
baseline_run() {
  (
    cd -- "$root" || exit # problems are named relative to it
    # OpenBLAS picks its kernels by processor. Each rounds differently in the LU factorisation, which
    # changes the work of some interior point and Newton solves, so one kernel is chosen for all machines.
    export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-Haswell}
    "$1" run datasets/default --exclude lcp-pivot-search --repeat-time 0 --jobs "$(nproc)" --quiet --force -o "$2"
  )
}

# Prints the names of the registered solvers of model $1 that take contacts, or of all models.
registered_solvers() {
  "$root/build/release/apps/frictionbench" list solvers --json | python3 -c '
import json, sys
for solver in json.load(sys.stdin):
    if solver["contacts"] and sys.argv[1] in ("all", solver["model"]):
        print(solver["name"])' "$1"
}
