/// \file
/// The registered solvers as test parameters, so that registering a solver is enough to test it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::test {

/// The solver of this text, e.g. "ncp-pgs(relaxation=1)".
Solver registered_solver(const std::string& spec);

/// The names of all registered solvers.
std::vector<std::string> registered_names();

/// The names of the solvers whose fixed points solve the problem of `model` (SolverInfo::exact).
std::vector<std::string> exact_solvers_of(ContactModel model);

/// For INSTANTIATE_TEST_SUITE_P: a solver's name in a form that GoogleTest accepts.
std::string solver_test_name(const testing::TestParamInfo<std::string>& parameter);

}  // namespace frictionbench::test
