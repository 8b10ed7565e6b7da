#!/bin/bash
# Renews the baseline, and says what changed.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/update_baseline.sh

Builds, runs every registered solver on datasets/default, prints how verdicts and work counters differ
from results/baselines/default.json, and puts the new ones in its place. Commit the file together
with the change that made it differ; `git checkout` brings the old one back.
END
}

case ${1-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) echo "error: '$1': update_baseline.sh takes no arguments" >&2; exit 2 ;;
esac

"$root/scripts/setup.sh" --quiet
build release --target frictionbench_app
cd -- "$root" # the document names the paths as they are given
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
    echo "the old baseline cannot be compared with the new one; it is replaced all the same"
  fi
fi
mv -- "$new" "$baseline"
step "renewed $baseline"
