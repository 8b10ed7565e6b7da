/// \file
/// The child's side of a worker: a keeper, and under it the process that works. Internal to
/// worker.cpp.
#pragma once

#include <sys/types.h>

#include "frictionbench/bench/worker.hpp"

namespace frictionbench::bench {

/// Forks. The child works within `limits`, sends one message into the pipe `answer`, and has its
/// standard error written into the pipe `noise`, which stays open until the child and all that it
/// started are gone.
/// \returns the keeper, which ends as the child does; SIGTERM makes it end the child.
/// \throws std::system_error if no process can be made.
pid_t start_child(const Worker::Work& work, const WorkerLimits& limits, int answer, int noise);

}  // namespace frictionbench::bench
