/// \file
/// The group of a file that holds the problem.
#pragma once

#include "frictionbench/hdf5/internal/hdf5.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::fclib {

/// A group at the root, and what its problem is. FCLIB has the local form without rolling friction, the
/// global one with and without; `fclib_local_rolling` is what Siconos writes.
struct ProblemGroup {
  const char* name;
  ProblemForm form;
  bool rolling;
};

/// The group for problems of this kind.
const ProblemGroup& group_of(ProblemForm form, bool rolling);

/// The one of these groups that a file has. \throws FileError if it has none or several.
const ProblemGroup& find_problem(const HdfGroup& root);

}  // namespace frictionbench::fclib
