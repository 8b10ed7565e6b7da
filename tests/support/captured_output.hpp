/// \file
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "support/temporary_folder.hpp"

namespace frictionbench::test {

/// Captures what this process and its children write to standard output and standard error.
class CapturedOutput {
 public:
  CapturedOutput() {
    std::fflush(nullptr);
    const int file = open(folder_.file("output").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    if (file < 0) throw std::runtime_error("cannot capture output");
    output_ = dup(STDOUT_FILENO);
    error_ = dup(STDERR_FILENO);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    close(file);
  }
  ~CapturedOutput() {
    if (output_ >= 0) finish();
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// Restores both streams. \returns what was written.
  std::string finish() {
    std::fflush(nullptr);
    dup2(output_, STDOUT_FILENO);
    dup2(error_, STDERR_FILENO);
    close(output_);
    close(error_);
    output_ = error_ = -1;
    std::ifstream file(folder_.file("output"));
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  TemporaryFolder folder_;
  int output_, error_;  // descriptors of the original streams, -1 once they are restored
};

}  // namespace frictionbench::test
