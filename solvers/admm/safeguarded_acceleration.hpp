/// \file
/// Faster steps for a fixed-point iteration x <- T(x), each undone if it did not pay.
#pragma once

#include <limits>

#include "frictionbench/solvers/admm/admm_settings.hpp"

namespace frictionbench::solvers {

/// Chooses the next iterate of x <- T(x) with residual g = T(x) - x from three:
///
///  1. Anderson's extrapolation. It is undone if || g || grew by more than `safeguard`, and rests
///     for a while (longer each time) when the best error has not halved within `patience`
///     iterations: on nonsmooth maps it can wander for ever.
///  2. A step along a ray, x + t g with t doubled at each success. While the set of sliding and
///     separated contacts stays the same and an impulse has far to go along a null direction of W,
///     g is nearly constant for thousands of iterations; nothing is left there to extrapolate from
///     differences, which are all near zero.
///  3. The plain step T(x).
///
/// The norm is that of the metric in which T is averaged, sum_i rho_i x_i^2.
class SafeguardedAcceleration {
 public:
  explicit SafeguardedAcceleration(const AdmmSettings& settings)
      : settings_(settings),
        anderson_(settings.anderson, settings.anderson_type),
        rest_(settings.patience),
        window_end_(settings.patience) {}

  /// T has changed. \param metric all > 0, m.
  void reset(const Vector& metric);

  /// Takes in the error of the current iterate, whatever measure of it; once an iteration.
  void watch(double error);

  /// Whether the iterate last given stands, judged by its residual; if not, go on from plain().
  bool accepts(const Vector& residual);

  /// T of the iterate before the one last given.
  const Vector& plain() const { return plain_; }

  /// The next iterate. \param x the current one; \param g = T(x) - x.
  Vector next(const Vector& x, const Vector& g);

 private:
  enum class Step { plain, anderson, ray };

  bool on_ray(const Vector& g);  // whether g has stayed the same for some iterations
  void leave_ray();

  const AdmmSettings& settings_;
  AndersonAcceleration anderson_;
  Vector metric_;
  Vector plain_;
  Step step_ = Step::plain;
  double last_norm_ = 0;  // of the residual of the last iterate that stood

  Vector last_residual_;
  int alike_ = 0;  // residuals in a row that were alike; negative: rays are not tried so soon again
  double ray_length_ = 1;

  static constexpr double none = std::numeric_limits<double>::infinity();
  bool resting_ = false;
  double rest_;  // iterations that the next rest of Anderson's takes
  int watched_ = 0;
  int window_end_;
  double best_ = none, best_before_ = none;  // of this window and of the one before
};

}  // namespace frictionbench::solvers
