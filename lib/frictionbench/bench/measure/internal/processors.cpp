#include "frictionbench/bench/measure/internal/processors.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace frictionbench::bench {

namespace {

// A name that only one process of the machine can have, and that the kernel releases when it dies:
// a socket address in the abstract namespace, unix(7). Returns -1 if another process has it.
int claim(int processor) {
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = fmt::format("frictionbench-processor-{}", processor);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), length) == 0) return descriptor;
  close(descriptor);
  return -1;
}

}  // namespace

std::vector<int> available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int k = 0; k < CPU_SETSIZE; ++k)
      if (CPU_ISSET(static_cast<std::size_t>(k), &set)) processors.push_back(k);
  return processors;
}

ProcessorClaim::ProcessorClaim(int count) {
  const std::vector<int> available = available_processors();
  const auto wanted = static_cast<std::size_t>(count);
  if (wanted > available.size())
    throw std::invalid_argument(fmt::format(
        "{} jobs, but only {} processors: pairs that share one would disturb each other's times",
        count, available.size()));
  std::vector<int> taken;
  for (const int processor : available) {
    if (processors_.size() == wanted) break;
    if (const int descriptor = claim(processor); descriptor >= 0) {
      processors_.push_back(processor);
      descriptors_.push_back(descriptor);
    } else {
      taken.push_back(processor);
    }
  }
  for (; processors_.size() < wanted; ++shared_) {
    // Late processes should not all choose the same one.
    const std::size_t k = static_cast<std::size_t>(getpid()) % taken.size();
    processors_.push_back(taken[k]);
    taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

ProcessorClaim::~ProcessorClaim() {
  for (const int descriptor : descriptors_) close(descriptor);
}

}  // namespace frictionbench::bench
