// Whatever a solver does changes nothing but its own record: every bad one here runs between two
// good ones, whose records must be those of a run without it.

#include "lib/bench/process/bad_solvers.hpp"

#include <fenv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <locale>
#include <string>
#include <thread>
#include <vector>

#include "support/captured_output.hpp"

namespace frictionbench::bench {
namespace {

using test::vector;
using testing::HasSubstr;
using testing::StartsWith;

// Answers and endings

TEST_F(BadSolvers, AnswerOfTheWrongLength) {
  expect_record(
      [](const auto&) {
        Result result = solved();
        result.r = vector({1});
        return result;
      },
      Status::error, "1 entries");
}

TEST_F(BadSolvers, StatusThatIsNotTheirs) {
  for (const Status status : {Status::crashed, Status::wrong, Status::other_model,
                              Status::not_repeatable, static_cast<Status>(99)})
    expect_record(
        [status](const auto&) {
          Result result = solved();
          result.status = status;
          return result;
        },
        Status::error, "only the harness may assign");
}

TEST_F(BadSolvers, WordsThatAreNoText) {
  const auto record = record_of([](const auto&) {
    Result result = solved();
    result.message = "two\nlines, \xff and \x1b[31mred";
    result.stage = "\xc3";
    result.reported["\xfe residual"] = 1;
    return result;
  });
  EXPECT_EQ(record.status, Status::converged);
  EXPECT_EQ(record.message, "two; lines, \uFFFD and ?[31mred");
  EXPECT_EQ(record.stage, "\uFFFD");
  EXPECT_EQ(record.reported.begin()->first, "\uFFFD residual");
}

TEST_F(BadSolvers, Exceptions) {
  expect_record([](const auto&) -> Result { throw std::runtime_error("my own words"); },
                Status::error, "my own words");
  expect_record([](const auto&) -> Result { throw 42; }, Status::error, "not a std::exception");
  expect_record([](const auto&) -> Result { throw std::bad_alloc(); }, Status::memory_limit, "");
  const std::string long_text = "first\nsecond \xff\n" + std::string(1'000'000, 'x');
  expect_record([&](const auto&) -> Result { throw std::runtime_error(long_text); }, Status::error,
                "first; second \uFFFD; xxx");
}

TEST_F(BadSolvers, Exits) {
  const auto ends = [this](void (*end)(), const std::string& message) {
    expect_record(
        [end](const auto&) -> Result {
          end();
          return {};
        },
        Status::crashed, message);
  };
  ends([] { std::exit(0); }, "exit code 0");
  ends([] { std::exit(3); }, "exit code 3");
  ends([] { _exit(4); }, "exit code 4");
  ends([] { std::quick_exit(5); }, "exit code 5");
}

TEST_F(BadSolvers, Aborts) {
  expect_record([](const auto&) -> Result { std::abort(); }, Status::crashed, "signal 6");
  expect_record([](const auto&) -> Result { std::terminate(); }, Status::crashed, "signal 6");
}

TEST_F(BadSolvers, Signals) {
  for (const int signal_number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGTERM, SIGINT})
    expect_record(
        [signal_number](const auto&) -> Result {
          signal(signal_number, SIG_DFL);  // sanitizers catch some
          raise(signal_number);
          return {};
        },
        Status::crashed, "signal " + std::to_string(signal_number));
}

// Memory. Sanitizers notice some of this before the kernel or the C library does, and exit; on a
// busy machine they take seconds over their report.

constexpr double long_enough = 60;  // seconds

int recurse(const volatile bool& on) {
  volatile char frame[4096];
  frame[0] = 1;
  return on ? recurse(on) + frame[0] : 0;
}

TEST_F(BadSolvers, EndlessRecursion) {
  options_.time_limit = long_enough;
  const auto record = record_of([](const auto&) {
    const volatile bool on = true;
    Result result = solved();
    result.iterations = recurse(on);
    return result;
  });
  EXPECT_EQ(record.status, Status::crashed) << record.message;
}

TEST_F(BadSolvers, CorruptedHeap) {
  options_.time_limit = long_enough;
  const auto past_the_end = record_of([](const auto&) {
    std::vector<char*> blocks(1000);  // so many that some lie next to each other
    const volatile std::size_t size = 24, too_far = size + 8;
    for (char*& block : blocks) block = static_cast<char*>(std::malloc(size));
    for (char* block : blocks)
      for (std::size_t k = 0; k < too_far; ++k) block[k] = '\x7f';
    for (char* block : blocks) std::free(block);
    return solved();
  });
  EXPECT_EQ(past_the_end.status, Status::crashed) << past_the_end.message;

  const auto freed_twice = record_of([](const auto&) {
    char* volatile block = static_cast<char*>(std::malloc(24));
    char* volatile same = block;
    std::free(block);
    std::free(same);
    return solved();
  });
  EXPECT_EQ(freed_twice.status, Status::crashed);
  EXPECT_THAT(freed_twice.message, HasSubstr("free"));  // what the C library or the sanitizer said
}

// A solver that runs out of memory has `memory_limit` if it says so, by std::bad_alloc, and has
// crashed if it continues with the null pointer: the harness does not guess why it did.
TEST_F(BadSolvers, EndlessAllocation) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs all of the address space";
#endif
  options_.memory_limit = std::int64_t{1} << 30;
  options_.time_limit = long_enough;
  expect_record(
      [](const auto&) {
        std::vector<std::string> hoard;
        for (volatile bool on = true; on;) hoard.emplace_back(std::size_t{16} << 20, 'x');
        return solved();
      },
      Status::memory_limit, "out of memory");
  expect_record(
      [](const auto&) {
        for (volatile bool on = true; on;) {
          char* volatile block = static_cast<char*>(std::malloc(std::size_t{16} << 20));
          block[0] = 'x';
        }
        return solved();
      },
      Status::crashed, "signal 11");
}

