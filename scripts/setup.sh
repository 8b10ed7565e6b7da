#!/bin/bash
# Installs the Debian packages of apt-packages.txt that are missing.
set -euo pipefail

here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

usage() {
  cat <<'END'
usage: scripts/setup.sh [--papers] [--peers] [--tests] [--quiet]

Installs the Debian packages that building frictionbench, running it and drawing its results need, as
listed in scripts/apt-packages.txt. It calls apt-get: directly as root, through sudo otherwise. If
nothing is missing it does nothing and needs neither network nor root.
If it cannot install them, it prints the one line to run, and fails.

  --papers  also the packages of `frictionbench-paper run`, which reproduces papers, and of the Python module
  --peers   also the libraries of other projects whose solvers `--peer` adds
  --tests   also all of those, and the packages of the tests (among them Slurm and Chromium)
  --quiet   print nothing if nothing is missing
END
}

sections=(bench)
quiet=false
for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    --papers) sections+=(papers) ;;
    --peers) sections+=(peers) ;;
    --tests) sections+=(papers peers tests) ;;
    --quiet) quiet=true ;;
    *) echo "error: unknown argument '$argument' (see scripts/setup.sh --help)" >&2; exit 2 ;;
  esac
done

# Prints the line that an administrator can run, and fails. $1 says why this script cannot run it.
give_up() {
  local sudo=''
  if [[ $(id -u) -ne 0 ]] && command -v sudo >/dev/null; then sudo='sudo '; fi
  {
    echo "error: $1. Run this as root, then try again:"
    echo "${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${missing[*]}"
  } >&2
  exit 1
}

packages=()
while read -r name _; do
  if [[ $name == \[*\] ]]; then
    section=${name:1:-1}
  elif [[ -n $name && $name != '#'* && " ${sections[*]} " == *" $section "* ]]; then
    packages+=("$name")
  fi
done <"$here/apt-packages.txt"

missing=("${packages[@]}")
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  give_up "this is not a Debian-like system, so scripts/setup.sh cannot install Debian's packages (their names may differ here)"
fi

declare -A installed=()
while read -r name status; do
  if [[ $status == installed ]]; then installed[$name]=1; fi
  # dpkg-query fails if it does not know one of the names: those packages are missing too.
done < <(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)

missing=()
for name in "${packages[@]}"; do
  if [[ -z ${installed[$name]:-} ]]; then missing+=("$name"); fi
done

if [[ ${#missing[@]} -eq 0 ]]; then
  if ! $quiet; then echo "setup: all ${#packages[@]} packages are installed"; fi
  exit 0
fi

run_as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    give_up "packages are missing, and this needs root"
  elif sudo -n true 2>/dev/null; then
    run_as_root=(sudo -n)
  elif [[ -t 0 && -t 2 ]]; then
    run_as_root=(sudo) # asks for the password
  else
    give_up "packages are missing, and sudo needs a password and a terminal to ask for it"
  fi
fi

# After a plain `su`, PATH lacks the folders of dpkg's helpers.
run_as_root+=(env "PATH=$PATH:/usr/sbin:/sbin" DEBIAN_FRONTEND=noninteractive)
# Wait for other installations under way, such as an automatic upgrade.
apt_get=(apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300)

echo "setup: installing ${missing[*]}"
"${run_as_root[@]}" "${apt_get[@]}" update ||
  give_up "apt-get update failed"
"${run_as_root[@]}" "${apt_get[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null ||
  give_up "apt-get install failed"
