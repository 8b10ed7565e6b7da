#include "frictionbench/bench/plan/slurm.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <stdexcept>

#include "frictionbench/base/text.hpp"

namespace frictionbench::bench {

namespace {

std::optional<int> whole_number(const char* variable) {
  const char* const value = getenv(variable);
  return value ? number_in<int>(value) : std::nullopt;
}

int required(const char* variable) {
  if (const auto number = whole_number(variable)) return *number;
  throw std::invalid_argument(
      fmt::format("--shard slurm: {} is not set to a number: this is not a task of a Slurm job "
                  "array (sbatch --array=1-8); use --shard i/n",
                  variable));
}

}  // namespace

results::Shard shard_from_slurm(std::optional<int> count) {
  const int index = required("SLURM_ARRAY_TASK_ID");
  if (count) {
    if (index < 1 || index > *count)
      throw std::invalid_argument(fmt::format(
          "--shard slurm/{}: the task's index is {}, not one of 1 to {}", *count, index, *count));
    return {index, *count};
  }
  const int first = required("SLURM_ARRAY_TASK_MIN");
  const int last = required("SLURM_ARRAY_TASK_MAX");
  const int tasks = required("SLURM_ARRAY_TASK_COUNT");
  const int step = whole_number("SLURM_ARRAY_TASK_STEP").value_or(1);
  if (step < 1 || (last - first) / step + 1 != tasks)
    throw std::invalid_argument(fmt::format(
        "--shard slurm: the array has {} tasks with gaps between {} and {}; use --shard "
        "slurm/n with n the number of shards",
        tasks, first, last));
  return {(index - first) / step + 1, tasks};
}

}  // namespace frictionbench::bench
