/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

enum class PathStrategy { all, relaxation, sweeps, arclength };

struct NcpPathSettings {
  Scaling scaling = Scaling::contacts;
  PathStrategy strategy = PathStrategy::all;
  double entry = 0.1;            ///< tau at which the CCP is left, > 0
  double regularization = 1e-3;  ///< eps, >= 0

  void describe(SettingFields& fields);
};

/// Interior point method on the central path of PathTracker, for problems on which ncp-ipm gets
/// trapped: many contacts, hyperstatic, with mass ratios. Three attempts, each until its path is
/// lost:
///
///  1. `relaxation`: the centre of the CCP at tau = `entry`, then the NCP there, then tau x 0.3.
///  2. `sweeps`: 1000 Gauss-Seidel sweeps, each contact solved exactly, and from there to tau =
///     1e-3, then tau x 0.6. The CCP of a problem with large mass ratios is far from its NCP.
///  3. `arclength`: the smooth path from the centre of the CCP, followed around its folds: the
///     most reliable, and the slowest, because there may be hundreds.
///
/// 1 and 2 cannot pass a fold, where no point with a smaller tau is near. If they find no centre
/// within 25 (2: 40) factorisations, they look elsewhere: 200 (300) sweeps from the last impulse,
/// then PathTracker::enter() at the same tau; at most three times at one tau and eight in all. 3
/// does so where its steps become too short.
///
/// An iteration is a point that was looked at, with at most one factorisation; sweeps are counted
/// as sweeps. The start of the solve is used by attempt 2 alone.
void ncp_path_method(const NcpPathSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
