/// \file
/// Problem scaling as a setting that any solver can offer.
///
///     Scaling scaling = Scaling::contacts;              // in Settings
///     describe_scaling(fields, scaling);                // in Settings::describe
///     return solve_scaled(settings_.scaling, info().model, problem, limits, guess,    // in run()
///                         [&](const ContactProblem& p, const InitialGuess& g) { ... });
#pragma once

#include <functional>

#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench {

enum class Scaling {
  none,      ///< the problem in the units of its file
  contacts,  ///< ContactScaling::equilibrated
};

void describe_scaling(SettingFields& fields, Scaling& scaling);

/// Calls `solve` with the scaled problem and guess, and returns its result with the impulse in the
/// units of `problem`. Residuals, and so tolerances, are in those units all along (cone_residuals),
/// so what stops the inner solve is the test on the problem as given, but for rounding. That is
/// asked again of a converged answer, for one product; one that only rounding let pass is
/// `inaccurate`.
Result solve_scaled(Scaling scaling, ContactModel model, const ContactProblem& problem,
                    const Limits& limits, const InitialGuess& guess,
                    const std::function<Result(const ContactProblem&, const InitialGuess&)>& solve);

}  // namespace frictionbench
