#include "frictionbench/solvers/projected_gradient/spectral_gradient.hpp"

#include <algorithm>
#include <utility>

namespace frictionbench::solvers {

namespace {

constexpr double sufficient_decrease = 1e-4;
constexpr double shortest_step = 1e-13, longest_step = 1e13;  // ChSolverBB

}  // namespace

SpectralGradient::SpectralGradient(const ConvexQuadratic& problem, const Vector& start,
                                   TrialSteps trials, const Settings& settings)
    : problem_(&problem), trials_(trials), settings_(settings), x_(start) {
  problem_->project(x_);
  gradient_ = problem_->gradient(x_);
  remember(0);

  Vector moved = x_ - gradient_;
  problem_->project(moved);
  const double length = (moved - x_).lpNorm<Eigen::Infinity>();
  if (length > 0) alpha_ = std::clamp(1 / length, shortest_step, longest_step);
}

void SpectralGradient::step() {
  Vector moved = x_ - alpha_ * gradient_;
  problem_->project(moved);
  Vector moved_gradient = problem_->gradient(moved);
  const Vector d = moved - x_;
  const Vector Ad = moved_gradient - gradient_;
  const double slope = d.dot(gradient_);
  const double bend = d.dot(Ad);
  const auto change = [&](double lambda) { return lambda * (slope + lambda * bend / 2); };

  double lambda = 1;
  if (settings_.memory > 0) {
    const double highest = *std::max_element(costs_.begin(), costs_.end());
    for (int k = 0; k < settings_.max_backtracks &&
                    costs_.back() + change(lambda) > highest + sufficient_decrease * lambda * slope;
         ++k) {
      lambda = std::clamp(-slope / bend, 0.1 * lambda, 0.9 * lambda);
      trials_.count();
    }
  }
  remember(costs_.back() + change(lambda));
  choose_step(d, Ad);
  if (lambda == 1) {
    x_ = std::move(moved);
    gradient_ = std::move(moved_gradient);
  } else {
    x_ += lambda * d;
    gradient_ += lambda * Ad;
  }
}

void SpectralGradient::remember(double cost) {
  costs_.push_back(cost);
  if (costs_.size() > static_cast<std::size_t>(std::max(settings_.memory, 1))) costs_.pop_front();
}

// Both quotients are the same for s = lambda d as for d.
void SpectralGradient::choose_step(const Vector& s, const Vector& y) {
  const double sy = s.dot(y);
  const double alpha = long_step_next_ ? s.squaredNorm() / sy : sy / y.squaredNorm();
  if (sy > 0) alpha_ = std::clamp(alpha, shortest_step, longest_step);
  long_step_next_ = !long_step_next_;
}

}  // namespace frictionbench::solvers
