#!/bin/bash
# Measures ncp-hybrid, the second-order methods in it and first-order ones on all 3D FCLIB problems.
set -euo pipefail
# shellcheck source=scripts/paper_run.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/paper_run.sh"

usage() {
  cat <<'END'
usage: scripts/paper_second_order.sh [--peers CSV...] [--output-dir DIR] [--resume] [--every N]
                                     [--time-limit SECONDS] [ARGUMENT of `frictionbench run`]... FOLDER...

Installs missing packages, builds the program, and runs ncp-hybrid, ncp-newton, ncp-prox, ncp-ipm, ncp-admm, ncp-nsgs and
ncp-pgs on the 3D FCLIB files below the folders, at 1e-6 (second-order-1e-6.json) and at 1e-8, in the units of the
files, with at most 20 000 iterations. Writes second-order.md and the picture second-order as .svg and .png: what
is solved by family and solver, also by relative residuals, performance profiles, what ncp-hybrid does not solve,
which of its stages finish, and its times compared with those of other programs.

The text and the picture go to results/paper, and documents to results/runs/<UTC time>-paper-second-order/.

  --output-dir DIR      everything goes there instead: a new folder, or with --resume one of an interrupted run
  --resume              continue an interrupted run, given the same arguments: in DIR, or in the newest folder
                        of results/runs. Finished work is kept; the text and the picture are made again
  --every N             only every N-th file of each folder, for a look before the whole run
  --time-limit SECONDS  per solve (default: 20)
  --peers CSV...        runs of other programs on the same files, all names that end in .csv; see
                        scripts/paper_second_order_document.py --help
  --dry-run             only print what would run, and for how long

These arguments are passed on to `frictionbench run`: --jobs, --repeat-time, --memory-limit, --quiet. Measure
times with one job. The exit code is that of the run that failed; 1 if some file could not be read.

  scripts/paper_second_order.sh ~/fclib-library/local ~/fclib-library/global
  scripts/paper_second_order.sh --every 40 --time-limit 2 --output-dir look ~/fclib-library
  scripts/paper_second_order.sh --peers siconos/*.csv --resume ~/fclib-library/local ~/fclib-library/global
END
}

every=1 time_limit=20
folders=() peers=()
while [[ $# -gt 0 ]]; do
  option=$1
  case $option in
    -h | --help) usage; exit 0 ;;
    --output-dir=* | --every=* | --time-limit=* | --jobs=* | --repeat-time=* | --memory-limit=* | --peers=*)
      set -- "${option%%=*}" "${option#*=}" "${@:2}"
      continue ;;
    --output-dir | --every | --time-limit | --jobs | --repeat-time | --memory-limit)
      if [[ $# -eq 1 ]]; then refuse "$option: the value is missing"; fi
      case $option in
        --output-dir) run=$2 ;;
        --every) every=$2 ;;
        --time-limit) time_limit=$2 ;;
        *) passed+=("$option" "$2") ;;
      esac
      shift ;;
    --peers)
      if [[ ${2-} != *.csv ]]; then refuse "--peers: names of .csv files must follow"; fi
      while [[ ${2-} == *.csv ]]; do
        if [[ ! -r $2 ]]; then refuse "$2: no such file, or not readable"; fi
        peers+=("$2")
        shift
      done ;;
    --resume) resume=yes ;;
    --dry-run) dry_run=yes ;;
    --quiet) passed+=("$option") ;;
    -*) refuse "paper_second_order.sh has no option $option, or chooses it itself" ;;
    *) folders+=("$option") ;;
  esac
  shift
done
if [[ ${#folders[@]} -eq 0 ]]; then refuse "a folder of FCLIB files is missing"; fi

texts=${run:-$root/results/paper}
open_run paper-second-order "${folders[@]}" "$every" "$time_limit"
prepare_run
texts=$(realpath --relative-to=. -m -- "$texts")

step "finding problems"
"$python" "$root/scripts/paper_problems.py" "${folders[@]}" --problems all_3d --every "$every" \
  -o "$run/problems.txt" || leave $?
if [[ ! -s $run/problems.txt ]]; then
  echo "error: ${folders[*]}: no 3D problem" >&2
  leave 2
fi

solvers=()
for name in ncp-hybrid ncp-newton ncp-prox ncp-ipm ncp-admm ncp-nsgs ncp-pgs; do solvers+=(--solver "$name"); done
for tolerance in 1e-6 1e-8; do
  measure "second-order-$tolerance" problems --scale absolute --max-iterations 20000 --time-limit "$time_limit" \
    --tolerance "$tolerance" "${solvers[@]}"
done
if [[ $dry_run == yes ]]; then exit "$status"; fi

step "writing and drawing"
if [[ ${#peers[@]} -gt 0 ]]; then peers=(--peers "${peers[@]}"); fi
"$python" "$root/scripts/paper_second_order_document.py" "$run"/second-order-1e-[68].json "${peers[@]}" -o "$texts"

step "done"
printf '%s\n' "$run"/*.json "$texts"/second-order.{md,svg,png}
exit "$status"
