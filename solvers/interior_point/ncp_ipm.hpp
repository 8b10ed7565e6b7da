/// \file
#pragma once

#include "frictionbench/solvers/interior_point/interior_point.hpp"

namespace frictionbench::solvers {

/// Nonsmooth interior point method on the NCP itself: s = mu ||u_T|| is inside the Newton system.
/// Acary, Armand, Nguyen, Shpakovych (HAL hal-03913568) solve the convex problem for given s; in
/// Siconos, gfc3d_ipm_snm.c, and in Dojo (Howell et al. 2022, arXiv 2203.00806) s is an unknown.
/// Here it is eliminated: û_T = u_T, so that s is a function of û. One LU factorisation an
/// iteration, of a matrix that s makes unsymmetric. See interior_point() for the iteration.
///
/// The NCP is not convex, and its central path may end at the boundary of the cones short of an
/// answer. The method notices, pushes the iterate off the boundary a few times, and ends as
/// `stalled` if that does not help. s has a kink where u_T = 0; its derivative there is taken as 0.
///
/// A guess is not used.
class NcpIpm final : public Solver {
 public:
  using Settings = InteriorPointSettings;

  static SolverInfo info();
  explicit NcpIpm(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
