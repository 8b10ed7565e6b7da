/// \file
/// The first stage of ncp-hybrid: sweeps for as long as they promise to be enough.
#pragma once

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::solvers {

/// Two sweeps as ncp-nsgs makes them, without relaxation, or up to 20 where contacts are few; they
/// are enough where contacts hardly feel each other. Then those of ncp-pgs, cheaper. Judged after
/// 1, 2, 4, 8 and then every 8 sweeps. Stops when the NCP residuals are within the tolerances; and
/// as if at its iteration limit when it has made 24 sweeps (more where contacts are few) and the
/// forecast asks for more than the limit in all. The answer is the impulse after the last sweep.
Result sweep_stage(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer);

}  // namespace frictionbench::solvers
