#include "frictionbench/solvers/projected_gradient/accelerated_gradient.hpp"

#include <cmath>
#include <limits>

namespace frictionbench::solvers {

AcceleratedGradient::AcceleratedGradient(const ConvexQuadratic& problem, const Vector& start,
                                         TrialSteps trials, double curvature)
    : problem_(&problem), trials_(trials), x_(start), curvature_(curvature) {
  problem_->project(x_);
  gradient_ = problem_->gradient(x_);
  y_ = x_;
  y_gradient_ = gradient_;
  if (curvature_ > 0) return;

  const Vector ones = Vector::Ones(x_.size());
  const double distance = (x_ - ones).norm();
  const double change = (gradient_ - problem_->gradient(ones)).norm();
  curvature_ = distance > 0 && change > 0 ? change / distance : 1;
}

void AcceleratedGradient::step() {
  Vector next, next_gradient;
  for (;; trials_.count(), curvature_ *= 2) {
    next = y_ - y_gradient_ / curvature_;
    problem_->project(next);
    next_gradient = problem_->gradient(next);
    const Vector d = next - y_;
    const double slope_change = d.dot(next_gradient - y_gradient_);  // d.A d
    const double rounding = std::numeric_limits<double>::epsilon() * d.norm() *
                            (next_gradient.norm() + y_gradient_.norm());
    if (!(slope_change > curvature_ * d.squaredNorm() + rounding)) break;
  }

  const double theta_squared = theta_ * theta_;
  const double next_theta = (-theta_squared + theta_ * std::sqrt(theta_squared + 4)) / 2;
  const double beta = theta_ * (1 - theta_) / (theta_squared + next_theta);
  if (y_gradient_.dot(next - x_) > 0) {
    theta_ = 1;
    y_ = next;
    y_gradient_ = next_gradient;
  } else {
    theta_ = next_theta;
    y_ = next + beta * (next - x_);
    y_gradient_ = next_gradient + beta * (next_gradient - gradient_);
  }
  x_ = std::move(next);
  gradient_ = std::move(next_gradient);
  curvature_ *= 0.9;
}

}  // namespace frictionbench::solvers
