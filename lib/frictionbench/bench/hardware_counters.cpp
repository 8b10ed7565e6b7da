#include "frictionbench/bench/hardware_counters.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace frictionbench::bench {

namespace {

// Of the calling thread, on whatever processor it runs. The events of a group count together, and
// start when the leader (-1: none, the event leads itself) does.
int open_counter(std::uint64_t event, int leader) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = event;
  attributes.disabled = leader < 0;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC));
}

std::optional<std::int64_t> exact_count(int counter) {
  struct {
    std::uint64_t value, time_enabled, time_running;
  } reading{};
  if (counter < 0 || read(counter, &reading, sizeof reading) != sizeof reading) return std::nullopt;
  if (reading.time_running < reading.time_enabled || reading.time_running == 0) return std::nullopt;
  return static_cast<std::int64_t>(reading.value);
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
  ioctl(instructions_, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

results::HardwareCounts HardwareCounters::stop() {
  if (instructions_ < 0) return {};
  ioctl(instructions_, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
  return {exact_count(instructions_), exact_count(cycles_)};
}

}  // namespace frictionbench::bench
