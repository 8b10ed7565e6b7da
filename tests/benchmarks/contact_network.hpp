/// \file
#pragma once

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::bench {

/// Contacts that each touch about `neighbours` others at random: W symmetric, by full 3 x 3 blocks,
/// diagonally dominant; mu = 0.5. Every contact closes at 1 and slips at up to 2, so that some
/// stick and some slide.
ContactProblem random_network(Index contacts, int neighbours);

}  // namespace frictionbench::bench
