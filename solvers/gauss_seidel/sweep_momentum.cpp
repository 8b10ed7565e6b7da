#include "frictionbench/solvers/gauss_seidel/sweep_momentum.hpp"

#include <algorithm>
#include <cmath>

namespace frictionbench::solvers {

namespace {

constexpr int window = 240;           // sweeps
constexpr double first_brake = 0.02;  // 1 - cap, once there is a cap

}  // namespace

void SweepMomentum::extrapolate(Vector& r) {
  if (end_.size() == 0) {
    end_ = start_ = r;
    return;
  }
  const Vector turn = r - start_;
  watch(std::sqrt(turn.cwiseAbs2().dot(weights_)));
  if (turn.cwiseProduct(weights_).dot(r - end_) < 0) t_ = 1;

  const double next = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
  const double beta = std::min(1 - brake_, (t_ - 1) / next);
  t_ = next;
  start_ = r + beta * (r - end_);
  end_ = r;
  r = start_;
}

void SweepMomentum::watch(double length) {
  if (!(length <= 10 * std::min(shortest_, shortest_before_))) {
    lower_cap();
    t_ = 1;
    shortest_ = shortest_before_ = length;
    watched_ = 0;
    return;
  }
  shortest_ = std::min(shortest_, length);
  if (++watched_ < window) return;
  if (shortest_ > 0.95 * shortest_before_)
    lower_cap();
  else if (shortest_ < 0.8 * shortest_before_)
    brake_ /= 1.3;
  shortest_before_ = std::min(shortest_, shortest_before_);
  shortest_ = std::numeric_limits<double>::infinity();
  watched_ = 0;
}

void SweepMomentum::lower_cap() { brake_ = brake_ > 0 ? std::min(2 * brake_, 1.0) : first_brake; }

}  // namespace frictionbench::solvers
