#include "frictionbench/math/anderson_acceleration.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace frictionbench {

namespace {

// Added to the diagonal, relative to the trace: keeps gamma bounded if differences are nearly
// dependent.
constexpr double regularization = 1e-10;

}  // namespace

void AndersonAcceleration::reset(const Vector& metric) {
  metric_ = metric;
  X_.resize(metric.size(), memory_);
  G_.resize(metric.size(), memory_);
  normal_ = Matrix::Zero(memory_, memory_);
  restart();
}

void AndersonAcceleration::restart() {
  used_ = next_ = 0;
  last_x_.resize(0);
}

void AndersonAcceleration::remember(const Vector& x, const Vector& g) {
  if (last_x_.size() > 0) {
    const Index column = next_;
    X_.col(column) = x - last_x_;
    G_.col(column) = g - last_g_;
    next_ = (next_ + 1) % memory_;
    used_ = std::min<Index>(used_ + 1, memory_);

    const auto X = X_.leftCols(used_);
    const auto G = G_.leftCols(used_);
    const auto A = type_ == Type::one ? X : G;
    const Vector weighted_a = metric_.cwiseProduct(A.col(column));
    const Vector weighted_g = metric_.cwiseProduct(G.col(column));
    normal_.row(column).head(used_).noalias() = weighted_a.transpose() * G;
    normal_.col(column).head(used_).noalias() = A.transpose() * weighted_g;
  }
  last_x_ = x;
  last_g_ = g;
}

std::optional<Vector> AndersonAcceleration::extrapolate(const Vector& x, const Vector& g) {
  if (memory_ == 0) return std::nullopt;
  remember(x, g);
  if (used_ == 0) return std::nullopt;

  const auto X = X_.leftCols(used_);
  const auto G = G_.leftCols(used_);
  const Vector weighted_g = metric_.cwiseProduct(g);
  Matrix normal = normal_.topLeftCorner(used_, used_);
  normal.diagonal().array() += regularization * normal.diagonal().cwiseAbs().sum();
  const Vector gamma = type_ == Type::one
                           ? Vector(normal.partialPivLu().solve(X.transpose() * weighted_g))
                           : Vector(normal.ldlt().solve(G.transpose() * weighted_g));
  if (!gamma.allFinite()) {
    restart();
    return std::nullopt;
  }
  return Vector(x + g - X * gamma - G * gamma);
}

}  // namespace frictionbench
