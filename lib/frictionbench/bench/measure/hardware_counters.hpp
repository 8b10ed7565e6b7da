/// \file
/// What the processor counts of this thread's work.
#pragma once

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// Counts instructions and cycles of the calling thread in user space, through Linux's
/// perf_event_open(2). A count is absent where the kernel or the machine has none to give: without
/// the right (`/proc/sys/kernel/perf_event_paranoid`), without a performance monitoring unit (most
/// virtual machines), or where the processor shared its counters among more events than it has, so
/// that the kernel could only estimate.
class HardwareCounters {
 public:
  /// Opens the counters; a counter that cannot be had is no error.
  HardwareCounters();
  ~HardwareCounters();
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  /// Counts from zero.
  void start();
  /// \returns what was counted since start().
  results::HardwareCounts stop();

 private:
  int instructions_;  // descriptors, -1 for a counter that there is not; this one leads the group
  int cycles_;
};

}  // namespace frictionbench::bench
