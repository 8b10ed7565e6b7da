/// \file
/// What one FCLIB file holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::fclib {

/// The group of what FCLIB has no place for, at the root of a file: `compliance`, the diagonal of R
/// (m), if contacts are compliant. Other readers ignore it.
inline constexpr const char* extension_group = "frictionbench";

/// A stored solution or guess. A vector that the file does not have is absent, not zero, and so is
/// one that does not fit the problem: of the wrong length, or not finite.
/// Real files contain "solutions" that solve nothing: judge them before use.
struct State {
  std::optional<Vector> v;  ///< generalised velocity, n (global problems)
  std::optional<Vector> u;  ///< contact velocity, m
  std::optional<Vector> r;  ///< contact impulse, m
  std::optional<Vector> l;  ///< multipliers of bilateral rows, p
  /// What was left out, and why: "/guesses/1/r: has 8 values, expected 9 (...)".
  std::vector<std::string> misfits = {};
};

/// The `info` group: free text of the file's author.
struct Info {
  std::string title;        ///< "title"
  std::string description;  ///< "description"
  std::string math_info;    ///< "math_info"
};

/// What a file holds.
struct ProblemFile {
  ContactProblem problem;         ///< in the form of the file
  Info info;                      ///< empty texts where the file has none
  std::optional<State> solution;  ///< stored by the author, right or wrong
  std::vector<State> guesses;     ///< in the order of the file
  std::string sha256 = {};  ///< of the bytes that were read; empty if it was not read from a file
};

/// What a file declares of its size.
struct ProblemSizes {
  ProblemForm form = ProblemForm::local;  ///< of the file
  int dimension = 3;                      ///< 2 or 3
  Index contacts = 0;                     ///< number of contacts
  Index dofs = 0;                         ///< n, degrees of freedom; 0 in the local form
  Index nonzeros = 0;                     ///< stored entries: of W, or of M and H together
  Index bilateral_rows = 0;               ///< p
};

}  // namespace frictionbench::fclib
