#include "frictionbench/bench/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>

namespace frictionbench::bench {

namespace {

using Clock = std::chrono::steady_clock;

// A message is one tag, its length and its bytes. A child that dies half-way leaves no whole
// message.
constexpr char tag_finished = 'F';
constexpr char tag_threw = 'T';
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

void send(int descriptor, char tag, const std::string& payload) {
  std::string message(header_size, tag);
  const std::uint64_t size = payload.size();
  std::memcpy(message.data() + 1, &size, sizeof size);
  message += payload;
  write_all(descriptor, message.data(), message.size());
}

std::optional<WorkerOutcome> parse(const std::string& message) {
  if (message.size() < header_size) return std::nullopt;
  std::uint64_t size = 0;
  std::memcpy(&size, message.data() + 1, sizeof size);
  if (message.size() != header_size + size) return std::nullopt;
  WorkerOutcome outcome;
  outcome.end =
      message[0] == tag_finished ? WorkerOutcome::End::finished : WorkerOutcome::End::threw;
  outcome.payload = message.substr(header_size);
  return outcome;
}

void pin_to_current_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &set);
  sched_setaffinity(0, sizeof set, &set);  // best effort: a container may forbid it
}

[[noreturn]] void child_main(int result, const std::function<std::string()>& work) {
  setpgid(0, 0);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  pin_to_current_processor();
  // A solver that prints must not mix its text with the harness's output.
  if (const int null = open("/dev/null", O_WRONLY); null >= 0) dup2(null, STDOUT_FILENO);
  try {
    send(result, tag_finished, work());
  } catch (const std::exception& error) {
    send(result, tag_threw, error.what());
  } catch (...) {
    send(result, tag_threw, "an exception that is no std::exception");
  }
  _exit(0);  // no destructors, no buffers of the parent flushed twice
}

// Reads until the child closes its end or the time is over. Returns whether it was in time.
bool read_until(int descriptor, Clock::time_point deadline, std::string& message) {
  char buffer[65536];
  for (;;) {
    const auto left = std::chrono::duration<double, std::milli>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd ready{descriptor, POLLIN, 0};
    const int events = poll(&ready, 1, static_cast<int>(std::min(std::ceil(left), 1e9)));
    if (events < 0 && errno != EINTR) return true;
    if (events <= 0) continue;
    const ssize_t size = read(descriptor, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    message.append(buffer, static_cast<std::size_t>(size));
    if (parse(message)) return true;  // all is said, even if a grandchild holds the pipe open
  }
}

// A child that has said all may still be about to exit: it gets a moment.
int wait_for_exit(pid_t child, Clock::time_point deadline, rusage& usage) {
  int status = 0;
  while (Clock::now() < deadline) {
    const pid_t ended = wait4(child, &status, WNOHANG, &usage);
    if (ended == child) return status;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  kill(child, SIGKILL);
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

WorkerOutcome run_in_child(const std::function<std::string()>& work, double wall_limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  const pid_t child = fork();
  if (child < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    errno = error;
    fail("fork");
  }
  if (child == 0) {
    close(ends[0]);
    child_main(ends[1], work);
  }
  close(ends[1]);
  setpgid(child, child);  // both sides do it, so that neither has to wait for the other

  std::string message;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(wall_limit));
  const bool in_time = read_until(ends[0], deadline, message);
  close(ends[0]);
  if (!in_time) kill(-child, SIGKILL);

  rusage usage{};
  const int status = wait_for_exit(child, Clock::now() + std::chrono::seconds(1), usage);
  kill(-child, SIGKILL);  // what the child started and left behind

  WorkerOutcome outcome;
  if (auto parsed = parse(message)) {
    outcome = std::move(*parsed);
  } else if (!in_time) {
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

}  // namespace frictionbench::bench
