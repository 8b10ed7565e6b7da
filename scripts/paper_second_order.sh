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

END
  usage_of_folders
  cat <<'END'
  --peers CSV...        runs of other programs on the same files, all names that end in .csv; see
                        frictionbench-paper second-order --help

These arguments are passed on to `frictionbench run`: --jobs, --repeat-time, --memory-limit, --quiet. Measure
times with one job. The exit code is that of the run that failed; 1 if some file could not be read.

  scripts/paper_second_order.sh ~/fclib-library/local ~/fclib-library/global
  scripts/paper_second_order.sh --every 40 --time-limit 2 --output-dir look ~/fclib-library
  scripts/paper_second_order.sh --peers siconos/*.csv --resume ~/fclib-library/local ~/fclib-library/global
END
}

peers=()
own_option() {
  case $1 in
    --peers=*) own_option --peers "${1#*=}" && taken=1 ;;
    --peers)
      if [[ ${2-} != *.csv ]]; then refuse "--peers: names of .csv files must follow"; fi
      taken=1
      while [[ ${2-} == *.csv ]]; do
        if [[ ! -r $2 ]]; then refuse "$2: no such file, or not readable"; fi
        peers+=("$2")
        shift
        taken=$((taken + 1))
      done ;;
  esac
}
read_arguments "$@"
open_run_of_folders paper-second-order

solvers=()
for name in ncp-hybrid ncp-newton ncp-prox ncp-ipm ncp-admm ncp-nsgs ncp-pgs; do solvers+=(--solver "$name"); done
for tolerance in 1e-6 1e-8; do
  measure "second-order-$tolerance" problems --scale absolute --max-iterations 20000 --time-limit "$time_limit" \
    --tolerance "$tolerance" "${solvers[@]}"
done
if [[ $dry_run == yes ]]; then exit "$status"; fi

step "writing and drawing"
if [[ ${#peers[@]} -gt 0 ]]; then peers=(--peers "${peers[@]}"); fi
"$root/scripts/frictionbench-paper" second-order "$run"/second-order-1e-[68].json "${peers[@]}" -o "$texts"

step "done"
printf '%s\n' "$run"/*.json "$texts"/second-order.{md,svg,png}
exit "$status"
