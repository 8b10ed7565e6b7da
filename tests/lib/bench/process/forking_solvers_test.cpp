// What a solver starts ends with it, and changes no other record.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "lib/bench/process/bad_solvers.hpp"

namespace frictionbench::bench {
namespace {

class ForkingSolvers : public BadSolvers {
 protected:
  // To be called by a process that is to be gone after the run.
  void note_pid() const {
    std::ofstream(pids_, std::ios::app) << std::to_string(getpid()) + '\n' << std::flush;
  }
  // Waits for `count` notes.
  void await(std::size_t count) const {
    while (noted().size() < count) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::vector<pid_t> noted() const {
    std::ifstream file(pids_);
    return {std::istream_iterator<pid_t>(file), {}};
  }
  [[noreturn]] void linger() const {
    note_pid();
    for (;;) pause();
  }
  // That `count` processes ran, and that none is left.
  void expect_gone(std::size_t count) {
    EXPECT_EQ(noted().size(), count);
    for (const pid_t pid : noted()) EXPECT_EQ(kill(pid, 0), -1) << pid << " is still there";
    std::filesystem::remove(pids_);
  }

 private:
  std::string pids_ = folder_.file("pids");
};

TEST_F(ForkingSolvers, ChildOutlivesTheAnswer) {
  expect_record(
      [this](const auto&) {
        if (fork() == 0) linger();
        await(1);
        return solved();
      },
      Status::converged, "");
  expect_gone(1);
}

TEST_F(ForkingSolvers, ChildHoldsThePipeOfADeadSolver) {
  expect_record(
      [this](const auto&) -> Result {
        if (fork() == 0) linger();
        await(1);
        _exit(7);
      },
      Status::crashed, "exit code 7");
  expect_gone(1);
}

TEST_F(ForkingSolvers, BothHalvesReturn) {
  expect_record(
      [this](const auto&) {
        const pid_t other = fork();
        note_pid();
        if (other != 0) await(2);
        return solved();
      },
      Status::converged, "");
  expect_gone(2);
}

TEST_F(ForkingSolvers, Bomb) {
  expect_record(
      [this](const auto&) -> Result {
        const pid_t first = getpid();
        for (int generation = 0; generation < 4; ++generation) fork();
        if (getpid() != first) linger();
        await(15);
        _exit(1);
      },
      Status::crashed, "exit code 1");
  expect_gone(15);
}

TEST_F(ForkingSolvers, EscapeToASessionOfTheirOwn) {
  const auto escape = [this] {
    if (fork() == 0) {
      setsid();
      if (fork() != 0) _exit(0);
      closefrom(0);
      linger();
    }
    await(1);
  };
  expect_record(
      [&](const auto&) {
        escape();
        return solved();
      },
      Status::converged, "");
  expect_gone(1);
  expect_record(
      [&](const auto&) -> Result {
        escape();
        raise(SIGKILL);
        return {};
      },
      Status::crashed, "signal 9");
  expect_gone(1);
  expect_record(
      [&](const auto&) -> Result {
        escape();
        for (;;) pause();
      },
      Status::time_limit, "killed");
  expect_gone(1);
}

TEST_F(ForkingSolvers, EscapeIntoAnotherProgram) {
  expect_record(
      [this](const auto&) {
        if (fork() == 0) {
          setsid();
          note_pid();
          execl("/bin/sleep", "sleep", "3600", nullptr);
          _exit(1);
        }
        await(1);
        return solved();
      },
      Status::converged, "");
  expect_gone(1);
}

TEST_F(ForkingSolvers, OtherChildrenOfTheHarnessAreLeftAlone) {
  const pid_t other = fork();
  if (other == 0)
    for (;;) pause();
  expect_record(
      [](const auto&) {
        if (fork() == 0) pause();
        return solved();
      },
      Status::converged, "");
  EXPECT_EQ(waitpid(other, nullptr, WNOHANG), 0);  // it is still there
  kill(other, SIGKILL);
  EXPECT_EQ(waitpid(other, nullptr, 0), other);
}

}  // namespace
}  // namespace frictionbench::bench
