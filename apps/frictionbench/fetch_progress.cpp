#include "fetch_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "frictionbench/datasets/registry.hpp"
#include "table.hpp"

namespace frictionbench::app {

FetchProgress::FetchProgress(std::string name, bool quiet)
    : name_(std::move(name)), quiet_(quiet), terminal_(isatty(STDERR_FILENO)) {}

FetchProgress::~FetchProgress() {
  if (shown_) fmt::print(stderr, "\n");
}

void FetchProgress::progressed(const fetch::Progress& progress) {
  if (quiet_) return;
  if (!started_) {
    started_ = true;
    first_bytes_ = progress.bytes_done;
    next_line_ = progress.bytes_done + progress.bytes / 10;
  }
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text(progress));
    std::fflush(stderr);
    shown_ = true;
  } else if (progress.bytes_done >= next_line_ && progress.files_done < progress.files) {
    fmt::print(stderr, "{}\n", text(progress));
    next_line_ = progress.bytes_done + progress.bytes / 10 + 1;
  }
}

std::string FetchProgress::text(const fetch::Progress& progress) const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const double received =
      static_cast<double>(progress.bytes_done) - static_cast<double>(first_bytes_);
  std::string text =
      fmt::format("{}: {} of {} files, {} of {}", name_, progress.files_done, progress.files,
                  datasets::size_text(progress.bytes_done), datasets::size_text(progress.bytes));
  if (received <= 0 || elapsed.count() < 1) return text;
  const double rate = received / elapsed.count();
  return text +
         fmt::format(
             ", {}/s, {} left", datasets::size_text(static_cast<std::uint64_t>(rate)),
             duration_text(static_cast<double>(progress.bytes - progress.bytes_done) / rate));
}

}  // namespace frictionbench::app
