/// \file
#pragma once

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::test {

/// One tolerance for all three residuals, and no deadline.
inline Limits limits(double tolerance, int max_iterations = 20000) {
  Limits limits;
  limits.tolerances = {tolerance, tolerance, tolerance};
  limits.max_iterations = max_iterations;
  return limits;
}

}  // namespace frictionbench::test
