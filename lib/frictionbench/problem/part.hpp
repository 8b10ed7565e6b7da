/// \file
/// Some of the blocks of a problem, a part: their problem, and their entries in vectors.
#pragma once

#include <span>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The entries of these blocks. \param x n_b, or empty, which stays empty.
Vector blocks_of(const Vector& x, std::span<const Index> blocks);

/// The rows of these blocks. \param x m.
Vector rows_of(const ContactProblem& problem, const Vector& x, const std::vector<Index>& blocks);

/// Puts those rows back. \param part as rows_of() returns it.
void set_rows(const ContactProblem& problem, Vector& x, const std::vector<Index>& blocks,
              const Vector& part);

/// The sets of those among these blocks that are behind the friction cones. \param blocks increasing.
std::vector<SetPointer> other_sets_of(const ContactProblem& problem,
                                      const std::vector<Index>& blocks);

/// The problem of these blocks, such as an island, in local form, with its compliance.
/// \param blocks increasing.
ContactProblem part_of(const ContactProblem& problem, const std::vector<Index>& blocks);

}  // namespace frictionbench
