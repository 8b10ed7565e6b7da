#include "support/captured_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace frictionbench::test {

CapturedOutput::CapturedOutput() {
  std::fflush(nullptr);
  const int file = open(folder_.file("output").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (file < 0) throw std::runtime_error("cannot capture output");
  output_ = dup(STDOUT_FILENO);
  error_ = dup(STDERR_FILENO);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  close(file);
}

CapturedOutput::~CapturedOutput() {
  if (output_ >= 0) finish();
}

std::string CapturedOutput::finish() {
  std::fflush(nullptr);
  dup2(output_, STDOUT_FILENO);
  dup2(error_, STDERR_FILENO);
  close(output_);
  close(error_);
  output_ = error_ = -1;
  std::ifstream file(folder_.file("output"));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace frictionbench::test
