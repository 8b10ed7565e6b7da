/// \file
/// Where the rows of a problem are in a file.
#pragma once

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::fclib {

/// The groups of rows that a file has, in this order, in numbers of rows:
///
///   1. contacts: friction cones of `spacedim` rows, in fclib_local or fclib_global, or rolling cones,
///      in fclib_local_rolling or fclib_global_rolling;
///   2. FCLIB's bilateral rows: R^n;
///   3. all others, in the group `frictionbench`, which other readers ignore.
struct FileRows {
  Index contacts = 0;    ///< rows of group 1
  Index bilateral = 0;   ///< rows of group 2
  Index others = 0;      ///< rows of group 3
  bool rolling = false;  ///< what contacts are
  int of_contact = 0;    ///< rows of each, `spacedim`
};

/// \throws std::invalid_argument, one line, if the blocks of a problem are in another order.
FileRows rows_in_file(const ContactProblem& problem);

/// Whether the sets of groups 2 and 3 have to be named: all but bilateral rows that are blocks of one.
bool must_name_sets(const ContactProblem& problem);

}  // namespace frictionbench::fclib
