#!/bin/bash
# Submits a run in shards, and the job that merges them.
set -euo pipefail

here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(CDPATH='' cd -- "$here/../.." && pwd -P)

usage() {
  cat <<'END_OF_USAGE'
usage: scripts/slurm/submit.sh N FOLDER -- ARGUMENT of `frictionbench run`...

Submits `frictionbench run` as a Slurm job array of N shards on one core each, and a job that merges
them when all have ended. Everything goes to FOLDER: shard-<i>.json and .log, merge.log, results.json.

  scripts/slurm/submit.sh 64 results/runs/all -- @list.txt --solver ncp-admm --time-limit 60

Repeated, the same command resumes what was interrupted or failed; finished shards are kept.
Slurm's own options come from its environment variables (see man sbatch):

  SBATCH_PARTITION=cpu SBATCH_TIMELIMIT=8:00:00 SBATCH_CONSTRAINT=epyc scripts/slurm/submit.sh ...

FRICTIONBENCH is the program; build/release/apps/frictionbench of this checkout if not given.
END_OF_USAGE
}

refuse() {
  echo "error: $*" >&2
  exit 2
}

for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    --) break ;;
  esac
done
if [[ $# -lt 4 || $3 != -- ]]; then
  refuse "expected N FOLDER -- ARGUMENTS (see scripts/slurm/submit.sh --help)"
fi
shards=$1
if [[ ! $shards =~ ^[1-9][0-9]*$ ]]; then refuse "'$shards' is not a number of shards; expected 1 or more"; fi
out=$(realpath -m -- "$2")
shift 3

for argument in "$@"; do
  case $argument in
    -o* | --output | --output=* | --shard | --shard=* | --resume | --force)
      refuse "submit.sh chooses ${argument%%=*} itself; leave it out" ;;
  esac
done

FRICTIONBENCH=$(command -v -- "${FRICTIONBENCH:-$root/build/release/apps/frictionbench}") ||
  refuse "no program; build it with scripts/bench.sh, or name it: FRICTIONBENCH=/path/to/frictionbench"
FRICTIONBENCH=$(realpath -- "$FRICTIONBENCH")
command -v sbatch >/dev/null || refuse "sbatch: not found; run this where jobs are submitted"

mkdir -p -- "$out"
# Finished shards are kept, so they must be of the same run; and two tasks must not write one shard.
submission=$(printf '%q ' "$PWD" "$shards" "$@")
if [[ -e $out/submission.txt ]]; then
  {
    read -r previous_submission
    read -r previous_job
  } <"$out/submission.txt"
  if [[ $previous_submission != "${submission% }" ]]; then
    refuse "$out: holds shards of another submission (see submission.txt there); choose another folder"
  elif [[ -n $(squeue --noheader --job="$previous_job" 2>/dev/null) ]]; then
    refuse "$out: job $previous_job is still running these shards; wait for it, or end it with scancel $previous_job"
  fi
fi

# Prints the job's number, which is followed by ;CLUSTER where there are several.
submit() {
  local job
  job=$(sbatch --parsable --export=ALL "$@")
  echo "${job%%;*}"
}

export FRICTIONBENCH FRICTIONBENCH_OUT=$out
array=$(submit --array="1-$shards" --output="$out/shard-%a.log" "$here/frictionbench.sbatch" "$@")
printf '%s\n' "${submission% }" "$array" >"$out/submission.txt"
merge=$(submit --dependency="afterany:$array" --output="$out/merge.log" "$here/merge.sbatch")

cat <<END_OF_TEXT
submitted $shards shards as job $array, and job $merge to merge them

watch     squeue --job=$array,$merge
          tail -n 2 $(printf %q "$out")/shard-*.log
cancel    scancel $array $merge
result    $out/results.json; what is missing is in $out/merge.log
resume    the same command again
END_OF_TEXT
