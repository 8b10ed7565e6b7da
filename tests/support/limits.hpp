/// \file
#pragma once

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::test {

/// Limits in the units of the file, and no deadline.
inline Limits limits(double tolerance, int max_iterations = 20000) {
  Limits limits;
  limits.tolerance = tolerance;
  limits.max_iterations = max_iterations;
  return limits;
}

}  // namespace frictionbench::test
