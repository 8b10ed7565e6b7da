#!/bin/bash
# Reproduces what [Castro22] measures of SAP: warm starts (Fig. 9), convergence (Fig. 10),
# scaling (Figs. 11 to 13), slip parameter (Fig. 15).
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/paper_sap.sh [--output-dir DIR] [ARGUMENT of `frictionbench run`]...

Installs missing packages, builds the program, makes clutters of spheres (frictionbench generate), and measures on them:

  convergence  cost and momentum error of ccp-sap by iteration, with both line searches and ccp-newton,
               early and late in the fall of 40 spheres: runs that end after 1, 2, ... iterations
  fall         iterations by time step of 40 spheres that fall and come to rest, each started from the one before
  scaling      iterations, evaluations and momentum error for 8 to 160 spheres, compared with ccp-ipm
  slip         iterations and condition number of the Hessian of 40 spheres, by sigma

DIR (default: results/runs/<UTC time>-paper-sap/) then holds these as .json with their problems, and sap.md
with the measured tables and what the paper says.

It takes a few minutes on one core. No time is measured: numbers are the same on every machine, up to
rounding. Other arguments are passed on to `frictionbench run`, e.g. --jobs 2. The exit code is that of the
step that failed.

  scripts/paper_sap.sh
  scripts/paper_sap.sh --jobs 2 --output-dir sap
END
}

prepare_paper_of_scenes paper-sap scaling.json "$@"

# Makes the problems of a clutter in folder $1: [Castro22] section VI-C with spheres alone, four columns of them and
# a box that is as narrow, so that they pile up. Further arguments say how many, and when.
make() {
  local folder=$run/problems/$1
  shift
  "$frictionbench" generate packed_spheres --radius 0.05 --spread 0 --density 1000 --width 0.24 --mu 1 \
    --time-step 0.01 --form global "$@" -o "$folder" >/dev/null
}

# Runs the problems of folder $1 into file $2, with the further arguments. The tolerance is that of the CCP;
# what ends a compliant solver is its momentum error.
measure() {
  local problems=$run/problems/$1 output=$run/$2
  shift 2
  "$frictionbench" run "$problems" --output "$output" --criterion ccp --scale absolute --tolerance 1e-8 --repeat-time 0 \
    "$@" "${passed[@]}"
}

step "making problems"
make convergence --grains 40 --steps 60 --snapshots 1
make convergence --grains 40 --steps 520 --snapshots 1
for grains in 8 16 24 40 80 120 160; do
  make scaling --grains "$grains" --steps 300 --snapshots 6
done
make fall --grains 40 --steps 200 --snapshots 200
make slip --grains 40 --steps 200 --snapshots 20

step "running $run/scaling.json"
measure scaling scaling.json --solver ccp-sap --solver 'ccp-sap(line_search=armijo)' --solver ccp-newton \
  --solver ccp-ipm

step "running $run/fall.json"
measure fall fall.json --sequence --solver ccp-sap --solver 'ccp-sap(line_search=armijo)' --solver ccp-newton

step "running $run/slip.json"
solvers=()
for sigma in 1 0.1 0.01 0.001 1e-4 1e-5 1e-6 1e-7; do
  for search in exact armijo; do
    solvers+=(--solver "ccp-sap(sigma=$sigma,line_search=$search,condition=true)")
  done
done
measure slip slip.json --sequence "${solvers[@]}"

step "running $run/convergence/*.json"
mkdir -p -- "$run/convergence"
for iterations in {1..40}; do
  measure convergence "convergence/$(printf %02d "$iterations").json" --max-iterations "$iterations" --quiet \
    --solver 'ccp-sap(relative_tolerance=1e-12)' --solver 'ccp-sap(line_search=armijo,relative_tolerance=1e-12)' \
    --solver 'ccp-newton(relative_tolerance=1e-12)'
done

step "writing tables"
"$root/scripts/frictionbench-paper" sap "$run" -o "$run"

step "done"
printf '%s\n' "$run"/{scaling,fall,slip}.json "$run/convergence" "$run/sap.md"
