/// \file
/// The processor's counters of this thread's work.
#pragma once

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// Counts instructions and cycles of the calling thread in user space, through Linux's
/// perf_event_open(2). A count is absent without the permission
/// (`/proc/sys/kernel/perf_event_paranoid`), without a performance monitoring unit (most virtual
/// machines), or where more events than counters were active, so that the kernel could only
/// estimate.
class HardwareCounters {
 public:
  /// Opens the counters; one that is not available is not an error.
  HardwareCounters();
  ~HardwareCounters();
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  /// Counts from zero.
  void start();
  /// \returns what was counted since start().
  results::HardwareCounts stop();

 private:
  int instructions_;  // descriptors, -1 if not available; this one leads the group
  int cycles_;
};

}  // namespace frictionbench::bench
