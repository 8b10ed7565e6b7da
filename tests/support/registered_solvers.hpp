/// \file
/// Tests that run for every registered solver, whatever it is.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "register_all.hpp"

namespace frictionbench::test {

/// Names of all registered solvers, as values of a parameterised test.
inline std::vector<std::string> registered_names() {
  std::vector<std::string> names;
  const Registry registry = solvers::all_solvers();
  for (const RegisteredSolver& solver : registry.solvers()) names.push_back(solver.info.name);
  return names;
}

/// The solver's name as GoogleTest lets tests be called.
inline std::string test_name(const testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace frictionbench::test
