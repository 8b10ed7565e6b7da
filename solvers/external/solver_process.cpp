#include "frictionbench/solvers/external/solver_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "frictionbench/base/deadline.hpp"
#include "frictionbench/base/text.hpp"

namespace frictionbench::solvers {

using nlohmann::json;

namespace {

constexpr int protocol_version = 1;
constexpr std::size_t longest_line = std::size_t{1} << 20;  // bytes
constexpr std::size_t shown = 120;                          // bytes of a line that is not an answer
constexpr std::chrono::seconds farewell{1};  // in which an idle program may end itself

// Throws std::system_error if a system call failed.
template <typename Number>
Number checked(Number result, const char* call) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), call);
  return result;
}

// In the program's process before it starts: its place and limits, and no files but these three.
// Calls only what is safe after a fork of a process with threads.
void enter(const Workplace& workplace, int input, int output, int errors) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  if (workplace.processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(*workplace.processor), &set);
    sched_setaffinity(0, sizeof set, &set);  // best effort: a container may forbid it
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (workplace.memory_limit) {
    const auto bytes = static_cast<rlim_t>(*workplace.memory_limit);
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
}

// The answer in a line. Throws ProcessError.
json parsed(const std::string& line) {
  json answer = json::parse(line, nullptr, false);
  if (!answer.is_object())
    throw ProcessError(
        fmt::format("wrote '{}' to its standard output, which is not a JSON object in one line; "
                    "print messages to standard error",
                    one_line(line.substr(0, shown))));
  return answer;
}

}  // namespace

struct SolverProcess::Shared {
  bool busy = false;  // a request has no answer yet
  long requests = 0;
};

SolverProcess::SolverProcess(const std::string& command, const Workplace& workplace,
                             double start_limit)
    : workplace_(workplace), owner_(getpid()) {
  try {
    void* const page =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    shared_ = new (page) Shared;
    start(command);
    const json greeting = {{"protocol", "frictionbench-solver"}, {"version", protocol_version}};
    const json answer = ask(greeting, deadline_after(start_limit));
    if (!answer.contains("protocol") || answer["protocol"] != greeting["protocol"] ||
        !answer.contains("version") || answer["version"] != greeting["version"])
      throw ProcessError(fmt::format("answered the greeting {} by {}", greeting.dump(),
                                     one_line(answer.dump().substr(0, shown))));
  } catch (const std::system_error& failure) {
    end();
    throw ProcessError(failure.what());
  } catch (...) {
    end();
    throw;
  }
}

SolverProcess::~SolverProcess() { end(); }

void SolverProcess::end() {
  if (getpid() == owner_ && ready()) let_go();
  kill();
  for (const int descriptor : descriptors())
    if (descriptor >= 0) close(descriptor);
  if (shared_) munmap(shared_, sizeof *shared_);
}

void SolverProcess::start(const std::string& command) {
  int requests[2], answers[2];
  // A socket, because writing to a pipe without a reader raises a signal.
  checked(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, requests), "socketpair");
  input_ = requests[0];
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close(requests[1]);
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  output_ = answers[0];
  errors_ = memfd_create("standard error", MFD_CLOEXEC);
  fcntl(errors_, F_SETFL, O_APPEND);
  block_ = memfd_create("problem", MFD_CLOEXEC);
  const char* const words[] = {"sh", "-c", command.c_str(), nullptr};
  program_ = errors_ < 0 || block_ < 0 ? -1 : fork();
  if (program_ == 0) {
    enter(workplace_, requests[1], answers[1], errors_);
    execv("/bin/sh", const_cast<char**>(words));
    _exit(127);
  }
  const int failure = errno;
  close(requests[1]);
  close(answers[1]);
  if (program_ < 0) throw std::system_error(failure, std::generic_category(), "fork");
}

std::string SolverProcess::block_path() const {
  return fmt::format("/proc/{}/fd/{}", owner_, block_);
}

bool SolverProcess::ready() const { return is_alive() && !shared_->busy; }

// Leaves an ended program for kill() to wait for, so that its number stays its own.
bool SolverProcess::is_alive() const {
  siginfo_t ended{};
  return program_ > 0 &&
         waitid(P_PID, static_cast<id_t>(program_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0;
}

// Ends its standard input, and gives it time to tidy up.
void SolverProcess::let_go() {
  close(std::exchange(input_, -1));
  const auto deadline = Clock::now() + farewell;
  while (is_alive() && Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

void SolverProcess::kill() {
  if (program_ <= 0) return;
  ::kill(-program_, SIGKILL);
  ::kill(program_, SIGKILL);       // in case it has no session of its own yet
  if (getpid() != owner_) return;  // the owner notices by ready()
  while (waitpid(program_, nullptr, 0) < 0 && errno == EINTR) {
  }
  program_ = -1;
}

json SolverProcess::ask(json request, Clock::time_point deadline) try {
  shared_->busy = true;
  checked(ftruncate(errors_, 0), "ftruncate");  // what it said of earlier problems
  const long id = ++shared_->requests;
  request["id"] = id;
  send(request.dump() + "\n");
  json answer = parsed(receive(deadline));
  if (answer.value("id", json()) != id)
    throw ProcessError(
        fmt::format("answered request {} by {}", id, one_line(answer.dump().substr(0, shown))));
  shared_->busy = false;
  return answer;
} catch (...) {
  kill();
  throw;
}

void SolverProcess::send(const std::string& line) {
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t sent = ::send(input_, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw ProcessError(with_errors("ended, or closed its standard input"));
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string SolverProcess::receive(Clock::time_point deadline) {
  while (true) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    if (received_.size() > longest_line)
      throw ProcessError(fmt::format("wrote '{}...' to its standard output, a line without an end",
                                     one_line(received_.substr(0, shown))));
    const double left = 1e3 * seconds_until(deadline);  // ms
    if (left <= 0) throw ProcessTimeout(with_errors("did not answer in time"));
    pollfd polled{output_, POLLIN, 0};
    if (poll(&polled, 1, static_cast<int>(std::min(std::ceil(left), 1e9))) <= 0) continue;
    char buffer[65536];
    const ssize_t size = read(output_, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) throw ProcessError(with_errors("ended without an answer"));
    received_.append(buffer, static_cast<std::size_t>(size));
  }
}

// With the end of what the program wrote to its standard error.
std::string SolverProcess::with_errors(const std::string& what) const {
  struct stat file {};
  fstat(errors_, &file);
  const off_t from = std::max<off_t>(0, file.st_size - static_cast<off_t>(longest_solver_text));
  std::string text(static_cast<std::size_t>(file.st_size - from), '\0');
  const ssize_t got = pread(errors_, text.data(), text.size(), from);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  text = solver_text(text);
  return text.empty() ? what : what + ": " + text;
}

}  // namespace frictionbench::solvers
