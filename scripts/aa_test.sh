#!/bin/bash
# Compares runs of one program with each other, by their times.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/aa_test.sh [--program FRICTIONBENCH] [--comparisons N] [--rounds N] [--keep DIR]
                          [ARGUMENT of `frictionbench run`]...

Says whether times of this machine can gate: runs one program twice on the same problems, compares the
two runs with `frictionbench compare --times`, and does so again and again. Whatever a comparison finds
slower is a false alarm; more than one alarm in twenty comparisons is too many. The machine should do nothing
else meanwhile. Builds nothing.

  --program FRICTIONBENCH  the program (default: build/release/apps/frictionbench)
  --comparisons N          how many comparisons, of two runs each (default: 20)
  --rounds N               rounds of each run (default: 10)
  --keep DIR               keep the results files in this folder

Other arguments are passed on to `frictionbench run`; without any, it is every solver on datasets/default,
a time limit of 2 s and short repetitions, which takes hours.

  scripts/aa_test.sh datasets/default/Stack --solver ncp-pgs --solver ncp-admm --repeat-time 0.01

The exit code is 0 for at most one alarm in twenty, 1 for more, 2 for bad input or a run that failed.
END
}

program=$root/build/release/apps/frictionbench
comparisons=20 rounds=10 folder='' arguments=()
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --program | --comparisons | --rounds | --keep)
      if [[ $# -eq 1 ]]; then echo "error: $1: the value is missing" >&2; exit 2; fi
      case $1 in
        --program) program=$2 ;;
        --comparisons) comparisons=$2 ;;
        --rounds) rounds=$2 ;;
        --keep) folder=$2 ;;
      esac
      shift ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
for number in "$comparisons" "$rounds"; do
  if [[ ! $number =~ ^[1-9][0-9]*$ ]]; then echo "error: '$number' is not a number of runs or rounds" >&2; exit 2; fi
done
if ((rounds < 5)); then echo "error: --rounds $rounds: times are compared from 5 rounds on" >&2; exit 2; fi
if [[ ! -x $program ]]; then
  echo "error: $program: no such program; build it first, e.g. with scripts/test.sh" >&2
  exit 2
fi
if ((${#arguments[@]} == 0)); then
  arguments=("$root/datasets/default" --time-limit 2 --repeat-time 0.01)
fi
if [[ -z $folder ]]; then
  folder=$(mktemp -d)
  trap 'rm -rf -- "$folder"' EXIT
fi
mkdir -p -- "$folder"

alarms=0
for ((k = 1; k <= comparisons; ++k)); do
  for run in a b; do
    # The seed differs, as it would between two days of a CI that draws it.
    "$program" run "${arguments[@]}" --rounds "$rounds" --seed "$k" --quiet --force -o "$folder/$k-$run.json" || exit 2
  done
  status=0
  "$program" compare "$folder/$k-a.json" "$folder/$k-b.json" --times --force -o "$folder/$k.txt" || status=$?
  if ((status > 1)); then exit 2; fi
  alarms=$((alarms + status))
  printf '%d of %d: %s; %s\n' "$k" "$comparisons" "$(head -n 1 -- "$folder/$k.txt")" \
    "$(sed -n 's/^note: \(times of .*\)/\1/p' -- "$folder/$k.txt")"
done
echo "$alarms false alarms in $comparisons comparisons"
((20 * alarms <= comparisons || alarms <= 1 && comparisons <= 20)) || exit 1
