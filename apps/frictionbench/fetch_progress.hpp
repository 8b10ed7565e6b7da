/// \file
/// What `fetch` shows while it works: one changing line on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <string>

#include "frictionbench/fetch/fetch.hpp"

namespace frictionbench::app {

/// Writes to standard error only.
class FetchProgress : public fetch::Observer {
 public:
  FetchProgress(std::string name, bool quiet);
  ~FetchProgress() override;

  void progressed(const fetch::Progress& progress) override;

 private:
  std::string text(const fetch::Progress& progress) const;

  std::string name_;
  bool quiet_, terminal_;
  bool shown_ = false;  // a changing line
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t first_bytes_ = 0;  // when it started, and what is there already was counted
  bool started_ = false;
  std::uint64_t next_line_ = 0;  // bytes after which a plain line is due
};

}  // namespace frictionbench::app
