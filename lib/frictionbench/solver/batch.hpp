/// \file
/// Many problems, solved by one solver on several threads.
#pragma once

#include <span>
#include <vector>

#include "frictionbench/solver/solver.hpp"

namespace frictionbench {

/// One solve of a batch.
struct BatchedSolve {
  const ContactProblem* problem = nullptr;  ///< not null
  Limits limits = {};                       ///< with the units of this problem (units_of())
  Vector start = {};                        ///< m, or empty for zero
};

/// Solves each, in any order, unwatched; results are in the order of `batch` and do not depend on the
/// number of threads. What a solver throws becomes a result with Status::error.
///
/// Threads are started and joined in each call, which takes tens of microseconds: worth it for
/// hundreds of small problems, or a few large ones. The calling thread is one of them.
/// \param threads >= 1.
/// \param memory earlier results, whose memory the new ones take over, each from the one at its place.
std::vector<Result> solve_batch(const Solver& solver, std::span<const BatchedSolve> batch,
                                int threads, std::vector<Result> memory = {});

}  // namespace frictionbench
