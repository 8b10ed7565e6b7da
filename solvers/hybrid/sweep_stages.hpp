/// \file
/// The stages of ncp-hybrid that sweep. Each solves the blocks of the problem exactly, one after the
/// other, with momentum (SweepMomentum), from the start of the stage, and answers with the impulse after
/// its last sweep.
#pragma once

#include "frictionbench/solver/solve.hpp"

namespace frictionbench::solvers {

/// Stage 1: sweeps without a forecast while they have cost less than setting an ADMM up, and at most
/// until they have cost as much as interior point steps would (PredictedWork). Where an ADMM is set up
/// for the cost of a few sweeps, because blocks have no solution in closed form, none are made.
/// \param active_sets whether to take turns with attempts by active sets; \pre then a plain problem
///        of at most few_contacts contacts.
/// \param uncoupled whether no block acts on another, so that one sweep is the solution.
void first_sweeps(bool active_sets, bool uncoupled, Solve& stage);

/// Stage 4: as many sweeps as the stage has iterations, or until a forecast expects more. It counts after
/// 200 sweeps.
void more_sweeps(Solve& stage);

/// As many sweeps as the stage has iterations.
void sweeps_to_the_end(Solve& stage);

}  // namespace frictionbench::solvers
