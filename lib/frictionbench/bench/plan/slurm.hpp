/// \file
/// What Slurm tells a task of a job array.
#pragma once

#include <optional>

#include "frictionbench/results/document/run_settings.hpp"

namespace frictionbench::bench {

/// The shard that this task of a Slurm job array is: its place among the array's indices, read from
/// SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP and _COUNT (sbatch(1), "output environment variables").
/// \param count of shards, where the array holds only some of them (a resubmission of task 3 alone,
///        say); the task's index is then the shard's number itself.
/// \throws std::invalid_argument outside a job array, for an array with gaps in its indices unless
///         `count` is given, and for an index beyond `count`.
results::Shard shard_from_slurm(std::optional<int> count = std::nullopt);

}  // namespace frictionbench::bench
