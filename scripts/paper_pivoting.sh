#!/bin/bash
# Measures what [YamaneNakamura08] Tables I, II and III show of pivoting methods, and the error of their pyramids.
set -euo pipefail
# shellcheck source=scripts/paper_run.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/paper_run.sh"

usage() {
  cat <<'END'
usage: scripts/paper_pivoting.sh [--max-contacts N] [--peer NAME]... [--output-dir DIR] [--resume] [--every N]
                                 [--time-limit SECONDS] [ARGUMENT of `frictionbench run`]... FOLDER... | --scenes

Installs missing packages, builds the program, and runs on the 3D FCLIB files below the folders, or on scenes after those of
the paper that it makes, at relative 1e-6, each solver judged by its own model:

  pivoting  lcp-lemke, lcp-lemke-lexicographic with four thresholds, lcp-pivot-search, lcp-dantzig, lcp-psor,
            lcp-nonsmooth-newton, lcp-pgs with 8 facets, ncp-hybrid, on the exact cone, and solvers of peers
  facets    lcp-pivot-search and lcp-nonsmooth-newton with 4, 8 and 16 facets

Writes pivoting.md: solved problems and how the others failed, pivots and times by size, what the search solves beyond
Lemke's methods family by family, all beside the numbers of [YamaneNakamura08], and how far answers of pyramids are
from the exact cone.

--scenes makes a hoist, rings and a net of links, boxes with redundant contacts, with and without the contact reduction
of the paper, and a humanoid that squats and steps, where MuJoCo is installed; its text is pivoting-scenes.md.

The text goes to results/paper, and documents to results/runs/<UTC time>-paper-pivoting/.

  --max-contacts N      only problems with at most N contacts (default: 60; with --scenes 120)
  --peer NAME           the solvers, too, of a project that this build has some of (`frictionbench list peers`);
                        bullet and dart have pivoting methods. May be given several times
END
  usage_of_folders
  cat <<'END'

These arguments are passed on to `frictionbench run`: --jobs, --repeat-time, --memory-limit, --quiet. Measure
times with one job. datasets/default takes a few minutes. The exit code is that of the run that failed; 1 if some
file could not be read.

  scripts/paper_pivoting.sh --time-limit 2 datasets/default
  scripts/paper_pivoting.sh --every 10 --output-dir look ~/fclib-library/local
  scripts/paper_pivoting.sh --peer bullet --peer dart ~/fclib-library/local
  scripts/paper_pivoting.sh --scenes --time-limit 2
END
}

most='' peers=() text=pivoting
# shellcheck disable=SC2034 # used by read_arguments
own_values=(--max-contacts --peer)
# shellcheck disable=SC2034,SC2317 # called by read_arguments
own_option() { if [[ $1 == --scenes ]]; then text=pivoting-scenes takes_folders=no taken=1; fi; }
# shellcheck disable=SC2317 # called by read_arguments
own_value() {
  case $1 in
    --max-contacts)
      if [[ ! $2 =~ ^[0-9]+$ ]]; then refuse "--max-contacts: a number must follow"; fi
      most=$2 ;;
    --peer) passed+=("$@") peers+=(--solver "$2-*") ;;
  esac
}
read_arguments "$@"
if [[ $text == pivoting ]]; then most=${most:-60}; else most=${most:-120}; fi
passed+=(--max-contacts "$most")

# Makes the problems of --scenes in folder $1.
# shellcheck disable=SC2317 # called by open_run_of_folders
make_scenes() {
  local problems=$1 models=$root/datasets/models points motion frames
  for scene in 'hoist' 'hoist --time-step 0.01' 'rings' 'net'; do
    # shellcheck disable=SC2086 # several words
    "$frictionbench" generate $scene --snapshots 20 --force -o "$problems" >/dev/null || leave $?
  done
  for points in 3 4 5; do
    for scene in 'pushed_box' 'stack --boxes 3' 'stack --boxes 3 --reduce-contacts 0.15'; do
      # shellcheck disable=SC2086
      "$frictionbench" generate $scene --points "$points" --force -o "$problems" >/dev/null || leave $?
    done
  done
  for motion in squat:1400 step:1100; do
    frames=${motion#*:} motion=${motion%:*}
    "$frictionbench" extract "$models/humanoid20.xml" --keyframe stand --control "$models/humanoid20-$motion.txt" \
      --contacts-only --steps "$frames" --every "$((frames / 200))" --name "humanoid-$motion" --force -o "$problems" \
      >/dev/null || leave $?
  done
}
open_run_of_folders paper-pivoting make_scenes

solvers=(--solver lcp-lemke)
for tie in 0 1e-8 1e-6 1e-4; do solvers+=(--solver "lcp-lemke-lexicographic(tie=$tie)"); done
for name in lcp-pivot-search lcp-dantzig lcp-psor lcp-nonsmooth-newton 'lcp-pgs(facets=8)' ncp-hybrid; do
  solvers+=(--solver "$name")
done
facets=()
for name in lcp-pivot-search lcp-nonsmooth-newton; do
  for count in 4 8 16; do facets+=(--solver "$name(facets=$count)"); done
done
how=(--criterion native --tolerance 1e-6 --max-iterations 20000 --time-limit "$time_limit")
measure pivoting problems "${how[@]}" "${solvers[@]}" "${peers[@]}"
measure facets problems "${how[@]}" "${facets[@]}"
if [[ $dry_run == yes ]]; then exit "$status"; fi

step "writing"
"$root/scripts/frictionbench-paper" pivoting "$run"/{pivoting,facets}.json --name "$text" -o "$texts"

step "done"
printf '%s\n' "$run"/{pivoting,facets}.json "$texts/$text.md"
exit "$status"
