#!/bin/bash
# Reproduces what papers show of compliance: [LeLidec24] Fig. 14, [Carpentier24] Fig. 2, [Castro22] Figs. 13 and 14.
set -euo pipefail
# shellcheck source=scripts/paper_run.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/paper_run.sh"

usage() {
  cat <<'END'
usage: scripts/paper_compliance.sh [--output-dir DIR] [--resume] [--dry-run] [--jobs N] [--quiet]

Installs missing packages, builds the program, makes scenes (frictionbench generate), and measures on them:

  standing/  a pushed box and a pulled stack, both at rest, solved by ncp-hybrid with compliances R from 1e-7 to 100
             and without; every answer judged on the rigid problem: penetration, creep, internal forces
  both/      boxes, walls, a pyramid and spheres, rigid and compliant, by ncp-admm, ncp-nsgs, ncp-hybrid and ncp-ipm
  slip/      creep of ccp-sap by its slip parameter sigma, in a pile between walls, a pyramid, and spheres on a floor
  accuracy   momentum error and complementarity of ccp-sap, ccp-ipm and ccp-admm by the number of spheres

Writes compliance.md and the pictures l14, d13 and d14 as .svg and .png to results/paper; documents, problems and
impulses go to results/runs/<UTC time>-paper-compliance/.

  --output-dir DIR  everything goes there instead: a new folder, or with --resume one of an interrupted run
  --resume          continue an interrupted run, given the same arguments: in DIR, or in the newest folder of
                    results/runs. Finished work is kept; the text and the pictures are made again
  --dry-run         only print what would run, and for how long; problems are made in a temporary folder

--jobs, --memory-limit and --quiet are passed on to `frictionbench run`. It takes about a minute on one core. No time
is measured: numbers are the same on every machine, up to rounding. The exit code is that of the step that failed.

  scripts/paper_compliance.sh
  scripts/paper_compliance.sh --jobs 2 --output-dir compliance
END
}

while [[ $# -gt 0 ]]; do
  option=$1
  case $option in
    -h | --help) usage; exit 0 ;;
    --output-dir=* | --jobs=* | --memory-limit=*)
      set -- "${option%%=*}" "${option#*=}" "${@:2}"
      continue ;;
    --output-dir | --jobs | --memory-limit)
      if [[ $# -eq 1 ]]; then refuse "$option: the value is missing"; fi
      if [[ $option == --output-dir ]]; then run=$2; else passed+=("$option" "$2"); fi
      shift ;;
    --resume) resume=yes ;;
    --dry-run) dry_run=yes ;;
    --quiet) passed+=("$option") ;;
    *) refuse "paper_compliance.sh has no option or argument $option, or chooses it itself" ;;
  esac
  shift
done

texts=${run:-$root/results/paper}
open_run paper-compliance
prepare_run
texts=$(realpath --relative-to=. -m -- "$texts")
mkdir -p -- "$run"/{standing,both,slip,judged}

# Makes the problems of scene $2, with the further arguments, in folder $1, and the list of that name.
make() {
  local folder=$run/problems/$1 list=$run/$1.txt
  shift
  "$frictionbench" generate "$@" --force -o "$folder" >/dev/null || leave $?
  printf '%s\n' "${folder#"$run"/}" >"$list" # relative to the list
}

# As in [Castro22], section VI-C, with spheres alone; scripts/paper_sap.sh has the same clutter.
spheres=(packed_spheres --radius 0.05 --spread 0 --density 1000 --mu 1 --time-step 0.01)

step "making problems"
make standing pushed_box --form local
make standing stack --boxes 3 --pull 0.5 --form local
for scene in 'pushed_box' 'pushed_box --push 2' 'stack --boxes 3 --pull 1.5' 'stack --boxes 5' 'wall' 'pyramid' \
  'packed_spheres'; do
  # shellcheck disable=SC2086 # several words
  make both $scene --form local
done
make walls "${spheres[@]}" --width 0.24 --steps 1000 --snapshots 1 --form local
make floor "${spheres[@]}" --width 2 --steps 1000 --snapshots 1 --form local
make pyramid pyramid --mu 1 --time-step 0.01 --form local
for grains in 8 16 40 80 160; do
  make spheres "${spheres[@]}" --width 0.24 --grains "$grains" --steps 300 --snapshots 6 --form global
done

rigid=(--solver ncp-hybrid --solver ncp-admm --solver ncp-nsgs --solver ncp-ipm)
absolute=(--scale absolute --repeat-time 0)
measure standing/rigid standing "${absolute[@]}" --tolerance 1e-12 "${rigid[@]}"
for R in 1e-7 1e-6 1e-5 1e-4 1e-3 1e-2 0.1 1 10 100; do
  measure "standing/$R" standing "${absolute[@]}" --tolerance 1e-12 --compliance "$R" --solver ncp-hybrid
done

measure both/rigid both "${absolute[@]}" --tolerance 1e-8 "${rigid[@]}"
for R in diag:0.001 diag:0.1; do
  measure "both/${R/:/-}" both "${absolute[@]}" --tolerance 1e-8 --compliance "$R" "${rigid[@]}"
done

solvers=()
for sigma in 1 0.3 0.1 0.03 0.01 0.003 0.001 3e-4 1e-4 3e-5 1e-5; do solvers+=(--solver "ccp-sap(sigma=$sigma)"); done
for scene in walls pyramid floor; do
  measure "slip/$scene" "$scene" "${absolute[@]}" --criterion ccp --tolerance 1e-10 "${solvers[@]}"
done

# How many contacts the springs of SAP let slide: stiffer ones, and none.
measure springs walls "${absolute[@]}" --criterion ccp --tolerance 1e-10 \
  --solver ccp-sap --solver 'ccp-sap(beta=0.1)' --solver ccp-ipm

# What should end SAP is the momentum, and not the residual: that of the compliant CCP is out of reach of 1e-14.
measure accuracy-sap spheres "${absolute[@]}" --criterion ccp --tolerance 1e-14 \
  --solver 'ccp-sap(stop=momentum,relative_tolerance=1e-5)' --solver 'ccp-sap(stop=momentum)'
measure accuracy spheres "${absolute[@]}" --criterion ccp --tolerance 1e-8 --max-iterations 2000 \
  --solver ccp-ipm --solver ccp-admm
if [[ $dry_run == yes ]]; then exit "$status"; fi

step "solving again, for the impulses"
for document in "$run"/{standing,slip}/*.json "$run/springs.json"; do
  folder=$run/impulses/${document#"$run"/}
  "$root/scripts/frictionbench-paper" impulses "$document" --program "$frictionbench" -o "${folder%.json}" || leave $?
done

step "judging the answers with compliance on the rigid problems"
while IFS= read -r -d '' impulse; do
  name=${impulse#"$run/impulses/standing/"} # <R>/<family>/<problem>/<solver>.txt
  judged=$run/judged/${name%.txt}.json
  problem=${name#*/}
  mkdir -p -- "${judged%/*}"
  code=0
  "$frictionbench" judge "$run/problems/standing/${problem%/*}.hdf5" --impulse "$impulse" --json >"$judged" || code=$?
  if [[ $code -gt 1 ]]; then leave "$code"; fi # 1: not solved, as no compliant answer is
done < <(find "$run/impulses/standing" -name '*.txt' -print0 | sort -z)

step "writing and drawing"
"$root/scripts/frictionbench-paper" compliance "$run" -o "$texts" || leave $?

step "done"
printf '%s\n' "$run" "$texts"/compliance.md "$texts"/{l14,d13,d14}.{svg,png}
exit "$status"
