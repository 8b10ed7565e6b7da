// The local 3D solvers of Siconos Numerics (Acary, Bremond, Huber, INRIA RR-9118): README.md.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <suitesparse/cs.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solvers/peers/peer.hpp"

namespace frictionbench::peers {

namespace {

using Adjust = std::function<void(SolverOptions&)>;

struct Method {
  std::string name, summary;
  int id;
  Adjust adjust;  // after the defaults of this id
};

// Positions in iparam are Siconos', whose names differ from solver to solver.
const std::vector<Method>& methods() {
  static const std::vector<Method> table = {
      {"siconos-nsgs", "NSGS, local solver 565 (hybrid Newton)", SICONOS_FRICTION_3D_NSGS, {}},
      {"siconos-nsgs-ac", "NSGS, local solver 551 (Newton, Goldstein-Price)",
       SICONOS_FRICTION_3D_NSGS,
       [](SolverOptions& o) {
         solver_options_update_internal(&o, 0, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP);
         o.internalSolvers[0]->iparam[14] = 0;  // not hybrid
       }},
      {"siconos-nsgs-full", "NSGS, its error evaluated after every sweep", SICONOS_FRICTION_3D_NSGS,
       [](SolverOptions& o) { o.iparam[7] = 0; }},
      {"siconos-prox", "proximal point, Alart-Curnier Newton inside", SICONOS_FRICTION_3D_PROX, {}},
      {"siconos-prox-reg", "proximal regularisation", SICONOS_FRICTION_3D_PROX,
       [](SolverOptions& o) {
         o.iparam[9] = 1;
         o.dparam[3] = 1e4;
       }},
      {"siconos-tfp", "Tresca fixed point", SICONOS_FRICTION_3D_TFP, {}},
      {"siconos-aclmfp",
       "fixed point of Acary, Cadoux, Lemaréchal and Malick",
       SICONOS_FRICTION_3D_ACLMFP,
       {}},
      {"siconos-nsn-ac", "Alart-Curnier Newton, CSparse", SICONOS_FRICTION_3D_NSN_AC,
       [](SolverOptions& o) { o.iparam[13] = 0; }},
      {"siconos-nsn-ac-test",
       "Alart-Curnier Newton, general line search",
       SICONOS_FRICTION_3D_NSN_AC_TEST,
       {}},
      {"siconos-vi-eg", "extra-gradient, self-adaptive steps", SICONOS_FRICTION_3D_VI_EG, {}},
      {"siconos-admm", "ADMM, constant penalty", SICONOS_FRICTION_3D_ADMM, {}},
  };
  return table;
}

// Copies, because some solvers change q and W. Freed by Siconos.
double* copy(const double* x, std::int64_t entries) {
  auto* const own =
      static_cast<double*>(std::malloc(sizeof(double) * static_cast<std::size_t>(entries)));
  std::copy_n(x, entries, own);
  return own;
}

using Problem = std::unique_ptr<FrictionContactProblem, decltype(&frictionContactProblem_free)>;

Problem problem_of(const Request& request) {
  const auto given = request.W();
  const int unknowns = request.unknowns();
  std::vector<CS_INT> starts(given.outerIndexPtr(), given.outerIndexPtr() + unknowns + 1);
  std::vector<CS_INT> columns(given.innerIndexPtr(), given.innerIndexPtr() + starts.back());
  std::vector<double> values(given.valuePtr(), given.valuePtr() + starts.back());
  cs_dl rows{};
  rows.nzmax = starts.back();
  rows.m = rows.n = unknowns;
  rows.p = starts.data();
  rows.i = columns.data();
  rows.x = values.data();
  rows.nz = -2;  // Siconos' mark of compressed rows

  NumericsMatrix* const matrix = NM_create(NM_SPARSE_BLOCK, unknowns, unknowns);
  matrix->matrix1->block = nullptr;
  matrix->matrix1->index1_data = nullptr;
  matrix->matrix1->index2_data = nullptr;
  SBM_from_csparse(3, reinterpret_cast<CSparseMatrix*>(&rows), matrix->matrix1);
  NM_reset_versions(matrix);
  return {frictionContactProblem_new_with_data(3, request.contacts(), matrix,
                                               copy(request.q().data(), unknowns),
                                               copy(request.mu().data(), request.contacts())),
          &frictionContactProblem_free};
}

void solve(const Method& method, const Request& request, Answer& answer) {
  require_positive_diagonal(request);  // Siconos crashes without a diagonal block
  numerics_set_verbose(0);
  const Problem problem = problem_of(request);
  SolverOptions* const options = solver_options_create(method.id);
  options->dparam[SICONOS_DPARAM_TOL] = request.tolerance();
  options->iparam[SICONOS_IPARAM_MAX_ITER] = static_cast<int>(request.max_iterations());
  if (method.adjust) method.adjust(*options);

  Vector velocity = Vector::Zero(request.unknowns());
  const int info = fc3d_driver(problem.get(), answer.r.data(), velocity.data(), options);
  const int iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  answer.report("own error", options->dparam[SICONOS_DPARAM_RESIDU]);
  if (info == 0)
    answer.end(FRICTIONBENCH_CONVERGED, iterations);
  else
    answer.end(iterations >= request.max_iterations() ? FRICTIONBENCH_MAX_ITERATIONS
                                                      : FRICTIONBENCH_STALLED,
               iterations);
  if (info != 0) answer.say("Siconos returned " + std::to_string(info));
  solver_options_delete(options);
  std::free(options);  // which solver_options_delete() does not free
}

}  // namespace

const Peer& peer() {
  static const Peer siconos = [] {
    Peer made{PEER_VERSION, {}};
    for (const Method& method : methods())
      made.solvers.push_back(
          {method.name,
           "ncp",
           "Siconos: " + method.summary,
           {3},
           [&method](const Request& request, Answer& answer) { solve(method, request, answer); }});
    return made;
  }();
  return siconos;
}

}  // namespace frictionbench::peers
