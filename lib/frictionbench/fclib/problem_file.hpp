/// \file
/// What one FCLIB file holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::fclib {

/// The group of what FCLIB has no place for, at the root of a file. Other readers ignore it and see the
/// problem without it. All of it is optional:
///
///     compliance           the diagonal of R, m
///     sets                 text: the sets of all blocks behind the contacts, one per line, as
///                          ConstraintSet::text() has them; first those of FCLIB's bilateral rows,
///                          which without it are blocks of one row each
///     G, vectors/b         rows of sets other than R^n, behind the bilateral ones, as FCLIB has those;
///     V, R, vectors/s      the same in the local form: V is their coupling with all rows before them,
///                          and its transpose the opposite one, as for FCLIB's bilateral rows
///     bodies               integers, three for each block: two bodies and the feature at which they
///                          meet, numbers that stay the same from step to step, so that a warm start
///                          knows who is who
inline constexpr const char* extension_group = "frictionbench";

/// Who a block is, from step to step.
struct BlockIdentity {
  int first = 0;    ///< a body, or a joint, by its number in the simulation
  int second = 0;   ///< the other
  int feature = 0;  ///< of the pair: a vertex, an edge, the row of a joint

  bool operator==(const BlockIdentity&) const = default;
};

/// A stored solution or guess. A vector that the file does not have is absent, not zero, and so is
/// one that does not fit the problem: of the wrong length, or not finite.
/// Real files contain "solutions" that solve nothing: judge them before use.
struct State {
  std::optional<Vector> v;  ///< generalised velocity, n (global problems)
  std::optional<Vector> u;  ///< contact velocity, of the contacts in FCLIB's group (FileRows)
  /// Impulse, m: in the file `r` of contacts, `l` of bilateral rows, `others` of all others. Absent if
  /// one of them is.
  std::optional<Vector> r;
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
  std::vector<BlockIdentity> bodies = {};  ///< of each block, n_b, or empty
};

/// What a file declares of its size.
struct ProblemSizes {
  ProblemForm form = ProblemForm::local;  ///< of the file
  int dimension = 3;                      ///< of space, 2 or 3
  Index contacts = 0;                     ///< number of contacts
  Index dofs = 0;                         ///< n, degrees of freedom; 0 in the local form
  Index nonzeros = 0;                     ///< stored entries: of W, or of M and H together
  Index bilateral_rows = 0;               ///< p
  Index unknowns = 0;                     ///< m: rows of contacts, bilateral rows and all others
  bool identified = false;                ///< whether ProblemFile::bodies is there
};

}  // namespace frictionbench::fclib
