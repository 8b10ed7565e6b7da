#include "frictionbench/bench/measure/internal/hardware_counters.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace frictionbench::bench {

namespace {

// Of the calling thread, on whatever processor it runs. The counters of a group count at the same
// time, when the leader (-1: the counter leads) does, and are read through it.
int open_counter(std::uint64_t event, int leader) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = event;
  attributes.disabled = leader < 0;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

HardwareCounters::HardwareCounters()
    : instructions_(open_counter(PERF_COUNT_HW_INSTRUCTIONS, -1)),
      cycles_(instructions_ < 0 ? -1 : open_counter(PERF_COUNT_HW_CPU_CYCLES, instructions_)) {}

HardwareCounters::~HardwareCounters() {
  if (cycles_ >= 0) close(cycles_);
  if (instructions_ >= 0) close(instructions_);
}

void HardwareCounters::start() {
  if (instructions_ < 0) return;
  ioctl(instructions_, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
  ioctl(instructions_, PERF_EVENT_IOC_ENABLE, 0);
}

results::HardwareCounts HardwareCounters::stop() {
  if (instructions_ < 0) return {};
  ioctl(instructions_, PERF_EVENT_IOC_DISABLE, 0);
  struct {
    std::uint64_t counters, time_enabled, time_running, instructions, cycles;
  } group{};
  if (read(instructions_, &group, sizeof group) <= 0) return {};
  const bool estimated = group.time_running < group.time_enabled || group.time_running == 0;
  if (estimated) return {};
  results::HardwareCounts counts;
  counts.instructions = static_cast<std::int64_t>(group.instructions);
  if (group.counters > 1) counts.cycles = static_cast<std::int64_t>(group.cycles);
  return counts;
}

}  // namespace frictionbench::bench
