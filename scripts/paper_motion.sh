#!/bin/bash
# Reproduces what papers show of single bodies in motion: [LeLidec24] Figs. 9 to 12 and 15, [Castro22] Figs. 4 to 7.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/paper_motion.sh [--output-dir DIR] [--time-step SECONDS]

Installs missing packages, builds the program, and moves a cube of 1 kg on a plane by `frictionbench simulate`, the
impulses of every step being those of a solver of the NCP, the CCP, the LCP, or RaiSim's:

  sliding  from 1 m/s, at 20 degrees to the axes of the pyramid, until it stops: path, height, energy
  dragged  by a force that grows from 0 to 20 N in a second: speed, and forces that the contacts have against each
           other, by time; errors by time step

and a cylinder on a spring, by symplectic Euler, the midpoint rule and implicit Euler: its energy, and errors by
time step.

DIR (default: results/runs/<UTC time>-paper-motion/) then holds motion.md and spring.md, with what the papers say, the
motion in closed form, and what is measured, and the pictures l10, l12, l15, d6 and d7 as .svg and .png.

  --time-step SECONDS  of l10 and l12 (default: 0.001, as in the paper)

It takes a few minutes on one core. No time is measured: numbers are the same on every machine, up to rounding.
The exit code is that of the step that failed.

  scripts/paper_motion.sh
  scripts/paper_motion.sh --time-step 0.01 --output-dir look
END
}

read_motion_arguments "$@"
prepare_paper paper-motion

step "moving the cube, writing and drawing"
"$root/scripts/frictionbench-paper" motion --program "$frictionbench" "${passed[@]}" -o "$run"
step "rolling the cylinder, writing and drawing"
"$root/scripts/frictionbench-paper" spring --program "$frictionbench" -o "$run"

step "done"
printf '%s\n' "$run"/{motion,spring}.md "$run"/{l10,l12,l15,d6,d7}.{svg,png}
