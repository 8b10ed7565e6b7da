#include "frictionbench/solvers/admm/safeguarded_acceleration.hpp"

#include <algorithm>
#include <cmath>

namespace frictionbench::solvers {

namespace {

constexpr double ray_growth_allowed = 1.05;  // of the residual's norm after a step along a ray
constexpr int alike_needed = 3;
constexpr int wait_after_ray = 5;
constexpr double longest_ray = 1e8;
constexpr double rest_growth = 1.5;

}  // namespace

void SafeguardedAcceleration::reset(const Vector& metric) {
  metric_ = metric;
  anderson_.reset(metric);
  step_ = Step::plain;
  leave_ray();
  alike_ = 0;
}

void SafeguardedAcceleration::leave_ray() {
  last_residual_.resize(0);
  ray_length_ = 1;
}

void SafeguardedAcceleration::watch(double error) {
  best_ = std::min(best_, error);
  if (settings_.patience == 0 || ++watched_ < window_end_) return;
  if (!resting_ && best_ > 0.5 * best_before_) {
    resting_ = true;
    anderson_.restart();
    window_end_ = watched_ + static_cast<int>(rest_);
    rest_ *= rest_growth;
  } else {
    resting_ = false;
    window_end_ = watched_ + settings_.patience;
  }
  best_before_ = best_;
  best_ = none;
}

bool SafeguardedAcceleration::accepts(const Vector& residual) {
  const double norm = std::sqrt(metric_.dot(residual.cwiseAbs2()));
  const double allowed = step_ == Step::ray ? ray_growth_allowed : settings_.safeguard;
  if (step_ == Step::plain || norm <= allowed * last_norm_) {
    last_norm_ = norm;
    return true;
  }
  if (step_ == Step::ray) {
    leave_ray();
    alike_ = -wait_after_ray;
  }
  anderson_.restart();
  step_ = Step::plain;
  return false;
}

bool SafeguardedAcceleration::on_ray(const Vector& g) {
  if (settings_.ray == 0) return false;
  const bool alike =
      last_residual_.size() > 0 && (g - last_residual_).norm() <= settings_.ray * g.norm();
  last_residual_ = g;
  if (alike_ < 0 || alike)
    ++alike_;
  else
    alike_ = 0;
  if (!alike) ray_length_ = 1;
  return alike && alike_ >= alike_needed;
}

Vector SafeguardedAcceleration::next(const Vector& x, const Vector& g) {
  plain_ = x + g;
  step_ = Step::plain;
  if (on_ray(g)) {
    anderson_.restart();
    step_ = Step::ray;
    ray_length_ = std::min(2 * ray_length_, longest_ray);
    return x + ray_length_ * g;
  }
  if (resting_) return plain_;
  const std::optional<Vector> extrapolated = anderson_.extrapolate(x, g);
  if (!extrapolated) return plain_;
  step_ = Step::anderson;
  return *extrapolated;
}

}  // namespace frictionbench::solvers
