/// \file
/// The registered solvers: by their text, and as test parameters, so that registering a solver is
/// enough to test it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::test {

/// The registered solver of a text such as "ncp-pgs(relaxation=1)".
std::shared_ptr<const Solver> solver(const std::string& spec);

/// Its answer. \param start m, or empty for zero.
Result solve(const std::string& spec, const ContactProblem& problem, const Limits& limits = {},
             const Vector& start = {});
Result solve(const std::string& spec, const ContactProblem& problem, const Limits& limits,
             const Vector& start, Observer& observer);

/// The names of all registered solvers.
std::vector<std::string> registered_names();

/// The names of the solvers whose fixed points solve the contact problem of `model`
/// (SolverInfo::exact).
std::vector<std::string> exact_solvers_of(ContactModel model);

/// For INSTANTIATE_TEST_SUITE_P: a solver's name in a form that GoogleTest accepts.
std::string solver_test_name(const testing::TestParamInfo<std::string>& parameter);

}  // namespace frictionbench::test
