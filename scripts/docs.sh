#!/bin/bash
# Makes pages of the public headers with Doxygen.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/docs.sh [-o DIR]

Makes HTML pages of the public headers (everything that `cmake --install` installs) in DIR (default:
build/docs/html). They open from disk and need no network: formulas are plain text. Anything public without a
comment is an error: one line per name, and exit code 1.
END
}

output=$root/build/docs/html
case ${1-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  -o) output=$(realpath -m -- "${2:?the folder is missing}") ;;
  *) echo "error: unknown argument '$1' (see scripts/docs.sh --help)" >&2; exit 2 ;;
esac
command -v doxygen >/dev/null || { echo "error: doxygen is not installed; scripts/setup.sh --tests installs it" >&2; exit 2; }

# Paths in the pages as other projects include the headers.
made=$(mktemp -d)
trap 'rm -rf -- "$made"' EXIT
mkdir -p -- "$made/frictionbench" "$output"
cp -r -- "$root/lib/frictionbench/." "$root/lib/simulation" "$root/lib/scenes" "$root/lib/mujoco" "$made/frictionbench"
install -D -t "$made/frictionbench/solvers" -- "$root"/solvers/*.hpp # its folders are not installed
cp -- "$root/apps/frictionbench/main.hpp" "$made/frictionbench"
find "$made" -name internal -prune -exec rm -r {} +

revision=$(git -C "$root" rev-parse --short HEAD 2>/dev/null) || revision=''
cd -- "$made"
doxygen - <<END
PROJECT_NAME           = frictionbench
PROJECT_NUMBER         = $revision
PROJECT_BRIEF          = "Solvers for frictional contact problems, and their benchmark"
INPUT                  = frictionbench
FILE_PATTERNS          = *.hpp *.h
RECURSIVE              = YES
STRIP_FROM_PATH        = $made
STRIP_FROM_INC_PATH    = $made
OUTPUT_DIRECTORY       = $made
HTML_OUTPUT            = $output
GENERATE_LATEX         = NO
MARKDOWN_SUPPORT       = YES
AUTOLINK_SUPPORT       = NO
BUILTIN_STL_SUPPORT    = YES
JAVADOC_AUTOBRIEF      = YES
HIDE_FRIEND_COMPOUNDS  = YES
ENABLE_PREPROCESSING   = YES
MACRO_EXPANSION        = NO
SOURCE_BROWSER         = NO
USE_MATHJAX            = NO
EXCLUDE_SYMBOLS        = describe operator== operator=
DISTRIBUTE_GROUP_DOC   = YES
HAVE_DOT               = NO
QUIET                  = YES
WARN_IF_UNDOCUMENTED   = YES
WARN_NO_PARAMDOC       = NO
WARN_IF_INCOMPLETE_DOC = NO
WARN_AS_ERROR          = FAIL_ON_WARNINGS
WARN_FORMAT            = "\$file:\$line: \$text"
END
