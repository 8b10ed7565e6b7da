#include "frictionbench/bench/process/internal/child_process.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "frictionbench/bench/measure/blas.hpp"

namespace frictionbench::bench {

namespace {

// A message is the magic bytes, its kind, the length of its payload, and the payload.
constexpr std::string_view magic = "frictionbench:";
constexpr std::size_t kind_at = magic.size();
constexpr std::size_t size_at = kind_at + 1;
constexpr std::size_t header_size = size_at + sizeof(std::uint64_t);

void write_all(int descriptor, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = write(descriptor, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the reader is gone, or the solver closed the pipe
    data.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::uint64_t payload_size(const std::string& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + size_at, sizeof size);
  return size;
}

// The mark is the id of the marked process, stored as a resource limit: it is inherited through
// fork and exec, the parent can read it, and no kernel since 2.4 uses this one.
constexpr auto mark = RLIMIT_LOCKS;

bool is_marked(pid_t process, pid_t child) {
  rlimit value{};
  return prlimit(process, mark, nullptr, &value) == 0 &&
         value.rlim_cur == static_cast<rlim_t>(child);
}

// Children of every thread of this process.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  std::error_code ignored;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t process = 0; list >> process;) all.push_back(process);
  }
  return all;
}

// Makes orphans among the descendants of this process its children from now on.
void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

// Marks the calling process and all processes that it will start. To be called by a child of a
// process that adopts orphans, before it starts others.
void mark_descendants() {
  const auto self = static_cast<rlim_t>(getpid());
  const rlimit value{self, self};
  setrlimit(mark, &value);
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

// Solvers of few contacts keep their matrices on the stack. Where the limit of memory is reached it cannot
// grow, and that would look like a crash.
[[gnu::noinline]] void reserve_stack() {
  constexpr std::size_t page = 4096;
  volatile char reserved[256 * page];
  for (std::size_t at = 0; at < sizeof reserved; at += page) reserved[at] = 0;
}

void apply(const WorkerLimits& limits) {
  limit(RLIMIT_CORE, 0, 0);
  if (limits.cpu) {
    const auto seconds = static_cast<rlim_t>(std::min(std::ceil(*limits.cpu), 1e9));
    limit(RLIMIT_CPU, seconds, seconds + 1);  // SIGXCPU, and SIGKILL if that is ignored
  }
  if (limits.memory) {
    const auto bytes = static_cast<rlim_t>(*limits.memory);
    reserve_stack();
    reserve_blas_memory();
    limit(RLIMIT_AS, bytes, bytes);
  }
}

// Leaves the child only the pipe for its answer and the files that it is to keep: a solver that uses
// a wrong descriptor can reach neither the journal nor the pipes of other workers. \returns the pipe's
// new number, the first that is free.
int keep_only(int answer, std::vector<int> kept, int error) {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  int moved = STDERR_FILENO + 1;
  while (std::find(kept.begin(), kept.end(), moved) != kept.end()) ++moved;
  if (answer != moved) dup3(answer, moved, O_CLOEXEC);
  kept.push_back(moved);
  std::sort(kept.begin(), kept.end());
  unsigned next = STDERR_FILENO + 1;
  for (const int descriptor : kept) {
    const auto number = static_cast<unsigned>(descriptor);
    if (number > next) close_range(next, number - 1, 0);
    next = number + 1;
  }
  close_range(next, ~0U, 0);
  return moved;
}

// \returns whether the work returned, in the process that started it.
bool work_and_tell(const Worker::Work& work, int answer) {
  // Work that forks may return in several processes; the first one answers.
  const pid_t self = getpid();
  const auto tell = [&](MessageKind kind, std::string_view payload) {
    if (getpid() == self) send_message(answer, kind, payload);
  };
  try {
    tell(MessageKind::finished, work());
    return getpid() == self;
  } catch (const std::bad_alloc&) {
    tell(MessageKind::out_of_memory, {});
  } catch (const std::exception& error) {
    tell(MessageKind::threw, error.what());
  } catch (...) {
    tell(MessageKind::threw, "an exception that is not a std::exception");
  }
  return false;
}

// Otherwise glibc gives large blocks back to the system, which clears every page of the next one:
// a fifth of the time of a solve with hundreds of factorisations.
void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

[[noreturn]] void child_main(const Worker::Work& work, const Worker::Work& afterthought,
                             const WorkerLimits& limits, int answer, int error) {
  setsid();  // no terminal, and a process group of its own
  mark_descendants();
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  answer = keep_only(answer, limits.descriptors, error);
  pin(limits.processor);
  apply(limits);
  keep_freed_memory();
  if (work_and_tell(work, answer) && afterthought) work_and_tell(afterthought, answer);
  _exit(0);  // no destructors, no buffers of the parent flushed twice
}

}  // namespace

void send_message(int descriptor, MessageKind kind, std::string_view payload) {
  char header[header_size];
  std::copy(magic.begin(), magic.end(), header);
  header[kind_at] = static_cast<char>(kind);
  const std::uint64_t size = payload.size();
  std::memcpy(header + size_at, &size, sizeof size);
  write_all(descriptor, {header, sizeof header});
  write_all(descriptor, payload);
}

bool IncomingMessage::whole() const {
  return !garbled() && bytes_.size() >= header_size &&
         bytes_.size() - header_size >= payload_size(bytes_);
}

bool IncomingMessage::garbled() const {
  const std::size_t known = std::min(bytes_.size(), magic.size());
  return bytes_.compare(0, known, magic, 0, known) != 0;
}

MessageKind IncomingMessage::kind() const { return static_cast<MessageKind>(bytes_[kind_at]); }

std::string IncomingMessage::payload() const {
  return bytes_.substr(header_size, payload_size(bytes_));
}

std::string IncomingMessage::rest() const {
  return bytes_.substr(header_size + payload_size(bytes_));
}

pid_t start_child(const Worker::Work& work, const Worker::Work& afterthought,
                  const WorkerLimits& limits, int answer, int error) {
  adopt_orphans();
  const pid_t harness = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != harness) _exit(0);  // it died before it was watched
    child_main(work, afterthought, limits, answer, error);
  }
  return child;
}

void end_descendants(pid_t child) {
  // A process that dies leaves its own children to this process; the next round finds them.
  for (bool found = true; found;) {
    found = false;
    for (const pid_t process : children()) {
      if (!is_marked(process, child)) continue;
      found = true;
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
  }
}

}  // namespace frictionbench::bench