TEST_F(BadSolvers, MatricesOnTheStackAreNoCrashWhereMemoryIsLimited) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs all of the address space";
#endif
  options_.memory_limit = 1;
  expect_record(
      [](const auto&) -> Result {
        volatile char matrices[512 << 10];
        for (volatile char& entry : matrices) entry = 0;
        throw std::bad_alloc();
      },
      Status::memory_limit, "out of memory");
}

// Time

TEST_F(BadSolvers, Sleep) {
  expect_record(
      [](const auto&) {
        std::this_thread::sleep_for(std::chrono::hours(1));
        return solved();
      },
      Status::time_limit, "killed");
}

TEST_F(BadSolvers, SpinDeafToSignals) {
  expect_record(
      [](const auto&) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, nullptr);
        for (const int number : {SIGXCPU, SIGTERM, SIGINT, SIGALRM}) signal(number, SIG_IGN);
        for (volatile bool on = true; on;) {
        }
        return solved();
      },
      Status::time_limit, "killed");
}

// Output and descriptors

TEST_F(BadSolvers, Noise) {
  test::CapturedOutput captured;
  const auto record = record_of([](const auto&) {
    const std::string line(1000, '!');
    for (int k = 0; k < 500; ++k) {  // more than any pipe holds
      std::printf("%s\n", line.c_str());
      std::cout << line << std::endl;
      std::cerr << line << std::endl;
      if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::abort();
    }
    std::printf("not flushed");
    return solved();
  });
  EXPECT_EQ(captured.finish(), "");
  EXPECT_EQ(record.status, Status::converged) << record.message;
}

TEST_F(BadSolvers, ClosedDescriptors) {
  expect_record(
      [](const auto&) {
        closefrom(0);
        return solved();
      },
      Status::crashed, "exit code 0");
  expect_record(
      [](const auto&) {
        closefrom(0);
        std::this_thread::sleep_for(std::chrono::hours(1));
        return solved();
      },
      Status::time_limit, "killed");
}

TEST_F(BadSolvers, GarbageIntoEveryDescriptor) {
  options_.journal = folder_.file("journal");
  const auto garble = [](const auto&) {
    for (int descriptor = 3; descriptor < 1024; ++descriptor)
      if (write(descriptor, "garbage\n", 8) < 0 && errno != EBADF) std::abort();
    return solved();
  };
  const auto document = run({solvers::all_solvers().make("ncp-pgs"), test::scripted("bad", garble),
                             test::scripted("good", [](const auto&) { return solved(); })});
  EXPECT_EQ(document.records.at(0).status, Status::converged);
  EXPECT_EQ(document.records.at(1).status, Status::error);
  EXPECT_THAT(document.records.at(1).message, HasSubstr("pipe"));
  EXPECT_EQ(document.records.at(2).status, Status::converged);
  std::ifstream journal(options_.journal);
  int lines = 0;
  for (std::string line; std::getline(journal, line); ++lines)
    EXPECT_THAT(line, StartsWith("{")) << line;
  EXPECT_EQ(lines, 1 + 1 + 3);  // the run, the problem, the records
}

// The state of the process

TEST_F(BadSolvers, ProcessTurnedUpsideDown) {
  struct Decimals : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\1"; }
  };
  const auto polite = record_of([](const auto&) { return solved(); });
  const auto rude = record_of([](const auto&) {
    if (chdir("/") != 0) std::abort();
    setenv("TMPDIR", "/nowhere", 1);
    umask(0777);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    signal(SIGCHLD, SIG_IGN);
    fesetround(FE_UPWARD);
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
    std::locale::global(std::locale(std::locale::classic(), new Decimals));
    return solved();
  });
  EXPECT_EQ(lasting(rude), lasting(polite));
}

}  // namespace
}  // namespace frictionbench::bench
