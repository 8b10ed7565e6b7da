/// \file
/// The parts of a problem that do not touch each other.
#pragma once

#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The island of every block (of a plain problem: contact), n_b: numbers from 0 of the connected
/// components of the graph in which blocks i and j touch if W_ij or W_ji has an entry other than zero.
/// Blocks of different islands do not act on each other. Reduces a global problem that has_W(); without
/// it, blocks touch if they act on a common body, even where their W_ij happens to vanish. members() of
/// these are the blocks of each island.
std::vector<Index> islands(const ContactProblem& problem);

/// The blocks of each island, increasing, if there are several; nothing for one or none, and then
/// up to 64 blocks take no allocation.
std::vector<std::vector<Index>> several_islands(const ContactProblem& problem);

}  // namespace frictionbench
