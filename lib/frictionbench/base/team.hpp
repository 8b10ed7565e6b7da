/// \file
/// Threads that work together in many short phases.
#pragma once

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

namespace frictionbench {

/// Threads that wait for work between calls, so that one costs a wake-up and not a start. To be used
/// by one thread.
class Team {
 public:
  /// \param threads >= 1, the calling one included.
  explicit Team(int threads) : phase_(threads) {
    for (int k = 1; k < threads; ++k)
      others_.emplace_back([this, k] {
        for (;;) {
          meet();
          if (!work_) return;
          (*work_)(k);
          meet();
        }
      });
  }
  ~Team() {
    work_ = nullptr;
    meet();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const {
    return static_cast<int>(others_.size()) + 1;
  }  ///< threads, the caller included

  /// Calls work(k) for each k < size() in a thread of its own, 0 in the calling one, and returns when
  /// all have. \param work must not throw.
  void run(const std::function<void(int)>& work) {
    work_ = &work;
    meet();
    work(0);
    meet();
  }
  /// In the work of every thread: waits until all have come this far.
  void meet() { phase_.arrive_and_wait(); }

 private:
  std::barrier<> phase_;
  const std::function<void(int)>* work_ = nullptr;  // null: the end
  std::vector<std::jthread> others_;
};

}  // namespace frictionbench
