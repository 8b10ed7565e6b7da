#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "plan_text.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto refresh = std::chrono::milliseconds(100);
constexpr std::size_t bar_width = 30;

}  // namespace

ProgressDisplay::ProgressDisplay(const results::RunSettings& settings, std::size_t solvers,
                                 bool quiet)
    : settings_(settings), quiet_(quiet), terminal_(isatty(STDERR_FILENO)), solvers_(solvers) {}

ProgressDisplay::~ProgressDisplay() {
  if (terminal_ && !quiet_ && total_ > 0) fmt::print(stderr, "\n");
}

void ProgressDisplay::started(const bench::Plan& plan) {
  start_ = Clock::now();
  total_ = plan.pairs() * static_cast<std::size_t>(settings_.rounds);
  next_line_ = total_ / 10;
  for (const auto& [position, file] : plan.unreadable)
    fmt::print(stderr, "error: {}\n", file.reason);
  if (quiet_) return;
  fmt::print(stderr, "{}{}\n", plan_size_text(plan, solvers_),
             settings_.rounds > 1 ? fmt::format(", in {} rounds", settings_.rounds) : "");
}

void ProgressDisplay::resumed(bool repaired) {
  if (quiet_) return;
  fmt::print(stderr, "resuming from the journal of an unfinished run{}\n",
             repaired ? "; its last line was cut off, that pair runs again" : "");
}

void ProgressDisplay::in_journal(std::size_t pairs) {
  total_ -= pairs;  // they were not run, so they must not shorten the estimate
  pairs_done(0);
}

void ProgressDisplay::unusable(const bench::ProblemPlan& problem, const results::Unreadable& file) {
  clear_bar();
  fmt::print(stderr, "error: {}\n", file.reason);
  in_journal(problem.solvers.size());
}

void ProgressDisplay::finished(const results::Record& record, const Vector&) {
  solved_ += record.solved.under(settings_.criterion, settings_.scale);
  if (record.status == Status::crashed || record.status == Status::error) {
    ++failed_;
    clear_bar();
    if (!quiet_)
      fmt::print(stderr, "{}: {} on {}: {}\n", name(record.status), record.solver, record.problem,
                 record.message);
  }
  pairs_done(1);
}

void ProgressDisplay::repeated(const results::Record&) { pairs_done(1); }

void ProgressDisplay::left_out(std::size_t pairs) { in_journal(pairs); }

void ProgressDisplay::pairs_done(std::size_t pairs) {
  done_ += pairs;
  if (quiet_) return;
  if (terminal_) {
    if (Clock::now() - last_shown_ >= refresh || done_ == total_) show_bar();
  } else if (done_ >= next_line_ && pairs > 0) {
    fmt::print(stderr, "{} of {} pairs, {} solved, {} left\n", done_, total_, solved_, time_left());
    next_line_ += total_ / 10 + 1;
  }
}

void ProgressDisplay::clear_bar() const {
  if (terminal_ && !quiet_) fmt::print(stderr, "\r\033[K");
}

void ProgressDisplay::show_bar() {
  last_shown_ = Clock::now();
  const std::size_t filled = total_ > 0 ? bar_width * done_ / total_ : bar_width;
  fmt::print(stderr, "\r\033[K[{}{}] {}/{}  {} solved{}  {} left", std::string(filled, '#'),
             std::string(bar_width - filled, '.'), done_, total_, solved_,
             failed_ ? fmt::format(", {} failed", failed_) : "", time_left());
  std::fflush(stderr);
}

std::string ProgressDisplay::time_left() const {
  if (done_ == 0) return "?";
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  return duration_text(elapsed.count() / static_cast<double>(done_) *
                       static_cast<double>(total_ - done_));
}

}  // namespace frictionbench::app
