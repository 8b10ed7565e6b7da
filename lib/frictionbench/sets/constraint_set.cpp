#include "frictionbench/sets/constraint_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace frictionbench {

double ConstraintSet::correction(const BlockVector&) const { return 0; }

BlockVector ConstraintSet::correction_gradient(const BlockVector& u, const BlockVector&) const {
  return BlockVector::Zero(u.size());
}

std::optional<BlockVector> ConstraintSet::solve_alone(const BlockMatrix&,
                                                      const BlockVector&) const {
  return std::nullopt;
}

std::string ConstraintSet::text() const {
  return fmt::format("{}({})", kind(), fmt::join(parameters(), ","));
}

double ConstraintSet::distance(const BlockVector& x) const { return (x - project(x)).norm(); }

double ConstraintSet::complementarity(const BlockVector& r, const BlockVector& u) const {
  if (is_whole_space()) return 0 * r.dot(u);  // NaN stays
  return std::abs(r.dot(u) + support(-u));
}

BlockVector ConstraintSet::corrected(BlockVector u) const {
  u[0] += correction(u);
  return u;
}

// Moreau: u = P_{C*}(u) - P_C(-u).
double ConstraintCone::dual_distance(const BlockVector& u) const { return project(-u).norm(); }

}  // namespace frictionbench
