#!/bin/bash
# Builds everything and runs every test.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/test.sh [PRESET] [ARGUMENT of ctest]...

Installs missing packages, among them those that only tests need (a Slurm cluster of one node, a
browser, ...), builds everything with the preset (default: release) and runs every test. Works from any
directory; the last lines and the exit code are ctest's.

  scripts/test.sh                     everything
  scripts/test.sh clang               everything, built by Clang
  scripts/test.sh sanitize            everything, with the address and undefined-behaviour sanitizers
  scripts/test.sh tsan                solvers called from several threads, with the thread sanitizer
  scripts/test.sh release -R Fclib    tests whose names match a regular expression

Further presets: debug, release-native.
END
}

for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
  esac
done

preset=release
if [[ $# -gt 0 && $1 != -* ]]; then
  preset=$1
  shift
fi

"$root/scripts/setup.sh" --tests --quiet
build "$preset"
step "testing"
cd -- "$root"
# One more than there are processors: some tests mostly wait, for Slurm's daemons or for time limits.
exec ctest --preset "$preset" --parallel "$(($(nproc) + 1))" "$@"
