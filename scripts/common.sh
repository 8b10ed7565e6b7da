# Sourced by bench.sh and test.sh: where things are, setting up and building.
# shellcheck shell=bash

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

step() { printf '== %s\n' "$*"; }

# Configures preset $1 and builds it; further arguments go to `cmake --build`.
build() {
  local preset=$1
  shift
  local ninja=()
  # On a terminal ninja keeps its progress on one line; in a log it would be a line a file.
  if [[ ! -t 1 ]]; then ninja=(-- --quiet); fi
  step "building ($preset; the first time takes a few minutes)"
  (
    cd -- "$root" || exit # presets are looked up in the working directory
    cmake --preset "$preset" >/dev/null # its warnings and errors come on standard error
    cmake --build --preset "$preset" "$@" "${ninja[@]}"
  )
}
