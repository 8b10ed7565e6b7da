#include "frictionbench/bench/process/child_process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>

#include "frictionbench/bench/process/descendants.hpp"
#include "frictionbench/bench/process/worker_message.hpp"

namespace frictionbench::bench {

namespace {

void pin(std::optional<int> processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor.value_or(sched_getcpu())), &set);
  sched_setaffinity(0, sizeof set, &set);  // best effort: a container may forbid it
}

void limit(int resource, rlim_t soft, rlim_t hard) {
  const rlimit value{soft, hard};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &value);
}

void apply(const WorkerLimits& limits) {
  limit(RLIMIT_CORE, 0, 0);
  if (limits.cpu) {
    const auto seconds = static_cast<rlim_t>(std::min(std::ceil(*limits.cpu), 1e9));
    limit(RLIMIT_CPU, seconds, seconds + 1);  // SIGXCPU, and SIGKILL if that is ignored
  }
  if (limits.memory) {
    const auto bytes = static_cast<rlim_t>(*limits.memory);
    limit(RLIMIT_AS, bytes, bytes);
  }
}

// Leaves the child only the pipe for its answer: a solver that uses a wrong descriptor can reach
// neither the journal nor the pipes of other workers. \returns the pipe's new number.
int keep_only(int answer, int error) {
  constexpr int only = STDERR_FILENO + 1;
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  if (answer != only) dup3(answer, only, O_CLOEXEC);
  closefrom(only + 1);
  return only;
}

void work_and_tell(const Worker::Work& work, int answer) {
  // Work that forks may return in several processes; the first one answers.
  const pid_t self = getpid();
  const auto tell = [&](MessageKind kind, std::string_view payload) {
    if (getpid() == self) send_message(answer, kind, payload);
  };
  try {
    tell(MessageKind::finished, work());
  } catch (const std::bad_alloc&) {
    tell(MessageKind::out_of_memory, {});
  } catch (const std::exception& error) {
    tell(MessageKind::threw, error.what());
  } catch (...) {
    tell(MessageKind::threw, "an exception that is not a std::exception");
  }
}

[[noreturn]] void child_main(const Worker::Work& work, const WorkerLimits& limits, int answer,
                             int error) {
  setsid();  // no terminal, and a process group of its own
  mark_descendants();
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  answer = keep_only(answer, error);
  pin(limits.processor);
  apply(limits);
  work_and_tell(work, answer);
  _exit(0);  // no destructors, no buffers of the parent flushed twice
}

}  // namespace

pid_t start_child(const Worker::Work& work, const WorkerLimits& limits, int answer, int error) {
  adopt_orphans();
  const pid_t harness = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != harness) _exit(0);  // it died before it was watched
    child_main(work, limits, answer, error);
  }
  return child;
}

}  // namespace frictionbench::bench
