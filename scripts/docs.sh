#!/bin/bash
# Makes the documentation site: the Markdown pages with Sphinx, and the public headers with Doxygen.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'END'
usage: scripts/docs.sh [-o DIR]

Makes the documentation site in DIR (default: build/docs/site): all Markdown pages of the repository, and in
DIR/cpp the reference of the public headers (everything that `cmake --install` installs). Open DIR/index.html; it
needs no network. A link that leads nowhere and a public name without a comment are errors: one line each, and
exit code 1.
END
}

output=$root/build/docs/site
case ${1-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  -o) output=$(realpath -m -- "${2:?the folder is missing}") ;;
  *) echo "error: unknown argument '$1' (see scripts/docs.sh --help)" >&2; exit 2 ;;
esac
python=/usr/bin/python3 # Debian's, which has the packages of apt-packages.txt
if ! command -v doxygen >/dev/null || ! command -v esbuild >/dev/null ||
  ! "$python" -c 'import sphinx, myst_parser, furo' 2>/dev/null; then
  echo "error: Doxygen, esbuild, or Sphinx with MyST and Furo is not installed; scripts/setup.sh --tests installs them" >&2
  exit 2
fi

# Paths in the pages as other projects include the headers.
made=$(mktemp -d)
trap 'rm -rf -- "$made"' EXIT
mkdir -p -- "$made/frictionbench" "$output/cpp"
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
HTML_OUTPUT            = $output/cpp
GENERATE_TAGFILE       = $made/tags.xml
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

# Links between pages are checked as the pages are made; -W makes what is wrong an error.
cd -- "$root"
"$python" -m sphinx -q -W --keep-going -c docs -d "$made/doctrees" -D tagfile="$made/tags.xml" -D release="$revision" \
  -b html . "$output"
echo '<!DOCTYPE html><title>frictionbench</title><meta http-equiv="refresh" content="0; url=docs/index.html">' \
  >"$output/index.html"
