# Sourced by scripts that make several results documents and then a text from them: where these go, how they
# are made, and how an interrupted run is resumed.
# shellcheck shell=bash

# shellcheck source=scripts/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# From the command line; set before open_run.
run='' resume=no dry_run=no
passed=() # further arguments of `frictionbench run`
targets=() # what is built besides the program
# The exit code of the script: that of the last document with missing files.
# shellcheck disable=SC2034 # used by the scripts that source this
status=0

# Reads the arguments of a script that runs problems, all 3D ones below folders or its own: sets folders, every, time_limit and
# what the others need. Options of the script with one value, own_values, go to own_value NAME VALUE; others that
# it does not know to own_option, with what follows; that sets taken, the number of arguments that it used, and
# leaves it 0 for one that it does not know either. takes_folders=no for a script that makes its own problems.
read_arguments() {
  local option taken
  every=1 time_limit=20 folders=()
  while [[ $# -gt 0 ]]; do
    option=$1 taken=0
    own_option "$@"
    shift "$taken"
    if [[ $taken -gt 0 ]]; then continue; fi
    if [[ " ${own_values[*]} " == *" ${option%%=*} "* ]]; then
      if [[ $option == *=* ]]; then
        set -- "${option%%=*}" "${option#*=}" "${@:2}"
      elif [[ $# -eq 1 ]]; then
        refuse "$option: the value is missing"
      fi
      own_value "$1" "$2"
      shift 2
      continue
    fi
    case $option in
      -h | --help) usage; exit 0 ;;
      --output-dir=* | --every=* | --time-limit=* | --jobs=* | --repeat-time=* | --memory-limit=*)
        set -- "${option%%=*}" "${option#*=}" "${@:2}"
        continue ;;
      --output-dir | --every | --time-limit | --jobs | --repeat-time | --memory-limit)
        if [[ $# -eq 1 ]]; then refuse "$option: the value is missing"; fi
        case $option in
          --output-dir) run=$2 ;;
          --every) every=$2 ;;
          --time-limit) time_limit=$2 ;;
          *) passed+=("$option" "$2") ;;
        esac
        shift ;;
      --resume) resume=yes ;;
      --dry-run) dry_run=yes ;;
      --quiet) passed+=("$option") ;;
      -*) refuse "${0##*/} has no option $option, or chooses it itself" ;;
      *)
        if [[ $takes_folders == no ]]; then refuse "${0##*/} makes its problems itself; $option is too much"; fi
        folders+=("$option") ;;
    esac
    shift
  done
  if [[ $takes_folders == yes && ${#folders[@]} -eq 0 ]]; then refuse "a folder of FCLIB files is missing"; fi
}
own_option() { :; }
own_values=() takes_folders=yes

# What read_arguments reads, for the usage of a script on folders.
usage_of_folders() {
  cat <<'END'
  --output-dir DIR      everything goes there instead: a new folder, or with --resume one of an interrupted run
  --resume              continue an interrupted run, given the same arguments: in DIR, or in the newest folder
                        of results/runs. Finished work is kept; texts and pictures are made again
  --every N             only every N-th file of each folder, for a look before the whole run
  --time-limit SECONDS  per solve (default: 20)
  --dry-run             only print what would run, and for how long
END
}

# Opens the run of read_arguments, and lists its problems in $run/problems.txt. $1 as of open_run; $2 makes the
# problems of a script that takes no folders, in the folder that it is given. Sets texts, the folder of what is
# written in the end.
open_run_of_folders() {
  texts=${run:-$root/results/paper}
  open_run "$1" "${folders[@]}" "$every" "$time_limit"
  prepare_run
  texts=$(realpath --relative-to=. -m -- "$texts")
  if [[ $takes_folders == no ]]; then
    step "making problems"
    folders=("$run/problems")
    "$2" "${folders[0]}"
  fi
  step "finding problems"
  "$root/scripts/frictionbench-paper" problems "${folders[@]}" --problems all_3d --every "$every" \
    -o "$run/problems.txt" || leave $?
  if [[ ! -s $run/problems.txt ]]; then
    echo "error: ${folders[*]}: no 3D problem" >&2
    leave 2
  fi
}

# Sets the folder of the documents, $run, by default results/runs/<UTC time>-$1. The other arguments identify
# the run: only the same run can be resumed.
open_run() {
  local kind=$1 runs=$root/results/runs
  shift
  arguments=$(printf '%q ' "$PWD" "$@" "${passed[@]}")
  if [[ $dry_run == yes ]]; then
    run=$(mktemp -d)
    trap 'rm -rf -- "$run"' EXIT
  elif [[ $resume == yes ]]; then
    if [[ -z $run ]]; then
      run=$(find "$runs" -maxdepth 1 -name "*-$kind" 2>/dev/null | sort | tail -n 1) || true
      if [[ -z $run ]]; then refuse "no run in $runs, nothing to resume"; fi
    fi
    if [[ ! -f $run/arguments.txt ]]; then refuse "$run: no run of ${0##*/} in it, nothing to resume"; fi
    if [[ $(<"$run/arguments.txt") != "$arguments" ]]; then
      refuse "$run: was run with other arguments or from another directory, see arguments.txt there"
    fi
  else
    run=${run:-$runs/$(date -u +%Y%m%dT%H%M%SZ)-$kind}
    if [[ -n $(ls -A -- "$run" 2>/dev/null) ]]; then
      refuse "$run: not empty; continue it with --resume, or choose another folder"
    fi
  fi
}

# Builds the program and what else `targets` names, and makes the folder.
prepare_run() {
  "$root/scripts/setup.sh" --papers --quiet
  build_program "${targets[@]}"
  frictionbench=$root/build/release/apps/frictionbench
  # Relative to where the user is, so that results files do not depend on where the checkout is.
  run=$(realpath --relative-to=. -m -- "$run")
  mkdir -p -- "$run"
  printf '%s\n' "$arguments" >"$run/arguments.txt"
}

# Ends early; removes a run in which nothing was measured.
leave() {
  if [[ -n $(find "$run" -name '*.json*') ]]; then
    echo "not finished; to continue, repeat the command with --resume --output-dir $run" >&2
  else
    rm -rf -- "$run"/*.txt "$run/problems"
    find "$run" -type d -empty -delete
  fi
  exit "$1"
}

# Runs the problems of list $2 into $1.json, with the further arguments.
measure() {
  local output=$run/$1.json list=$run/$2.txt how=() code=0
  shift 2
  if [[ ! -s $list ]]; then
    step "no problems for $output"
    return
  elif [[ $dry_run == yes ]]; then
    step "would run $(basename -- "$output")"
    how=(--dry-run)
  elif [[ -e $output.journal ]]; then
    step "resuming $output"
    how=(--resume)
  elif [[ -e $output ]]; then
    step "finished before: $output"
    return
  else
    step "running $output"
  fi
  "$frictionbench" run "@$list" --output "$output" "$@" "${passed[@]}" "${how[@]}" || code=$?
  # 1: some file could not be read, but there are results. Above 1, or no document: nothing to report.
  if [[ $code -gt 1 || ($dry_run == no && ! -f $output) ]]; then leave "$((code > 0 ? code : 1))"; fi
  # shellcheck disable=SC2034
  if [[ $code -gt 0 ]]; then status=$code; fi
}
