/// \file
/// Faster steps for a fixed-point iteration, each undone if it does not help.
#pragma once

#include <limits>

#include "frictionbench/solvers/admm/admm.hpp"

namespace frictionbench::solvers {

/// Chooses the next iterate of x <- T(x), with residual g = T(x) - x, from three candidates:
///
///  1. Anderson's extrapolation. Undone if ||g|| grew by more than `safeguard`. Paused (longer each
///     time) if the best error has not halved within `patience` iterations, because on nonsmooth
///     maps it can wander indefinitely.
///  2. A step along a ray, x + t g, with t doubled after each success. While the sets of sliding
///     and separated contacts stay the same and an impulse has far to go along a null direction of
///     W, g is nearly constant for thousands of iterations, and the differences of residuals, from
///     which Anderson extrapolates, are nearly zero.
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

  /// Records the error of the current iterate, in any measure; once per iteration.
  void watch(double error);

  /// Whether the iterate that next() returned stands, by its residual; if not, use plain().
  bool accepts(const Vector& residual);

  /// T of the iterate before that.
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
  double last_norm_ = 0;  // of the residual of the last accepted iterate

  Vector last_residual_;
  int alike_ = 0;  // similar residuals in a row; negative: iterations until rays are tried again
  double ray_length_ = 1;

  static constexpr double none = std::numeric_limits<double>::infinity();
  bool resting_ = false;
  double rest_;  // length of the next pause of Anderson's extrapolation, iterations
  int watched_ = 0;
  int window_end_;
  double best_ = none, best_before_ = none;  // of this window and of the one before
};

}  // namespace frictionbench::solvers
