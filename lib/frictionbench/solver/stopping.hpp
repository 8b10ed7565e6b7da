/// \file
/// The ends that every iterative solver has in common, in the same words.
#pragma once

#include "frictionbench/solver/solver.hpp"

namespace frictionbench {

/// Ends a solve whose iterate satisfies the tolerances, has become NaN or infinite, or has used up
/// its time: fills in status, message, fired and claimed residuals. \returns whether it ended.
bool stop_on_residuals(const ConeResiduals& residuals, const Limits& limits, Result& result);

/// Ends a solve that ran through its loop: status max_iterations, and the iteration count put
/// right.
void stop_at_iteration_limit(const Limits& limits, Result& result);

/// Writes residuals into result.claimed.
void claim(const ConeResiduals& residuals, Result& result);

}  // namespace frictionbench
