/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

enum class PathStrategy { all, arclength, sweeps };

struct NcpPathSettings {
  Scaling scaling = Scaling::contacts;
  PathStrategy strategy = PathStrategy::all;
  double entry = 0.1;            ///< tau_0, where the path starts in the CCP, > 0
  double regularization = 1e-3;  ///< eps, >= 0

  void describe(SettingFields& fields);
};

/// Interior point method on the central path of PathTracker, for problems on which ncp-ipm gets
/// trapped: many contacts, hyperstatic, with mass ratios. Two ways, which take turns:
///
///  1. `arclength`: from the centre of the CCP at tau = `entry` along the smooth path, around its
///     folds, to the NCP.
///  2. `sweeps`: 1000 Gauss-Seidel sweeps, each contact solved exactly, from there to tau = 1e-3, and
///     on in leaps to ever smaller tau.
///
/// Where either gets stuck, it goes on from elsewhere: 300 sweeps, or twice as many each time, from
/// the last impulse, then PathTracker::enter() at the same tau; at most eight times.
///
/// Each point that is looked at is an iteration. It takes one factorisation as a rule, and more where
/// the determinant is negative. Sweeps are counted as sweeps. Only `sweeps` uses the start of the solve.
void ncp_path_method(const NcpPathSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
