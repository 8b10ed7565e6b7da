#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "frictionbench/sets/internal/parameters.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// { x : N(x_T) <= x_N }, N(x_T) = sqrt(sum_k (x_k / mu_k)^2).
//
// The nearest point p to an x outside of it and of its polar is p_N = n > 0 and, from the
// Lagrangian of |p - x|^2 / 2 under p_N = N(p_T),
//
//     p_k = mu_k^2 n x_k / z_k(n),    z_k(n) = (1 + mu_k^2) n - x_N,
//
// where n > max(0, x_N), so that z_k > 0, obeys N(p_T) = n:
//
//     psi(n) = sum_k (mu_k x_k / z_k(n))^2 = 1.
//
// psi decreases to 0, and is above 1 at max(0, x_N) because x is outside of both cones: the root is
// unique. 1 / sqrt(psi) is concave, a power mean of exponent -2 of the affine functions z_k / |mu_k x_k|
// (Moré and Sorensen solve the secular equation of a trust region in this form for the same reason),
// so Newton's steps from the left of the root go right and never pass it. With equal mu_k it is
// affine, and the start below is the root.
class EllipticCone final : public ConstraintCone {
 public:
  explicit EllipticCone(const std::vector<double>& mu)
      : mu_(Eigen::Map<const Vector>(mu.data(), static_cast<Index>(mu.size()))),
        square_(mu_.cwiseAbs2()) {}

  std::string_view kind() const override { return "elliptic"; }
  std::vector<double> parameters() const override { return {mu_.begin(), mu_.end()}; }
  Index dimension() const override { return mu_.size() + 1; }

  BlockVector project(const BlockVector& x) const override {
    if (is_inside(x)) return x;
    if (is_polar(x)) return BlockVector::Zero(x.size());
    const Nearest to = nearest(x);
    BlockVector projected(x.size());
    projected[0] = to.normal;
    projected.tail(mu_.size()) = to.normal * to.slope;
    return projected;
  }

  // p_T minimises |p_T - x_T|^2 + (N(p_T) - x_N)^2, so by the implicit function theorem the Jacobian
  // is B H^-1 B^T, where B = (g^T; I), g the gradient of N, and
  //
  //     H = I + g g^T + (n - x_N) N'' = E + (x_N / n) g g^T,   E_k = m_k / mu_k^2,
  //
  // m_k = mu_k^2 + lambda = z_k / n, lambda = (n - x_N) / n. By Sherman and Morrison, with
  // y = E^-1 g = t_k / m_k, t = p_T / n and because sum_k (t_k / mu_k)^2 = 1, without cancellation:
  //
  //     1 + (x_N / n) g.y = sum_k (t_k / mu_k)^2 (1 + mu_k^2) / m_k
  BlockMatrix projection_jacobian(const BlockVector& x) const override {
    const Index size = x.size(), tangents = mu_.size();
    if (is_inside(x)) return BlockMatrix::Identity(size, size);
    if (is_polar(x)) return BlockMatrix::Zero(size, size);
    const Nearest to = nearest(x);
    const BlockVector m = to.z / to.normal;
    const BlockVector y = to.slope.cwiseQuotient(m);
    double reach = 0, denominator = 0;  // g.y, and that sum
    for (Index k = 0; k < tangents; ++k) {
      const double weight = to.slope[k] * to.slope[k] / (square_[k] * m[k]);
      reach += weight;
      denominator += weight * (1 + square_[k]);
    }
    BlockMatrix jacobian(size, size);
    jacobian(0, 0) = reach / denominator;
    for (Index k = 0; k < tangents; ++k) {
      jacobian(0, k + 1) = jacobian(k + 1, 0) = y[k] / denominator;
      for (Index l = 0; l < tangents; ++l)
        jacobian(k + 1, l + 1) =
            (k == l ? square_[k] / m[k] : 0) - x[0] / to.normal * y[k] * y[l] / denominator;
    }
    return jacobian;
  }

