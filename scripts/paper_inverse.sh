#!/bin/bash
# Reproduces what [Carpentier24] Fig. 8 shows of inverse dynamics: an arm that slides its tip along a rigid wall.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/paper_inverse.sh [--output-dir DIR] [--time-step SECONDS]

Installs missing packages, builds the program, and moves an arm with three joints step by step, its tip up and down a
vertical wall, rigid contact. At every time step:

  frictionbench inverse   the contact impulse for the wanted velocity, by [Carpentier24] Alg. 2, under the NCP and the
                          CCP, and from it the torque of the joints
  frictionbench solve     the forward dynamics with that torque: the same impulse and velocity are expected

DIR (default: results/runs/<UTC time>-paper-inverse/) then holds inverse.md, with what the paper says and what is
measured, and the picture inverse as .svg and .png.

  --time-step SECONDS  of the motion, which lasts 1 s (default: 0.001, as in the paper)

It takes a few minutes on one core, nearly all of them to start the program. No time is measured: numbers are the
same on every machine, up to rounding. The exit code is that of the step that failed.

  scripts/paper_inverse.sh
  scripts/paper_inverse.sh --time-step 0.02 --output-dir look
END
}

read_motion_arguments "$@"
prepare_paper paper-inverse frictionbench_python

step "moving the arm, writing and drawing"
"$root/scripts/frictionbench-paper" inverse --program "$frictionbench" "${passed[@]}" -o "$run"

step "done"
printf '%s\n' "$run"/inverse.{md,svg,png}
