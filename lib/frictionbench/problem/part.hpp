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

/// The numbers of their rows.
std::vector<Index> row_numbers(const ContactProblem& problem, const std::vector<Index>& blocks);

/// Which bodies a part of a global problem has.
enum class Bodies {
  all,     ///< M and f stay whole
  touched  ///< degrees of freedom that blocks of the part act on, with all that M couples them with
};

/// The degrees of freedom of a part of a global problem.
struct Dofs {
  std::vector<Index> kept;  ///< increasing
  bool alone = true;        ///< whether no block that is left out acts on them
};
/// Those of the part that these blocks are. \param problem a global one.
Dofs dofs_of(const ContactProblem& problem, const std::vector<Index>& blocks, Bodies bodies);

/// The problem of these blocks of a global problem, in global form, with its compliance.
/// \param blocks increasing. \param dofs that it keeps, as dofs_of() finds them.
ContactProblem global_part_of(const ContactProblem& problem, const std::vector<Index>& blocks,
                              const std::vector<Index>& dofs);

/// The problem of these blocks, such as an island, with its compliance. W and q are those of the whole,
/// which is reduced. \param blocks increasing. \param form global, with the bodies that are touched,
/// only of a global problem.
ContactProblem part_of(const ContactProblem& problem, const std::vector<Index>& blocks,
                       ProblemForm form = ProblemForm::local);

}  // namespace frictionbench
