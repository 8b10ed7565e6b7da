/// \file
#pragma once

#include "frictionbench/solvers/admm/admm_settings.hpp"

namespace frictionbench::solvers {

/// ADMM for the model of the solve: by default accelerated_admm, which is [Carpentier24] Alg. 1
/// equilibrated, with a penalty for each contact and safeguarded acceleration; with variant=rss2024
/// proximal_admm, which is [Carpentier24] Alg. 1 as published. Their headers give the iterations.
///
/// ccp-admm is Alg. 1 with s = 0, that is its convex subproblem (28a) alone; or [LeLidec24] Alg. 3
/// with a proximal term and the penalty rules of [Carpentier24].
void admm(const AdmmSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
