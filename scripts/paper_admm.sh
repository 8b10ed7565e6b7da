#!/bin/bash
# Reproduces section V-C and Fig. 4 of [Carpentier24], about ADMM, with tables and pictures.
set -euo pipefail
# shellcheck source=scripts/paper_run.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/paper_run.sh"

usage() {
  cat <<'END'
usage: scripts/paper_admm.sh FOLDER [--output-dir DIR] [--resume] [--filter REGEX]
                             [ARGUMENT of `frictionbench run`]...

Installs missing packages, builds the program, and runs on the FCLIB files below FOLDER what [Carpentier24] (RSS 2024, section V-C)
reports of its ADMM, with both variants of ncp-admm:

  fclib-1e-6   the 3D problems in local form of BoxesStack, Chain and Capsules: the ablation of [Carpentier24] Tables
               III and IV, the same ended by the paper's own stopping test, ncp-admm with default settings and
               the paper's p, and PGS ([LeLidec24] Alg. 6)
  fclib-1e-8   the same problems at a tighter tolerance: ncp-admm in both variants and PGS
  stack-1e-9   the stack of [Carpentier24] Fig. 4 (one problem of datasets/default, and two of IllConditionedStack if
               FOLDER has that family): both variants, the linear rule, PGS, ncp-ipm and ncp-newton, with iteration histories

All have the paper's limit of 20 000 iterations and its criterion, residuals in the units of the files. DIR
(default: results/runs/<UTC time>-paper-admm/) then holds these as .json, admm-tables.md with the measured tables
and the paper's, s4.md on what stops solvers on the stacks, and pictures as .svg and .png: s7 (ncp-admm and PGS),
s7-variants (both variants and PGS), s4 and s4-fclib.

605 files of up to 300 contacts take about half an hour on one core, and 20 MB. Solvers that do not
converge take most of it; --time-limit bounds each solve (default: 60 s). To see the plan first:

  scripts/paper_admm.sh FOLDER --dry-run

  --filter REGEX     only problems whose id (family/name) matches; for a quick look
  --output-dir DIR   a new folder, or with --resume one of an interrupted run
  --resume           continue an interrupted run, given the same arguments: in DIR, or in the newest folder
                     of results/runs. Finished work is kept; tables and pictures are made again

Other arguments are passed on to `frictionbench run`, e.g. --jobs 2 or --time-limit 10. Measure times with
one job. The exit code is that of the run that failed; 1 if some file could not be read.

  scripts/paper_admm.sh ~/fclib-library --time-limit 10
  scripts/paper_admm.sh ~/fclib-library --time-limit 10 --resume
  scripts/paper_admm.sh ~/fclib-library --filter 'Chain-i0000|IllConditioned.*-4' --repeat-time 0
END
}

for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    -o* | --output | --output=* | --solver* | --tolerance* | --max-iterations* | --dimension* | --history | \
      --criterion* | --scale* | --force | --shard* | --max-contacts*)
      refuse "paper_admm.sh chooses ${argument%%=*} itself; leave it out" ;;
  esac
