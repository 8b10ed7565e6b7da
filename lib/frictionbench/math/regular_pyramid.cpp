#include "frictionbench/math/regular_pyramid.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace frictionbench {

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
  if (std::isnan(turns)) return 0;  // of a diverged iterate; any will do
  const int facet = static_cast<int>(std::lround(turns * facets()));
  return static_cast<std::size_t>((facet + facets()) % facets());
}

// The corner nearest to -u_T ends the facet nearest to it.
double RegularPyramid::correction(const Eigen::Vector3d& u, double mu) const {
  const Eigen::Vector2d against = -u.tail<2>();
  const Eigen::Vector2d& d = normals_[facet_towards(against)];
  return mu * (d.dot(against) + half_facet_ * std::abs(turned_left(d).dot(against)));
}

// The pyramid is its own mirror image in every plane through the axis and the middle of a facet, or
// an edge. So a point and its projection lie in the same of the sectors between these planes, and
// only one facet and one edge of it are near.
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

// Outside, the minimiser is on a facet that the free minimiser sees. Along those the objective
// falls towards it from both sides, so going from facet to facet finds it.
Eigen::Vector2d RegularPyramid::minimise(const Eigen::Matrix2d& A, const Eigen::Vector2d& g,
                                         const Eigen::Vector2d& t, double radius) const {
  if (!(radius > 0)) return Eigen::Vector2d::Zero();
  // A shift below the rounding of A gives a singular A a free minimiser, too.
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
    // the next facet would lead back: the corner between the two
    if (!(beyond * turned >= 0) || !(std::abs(beyond) > 0)) return d + along * e;
    turned = beyond;
    k = (k + (beyond > 0 ? 1 : normals_.size() - 1)) % normals_.size();
  }
}

}  // namespace frictionbench
