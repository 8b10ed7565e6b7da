// The local 3D solvers of Siconos Numerics 4.4 (Acary, Bremond, Huber, INRIA RR-9118) as a library
// for frictionbench. Debian: libsiconos-numerics-dev.
//
//   c++ -O2 -shared -fPIC -DCS_LONG -I lib -I /usr/include/siconos -I /usr/include/siconos/numerics
//     solvers/external/examples/siconos.cpp -o libsiconos.so -lsiconos_numerics -lsiconos_externals
//   frictionbench run FOLDER --plugin ./libsiconos.so --solver 'siconos-*' --solver ncp-hybrid
//
// Siconos stops by an error of its own, the natural map over max(|q|, |u|, |r|), which mixes impulses and
// velocities: `tolerance` is for that error, and the run's tolerance if it is 0. Its answers are judged
// like all others, so `other` and `wrong` in a summary say how much the two differ.
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

#include "frictionbench/solver_plugin.h"

namespace {

using Adjust = std::function<void(SolverOptions&)>;

struct Entry {
  std::string name, summary;
  int id;
  Adjust adjust;  // after the defaults of this id
};

// Positions in iparam are Siconos', whose names differ from solver to solver.
const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
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

std::string description() {
  std::string text = R"({"solvers": [)";
  for (const Entry& entry : entries()) {
    if (&entry != &entries().front()) text += ", ";
    text += R"({"name": ")" + entry.name +
            R"(", "model": "ncp", "dimensions": [3], "summary": "Siconos: )" + entry.summary +
            R"(", "settings": [{"name": "tolerance", "type": "number", "default": 0, )" +
            R"("help": "for Siconos' own error; 0: the tolerance of the run"}]})";
  }
  return text + "]}";
}

// Copies, because some solvers change q and W. Freed by Siconos.
double* copy(const double* x, std::int64_t entries) {
  auto* const own =
      static_cast<double*>(std::malloc(sizeof(double) * static_cast<std::size_t>(entries)));
  std::copy_n(x, entries, own);
  return own;
}

using Problem = std::unique_ptr<FrictionContactProblem, decltype(&frictionContactProblem_free)>;

Problem problem_of(const frictionbench_problem& given) {
  const frictionbench_matrix& W = given.W;
  std::vector<CS_INT> starts(W.starts, W.starts + W.rows + 1);
  std::vector<CS_INT> columns(W.indices, W.indices + starts.back());
  std::vector<double> values(W.values, W.values + starts.back());
  cs_dl rows{};
  rows.nzmax = starts.back();
  rows.m = rows.n = W.rows;
  rows.p = starts.data();
  rows.i = columns.data();
  rows.x = values.data();
  rows.nz = -2;  // Siconos' mark of compressed rows

  NumericsMatrix* const matrix =
      NM_create(NM_SPARSE_BLOCK, static_cast<int>(W.rows), static_cast<int>(W.rows));
  matrix->matrix1->block = nullptr;
  matrix->matrix1->index1_data = nullptr;
  matrix->matrix1->index2_data = nullptr;
  SBM_from_csparse(3, reinterpret_cast<CSparseMatrix*>(&rows), matrix->matrix1);
  NM_reset_versions(matrix);
  return {
      frictionContactProblem_new_with_data(3, static_cast<int>(given.contacts), matrix,
                                           copy(given.q, W.rows), copy(given.mu, given.contacts)),
      &frictionContactProblem_free};
}

// Siconos crashes without a diagonal block.
bool has_positive_diagonal(const frictionbench_matrix& W) {
  for (std::int64_t row = 0; row < W.rows; ++row) {
    bool positive = false;
    for (std::int32_t k = W.starts[row]; k < W.starts[row + 1]; ++k)
      positive |= W.indices[k] == row && W.values[k] > 0;
    if (!positive) return false;
  }
  return true;
}

void say(frictionbench_answer& answer, const std::string& message) {
  message.copy(answer.message, sizeof answer.message - 1);
}

}  // namespace

int32_t frictionbench_plugin_version() { return FRICTIONBENCH_PLUGIN_VERSION; }

const char* frictionbench_describe() {
  static const std::string text = description();
  return text.c_str();
}

int32_t frictionbench_solve(const char* solver, const frictionbench_problem* given,
                            frictionbench_answer* answer) {
  const auto entry = std::find_if(entries().begin(), entries().end(),
                                  [&](const Entry& e) { return e.name == solver; });
  if (entry == entries().end()) return 1;
  if (!has_positive_diagonal(given->W)) {
    answer->status = FRICTIONBENCH_REFUSED;
    say(*answer, "needs a positive diagonal of W");
    return 0;
  }
  numerics_set_verbose(0);
  const Problem problem = problem_of(*given);
  SolverOptions* const options = solver_options_create(entry->id);
  const double own = given->settings[0].number;
  options->dparam[SICONOS_DPARAM_TOL] = own > 0 ? own : given->tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = static_cast<int>(given->max_iterations);
  if (entry->adjust) entry->adjust(*options);

  std::vector<double> velocity(static_cast<std::size_t>(given->W.rows));
  const int info = fc3d_driver(problem.get(), answer->r, velocity.data(), options);
  answer->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  answer->report(answer->sink, "own error", options->dparam[SICONOS_DPARAM_RESIDU]);
  if (info == 0)
    answer->status = FRICTIONBENCH_CONVERGED;
  else
    answer->status = answer->iterations >= given->max_iterations ? FRICTIONBENCH_MAX_ITERATIONS
                                                                 : FRICTIONBENCH_STALLED;
  if (info != 0) say(*answer, "Siconos returned " + std::to_string(info));
  solver_options_delete(options);
  std::free(options);  // which solver_options_delete() does not free
  return 0;
}
