#include "frictionbench/bench/process/internal/worker.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/captured_output.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::bench {
namespace {

using End = WorkerOutcome::End;

TEST(Worker, ReturnsWhatTheWorkReturns) {
  const WorkerOutcome outcome = run_in_child([] { return std::string("done"); }, {.wall = 10});
  EXPECT_EQ(outcome.end, End::finished);
  EXPECT_EQ(outcome.payload, "done");
  EXPECT_GT(outcome.memory_peak, 0);
}

TEST(Worker, CarriesLargeMessages) {
  const std::string large(5'000'000, 'x');
  EXPECT_EQ(run_in_child([&] { return large; }, {.wall = 10}).payload, large);
}

TEST(Worker, KeepsTheTextOfAnException) {
  const WorkerOutcome outcome =
      run_in_child([]() -> std::string { throw std::runtime_error("no"); }, {.wall = 10});
  EXPECT_EQ(outcome.end, End::threw);
  EXPECT_EQ(outcome.payload, "no");
  EXPECT_EQ(run_in_child([]() -> std::string { throw 42; }, {.wall = 10}).end, End::threw);
}

TEST(Worker, NamesTheSignalOfACrash) {
  const WorkerOutcome outcome = run_in_child(
      []() -> std::string {
        signal(SIGABRT, SIG_DFL);
        std::abort();
      },
      {.wall = 10});
  EXPECT_EQ(outcome.end, End::signalled);
  EXPECT_EQ(outcome.code, SIGABRT);
}

TEST(Worker, NoticesAnExit) {
  const WorkerOutcome outcome = run_in_child([]() -> std::string { _exit(3); }, {.wall = 10});
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
      {.wall = 0.2});
  EXPECT_EQ(outcome.end, End::timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Worker, KeepsItsMemoryLimit) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs all of the address space";
#endif
  const WorkerOutcome outcome = run_in_child(
      [] {
        std::vector<std::string> hoard;
        for (;;) hoard.emplace_back(std::size_t{64} << 20, 'x');
        return std::string();
      },
      {.wall = 60, .memory = std::int64_t{1} << 30});
  EXPECT_EQ(outcome.end, End::out_of_memory);
  EXPECT_LT(outcome.memory_peak, std::int64_t{1} << 30);
}

TEST(Worker, KeepsItsProcessorTimeLimit) {
  const WorkerOutcome outcome = run_in_child(
      []() -> std::string {
        for (volatile bool forever = true; forever;) {
        }
        return "";
      },
      {.wall = 60, .cpu = 1});
  EXPECT_EQ(outcome.end, End::signalled);
  EXPECT_EQ(outcome.code, SIGXCPU);
}

TEST(Worker, KnowsWhoIgnoredTheEndOfItsProcessorTime) {
  const WorkerOutcome outcome = run_in_child(
      []() -> std::string {
        signal(SIGXCPU, SIG_IGN);
        for (volatile bool forever = true; forever;) {
        }
        return "";
      },
      {.wall = 60, .cpu = 1});
  EXPECT_EQ(outcome.end, End::signalled);
  EXPECT_EQ(outcome.code, SIGXCPU);
}

TEST(Worker, DoesMoreAfterItsWork) {
  int from_work = 0;
  const auto work = [&] {
    from_work = 7;
    return std::string("done");
  };
  const auto more = [&] { return std::to_string(from_work); };
  const WorkerOutcome outcome = Worker(work, {.wall = 10}, {more, 10}).finish();
  EXPECT_EQ(outcome.payload, "done");
  EXPECT_EQ(outcome.afterthought, "7");
}

TEST(Worker, AnAfterthoughtCannotTakeTheAnswerAway) {
  const auto work = [] { return std::string(1 << 20, 'x'); };
  const std::vector<std::function<std::string()>> bad = {
      []() -> std::string { throw std::runtime_error("no"); },
      []() -> std::string { throw std::bad_alloc(); }, []() -> std::string { _exit(3); },
      []() -> std::string {
        raise(SIGKILL);
        return "";
      },
      []() -> std::string {
        for (volatile bool forever = true; forever;) {
        }
        return "";
      }};
  for (const auto& more : bad) {
    const WorkerOutcome outcome = Worker(work, {.wall = 60}, {more, 0.2}).finish();
    EXPECT_EQ(outcome.end, End::finished);
    EXPECT_EQ(outcome.payload, work());
    EXPECT_EQ(outcome.afterthought, "");
  }
}

TEST(Worker, WithoutAnAnswerThereIsNoAfterthought) {
  const auto work = []() -> std::string { throw std::runtime_error("no"); };
  const auto more = [] { return std::string("more"); };
  const WorkerOutcome outcome = Worker(work, {.wall = 10}, {more, 10}).finish();
  EXPECT_EQ(outcome.end, End::threw);
  EXPECT_EQ(outcome.afterthought, "");
}

