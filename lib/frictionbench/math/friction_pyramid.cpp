#include "frictionbench/math/friction_pyramid.hpp"

#include <algorithm>

namespace frictionbench {

double pyramid_correction(const Eigen::Ref<const Vector>& u, double mu) {
  return mu * u.tail(u.size() - 1).lpNorm<1>();
}

// For a fixed normal n >= 0 the nearest tangent is t_i clamped to mu n, so the projection minimises
// the convex piecewise quadratic (n - x_N)^2 + sum_i max(|t_i| - mu n, 0)^2 over n >= 0.
// At the minimum, with A the set of clamped tangents, n = (x_N + mu sum_A |t_i|) / (1 + |A| mu^2).
Vector project_on_pyramid(const Eigen::Ref<const Vector>& x, double mu) {
  const Index tangents = x.size() - 1;
  Vector lengths = x.tail(tangents).cwiseAbs();
  std::sort(lengths.begin(), lengths.end(), std::greater<>());

  double normal = x[0];
  double clamped_sum = 0;
  for (Index clamped = 0; clamped < tangents && lengths[clamped] > mu * normal; ++clamped) {
    clamped_sum += lengths[clamped];
    normal = (x[0] + mu * clamped_sum) / (1 + static_cast<double>(clamped + 1) * mu * mu);
  }
  normal = std::max(normal, 0.0);

  Vector projected(x.size());
  projected[0] = normal;
  projected.tail(tangents) = x.tail(tangents).cwiseMax(-mu * normal).cwiseMin(mu * normal);
  return projected;
}

double distance_to_pyramid(const Eigen::Ref<const Vector>& x, double mu) {
  return (x - project_on_pyramid(x, mu)).norm();
}

double distance_to_dual_pyramid(const Eigen::Ref<const Vector>& x, double mu) {
  return project_on_pyramid(-x, mu).norm();  // Moreau, as for the cone
}

}  // namespace frictionbench