  double correction(const BlockVector& u) const override {
    return mu_.cwiseProduct(u.tail(mu_.size())).norm();
  }
  BlockVector correction_gradient(const BlockVector& u, const BlockVector& r) const override {
    BlockVector gradient = BlockVector::Zero(u.size());
    auto tangent = gradient.tail(mu_.size());
    // What sticks slips along -r_k / mu_k^2, the normal of the ellipse.
    if (const double slip = correction(u); slip > 0)
      tangent = square_.cwiseProduct(u.tail(mu_.size())) / slip;
    else if (const double friction = r.tail(mu_.size()).cwiseQuotient(mu_).norm(); friction > 0)
      tangent = -r.tail(mu_.size()) / friction;
    else
      tangent[0] = mu_[0];
    return gradient;
  }

  std::optional<ConicForm> conic_form() const override {
    const Index size = dimension();
    ConicForm form{.scale = BlockVector(size),
                   .offset = BlockVector::Zero(size),
                   .A = Matrix::Identity(size, size),
                   .b = Vector::Zero(size),
                   .cones = {size}};
    form.scale << 1, mu_;
    return form;
  }

  std::optional<double> mu() const override { return mu_[0]; }
  Index friction_rows() const override { return std::min<Index>(2, mu_.size()); }
  double friction(const BlockVector& r) const override {
    const Index rows = friction_rows();
    return mu_[0] * r.segment(1, rows).cwiseQuotient(mu_.head(rows)).norm();
  }

 private:
  struct Nearest {
    double normal;         // n
    BlockVector slope, z;  // p_T / n, z_k(n)
  };

  bool is_inside(const BlockVector& x) const {
    return x.tail(mu_.size()).cwiseQuotient(mu_).norm() <= x[0];
  }
  bool is_polar(const BlockVector& x) const {
    return mu_.cwiseProduct(x.tail(mu_.size())).norm() <= -x[0];
  }

  // In s = n - max(0, x_N), z_k = (1 + mu_k^2) s + e_k is a sum of positive numbers. As psi = 1 has no
  // term above 1, and is at least what it would be with the largest of all z_k, the start is not
  // beyond the root.
  Nearest nearest(const BlockVector& x) const {
    const BlockVector c = mu_.cwiseProduct(x.tail(mu_.size())).cwiseAbs();
    const BlockVector d = square_.array() + 1;
    const BlockVector e = x[0] > 0 ? BlockVector(x[0] * square_)
                                   : BlockVector(BlockVector::Constant(c.size(), -x[0]));
    double s = std::max(0.0, (c.norm() - e.maxCoeff()) / d.maxCoeff());
    for (Index k = 0; k < c.size(); ++k) s = std::max(s, (c[k] - e[k]) / d[k]);

    BlockVector z = s * d + e;
    constexpr int most_steps =
        100;  // 7 is typical, 14 if mu ranges from 1e-8 to 1e8; NaN ends it too
    for (int step = 0; step < most_steps; ++step) {
      double psi = 0, slope = 0;  // psi, -psi' / 2
      for (Index k = 0; k < c.size(); ++k) {
        const double term = c[k] / z[k] * (c[k] / z[k]);
        psi += term;
        slope += term * d[k] / z[k];
      }
      const double root = std::sqrt(psi);
      if (!(root > 1 + 4 * eps)) break;
      s += (root - 1) * psi / slope;  // (1 - psi^-1/2) / (psi^-1/2)'
      z = s * d + e;
    }
    return {std::max(0.0, x[0]) + s, square_.cwiseProduct(x.tail(mu_.size())).cwiseQuotient(z), z};
  }

  BlockVector mu_, square_;
};

}  // namespace

SetPointer elliptic_cone(const std::vector<double>& mu) {
  if (mu.empty() || mu.size() > 5)
    throw std::invalid_argument(fmt::format("elliptic: {} numbers; expected 1 to 5", mu.size()));
  for (std::size_t k = 0; k < mu.size(); ++k)
    checked("elliptic", fmt::format("mu{}", k + 1), mu[k], positive());
  return std::make_shared<EllipticCone>(mu);
}

}  // namespace frictionbench
