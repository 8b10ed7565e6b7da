/// \file
/// The parts of a problem that do not touch each other.
#pragma once

#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The island of every contact, n_c: numbers from 0 of the connected components of the graph in
/// which contacts i and j touch if the block W_ij or W_ji has an entry other than zero. Contacts of
/// different islands do not act on each other. Reduces a global problem.
std::vector<Index> islands(const ContactProblem& problem);

/// The contacts of each island, increasing; or other nodes of each of their components.
/// \param island as islands() or Components number them, n_c.
std::vector<std::vector<Index>> members(const std::vector<Index>& island);

/// The contacts of each island, increasing, if there are several; nothing for one or none, and then
/// up to 64 contacts take no allocation.
std::vector<std::vector<Index>> several_islands(const ContactProblem& problem);

/// The entries of these contacts. \param x dim n_c.
Vector part_of(const Vector& x, const std::vector<Index>& contacts, Index dim);

/// Puts them back.
void set_part(Vector& x, const std::vector<Index>& contacts, Index dim, const Vector& part);

/// The problem of an island, in local form, with its compliance. \pre no bilateral rows.
/// \param contacts increasing.
ContactProblem part_of(const ContactProblem& problem, const std::vector<Index>& contacts);

}  // namespace frictionbench
