#!/bin/bash
# Runs clang-tidy on the C++ sources, with the checks of .clang-tidy.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/tidy.sh [--all] [--most N] [--build DIR] [FILE...]

Runs clang-tidy with the checks of .clang-tidy on FILE..., or on the sources that changed since
origin/main (since the last commit if there is no such branch, or if nothing differs from it). A changed
header is checked where the checked sources include it. Prints findings; exit code 1 if there are any.

  --all        every source of the build
  --most N     at most N of them, evenly spread
  --build DIR  configured build folder with compile_commands.json (default: build/release)
END
}

all=no most=0 build=$root/build/release files=()
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --all) all=yes ;;
    --most | --build)
      if [[ $# -eq 1 ]]; then echo "error: $1: the value is missing" >&2; exit 2; fi
      if [[ $1 == --most ]]; then most=$2; else build=$2; fi
      shift ;;
    -*) echo "error: unknown argument '$1' (see scripts/tidy.sh --help)" >&2; exit 2 ;;
    *) files+=("$(realpath -- "$1")") ;;
  esac
  shift
done
database=$build/compile_commands.json
if [[ ! -e $database ]]; then
  echo "error: $database: not found; configure the build first, e.g. with scripts/test.sh" >&2
  exit 2
fi
command -v clang-tidy >/dev/null || { echo "error: clang-tidy is not installed" >&2; exit 2; }

cd -- "$root"
compiled() { sed -n 's/^ *"file": "\(.*\)",\?$/\1/p' "$database" | grep -v cmake_pch | sort -u; }
if [[ $all == yes ]]; then
  mapfile -t files < <(compiled)
elif [[ ${#files[@]} -eq 0 ]]; then
  since=$(git merge-base origin/main HEAD 2>/dev/null) || since=''
  if [[ -z $since || $since == "$(git rev-parse HEAD)" ]]; then since=$(git rev-parse -q --verify HEAD~1) || since=HEAD; fi
  mapfile -t files < <(comm -12 <(compiled) <(git diff --name-only --diff-filter=d "$since" -- '*.cpp' | sed "s|^|$root/|" | sort))
fi
count=${#files[@]}
if [[ $most -gt 0 && $count -gt $most ]]; then
  chosen=()
  for ((k = 0; k < most; ++k)); do chosen+=("${files[k * count / most]}"); done
  files=("${chosen[@]}")
fi
echo "checking ${#files[@]} of $count files"
if [[ ${#files[@]} -eq 0 ]]; then exit 0; fi

# Clang cannot read GCC's precompiled headers; every source includes what it uses anyway.
made=$(mktemp -d)
trap 'rm -rf -- "$made"' EXIT
sed -E 's/ -Winvalid-pch| -fpch-preprocess| -include [^ ]*cmake_pch\.hxx//g' "$database" >"$made/compile_commands.json"
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$made" --quiet \
  --extra-arg=-Wno-unknown-warning-option 2>"$made/errors" || {
  status=$?
  grep -vE '^[0-9]+ warnings? ' "$made/errors" >&2 || true
  exit "$((status > 0))"
}
