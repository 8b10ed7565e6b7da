/// \file
/// Runs a piece of work in a child process, so that nothing it does reaches the harness.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace frictionbench::bench {

/// What a child may use up.
struct WorkerLimits {
  double wall = 60;                         ///< s of wall-clock time
  std::optional<double> cpu = {};           ///< s of processor time, rounded up to whole seconds
  std::optional<std::int64_t> memory = {};  ///< bytes of address space
  std::optional<int> processor = {};        ///< to pin it to; by default the one where it starts
  std::vector<int> descriptors = {};        ///< open files of the harness that it keeps
};

/// What a child does after its work, which cannot take the work's answer away again.
struct Afterthought {
  std::function<std::string()> work;
  double wall = 60;  ///< s of wall-clock time, after the answer
};

/// How a child ended, apart from what that means.
struct WorkerOutcome {
  enum class End {
    finished,       ///< the work returned; `payload` is what it returned
    threw,          ///< the work threw, or garbled its answer; `payload` says what, in one line
    out_of_memory,  ///< the work threw std::bad_alloc; using a null pointer instead is a crash
    signalled,      ///< died by signal `code`; SIGXCPU whenever its processor time was used up
    exited,         ///< ended with exit code `code` without returning
    timed_out,      ///< killed because its wall-clock time was used up
  };
  End end = End::exited;
  std::string payload;
  std::string afterthought;  ///< what that returned; empty if it did not
  int code = 0;
  std::string standard_error;    ///< the end of what it wrote there, in one line
  std::int64_t memory_peak = 0;  ///< bytes, largest resident set of the child and what it started
};

/// A child process at work: in a session of its own, pinned to one processor, without core dumps,
/// and of the harness's open files only with those that its limits name; its standard input and
/// output lead nowhere, its standard error is collected. It dies when the harness does, and so does
/// every process that it started, even in another session: the harness adopts orphaned descendants
/// (PR_SET_CHILD_SUBREAPER).
class Worker {
 public:
  using Work = std::function<std::string()>;

  /// Forks and starts `work` in the child. \throws std::system_error if no process can be made.
  Worker(const Work& work, const WorkerLimits& limits, const Afterthought& afterthought = {});
  /// Kills the child if it is still there.
  ~Worker();
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&& other) noexcept;

  /// Waits for the child; kills it and all that it started if its time is used up. To be called
  /// once.
  WorkerOutcome finish();

  /// Blocks until one of `workers` has an outcome to fetch by finish(), which then does not block
  /// for long. \param workers at least one. \param stop asked after signals and every quarter of a
  /// second. \returns its position; nothing once `stop` is true.
  static std::optional<std::size_t> wait_for_one(std::vector<Worker>& workers,
                                                 const std::function<bool()>& stop = {});

 private:
  class Child;
  std::unique_ptr<Child> child_;
};

/// One worker, waited for.
WorkerOutcome run_in_child(const Worker::Work& work, const WorkerLimits& limits);

}  // namespace frictionbench::bench
