#include "frictionbench/bench/process/internal/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include "frictionbench/base/deadline.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/bench/process/internal/child_process.hpp"

namespace frictionbench::bench {

namespace {

// A descriptor, closed with its handle.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int get() const { return number_; }  // -1 if there is none, which poll() leaves out

 private:
  int number_;
};

struct Pipe {
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
  }
  Descriptor read_end, write_end;
};

// A descriptor that can be read from once `child` has ended.
Descriptor end_of(pid_t child) {
  const long number = syscall(SYS_pidfd_open, child, 0);
  if (number < 0) throw std::system_error(errno, std::generic_category(), "pidfd_open");
  return Descriptor(static_cast<int>(number));
}

// Whatever there is to read, up to a bound; closes the pipe at its end.
std::string_view read_some(Descriptor& pipe, char (&buffer)[65536]) {
  const ssize_t size = read(pipe.get(), buffer, sizeof buffer);
  if (size == 0) pipe = Descriptor();
  return {buffer, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

double processor_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

// The parent's side of one child.
class Worker::Child {
 public:
  Child(const Work& work, const WorkerLimits& limits, const Afterthought& afterthought)
      : cpu_limit_(limits.cpu) {
    if (afterthought.work) afterthought_wall_ = afterthought.wall;
    Pipe answer, error;
    child_ =
        start_child(work, afterthought.work, limits, answer.write_end.get(), error.write_end.get());
    try {
      ended_ = end_of(child_);
    } catch (...) {
      end();
      throw;
    }
    answer_ = std::move(answer.read_end);
    error_ = std::move(error.read_end);
    deadline_ = deadline_after(limits.wall);
  }
  ~Child() {
    if (child_ > 0) end();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Until one of `children` has sent its answer, has ended, or has no time left: its position.
  static std::optional<std::size_t> wait_for_one(const std::vector<Child*>& children,
                                                 const std::function<bool()>& stop);

  WorkerOutcome finish();

 private:
  bool has_answered() const {
    return message_.whole() && (!afterthought_wall_ || message_.kind() != MessageKind::finished ||
                                afterthought_.whole() || afterthought_.garbled());
  }
  bool over() const { return has_answered() || message_.garbled() || has_ended_; }
  void read_what_is_ready(const pollfd* ready);
  // Both return whether there was something to read.
  bool read_answer();
  bool read_error();
  std::pair<int, rusage> end();
  void interpret(bool timed_out, int status, const rusage& usage, WorkerOutcome& outcome) const;

  std::optional<double> cpu_limit_;
  pid_t child_ = -1;
  Descriptor answer_, error_, ended_;
  bool has_ended_ = false;
  Clock::time_point deadline_;
  IncomingMessage message_, afterthought_;
  std::optional<double> afterthought_wall_;  // s
  std::string error_tail_;
};

std::optional<std::size_t> Worker::Child::wait_for_one(const std::vector<Child*>& children,
                                                       const std::function<bool()>& stop) {
  constexpr double longest_wait = 250;  // ms: a signal may arrive just before poll()
  while (!stop || !stop()) {
    std::vector<pollfd> polled;
    auto deadline = Clock::time_point::max();
    for (std::size_t k = 0; k < children.size(); ++k) {
      const Child& child = *children[k];
      if (child.over() || child.deadline_ <= Clock::now()) return k;
      deadline = std::min(deadline, child.deadline_);
      polled.push_back({child.answer_.get(), POLLIN, 0});
      polled.push_back({child.error_.get(), POLLIN, 0});
      polled.push_back({child.ended_.get(), POLLIN, 0});
    }
    const double left = std::chrono::duration<double, std::milli>(deadline - Clock::now()).count();
    const double wait = std::clamp(std::ceil(left), 0.0, stop ? longest_wait : 1e9);
    poll(polled.data(), polled.size(), static_cast<int>(wait));
    for (std::size_t k = 0; k < children.size(); ++k)
      children[k]->read_what_is_ready(&polled[3 * k]);
  }
  return std::nullopt;
}

void Worker::Child::read_what_is_ready(const pollfd* ready) {
  if (ready[0].revents != 0) read_answer();
  if (ready[1].revents != 0) read_error();
  if (ready[2].revents == 0) return;
  has_ended_ = true;
  while (!message_.garbled() && read_answer()) {
  }
}

bool Worker::Child::read_answer() {
  char buffer[65536];
  const std::string_view answer = read_some(answer_, buffer);
  if (message_.whole()) {
    afterthought_.append(answer);
  } else {
    message_.append(answer);
    if (message_.whole() && afterthought_wall_) {
      afterthought_.append(message_.rest());
      deadline_ = deadline_after(*afterthought_wall_);
    }
  }
  return !answer.empty();
}

bool Worker::Child::read_error() {
  char buffer[65536];
  const std::string_view text = read_some(error_, buffer);
  error_tail_ += text;
  if (error_tail_.size() > longest_solver_text)
    error_tail_.erase(0, error_tail_.size() - longest_solver_text);
  return !text.empty();
}

// Kills the child if it still runs, and then whatever it left behind.
std::pair<int, rusage> Worker::Child::end() {
  kill(-child_, SIGKILL);
  kill(child_, SIGKILL);  // in case it has no process group of its own yet
  int status = 0;
  rusage usage{};
  while (wait4(child_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  end_descendants(child_);
  child_ = -1;
  return {status, usage};
}

void Worker::Child::interpret(bool timed_out, int status, const rusage& usage,
                              WorkerOutcome& outcome) const {
  using End = WorkerOutcome::End;
  if (message_.garbled()) {
    outcome.end = End::threw;
    outcome.payload = "wrote into the pipe meant for its answer";
  } else if (message_.whole()) {
    outcome.end = message_.kind() == MessageKind::finished ? End::finished
                  : message_.kind() == MessageKind::threw  ? End::threw
                                                           : End::out_of_memory;
    outcome.payload = message_.payload();
    if (outcome.end == End::threw) outcome.payload = solver_text(outcome.payload);
    if (afterthought_.whole() && afterthought_.kind() == MessageKind::finished)
      outcome.afterthought = afterthought_.payload();
  } else if (timed_out) {
    outcome.end = End::timed_out;
  } else if (WIFSIGNALED(status)) {
    outcome.end = End::signalled;
    outcome.code = WTERMSIG(status);
    // A child that ignores SIGXCPU is killed by the kernel a second later.
    if (outcome.code == SIGKILL && cpu_limit_ && processor_seconds(usage) >= *cpu_limit_)
      outcome.code = SIGXCPU;
  } else {
    outcome.end = End::exited;
    outcome.code = WEXITSTATUS(status);
  }
}

WorkerOutcome Worker::Child::finish() {
  wait_for_one({this}, {});
  const bool timed_out = !over();
  const auto [status, usage] = end();
  while (read_error()) {
  }
  WorkerOutcome outcome;
  interpret(timed_out, status, usage, outcome);
  outcome.standard_error = solver_text(error_tail_);
  outcome.memory_peak = std::int64_t{usage.ru_maxrss} * 1024;
  return outcome;
}

Worker::Worker(const Work& work, const WorkerLimits& limits, const Afterthought& afterthought)
    : child_(std::make_unique<Child>(work, limits, afterthought)) {}
Worker::~Worker() = default;
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;

WorkerOutcome Worker::finish() { return child_->finish(); }

std::optional<std::size_t> Worker::wait_for_one(std::vector<Worker>& workers,
                                                const std::function<bool()>& stop) {
  std::vector<Child*> children;
  for (Worker& worker : workers) children.push_back(worker.child_.get());
  return Child::wait_for_one(children, stop);
}

WorkerOutcome run_in_child(const Worker::Work& work, const WorkerLimits& limits) {
  return Worker(work, limits).finish();
}

}  // namespace frictionbench::bench
