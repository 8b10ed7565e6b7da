/// \file
/// The child's side of a worker. Internal to worker.cpp.
#pragma once

#include <sys/types.h>

#include "frictionbench/bench/process/worker.hpp"

namespace frictionbench::bench {

/// Forks. The child works within `limits`, sends one message into the pipe `answer`, and has its
/// standard error written into the pipe `error`. It is marked for end_descendants().
/// \throws std::system_error if no process can be made.
pid_t start_child(const Worker::Work& work, const WorkerLimits& limits, int answer, int error);

}  // namespace frictionbench::bench
