/// \file
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::test {

/// A temporary folder of problem files.
class ProblemFolder : public TemporaryFolder {
 public:
  /// \param name including the folder of the family, e.g. "A/slide.hdf5".
  void write(const std::string& name, const ContactProblem& problem) const {
    std::filesystem::create_directories((path() / name).parent_path());
    fclib::write_problem(file(name), {problem, {}, {}, {}});
  }
  std::vector<bench::ProblemSource> problems() const {
    return bench::find_problems({path().string()});
  }
};

}  // namespace frictionbench::test
