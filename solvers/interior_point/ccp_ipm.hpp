/// \file
#pragma once

#include "frictionbench/solvers/interior_point/interior_point.hpp"

namespace frictionbench::solvers {

/// Primal-dual interior point method for the CCP, min r.W r / 2 + r.q over the friction cones: a
/// second-order cone programme, solved the textbook way. One Cholesky factorisation an iteration.
/// See interior_point() for the iteration; it stands where D (section V) uses Gurobi and the
/// geodesic interior point method.
///
/// Does what the textbook method does not:
///
///  1. The problem is equilibrated contact by contact first; `scaling=none` leaves that out.
///  2. W need not be symmetric: the factorisation is that of its symmetric part, and the
///     refinement of the directions is with W itself.
///  3. An iterate that rounding has trapped at the boundary is pushed off it (`recentrings`).
///
/// A guess is not used.
class CcpIpm final : public Solver {
 public:
  using Settings = InteriorPointSettings;

  static SolverInfo info();
  explicit CcpIpm(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
