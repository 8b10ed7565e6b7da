#include "frictionbench/solver/stopping.hpp"

#include <cmath>

namespace frictionbench {

bool stop_on_residuals(const ConeResiduals& residuals, const Limits& limits, Result& result) {
  claim(residuals, result);
  if (residuals.within(limits.tolerances)) {
    result.status = Status::converged;
    result.fired = "residuals";
    return true;
  }
  if (!std::isfinite(residuals.max())) {
    result.status = Status::error;
    result.message = "diverged: the iterate is no longer finite";
    return true;
  }
  if (limits.time_is_up()) {
    result.status = Status::time_limit;
    return true;
  }
  return false;
}

void stop_at_iteration_limit(const Limits& limits, Result& result) {
  result.iterations = limits.max_iterations;
  result.status = Status::max_iterations;
}

void claim(const ConeResiduals& residuals, Result& result) {
  result.claimed["primal"] = residuals.primal;
  result.claimed["dual"] = residuals.dual;
  result.claimed["complementarity"] = residuals.complementarity;
}

}  // namespace frictionbench
