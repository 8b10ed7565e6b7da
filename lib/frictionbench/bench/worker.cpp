#include "frictionbench/bench/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <thread>

#include "frictionbench/bench/deadline.hpp"

namespace frictionbench::bench {

namespace {

// A message is one tag, its length and its bytes. A child that dies half-way leaves no whole
// message.
constexpr char tag_finished = 'F';
constexpr char tag_threw = 'T';
constexpr char tag_out_of_memory = 'M';
constexpr std::size_t header_size = 1 + sizeof(std::uint64_t);

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(descriptor, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the parent is gone; nobody to tell
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

// Allocates nothing: it also tells that there is no memory.
void send(int descriptor, char tag, const char* payload, std::uint64_t size) {
  char header[header_size] = {tag};
  std::memcpy(header + 1, &size, sizeof size);
  write_all(descriptor, header, sizeof header);
  write_all(descriptor, payload, size);
}

std::optional<WorkerOutcome> parse(const std::string& message) {
  if (message.size() < header_size) return std::nullopt;
  std::uint64_t size = 0;
  std::memcpy(&size, message.data() + 1, sizeof size);
  if (message.size() != header_size + size) return std::nullopt;
  WorkerOutcome outcome;
  using End = WorkerOutcome::End;
  outcome.end = message[0] == tag_finished ? End::finished
                : message[0] == tag_threw  ? End::threw
                                           : End::out_of_memory;
  outcome.payload = message.substr(header_size);
  return outcome;
}

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
    limit(RLIMIT_CPU, seconds, seconds + 1);  // SIGXCPU, and SIGKILL for who ignores it
  }
  if (limits.memory) {
    const auto bytes = static_cast<rlim_t>(*limits.memory);
    limit(RLIMIT_AS, bytes, bytes);
  }
}

[[noreturn]] void child_main(int result, const Worker::Work& work, const WorkerLimits& limits) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_DFL);
  // A solver that prints or reads must not touch the harness's output or input.
  if (const int null = open("/dev/null", O_RDWR); null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  pin(limits.processor);
  apply(limits);
  try {
    const std::string payload = work();
    send(result, tag_finished, payload.data(), payload.size());
  } catch (const std::bad_alloc&) {
    send(result, tag_out_of_memory, nullptr, 0);
  } catch (const std::exception& error) {
    send(result, tag_threw, error.what(), std::strlen(error.what()));
  } catch (...) {
    constexpr char text[] = "an exception that is no std::exception";
    send(result, tag_threw, text, sizeof text - 1);
  }
  _exit(0);  // no destructors, no buffers of the parent flushed twice
}

// A child that has said all may still be about to exit: it gets a moment.
int wait_for_exit(pid_t child, std::chrono::milliseconds moment, rusage& usage) {
  int status = 0;
  const auto deadline = Clock::now() + moment;
  for (auto pause = std::chrono::microseconds(20); Clock::now() < deadline; pause *= 2) {
    if (wait4(child, &status, WNOHANG, &usage) == child) return status;
    std::this_thread::sleep_for(std::min(pause, std::chrono::microseconds(1000)));
  }
  kill(child, SIGKILL);
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Worker::Worker(const Work& work, const WorkerLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  child_ = fork();
  if (child_ < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    errno = error;
    fail("fork");
  }
  if (child_ == 0) {
    close(ends[0]);
    child_main(ends[1], work, limits);
  }
  close(ends[1]);
  setpgid(child_, child_);  // both sides do it, so that neither has to wait for the other
  descriptor_ = ends[0];
  deadline_ = deadline_after(limits.wall);
}

Worker::~Worker() {
  if (child_ > 0) {
    deadline_ = Clock::now();
    finish();
  }
}

Worker& Worker::operator=(Worker&& other) noexcept {
  std::swap(child_, other.child_);  // what this one had ends with `other`
  std::swap(descriptor_, other.descriptor_);
  std::swap(deadline_, other.deadline_);
  std::swap(message_, other.message_);
  std::swap(silent_, other.silent_);
  return *this;
}

bool Worker::read_some() {
  char buffer[65536];
  const ssize_t size = read(descriptor_, buffer, sizeof buffer);
  if (size < 0 && errno == EINTR) return false;
  if (size <= 0) return silent_ = true;
  message_.append(buffer, static_cast<std::size_t>(size));
  // All is said with a whole message, even if a grandchild holds the pipe open.
  return silent_ = parse(message_).has_value();
}

std::size_t Worker::wait_for_one(std::vector<Worker>& workers) {
  std::vector<pollfd> ready(workers.size());
  for (;;) {
    auto deadline = Clock::time_point::max();
    for (std::size_t k = 0; k < workers.size(); ++k) {
      if (workers[k].silent_ || workers[k].deadline_ <= Clock::now()) return k;
      deadline = std::min(deadline, workers[k].deadline_);
      ready[k] = {workers[k].descriptor_, POLLIN, 0};
    }
    const double left = std::chrono::duration<double, std::milli>(deadline - Clock::now()).count();
    poll(ready.data(), ready.size(), static_cast<int>(std::clamp(std::ceil(left), 0.0, 1e9)));
    for (std::size_t k = 0; k < workers.size(); ++k)
      if (ready[k].revents != 0 && workers[k].read_some()) return k;
  }
}

WorkerOutcome Worker::finish() {
  while (!silent_ && Clock::now() < deadline_) {
    pollfd ready{descriptor_, POLLIN, 0};
    const double left = std::chrono::duration<double, std::milli>(deadline_ - Clock::now()).count();
    if (poll(&ready, 1, static_cast<int>(std::clamp(std::ceil(left), 0.0, 1e9))) > 0) read_some();
  }
  close(descriptor_);
  if (!silent_) kill(-child_, SIGKILL);

  rusage usage{};
  const int status = wait_for_exit(child_, std::chrono::seconds(1), usage);
  kill(-child_, SIGKILL);  // what the child started and left behind
  child_ = -1;

  WorkerOutcome outcome;
  if (auto parsed = parse(message_)) {
    outcome = std::move(*parsed);
  } else if (!silent_) {
    outcome.end = WorkerOutcome::End::timed_out;
  } else if (WIFSIGNALED(status)) {
    outcome.end = WorkerOutcome::End::signalled;
    outcome.code = WTERMSIG(status);
  } else {
    outcome.end = WorkerOutcome::End::exited;
    outcome.code = WEXITSTATUS(status);
  }
  outcome.memory_peak = std::int64_t{usage.ru_maxrss} * 1024;
  return outcome;
}

WorkerOutcome run_in_child(const Worker::Work& work, const WorkerLimits& limits) {
  return Worker(work, limits).finish();
}

}  // namespace frictionbench::bench
