/// \file
/// What one FCLIB file holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::fclib {

/// A stored solution or guess. A vector that the file does not have is absent, not zero, and so is
/// one that does not fit the problem: of the wrong length, or not finite.
/// Real files carry "solutions" that solve nothing: judge before use.
struct State {
  std::optional<Vector> v;  ///< generalised velocity, n (global problems)
  std::optional<Vector> u;  ///< contact velocity, m
  std::optional<Vector> r;  ///< contact impulse, m
  std::optional<Vector> l;  ///< multipliers of bilateral rows, p
  std::vector<std::string>
      misfits;  ///< what was left out, and why: "/guesses/1/r: has 8 values, expected 9 (...)"
};

/// The `info` group: free text of the file's author.
struct Info {
  std::string title;
  std::string description;
  std::string math_info;
};

struct ProblemFile {
  ContactProblem problem;
  Info info;
  std::optional<State> solution;
  std::vector<State> guesses;
};

}  // namespace frictionbench::fclib
