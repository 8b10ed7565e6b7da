/// \file
/// Runs a piece of work in a child process, so that nothing it does reaches the harness.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace frictionbench::bench {

/// How a child ended, apart from what that means.
struct WorkerOutcome {
  enum class End {
    finished,   ///< the work returned; `payload` is what it returned
    threw,      ///< the work threw; `payload` is the exception's text
    signalled,  ///< died by signal `code`
    exited,     ///< ended with exit code `code` without returning
    timed_out,  ///< killed because `wall_limit` was over
  };
  End end = End::exited;
  std::string payload;
  int code = 0;
  std::int64_t memory_peak = 0;  ///< bytes, largest resident set of the child
};

/// Forks, runs `work` in the child pinned to one processor, without core dumps and with standard
/// output closed to it, and waits for what it returns. \param wall_limit s, after which the child
/// and all that it started are killed. \throws std::system_error if no process can be made.
WorkerOutcome run_in_child(const std::function<std::string()>& work, double wall_limit);

}  // namespace frictionbench::bench
