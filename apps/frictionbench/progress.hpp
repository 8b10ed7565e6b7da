/// \file
/// What `run` shows while it works: one changing line on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <string>

#include "frictionbench/bench/run/runner.hpp"

namespace frictionbench::app {

/// Writes to standard error only; standard output stays free for results.
class ProgressDisplay : public bench::RunObserver {
 public:
  /// \param settings whose criterion and scale decide what counts as solved in the display.
  ProgressDisplay(const results::RunSettings& settings, std::size_t solvers, bool quiet);
  ~ProgressDisplay() override;

  void started(const bench::Plan& plan) override;
  void resumed(bool repaired) override;
  void in_journal(std::size_t pairs) override;
  void unusable(const bench::ProblemPlan& problem, const results::Unreadable& file) override;
  void finished(const results::Record& record, const Vector& r) override;
  void repeated(const results::Record& record) override;
  void left_out(std::size_t pairs) override;

 private:
  void pairs_done(std::size_t pairs);
  void clear_bar() const;  // makes room for a line
  void show_bar();
  std::string time_left() const;

  results::RunSettings settings_;
  bool quiet_;
  bool terminal_;
  std::size_t solvers_;  // of the run
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_shown_;
  std::size_t total_ = 0;  // of all rounds
  std::size_t done_ = 0;
  std::size_t solved_ = 0;
  std::size_t failed_ = 0;
  std::size_t next_line_ = 0;  // pairs after which a plain line is due
};

}  // namespace frictionbench::app
