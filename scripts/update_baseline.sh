#!/bin/bash
# Replaces the baseline with what the solvers do now, and prints what changed.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/update_baseline.sh

Builds the program, runs every registered solver on datasets/default, prints how verdicts and work
counters differ from results/baselines/default.json, and replaces that file. Commit it together with
the change that made it differ; `git checkout` restores the old one.
END
}

case ${1-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) echo "error: '$1': update_baseline.sh takes no arguments" >&2; exit 2 ;;
esac

"$root/scripts/setup.sh" --quiet
build_program
cd -- "$root" # the document records the paths as they are given
program=build/release/apps/frictionbench

step "running"
new=$baseline.new
trap 'rm -f -- "$new"' EXIT
baseline_run "$program" "$new"

status=0
if [[ -f $baseline ]]; then
  step "what changed"
  "$program" compare "$baseline" "$new" --no-time --all || status=$?
  if [[ $status -gt 1 ]]; then
    echo "the old baseline cannot be compared with the new one, but is replaced"
  fi
fi
mv -- "$new" "$baseline"
step "updated $baseline"
