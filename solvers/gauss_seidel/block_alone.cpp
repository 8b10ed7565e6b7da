#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"

#include <Eigen/LU>
#include <limits>

#include "frictionbench/sets/natural_map.hpp"

namespace frictionbench::solvers {

BlockVector solve_alone(const ConstraintSet& set, const BlockMatrix& W, double stiffness,
                        const BlockVector& free, const BlockVector& start) {
  constexpr int most_steps = 50;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  // No impulse of its own changes its velocity. Zero then solves a cone if anything does.
  if (!(stiffness > 0)) return set.project(BlockVector::Zero(start.size()));
  if (const auto exact = set.solve_alone(W, free)) return *exact;

  const double rho = 1 / stiffness;
  BlockVector r = set.project(start);
  NaturalMap here(set, rho, r, W * r + free);
  for (int k = 0; k < most_steps; ++k) {
    const double size = std::max(r.norm(), rho * free.norm());
    if (here.value.norm() <= 4 * eps * size) break;
    const BlockMatrix slope = here.by_velocity * W + here.by_impulse;
    const BlockVector newton = r - BlockMatrix(slope.inverse()) * here.value;
    BlockVector next = r;
    if (newton.allFinite()) next = set.project(newton);
    NaturalMap there(set, rho, next, W * next + free);
    if (!newton.allFinite() || !(there.value.norm() < 0.9 * here.value.norm())) {
      next = r - here.value;  // P_C(r - rho û)
      there = NaturalMap(set, rho, next, W * next + free);
    }
    r = next;
    here = there;
  }
  return r;
}

}  // namespace frictionbench::solvers