TEST(Worker, FirstToEndIsFirstServed) {
  std::vector<Worker> workers;
  for (const int milliseconds : {2000, 100, 1000})
    workers.emplace_back(
        [milliseconds] {
          std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
          return std::to_string(milliseconds);
        },
        WorkerLimits{.wall = 60});
  std::vector<std::string> order;
  while (!workers.empty()) {
    const auto which = static_cast<std::ptrdiff_t>(*Worker::wait_for_one(workers));
    order.push_back(workers[static_cast<std::size_t>(which)].finish().payload);
    workers.erase(workers.begin() + which);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"100", "1000", "2000"}));
}

TEST(Worker, DiesWithItsHandle) {
  const auto start = std::chrono::steady_clock::now();
  {
    const Worker forgotten(
        [] {
          std::this_thread::sleep_for(std::chrono::hours(1));
          return std::string();
        },
        {.wall = 3600});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Worker, DiesWithTheHarness) {
  const test::TemporaryFolder folder;
  const std::string pid_file = folder.file("pid");
  const pid_t harness = fork();
  if (harness == 0) {
    run_in_child(
        [&]() -> std::string {
          std::ofstream(pid_file + ".part") << getpid() << std::endl;
          std::filesystem::rename(pid_file + ".part", pid_file);
          for (;;) pause();
        },
        {.wall = 3600});
    _exit(0);
  }
  const auto until = [](const auto& condition) {
    for (int k = 0; k < 20'000 && !condition(); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
  };
  ASSERT_TRUE(until([&] { return std::filesystem::exists(pid_file); }));
  kill(harness, SIGKILL);
  waitpid(harness, nullptr, 0);
  pid_t child = 0;
  std::ifstream(pid_file) >> child;
  ASSERT_GT(child, 0);
  // Its new parent may be this process, which then has to reap it.
  EXPECT_TRUE(until([&] { return kill(child, 0) != 0 || waitpid(child, nullptr, WNOHANG) > 0; }));
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
      {.wall = 20});
  EXPECT_EQ(outcome.end, End::finished);
  EXPECT_EQ(outcome.payload, "left one behind");
}

TEST(Worker, StandardOutputStaysClean) {
  test::CapturedOutput captured;
  const WorkerOutcome outcome = run_in_child(
      [] {
        std::cout << "noise" << std::endl;
        return std::string("quiet");
      },
      {.wall = 10});
  EXPECT_EQ(captured.finish(), "");
  EXPECT_EQ(outcome.payload, "quiet");
}

TEST(Worker, KeepsTheDescriptorsItIsGivenAndNoOthers) {
  int kept[2], other[2];
  ASSERT_EQ(pipe(kept), 0);
  ASSERT_EQ(pipe(other), 0);
  ASSERT_EQ(write(kept[1], "message", 7), 7);
  const auto work = [&] {
    char text[16] = {};
    if (read(kept[0], text, sizeof text) != 7) return std::string("cannot read");
    return std::string(write(other[1], "x", 1) < 0 ? text : "writes elsewhere");
  };
  const WorkerOutcome outcome = run_in_child(work, {.wall = 10, .descriptors = {kept[0]}});
  EXPECT_EQ(outcome.payload, "message");
  for (const int descriptor : {kept[0], kept[1], other[0], other[1]}) close(descriptor);
}

TEST(Worker, KeepsTheLastWords) {
  const WorkerOutcome outcome = run_in_child(
      []() -> std::string {
        std::cerr << std::string(100'000, 'x') << "\nthe \xff reason\n";
        _exit(1);
      },
      {.wall = 10});
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_LE(outcome.standard_error.size(), 2010u);
  EXPECT_TRUE(outcome.standard_error.ends_with("xxx; the \uFFFD reason")) << outcome.standard_error;
}

TEST(Worker, LastWordsOfALateOneAreKeptToo) {
  const WorkerOutcome outcome = run_in_child(
      []() -> std::string {
        std::cerr << "still at it" << std::endl;
        for (;;) pause();
      },
      {.wall = 0.5});
  EXPECT_EQ(outcome.end, End::timed_out);
  EXPECT_EQ(outcome.standard_error, "still at it");
}

TEST(Worker, HalfAMessageIsNone) {
  const WorkerOutcome outcome = run_in_child(
      []() -> std::string {
        constexpr int answer = 3;
        if (write(answer, "frictionbench:F", 15) != 15) std::abort();
        _exit(0);
      },
      {.wall = 10});
  EXPECT_EQ(outcome.end, End::exited);
}

}  // namespace
}  // namespace frictionbench::bench
