/// \file
/// Problem scaling as a setting that any solver can offer.
///
///     Scaling scaling = Scaling::contacts;              // in Settings
///     describe_scaling(fields, scaling);                // in Settings::describe
///     return solve_scaled(settings_.scaling, problem, guess,        // in run()
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
/// so what stops the inner solve is exactly the test on the problem as given.
Result solve_scaled(Scaling scaling, const ContactProblem& problem, const InitialGuess& guess,
                    const std::function<Result(const ContactProblem&, const InitialGuess&)>& solve);

}  // namespace frictionbench
