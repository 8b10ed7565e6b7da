/// \file
#pragma once

#include <vector>

#include "frictionbench/solver/solver.hpp"
#include "support/limits.hpp"

namespace frictionbench::solvers {

struct Recorder final : Observer {
  void iterated(const Iterate& iterate) override { rows.push_back(iterate); }
  std::vector<Iterate> rows;
};

using test::limits;

}  // namespace frictionbench::solvers
