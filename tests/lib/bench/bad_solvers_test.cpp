// Whatever a solver does changes nothing but its own record: every bad one here runs between two
// good ones, whose records must be those of a run without it.

#include <fcntl.h>
#include <fenv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <locale>
#include <string>
#include <thread>
#include <vector>

#include "frictionbench/bench/runner.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/results/json.hpp"
#include "register_all.hpp"
#include "support/captured_output.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::bench {
namespace {

using test::vector;
using testing::HasSubstr;
using testing::StartsWith;

// A contact that slides, and the answer to it.
const Vector slide = vector({1, -0.5, 0});

Result solved() {
  Result result;
  result.status = Status::converged;
  result.r = slide;
  return result;
}

// What of a record is the same in every run.
nlohmann::json lasting(const results::Record& record) {
  nlohmann::json json = results::to_json(record);
  for (const char* measured : {"time", "memory_peak", "hardware"}) json.erase(measured);
  return json;
}

class BadSolvers : public testing::Test {
 protected:
  BadSolvers() {
    const auto path = folder_.path() / "A/slide.hdf5";
    std::filesystem::create_directories(path.parent_path());
    const auto problem = test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5);
    fclib::write_problem(path.string(), {problem, {}, {}, {}});
    options_.measure.repeat_time = 0;
    options_.measure.time_limit = 0.5;
  }

  results::Document run(const std::vector<ConfiguredSolver>& solvers) {
    Progress silent;
    const Plan plan = make_plan(find_problems({folder_.path().string()}), solvers, {});
    return bench::run(plan, solvers, options_, silent).value();
  }

  // The record of a solver that does `script`, after a look at its neighbours'.
  results::Record record_of(test::ScriptedSolver::Script script) {
    const auto before = solvers::all_solvers().make("ncp-pgs");
    const auto after = solvers::all_solvers().make("ncp-admm");
    const auto alone = run({before, after});
    const auto beside = run({before, test::scripted("bad", std::move(script)), after});
    EXPECT_EQ(lasting(beside.records.at(0)), lasting(alone.records.at(0)));
    EXPECT_EQ(lasting(beside.records.at(2)), lasting(alone.records.at(1)));
    EXPECT_NO_THROW(results::to_json(beside).dump());
    return beside.records.at(1);
  }

  void expect_record(test::ScriptedSolver::Script script, Status status,
                     const std::string& message) {
    const auto record = record_of(std::move(script));
    EXPECT_EQ(name(record.status), name(status)) << record.message;
    EXPECT_THAT(record.message, HasSubstr(message));
  }

  test::TemporaryFolder folder_;
  RunOptions options_;
};

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
  for (const Status status : {Status::crashed, Status::wrong, static_cast<Status>(99)})
    expect_record(
        [status](const auto&) {
          Result result = solved();
          result.status = status;
          return result;
        },
        Status::error, "not a solver's to give");
}

TEST_F(BadSolvers, WordsThatAreNoText) {
  const auto record = record_of([](const auto&) {
    Result result = solved();
    result.message = "two\nlines, \xff and \x1b[31mred";
    result.fired = "\xc3";
    result.claimed["\xfe residual"] = 1;
    return result;
  });
  EXPECT_EQ(record.status, Status::converged);
  EXPECT_EQ(record.message, "two; lines, \uFFFD and ?[31mred");
  EXPECT_EQ(record.fired, "\uFFFD");
  EXPECT_EQ(record.claimed.begin()->first, "\uFFFD residual");
}

TEST_F(BadSolvers, Exceptions) {
  expect_record([](const auto&) -> Result { throw std::runtime_error("my own words"); },
                Status::error, "my own words");
  expect_record([](const auto&) -> Result { throw 42; }, Status::error, "no std::exception");
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

// Memory. Sanitizers notice some of this before the kernel or the C library does, and exit.

int recurse(const volatile bool& on) {
  volatile char frame[4096];
  frame[0] = 1;
  return on ? recurse(on) + frame[0] : 0;
}

TEST_F(BadSolvers, EndlessRecursion) {
  const auto record = record_of([](const auto&) {
    const volatile bool on = true;
    Result result = solved();
    result.iterations = recurse(on);
    return result;
  });
  EXPECT_EQ(record.status, Status::crashed) << record.message;
}

TEST_F(BadSolvers, CorruptedHeap) {
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
// crashed if it goes on with the null pointer: the harness does not guess why it did.
TEST_F(BadSolvers, EndlessAllocation) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs all of the address space";
#endif
  options_.memory_limit = std::int64_t{1} << 30;
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

// Processes

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
