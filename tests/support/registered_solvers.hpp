/// \file
/// The registered solvers as parameters of tests, so that a new one is tested by being registered.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::test {

/// The names of all registered solvers.
std::vector<std::string> registered_names();

/// The names of those whose fixed points solve the problem of `model` (SolverInfo::exact).
std::vector<std::string> exact_solvers_of(ContactModel model);

/// For INSTANTIATE_TEST_SUITE_P: a solver's name as GoogleTest takes it.
std::string solver_test_name(const testing::TestParamInfo<std::string>& parameter);

}  // namespace frictionbench::test
