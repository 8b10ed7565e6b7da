/// \file
#pragma once

#include <vector>

#include "frictionbench/solver/solver.hpp"
#include "support/limits.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {

struct Recorder final : Observer {
  void iterated(const Iterate& iterate) override { rows.push_back(iterate); }
  std::vector<Iterate> rows;
};

using test::limits;
using test::solve;

}  // namespace frictionbench::solvers
