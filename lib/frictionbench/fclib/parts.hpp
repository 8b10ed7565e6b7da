/// \file
/// The content of a file in local form, or some of its blocks.
#pragma once

#include <vector>

#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/problem/part.hpp"

namespace frictionbench::fclib {

/// The same file in local form: W and q instead of M, H, f and w. Of solution and guesses only v is
/// lost. A local file stays as it is.
/// \throws InvalidProblem if M is singular.
ProblemFile in_local_form(const ProblemFile& file);

/// These blocks of a file, in its form: their rows of W or H, q or w, sets, compliance, bodies,
/// solution and guesses. The solution stays if no block that is left out acts on one that is kept (then
/// it solves the part as well), a generalised velocity v if it has the bodies of the part alone.
/// \param blocks increasing, at least one.
ProblemFile part_of(const ProblemFile& file, const std::vector<Index>& blocks, Bodies bodies);

}  // namespace frictionbench::fclib
