/// \file
/// The problems of the conformance checks, for all tests.
#pragma once

#include "frictionbench/bench/conformance/problems.hpp"

namespace frictionbench::test {

using bench::conformance::one_contact;
using bench::conformance::random_global_problem;
using bench::conformance::random_matrix;
using bench::conformance::random_problem;
using bench::conformance::sparse;
using bench::conformance::vector;

/// A copy of the problem's local form.
inline LocalForm local_form(const ContactProblem& problem) {
  return {problem.local().W, problem.local().q};
}

}  // namespace frictionbench::test
