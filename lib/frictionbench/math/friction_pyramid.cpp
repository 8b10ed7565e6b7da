#include "frictionbench/math/friction_pyramid.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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

namespace {

Eigen::Vector2d turned_left(const Eigen::Vector2d& d) { return {-d[1], d[0]}; }

}  // namespace

RegularPyramid::RegularPyramid(int facets) : half_facet_(std::tan(std::numbers::pi / facets)) {
  eigen_assert(facets >= 3);
  for (int k = 0; k < facets; ++k) {
    const double angle = 2 * std::numbers::pi * k / facets;
    normals_.emplace_back(std::cos(angle), std::sin(angle));
  }
}

std::size_t RegularPyramid::facet_towards(const Eigen::Vector2d& t) const {
  const double turns = std::atan2(t[1], t[0]) / (2 * std::numbers::pi);
  if (std::isnan(turns)) return 0;  // a diverged iterate: any facet will do
  const int facet = static_cast<int>(std::lround(turns * facets()));
  return static_cast<std::size_t>((facet + facets()) % facets());
}

Eigen::Vector2d RegularPyramid::corner(int k) const {
  const Eigen::Vector2d& d = normals_[static_cast<std::size_t>(k)];
  return d + half_facet_ * turned_left(d);
}

// The corner nearest to -u_T ends the facet nearest to it.
double RegularPyramid::correction(const Eigen::Vector3d& u, double mu) const {
  const Eigen::Vector2d against = -u.tail<2>();
  const Eigen::Vector2d& d = normals_[facet_towards(against)];
  return mu * (d.dot(against) + half_facet_ * std::abs(turned_left(d).dot(against)));
}

// The pyramid is its own mirror image in every plane through the axis and the middle of a facet or
// an edge. So a point and its projection lie in the same sector between two such planes, which
// touches only one facet and one edge.
Eigen::Vector3d RegularPyramid::project(const Eigen::Vector3d& x, double mu) const {
  const Eigen::Vector2d& d = normals_[facet_towards(x.tail<2>())];
  const Eigen::Vector2d e = turned_left(d);
  const double excess = d.dot(x.tail<2>()) - mu * x[0];
  if (excess <= 0) return x;

  Eigen::Vector3d y = x;
  y[0] += mu * excess / (1 + mu * mu);
  y.tail<2>() -= excess / (1 + mu * mu) * d;
  const double along = e.dot(y.tail<2>());
  if (std::abs(along) <= half_facet_ * mu * y[0]) return y;

  Eigen::Vector3d edge;
  edge << 1, mu * (d + std::copysign(half_facet_, along) * e);
  return std::max(0.0, edge.dot(x)) / edge.squaredNorm() * edge;
}

// If the free minimiser is outside, the constrained one is on a facet visible from it. Along the
// visible facets the objective falls towards the minimiser from both sides, so walking from facet
// to facet finds it.
Eigen::Vector2d RegularPyramid::minimise(const Eigen::Matrix2d& A, const Eigen::Vector2d& g,
                                         const Eigen::Vector2d& t, double radius) const {
  if (!(radius > 0)) return Eigen::Vector2d::Zero();
  // A shift below the rounding of A, so that a singular A has a free minimiser too.
  const Eigen::Matrix2d B =
      A + 4 * std::numeric_limits<double>::epsilon() * A.trace() * Eigen::Matrix2d::Identity();
  const Eigen::Vector2d free = t - B.inverse() * g;
  std::size_t k = facet_towards(free);
  if (normals_[k].dot(free) <= radius) return free;

  const double half_length = half_facet_ * radius;
  for (double turned = 0;;) {
    const Eigen::Vector2d d = radius * normals_[k];
    const Eigen::Vector2d e = turned_left(normals_[k]);
    const double wanted = e.dot(B * (t - d) - g) / e.dot(B * e);
    const double along = std::clamp(wanted, -half_length, half_length);
    const double beyond = wanted - along;
    // Inside this facet, or at its corner, where the next facet would lead back.
    if (!(beyond * turned >= 0) || !(std::abs(beyond) > 0)) return d + along * e;
    turned = beyond;
    k = (k + (beyond > 0 ? 1 : normals_.size() - 1)) % normals_.size();
  }
}

}  // namespace frictionbench
