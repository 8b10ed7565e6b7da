#!/bin/bash
# Measures the default solver on all 3D FCLIB problems, by number of contacts.
set -euo pipefail
# shellcheck source=scripts/paper_run.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/paper_run.sh"

usage() {
  cat <<'END_OF_USAGE'
usage: scripts/paper_sizes.sh [--output-dir DIR] [--resume] [--every N] [--time-limit SECONDS] [--solver SOLVER]...
                              [ARGUMENT of `frictionbench run`]... FOLDER...

Installs missing packages, builds the program, and runs ncp-hybrid on the 3D FCLIB files below the folders, judged by
absolute and by relative residuals, at 1e-6, 1e-8 and 1e-12. Writes size-classes.md: shares solved by number of
contacts and family, beside those that Siconos publishes; times and how they grow, memory; what remains unsolved.

The text goes to results/paper, and documents to results/runs/<UTC time>-paper-sizes/.

END_OF_USAGE
  usage_of_folders
  cat <<'END_OF_USAGE'
  --solver SOLVER       this solver instead; may be given several times

These arguments are passed on to `frictionbench run`: --jobs, --repeat-time, --memory-limit, --quiet. The exit
code is that of the run that failed; 1 if some file could not be read.

  frictionbench make big --to big
  scripts/paper_sizes.sh --repeat-time 0 --time-limit 60 big ~/fclib-library/local ~/fclib-library/global
END_OF_USAGE
}

solvers=()
# shellcheck disable=SC2034 # used by read_arguments
own_values=(--solver)
# shellcheck disable=SC2317 # called by read_arguments
own_value() { solvers+=("$@"); }

read_arguments "$@"
if [[ ${#solvers[@]} -eq 0 ]]; then solvers=(--solver ncp-hybrid); fi
open_run_of_folders paper-sizes

documents=()
for scale in absolute relative; do
  for tolerance in 1e-6 1e-8 1e-12; do
    measure "$scale-$tolerance" problems --scale "$scale" --max-iterations 20000 --time-limit "$time_limit" \
      --tolerance "$tolerance" "${solvers[@]}"
    documents+=("$run/$scale-$tolerance.json")
  done
done
if [[ $dry_run == yes ]]; then exit "$status"; fi

step "writing"
"$root/scripts/frictionbench-paper" sizes "${documents[@]}" -o "$texts/size-classes.md"

step "done"
printf '%s\n' "${documents[@]}" "$texts/size-classes.md"
exit "$status"
