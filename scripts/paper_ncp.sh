#!/bin/bash
# Measures every registered solver of the NCP on all 3D FCLIB problems, by the default criterion.
set -euo pipefail
# shellcheck source=scripts/paper_run.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/paper_run.sh"

usage() {
  cat <<'END_OF_USAGE'
usage: scripts/paper_ncp.sh [--output-dir DIR] [--resume] [--every N] [--time-limit SECONDS]
                            [ARGUMENT of `frictionbench run`]... FOLDER...

Installs missing packages, builds the program, and runs every registered solver of the NCP on the 3D FCLIB files below
the folders, judged by relative residuals, at 1e-6 (ncp-1e-6.json) and at 1e-8, with at most 20 000 iterations.
Writes ncp-solvers.md: what is solved by family and solver, families that constants were chosen on apart from those
that they have never seen (datasets/split.toml).

The text goes to results/paper, and documents to results/runs/<UTC time>-paper-ncp/.

END_OF_USAGE
  usage_of_folders
  cat <<'END_OF_USAGE'

These arguments are passed on to `frictionbench run`: --jobs, --repeat-time, --memory-limit, --quiet. The exit
code is that of the run that failed; 1 if some file could not be read.

  scripts/paper_ncp.sh --repeat-time 0 --jobs 2 ~/fclib-library/local ~/fclib-library/global
END_OF_USAGE
}

read_arguments "$@"
open_run_of_folders paper-ncp

solvers=()
registered=$(registered_solvers ncp)
while read -r name; do solvers+=(--solver "$name"); done <<<"$registered"
for tolerance in 1e-6 1e-8; do
  measure "ncp-$tolerance" problems --max-iterations 20000 --time-limit "$time_limit" --tolerance "$tolerance" \
    "${solvers[@]}"
done
if [[ $dry_run == yes ]]; then exit "$status"; fi

step "writing"
"$root/scripts/frictionbench-paper" ncp "$run"/ncp-1e-[68].json -o "$texts/ncp-solvers.md"

step "done"
printf '%s\n' "$run"/*.json "$texts/ncp-solvers.md"
exit "$status"
