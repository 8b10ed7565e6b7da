/// \file
#pragma once

#include <cstdint>

#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::test {

/// A problem whose answer was there first.
struct KnownAnswer {
  ContactProblem problem;
  Vector r;  ///< a solution, m
  Vector u;  ///< its velocity, m
};

/// The NCP or CCP of this W (any, m x m) and mu (n_c) that is solved by contacts in turn separated,
/// sticking and sliding, with random impulses and velocities of size 1: q = u - W r.
/// \param model ncp or ccp: where a contact slides, u_N is 0 or mu ||u_T||.
KnownAnswer known_answer(ContactModel model, int dimension, const SparseMatrix& W, const Vector& mu,
                         std::uint32_t seed);

}  // namespace frictionbench::test
