/// \file
/// The parts of a problem that do not touch each other.
#pragma once

#include <span>
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

/// The entries of these blocks. \param x n_b, or empty, which stays empty.
Vector part_of(const Vector& x, std::span<const Index> blocks);
/// The rows of these blocks. \param x m.
Vector part_of(const ContactProblem& problem, const Vector& x, const std::vector<Index>& blocks);

/// Puts those rows back. \param part as part_of() returns it.
void set_part(const ContactProblem& problem, Vector& x, const std::vector<Index>& blocks,
              const Vector& part);

/// The sets of those among these blocks that are behind the friction cones. \param blocks increasing.
std::vector<SetPointer> other_sets_of(const ContactProblem& problem,
                                      const std::vector<Index>& blocks);

/// The problem of an island, in local form, with its compliance. \param blocks increasing.
ContactProblem part_of(const ContactProblem& problem, const std::vector<Index>& blocks);

}  // namespace frictionbench
