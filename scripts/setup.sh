#!/bin/bash
# Installs the Debian packages of apt-packages.txt that are missing.
set -euo pipefail

here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

usage() {
  cat <<'END'
usage: scripts/setup.sh [--quiet]

Installs the packages of scripts/apt-packages.txt that are missing, with apt-get: directly as root,
through sudo otherwise. Does nothing, and needs no network and no rights, when nothing is missing.
Where it cannot install them it prints the one line to run, and fails.

  --quiet   say nothing when nothing is missing
END
}

quiet=false
for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    --quiet) quiet=true ;;
    *) echo "error: unknown argument '$argument' (see scripts/setup.sh --help)" >&2; exit 2 ;;
  esac
done

# Prints the line that a person with the rights can run, and fails. $1 says why this script cannot.
give_up() {
  local sudo='' # before apt-get, where that is how one becomes root
  if [[ $(id -u) -ne 0 ]] && command -v sudo >/dev/null; then sudo='sudo '; fi
  {
    echo "error: $1. Run this as root, then try again:"
    echo "${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${missing[*]}"
  } >&2
  exit 1
}

packages=()
while read -r name _; do
  if [[ -n $name && $name != '#'* ]]; then packages+=("$name"); fi
done <"$here/apt-packages.txt"

missing=("${packages[@]}")
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  give_up "this is not a Debian-like system, so scripts/setup.sh cannot install Debian's packages (here they may have other names)"
fi

declare -A installed=()
while read -r name status; do
  if [[ $status == installed ]]; then installed[$name]=1; fi
  # dpkg-query fails when it does not know one of the names: those are the missing ones.
done < <(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)

missing=()
for name in "${packages[@]}"; do
  if [[ -z ${installed[$name]:-} ]]; then missing+=("$name"); fi
done

if [[ ${#missing[@]} -eq 0 ]]; then
  if ! $quiet; then echo "setup: all ${#packages[@]} packages are there"; fi
  exit 0
fi

run_as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    give_up "packages are missing, and this needs root"
  elif sudo -n true 2>/dev/null; then
    run_as_root=(sudo -n)
  elif [[ -t 0 && -t 2 ]]; then
    run_as_root=(sudo) # will ask for the password
  else
    give_up "packages are missing, and sudo needs a password and a terminal to ask for it"
  fi
fi

# After a plain `su` PATH lacks the folders that dpkg's helpers are in.
run_as_root+=(env "PATH=$PATH:/usr/sbin:/sbin" DEBIAN_FRONTEND=noninteractive)
# Somebody else's installation, such as an automatic upgrade, may be under way: wait for it.
apt_get=(apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300)

echo "setup: installing ${missing[*]}"
"${run_as_root[@]}" "${apt_get[@]}" update ||
  give_up "apt-get update failed"
"${run_as_root[@]}" "${apt_get[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null ||
  give_up "apt-get install failed"
