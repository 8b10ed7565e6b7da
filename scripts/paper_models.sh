#!/bin/bash
# Reproduces Tables II and III of [LeLidec24], and its Figs. 6, 9, 10, 12 and 13 about models and algorithms.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/paper_models.sh [--output-dir DIR] [ARGUMENT of `frictionbench run`]...

Installs missing packages, builds the program, makes problems of scenes (frictionbench generate), and runs every
registered solver on them, each judged by its own model, in the units of the problems as the paper does:

  scenes     boxes that stick and slide, a stack, a pyramid, at 1e-8: which model satisfies which law,
             directions of friction, take-off, internal forces
  friction   stacks and walls with friction coefficients of 1 to 4, at 1e-6: which algorithm always converges
  stacks     two cubes, the upper one 1 to 1e6 times as heavy, at 1e-6: robustness to conditioning

DIR (default: results/runs/<UTC time>-paper-models/) then holds these as .json with their problems, the
impulses of the scenes, contact-models.md with the measured tables and the paper's marks, and the
pictures l9 (direction of friction) and l13 (mass ratio) as .svg and .png.

It takes a few minutes on one core. No time is measured: marks and numbers are the same on every machine.
Other arguments are passed on to `frictionbench run`, e.g. --jobs 2. The exit code is that of the step that
failed.

  scripts/paper_models.sh
  scripts/paper_models.sh --jobs 2 --output-dir models
END
}

prepare_paper_of_scenes paper-models scenes.json "$@"

# Makes the problems of scene $2, with the further arguments, in folder $1.
make() {
  local folder=$run/problems/$1
  shift
  "$frictionbench" generate "$@" -o "$folder" >/dev/null
}

step "making problems"
for direction in 0 7.5 15 22.5 30 37.5 45 52.5 60 67.5 75 82.5 90; do
  make scenes sliding_box --direction "$direction"
done
for variant in '--speed 0.1' '--speed 5' '--mu 0.2' '--mu 0.9' '--time-step 0.001' '--time-step 0.02' \
  '--direction 30 --slope 40 --spin 2'; do
  # shellcheck disable=SC2086 # several words
  make scenes sliding_box $variant
done
for variant in '' '--direction 30' '--push 0.9' '--push 2 --direction 30'; do
  # shellcheck disable=SC2086
  make scenes pushed_box $variant
done
make scenes stack --boxes 3 --pull 0.5
make scenes stack --boxes 3 --pull 1.5
make scenes pyramid --levels 2
for mu in 1 2 4; do
  make friction stack --boxes 3 --pull 1.5 --mu "$mu"
  make friction stack --boxes 3 --ball-mass 100 --mu "$mu"
  make friction wall --rows 3 --ball-mass 50 --mu "$mu"
done
# [LeLidec24] Fig. 13: 1e-3 kg below 1e3 kg at the largest ratio, and the same geometric mean at every other.
for masses in '1 1' '0.316 10' '0.1 1e2' '0.0316 1e3' '0.01 1e4' '0.00316 1e5' '0.001 1e6'; do
  for shape in '--mu 0.3' '--mu 0.9' '--mu 0.5 --edge 0.05' '--mu 0.5 --edge 1' '--mu 0.5 --pull 0.5' \
    '--mu 0.5 --offset 0.05'; do
    # shellcheck disable=SC2086
    make stacks stack --boxes 2 --mass "${masses% *}" --mass-ratio "${masses#* }" $shape
  done
done

# Every registered solver, and what explains one of them: the published ADMM, which is nearest to [LeLidec24]
# Alg. 3, the registered one without its start, and [LeLidec24] Algs. 1, 6 and 7 to the letter.
solvers=(--solver 'lcp-staggered(inner=admm)' --solver 'ncp-staggered(inner=admm)'
  --solver 'lcp-pgs(tangents=together)'
  --solver 'ccp-admm(variant=rss2024)' --solver 'ccp-admm(start_sweeps=0)'
  --solver 'ncp-pgs(relaxation=1,tangent_divisor=smallest_entry)')
registered=$(registered_solvers all)
while read -r name; do solvers+=(--solver "$name"); done <<<"$registered"

# Runs the problems of folder $1 into $1.json, with the further arguments.
measure() {
  local output=$run/$1.json problems=$run/problems/$1
  shift
  step "running $output"
  "$frictionbench" run "$problems" --output "$output" --criterion native --scale absolute --history --repeat-time 0 \
    "${solvers[@]}" "$@" "${passed[@]}"
}
measure scenes --tolerance 1e-8
measure friction --tolerance 1e-6
measure stacks --tolerance 1e-6 --max-iterations 10000

step "solving the scenes again, for their impulses"
"$root/scripts/frictionbench-paper" impulses "$run/scenes.json" --program "$frictionbench" -o "$run/impulses"

step "writing tables and drawing"
"$root/scripts/frictionbench-paper" models "$run" -o "$run"

step "done"
printf '%s\n' "$run"/{scenes,friction,stacks}.json "$run/contact-models.md" "$run"/{l9,l13}.{svg,png}
