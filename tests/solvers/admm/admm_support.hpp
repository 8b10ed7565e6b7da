/// \file
#pragma once

#include <vector>

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::solvers {

struct Recorder final : Observer {
  void iterated(const Iterate& iterate) override { rows.push_back(iterate); }
  std::vector<Iterate> rows;
};

inline Limits limits(double tolerance, int max_iterations = 20000) {
  Limits limits;
  limits.tolerances = {tolerance, tolerance, tolerance};
  limits.max_iterations = max_iterations;
  return limits;
}

}  // namespace frictionbench::solvers
