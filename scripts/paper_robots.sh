#!/bin/bash
# Measures what [Carpentier24] Figs. 5 and 6 and [LeLidec24] Figs. 16 and 17 show of robots.
set -euo pipefail
# shellcheck source=scripts/paper_run.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/paper_run.sh"

usage() {
  cat <<'END'
usage: scripts/paper_robots.sh [--steps N] [--peer NAME]... [--output-dir DIR] [--resume] [--every N]
                               [--time-limit SECONDS] [ARGUMENT of `frictionbench run`]...

Installs missing packages, builds the program, moves robots of datasets/models by MuJoCo (frictionbench extract), and
solves the contact problems of their steps, each solver judged by its own model, in the units of the problems as the
papers do:

  s5        a humanoid that falls, a quadruped on bumps, a hand with a cube, a stack: absolute 1e-4, at most 1000 iterations
  l17-cold  consecutive steps of a humanoid that is pushed, a quadruped that trots, a hand with a ball: absolute 1e-6, at
            most 10 000 iterations, each from zero
  l17-warm  the same, each from the answer to the step before
  l16       one step of two of these robots, at 1e-9, with residuals by iteration
  s6        an arm that wipes a wall, a biped and a humanoid without actuation for 2 s: absolute 1e-6
  joints    five robots with their limits, loops and dry friction in the problem, which are given forces above: the
            solvers that take such blocks, at 1e-6

Writes robots.md and the pictures s5, l16, l17-cold and l17-warm as .svg and .png to results/paper; documents and
problems go to results/runs/<UTC time>-paper-robots/.

  --steps N             consecutive time steps of each robot in l17 (default: 300)
  --peer NAME           in s5 and s6 the solvers, too, of a project that this build has some of (`frictionbench list
                        peers`); may be given several times
  --output-dir DIR      everything goes there instead: a new folder, or with --resume one of an interrupted run
  --resume              continue an interrupted run, given the same arguments: in DIR, or in the newest folder
                        of results/runs. Finished work is kept; the text is made again
  --every N             only every N-th problem of s5, s6 and joints, for a look before the whole run
  --time-limit SECONDS  per solve (default: 20)
  --dry-run             only print what would run, and for how long

These arguments are passed on to `frictionbench run`: --jobs, --repeat-time, --memory-limit, --quiet. Measure times with
one job. It takes about half an hour on one core, and needs MuJoCo. The exit code is that of the step that failed.

  scripts/paper_robots.sh
  scripts/paper_robots.sh --peer mujoco --peer scs
  scripts/paper_robots.sh --steps 20 --every 20 --output-dir look
END
}

steps=300 peers=()
# shellcheck disable=SC2034 # both are used by read_arguments
own_values=(--steps --peer) takes_folders=no
# shellcheck disable=SC2317 # called by read_arguments
own_value() {
  case $1 in
    --steps)
      if [[ ! $2 =~ ^[1-9][0-9]*$ ]]; then refuse "--steps: a number must follow"; fi
      steps=$2 ;;
    --peer) peers+=("$@") ;;
  esac
}
read_arguments "$@"
texts=${run:-$root/results/paper}
open_run paper-robots "$steps" "$every" "$time_limit" "${peers[@]}"
prepare_run
texts=$(realpath --relative-to=. -m -- "$texts")

models=$root/datasets/models

# Extracts a motion of model $3, a file without .xml, as family $2 of list $1, with the further arguments.
make() {
  local list=$1 family=$2 model=$3
  shift 3
  "$frictionbench" extract "$model.xml" "$@" --name "$family" --force -o "$run/problems/$list" >/dev/null || leave $?
  printf '%s\n' "problems/$list/$family" >>"$run/$list.txt" # relative to the list
}

# As many steps as a motion takes, and about 100 problems of them: every $1-th, or with --every fewer.
each() { printf '%s\n' "$(($1 * every))"; }

# What actuators are told, and where the model starts.
squat=(--keyframe stand --control "$models/humanoid32-squat.txt" --steps 2100)
push=(--keyframe stand --control "$models/humanoid32-push.txt")
fall=(--keyframe fall --control "$models/humanoid32-stand.txt" --steps 600)
trot=(--keyframe stand --control "$models/quadruped-trot.txt")
wipe=(--keyframe ready --control "$models/arm-wipe.txt")
grip=(--control "$models/hand-grip.txt")
contacts=(--contacts-only)

