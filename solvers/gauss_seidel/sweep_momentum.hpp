/// \file
/// Nesterov's momentum between sweeps.
#pragma once

#include <limits>

#include "frictionbench/linalg/contact_sweeps.hpp"

namespace frictionbench::solvers {

/// Starts each sweep not where the last one ended, y, but further on in the direction of progress:
///
///     x = y + beta (y - y_old),     beta = min(cap, (t - 1) / t_next),
///                                   t_next = (1 + sqrt(1 + 4 t^2)) / 2
///
/// Momentum is lost, t = 1, when a sweep turns back: <y - x, y - y_old> < 0 in the norm of the
/// W_ii, the gradient restart of [O'Donoghue, Candès, Adaptive restart for accelerated gradient
/// schemes, 2015]. There is no cap to begin with, because long chains and walls need momentum that
/// lasts for hundreds of sweeps. No theory promises that it converges for an NCP, so the lengths
/// of sweeps, ||y - x||, are watched: one of ten times the shortest so far lowers the cap, and so
/// do 240 without one that is shorter by 5 % than those before, in the end to 0, plain sweeps; if one
/// is shorter by 20 %, the cap is raised.
class SweepMomentum {
 public:
  /// \param W the problem, as Solve::with_sweeps() gives it.
  template <typename Sweeps>
  explicit SweepMomentum(const Sweeps& W) {
    Index rows = 0;
    for (Index i = 0; i < W.count(); ++i) rows += W.W(i).rows();
    weights_.resize(rows);
    for (Index i = 0; i < W.count(); ++i) W.of(weights_, i).setConstant(W.W(i).diagonal().mean());
  }

  /// Moves r from where a sweep ended to where the next one is to start. \param r m; at the first
  /// call, the start of the solve.
  void extrapolate(Vector& r);

 private:
  void watch(double length);
  void lower_cap();

  Vector weights_;  // m
  Vector start_;    // of the last sweep: x
  Vector end_;      // of the one before: y_old
  double t_ = 1;
  double brake_ = 0;                                           // 1 - cap
  int watched_ = 0;                                            // sweeps of this window
  double shortest_ = std::numeric_limits<double>::infinity();  // of this window
  double shortest_before_ = std::numeric_limits<double>::infinity();
};

}  // namespace frictionbench::solvers
