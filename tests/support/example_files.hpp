/// \file
/// Valid FCLIB files, small ones.
#pragma once

#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::test {

/// A small local problem of three contacts, with info, a solution and two guesses. Its W is sparse
/// and not quite symmetric, as in real files.
fclib::ProblemFile good_local_file(int dimension = 3, bool bilateral = false);

/// The same in global form, with seven degrees of freedom.
fclib::ProblemFile good_global_file(int dimension = 3, bool bilateral = false);

/// The same with a compliance of its contacts.
fclib::ProblemFile compliant(fclib::ProblemFile file);

}  // namespace frictionbench::test
