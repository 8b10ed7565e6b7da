/// \file
/// What the solvers share that pose convex problems to accelerated projected gradient.
#pragma once

#include "frictionbench/solver/scaled_solve.hpp"
#include "frictionbench/solvers/projected_gradient/inexact_minimization.hpp"
#include "frictionbench/solvers/staggered/fixed_point.hpp"

namespace frictionbench::solvers {

struct ConvexSequenceSettings {
  InnerSettings inner = {};
  Scaling scaling = Scaling::contacts;
  void describe(SettingFields& fields);
};

/// fixed_point() on the problem as scaled.
/// \param pose `pose(scaled, velocity, work)` returns the `advance` of fixed_point(). velocity is
///        x -> W x + q; what is solved counts in work. All three outlive what it returns.
template <typename Pose>
Result convex_sequence(Scaling scaling, const ContactProblem& problem, const Limits& limits,
                       const InitialGuess& guess, Observer& observer, const Pose& pose) {
  const auto solve = [&](const ContactProblem& scaled, const InitialGuess& start) {
    Result result;
    result.r = start.r;
    const DelassusOperator W(scaled, result.work);
    const auto velocity = contact_velocity(scaled, W);
    fixed_point(scaled, limits, observer, result, pose(scaled, velocity, result.work));
    return result;
  };
  return solve_scaled(scaling, ContactModel::ncp, problem, limits, guess, solve);
}

}  // namespace frictionbench::solvers