done
if [[ $# -eq 0 || $1 == -* ]]; then refuse "the first argument must be the folder of FCLIB files"; fi
folder=$1
shift

filter=''
while [[ $# -gt 0 ]]; do
  case $1 in
    --output-dir | --filter)
      if [[ $# -eq 1 ]]; then refuse "$1: the value is missing"; fi
      if [[ $1 == --filter ]]; then filter=$2; else run=$2; fi
      shift ;;
    --output-dir=*) run=${1#*=} ;;
    --filter=*) filter=${1#*=} ;;
    --resume) resume=yes ;;
    --dry-run) dry_run=yes ;;
    *) passed+=("$1") ;;
  esac
  shift
done

open_run paper-admm "$folder" "$filter"
targets=(frictionbench_python)
prepare_run
data=$(realpath --relative-to=. -- "$root/datasets/default")

step "finding problems"
find_problems() { "$root/scripts/frictionbench-paper" problems "$@" --filter "$filter"; }
find_problems "$folder" --problems s_fclib -o "$run/fclib.txt" || leave $?
find_problems "$data" "$folder" --problems s_stack --most 2 -o "$run/stack.txt" || leave $?
if [[ ! -s $run/fclib.txt && ! -s $run/stack.txt ]]; then
  echo "error: $folder: no 3D problem of BoxesStack, Chain or Capsules in local form whose id matches '$filter'" >&2
  leave 2
fi

# The first three come first everywhere, so that they look the same in every picture.
published='ncp-admm(variant=rss2024'
gauss_seidel='ncp-pgs(relaxation=1,tangent_divisor=smallest_entry)'  # [LeLidec24] Alg. 6
contenders=(--solver ncp-admm --solver "$published)" --solver "$gauss_seidel")
ablation=()
for tau in 2 4 8 16; do ablation+=(--solver "$published,rho_update=linear,tau=$tau)"); done
for p in 0.01 0.05 0.08; do ablation+=(--solver "$published,p=$p)" --solver "ncp-admm(p=$p)"); done
ablation+=(--solver "$published,rho_update=constant)")
for setting in rho_update=linear,tau={2,4,8,16} p={0.01,0.05,0.08}; do
  ablation+=(--solver "$published,$setting,stop=admm)") # (43) alone
done

limit=(--max-iterations 20000 --scale absolute) # the paper's
measure stack-1e-9 stack "${limit[@]}" --tolerance 1e-9 --history "${contenders[@]}" \
  --solver "$published,rho_update=linear)" --solver ncp-ipm --solver ncp-newton
measure fclib-1e-6 fclib "${limit[@]}" --tolerance 1e-6 "${contenders[@]}" "${ablation[@]}"
measure fclib-1e-8 fclib "${limit[@]}" --tolerance 1e-8 "${contenders[@]}"
if [[ $dry_run == yes ]]; then exit "$status"; fi

made=()
# Draws figure $2 of $1.json as $3, with the further arguments.
draw() {
  local results=$run/$1.json figure=$2 picture=$run/$3
  shift 3
  "$root/scripts/frictionbench-paper" figures "$results" --figure "$figure" --name 'ADMM=ncp-admm' \
    --name "ADMM (S)=$published)" --name "PGS=$gauss_seidel" "$@" -o "$picture.svg" -o "$picture.png"
  made+=("$picture.svg" "$picture.png")
}

step "writing tables and drawing"
if [[ -s $run/fclib.txt ]]; then
  "$root/scripts/frictionbench-paper" tables "$run"/fclib-1e-[68].json --document admm -o "$run/admm-tables.md"
  made+=("$run/admm-tables.md")
  draw fclib-1e-6 s7 s7 --solvers '^(ADMM|PGS)$'
  draw fclib-1e-6 s7 s7-variants --solvers '^(ADMM|ADMM \(S\)|PGS)$'
fi
if [[ -s $run/stack.txt ]]; then
  "$root/scripts/frictionbench-paper" impulses "$run/stack-1e-9.json" --program "$frictionbench" -o "$run/impulses"
  "$root/scripts/frictionbench-paper" stack "$run/stack-1e-9.json" --impulses "$run/impulses" \
    -o "$run/s4.md"
  made+=("$run/s4.md")
fi
rules=(--solvers '^(ADMM|PGS)' --name "ADMM (S), spectral=$published)"
  --name "ADMM (S), linear=$published,rho_update=linear)")
if grep -q /Stack/ "$run/stack.txt"; then draw stack-1e-9 s4 s4 --problems '^Stack/' "${rules[@]}"; fi
if grep -q /IllConditionedStack/ "$run/stack.txt"; then
  draw stack-1e-9 s4 s4-fclib --problems '^IllConditionedStack/' "${rules[@]}"
fi

step "done"
printf '%s\n' "$run"/*.json "${made[@]}"
exit "$status"
