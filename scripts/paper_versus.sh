#!/bin/bash
# Measures our solvers and those of other projects on all 3D FCLIB problems, and compares them.
set -euo pipefail
# shellcheck source=scripts/paper_run.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/paper_run.sh"

usage() {
  cat <<'END_OF_USAGE'
usage: scripts/paper_versus.sh [--peer NAME]... [--plugin FILE]... [--solver PATTERN]... [--ours PATTERN]...
                               [--output-dir DIR] [--resume] [--every N] [--time-limit SECONDS]
                               [ARGUMENT of `frictionbench run`]... FOLDER...

Installs missing packages, builds the program, and runs our solvers and peers on the 3D FCLIB files below the folders,
judged by relative residuals, at 1e-4, 1e-6 and 1e-8, with at most 20 000 iterations. Writes versus.md: what ours, the
best single peer and all peers together solve, by family and size class; ratios of times; wins and losses with the
commands that repeat them; families that constants were chosen on apart from those that they have never seen
(datasets/split.toml).

The text goes to results/paper, and documents to results/runs/<UTC time>-paper-versus/.

  --peer NAME           a project that this build has solvers of (`frictionbench list peers`); may be given several
                        times
  --plugin FILE         a shared library with peers; may be given several times
  --solver PATTERN      the peers' solvers that are run: "external(command='./mine',name=mine)"; may be given several
                        times (default: 'NAME-*' for every --peer)
  --ours PATTERN        our solvers (default: 'ncp-*'); may be given several times
END_OF_USAGE
  usage_of_folders
  cat <<'END_OF_USAGE'

These arguments are passed on to `frictionbench run`: --jobs, --repeat-time, --memory-limit, --quiet. Times are
compared, so use one job on a machine without other work. The exit code is that of the run that failed; 1 if some
file could not be read.

  scripts/paper_versus.sh --peer siconos ~/fclib-library/local ~/fclib-library/global
END_OF_USAGE
}

ours=() solvers=() defaults=()
# shellcheck disable=SC2034 # used by read_arguments
own_values=(--peer --plugin --solver --ours)
# shellcheck disable=SC2317 # called by read_arguments
own_value() {
  case $1 in
    --peer) passed+=("$@") defaults+=("$2-*") ;;
    --plugin) passed+=("$@") ;;
    --solver) solvers+=("$2") ;;
    --ours) ours+=("$2") ;;
  esac
}

read_arguments "$@"
if [[ ${#solvers[@]} -eq 0 ]]; then solvers=("${defaults[@]}"); fi
if [[ ${#solvers[@]} -eq 0 ]]; then refuse "no peer to compare with: --peer or --solver is missing"; fi
if [[ ${#ours[@]} -eq 0 ]]; then ours=('ncp-*'); fi
patterns=()
for pattern in "${ours[@]}"; do patterns+=(--ours "$pattern"); done
for solver in "${ours[@]}" "${solvers[@]}"; do passed+=(--solver "$solver"); done
open_run_of_folders paper-versus

documents=()
for tolerance in 1e-4 1e-6 1e-8; do
  measure "versus-$tolerance" problems --max-iterations 20000 --time-limit "$time_limit" --tolerance "$tolerance"
  documents+=("$run/versus-$tolerance.json")
done
if [[ $dry_run == yes ]]; then exit "$status"; fi

step "writing"
"$root/scripts/frictionbench-versus" "${documents[@]}" "${patterns[@]}" --split "$root/datasets/split.toml" \
  -o "$texts/versus.md"

step "done"
printf '%s\n' "${documents[@]}" "$texts/versus.md"
exit "$status"
