/// \file
#pragma once

#include <string>

#include "support/temporary_folder.hpp"

namespace frictionbench::test {

/// Collects what this process and its children write to standard output and standard error.
class CapturedOutput {
 public:
  CapturedOutput();
  ~CapturedOutput();
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// Puts both back. \returns what was written.
  std::string finish();

 private:
  TemporaryFolder folder_;
  int output_, error_;  // descriptors of what was there before, -1 once it is back
};

}  // namespace frictionbench::test
