#include "frictionbench/bench/worker.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "support/temporary_folder.hpp"

namespace frictionbench::bench {
namespace {

using End = WorkerOutcome::End;

TEST(Worker, ReturnsWhatTheWorkReturns) {
  const WorkerOutcome outcome = run_in_child([] { return std::string("done"); }, 10);
  EXPECT_EQ(outcome.end, End::finished);
  EXPECT_EQ(outcome.payload, "done");
  EXPECT_GT(outcome.memory_peak, 0);
}

TEST(Worker, CarriesLargeMessages) {
  const std::string large(5'000'000, 'x');
  EXPECT_EQ(run_in_child([&] { return large; }, 10).payload, large);
}

TEST(Worker, KeepsTheTextOfAnException) {
  const WorkerOutcome outcome =
      run_in_child([]() -> std::string { throw std::runtime_error("no"); }, 10);
  EXPECT_EQ(outcome.end, End::threw);
  EXPECT_EQ(outcome.payload, "no");
  EXPECT_EQ(run_in_child([]() -> std::string { throw 42; }, 10).end, End::threw);
}

TEST(Worker, NamesTheSignalOfACrash) {
  const WorkerOutcome outcome = run_in_child(
      []() -> std::string {
        signal(SIGABRT, SIG_DFL);
        std::abort();
      },
      10);
  EXPECT_EQ(outcome.end, End::signalled);
  EXPECT_EQ(outcome.code, SIGABRT);
}

TEST(Worker, NoticesAnExit) {
  const WorkerOutcome outcome = run_in_child([]() -> std::string { _exit(3); }, 10);
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 3);
}

TEST(Worker, KillsWhatDoesNotStop) {
  const auto start = std::chrono::steady_clock::now();
  const WorkerOutcome outcome = run_in_child(
      []() -> std::string {
        for (volatile bool forever = true; forever;) {
        }
        return "";
      },
      0.2);
  EXPECT_EQ(outcome.end, End::timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Worker, IsNotHeldUpByGrandchildren) {
  const WorkerOutcome outcome = run_in_child(
      [] {
        if (fork() == 0) {
          std::this_thread::sleep_for(std::chrono::hours(1));
          _exit(0);
        }
        return std::string("left one behind");
      },
      20);
  EXPECT_EQ(outcome.end, End::finished);
  EXPECT_EQ(outcome.payload, "left one behind");
}

TEST(Worker, StandardOutputStaysClean) {
  const test::TemporaryFolder folder;
  const std::string captured = folder.file("stdout");
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  ASSERT_NE(freopen(captured.c_str(), "w", stdout), nullptr);
  const WorkerOutcome outcome = run_in_child(
      [] {
        std::cout << "noise" << std::endl;
        return std::string("quiet");
      },
      10);
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  EXPECT_EQ(outcome.payload, "quiet");
  std::ifstream file(captured);
  EXPECT_EQ(file.peek(), std::ifstream::traits_type::eof());
}

}  // namespace
}  // namespace frictionbench::bench