step "making problems"
rm -f -- "$run"/{s5,l17,s6,joints}.txt
# In the papers the hands' contacts have friction at a point alone, without torsion and rolling.
for hand in hand-ball hand-cube; do sed 's/condim="[46]"/condim="3"/' "$models/$hand.xml" >"$run/$hand.xml"; done
make s5 humanoid-falls "$models/humanoid32" "${fall[@]}" --every "$(each 6)" "${contacts[@]}"
make s5 quadruped-bumps "$models/quadruped-bumpy" "${trot[@]}" --steps 1500 --every "$(each 15)" "${contacts[@]}"
make s5 hand-cube "$run/hand-cube" "${grip[@]}" --steps 1200 --every "$(each 12)" "${contacts[@]}"
make s5 stack "$models/stack" --keyframe start --steps 240 --every "$(each 12)" "${contacts[@]}"
make l17 humanoid-pushed "$models/humanoid32" "${push[@]}" --steps "$steps" --every 1 "${contacts[@]}"
make l17 quadruped-trots "$models/quadruped-flat" "${trot[@]}" --steps "$steps" --every 1 "${contacts[@]}"
make l17 hand-ball "$run/hand-ball" "${grip[@]}" --steps "$steps" --every 1 "${contacts[@]}"
make s6 arm "$models/arm" "${wipe[@]}" --steps 1300 --every "$(each 13)" "${contacts[@]}"
make s6 biped "$models/biped" --keyframe stand --steps 1000 --every "$(each 10)" --dt 0.002 "${contacts[@]}"
make s6 humanoid "$models/humanoid20" --keyframe stand --steps 1000 --every "$(each 10)" --dt 0.002 "${contacts[@]}"
make joints humanoid-squats "$models/humanoid32" "${squat[@]}" --every "$(each 21)"
make joints quadruped-trots "$models/quadruped-flat" "${trot[@]}" --steps 1500 --every "$(each 15)"
make joints hand-cube "$models/hand-cube" "${grip[@]}" --steps 1200 --every "$(each 12)"
make joints biped-squats "$models/biped" --keyframe stand --control "$models/biped-squat.txt" --steps 2200 --every "$(each 22)"
make joints arm-wipes "$models/arm" "${wipe[@]}" --steps 1300 --every "$(each 13)"
cp -- "$run/l17.txt" "$run/l16.txt"

# The papers' PGS, and ADMM as [Carpentier24] prints it.
pgs='ncp-pgs(relaxation=1,tangent_divisor=smallest_entry)' published='ncp-admm(variant=rss2024)'
named() { for name in "$@"; do printf '%s\0' --solver "$name"; done; }
mapfile -d '' s5 < <(named "$published" ncp-admm "$pgs" ccp-pgs ccp-admm ncp-hybrid)
mapfile -d '' l17 < <(named lcp-pgs "$pgs" ncp-staggered raisim ccp-pgs ccp-admm ccp-newton ccp-sap ncp-admm ncp-hybrid)
mapfile -d '' l16 < <(named "$pgs" ncp-staggered raisim ccp-pgs ccp-admm ncp-admm ncp-newton ncp-ipm)
mapfile -d '' joints < <(named ncp-hybrid ncp-admm ncp-nsgs ncp-newton ncp-ipm ncp-pgs ccp-admm ccp-pgs)
others=("${peers[@]}")
for ((i = 1; i < ${#peers[@]}; i += 2)); do others+=(--solver "${peers[i]}-*"); done

how=(--criterion native --scale absolute --time-limit "$time_limit")
measure s5 s5 "${how[@]}" --tolerance 1e-4 --max-iterations 1000 "${s5[@]}" "${others[@]}"
measure l17-cold l17 "${how[@]}" --tolerance 1e-6 --max-iterations 10000 "${l17[@]}"
measure l17-warm l17 "${how[@]}" --tolerance 1e-6 --max-iterations 10000 --sequence "${l17[@]}"
middle=$(printf '%05d' "$((steps / 2))")
measure l16 l16 "${how[@]}" --tolerance 1e-9 --max-iterations 2000 --history --filter "(humanoid|quadruped).*-$middle\$" "${l16[@]}"
measure s6 s6 "${how[@]}" --tolerance 1e-6 --max-iterations 10000 "${s5[@]}" "${others[@]}"
measure joints joints "${how[@]}" --tolerance 1e-6 --max-iterations 10000 "${joints[@]}"
if [[ $dry_run == yes ]]; then exit "$status"; fi

step "writing and drawing"
"$root/scripts/frictionbench-paper" robots "$run" -o "$texts"
for picture in s5 l16 l17-cold l17-warm; do
  names=(--name "PGS=$pgs")
  if [[ $picture == s5 ]]; then names+=(--name "ADMM (S)=$published"); fi
  "$root/scripts/frictionbench-paper" figures "$run/$picture.json" --figure "${picture%%-*}" --width page \
    --solvers '^([nlc]cp-|raisim|PGS|ADMM)' "${names[@]}" -o "$texts/$picture.svg" -o "$texts/$picture.png"
done

step "done"
printf '%s\n' "$run"/{s5,l17-cold,l17-warm,l16,s6,joints}.json "$texts/robots.md" "$texts"/{s5,l16,l17-cold,l17-warm}.{svg,png}
exit "$status"
