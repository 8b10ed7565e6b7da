// Options, the time limit, and what Siconos says at the end.
#include <NumericsVerbose.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "siconos.hpp"

namespace frictionbench::peers::siconos {

namespace {

// Thrown through Siconos' C functions, which have unwind tables (the default of gcc and clang on
// x86-64 and ARM 64). Their work arrays are lost.
struct OutOfTime {};

struct Watch {
  const Request& request;
  std::int64_t iterations = 0;
};

void after_iteration(void* watch, int, double*, double*, double, void*) {
  auto& own = *static_cast<Watch*>(watch);
  ++own.iterations;
  if (own.request.out_of_time()) throw OutOfTime();
}

// Siconos frees the struct.
Callback* watching(Watch& watch) {
  auto* const callback = static_cast<Callback*>(std::malloc(sizeof(Callback)));
  callback->env = &watch;
  callback->collectStatsIteration = after_iteration;
  return callback;
}

void watch_inner_solvers(SolverOptions& options, Watch& watch) {
  for (std::size_t k = 0; k < options.numberOfInternalSolvers; ++k)
    if (SolverOptions* const inner = options.internalSolvers[k]) {
      inner->callback = watching(watch);
      watch_inner_solvers(*inner, watch);
    }
}

}  // namespace

void DeleteOptions::operator()(SolverOptions* options) const {
  solver_options_delete(options);
  std::free(options);
}

double* copy(const double* x, Eigen::Index entries) {
  auto* const own =
      static_cast<double*>(std::malloc(sizeof(double) * static_cast<std::size_t>(entries)));
  std::copy_n(x, entries, own);
  return own;
}

void solve(const Method& method, const Request& request, Answer& answer,
           const std::function<int(SolverOptions&)>& driver) {
  if (method.needs_diagonal) require_positive_diagonal(request);
  numerics_set_verbose(0);
  Watch outer{request}, inner{request};
  Options options(solver_options_create(method.id));
  options->dparam[SICONOS_DPARAM_TOL] = request.tolerance();
  options->iparam[SICONOS_IPARAM_MAX_ITER] = static_cast<int>(
      std::min<std::int64_t>(request.max_iterations(), std::numeric_limits<int>::max() - 1));
  if (method.adjust) method.adjust(*options, request);
  options->callback = watching(outer);
  watch_inner_solvers(*options, inner);

  int info = 0;
  try {
    info = driver(*options);
  } catch (const OutOfTime&) {
    (void)options.release();  // lost, too: TFP and others share arrays with their inner solvers
    answer.end(FRICTIONBENCH_TIME_LIMIT, outer.iterations);
    return;
  }
  const int iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  answer.report("own error", options->dparam[SICONOS_DPARAM_RESIDU]);
  if (!answer.r.allFinite())
    answer.end(FRICTIONBENCH_DIVERGED, iterations);
  else if (info == 0)
    answer.end(FRICTIONBENCH_CONVERGED, iterations);
  else
    answer.end(iterations >= request.max_iterations() ? FRICTIONBENCH_MAX_ITERATIONS
                                                      : FRICTIONBENCH_STALLED,
               iterations);
  if (info != 0) answer.say("Siconos returned " + std::to_string(info));
}

}  // namespace frictionbench::peers::siconos
