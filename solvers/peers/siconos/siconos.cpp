// The 3D solvers of Siconos Numerics (Acary, Bremond, Huber, INRIA RR-9118): README.md.
#include "siconos.hpp"

#include <Friction_cst.h>

#include <vector>

namespace frictionbench::peers {

namespace siconos {
namespace {

using Table = std::vector<Method>;

// Positions in iparam and dparam mean something else to each solver: Friction_cst.h.

const bool needs_diagonal = true;

Method nsgs(const std::string& name, const std::string& local_solver, int id,
            bool divides_by_diagonal = false) {
  return {"siconos-nsgs" + name,
          "NSGS, local solver " + std::to_string(id) + " (" + local_solver + ")",
          SICONOS_FRICTION_3D_NSGS,
          "ncp",
          [id](SolverOptions& options, const Request&) {
            solver_options_update_internal(&options, 0, id);
          },
          Storage::blocks,
          divides_by_diagonal};
}

void with_full_error(SolverOptions& options, const Request&) {
  options.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
      SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
}

Table gauss_seidel() {
  return {
      nsgs("", "Newton, else projection: the default", SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID,
           needs_diagonal),
      {"siconos-nsgs-full", "NSGS, its error evaluated after every sweep", SICONOS_FRICTION_3D_NSGS,
       "ncp", with_full_error, Storage::blocks, needs_diagonal},
      nsgs("-ac-direct", "Newton", SICONOS_FRICTION_3D_ONECONTACT_NSN, needs_diagonal),
      nsgs("-ac", "Newton, Goldstein-Price", SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, needs_diagonal),
      nsgs("-projection", "projection", SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone),
      nsgs("-projection-iterated", "projections until converged",
           SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration),
      nsgs("-projection-regularized", "projection, regularised",
           SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithRegularization),
      nsgs("-projection-diagonal", "projection, diagonalised",
           SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithDiagonalization, needs_diagonal),
      nsgs("-quartic", "enumeration", SICONOS_FRICTION_3D_ONECONTACT_QUARTIC),
      nsgs("-quartic-nu", "enumeration, other polynomial",
           SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU),
  };
}

void with_csparse(SolverOptions& options, const Request&) {
  options.iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = SICONOS_FRICTION_3D_NSN_USE_CSLUSOL;
}

Table newton() {
  return {
      {"siconos-nsn-ac", "Alart-Curnier Newton, MUMPS", SICONOS_FRICTION_3D_NSN_AC},
      {"siconos-nsn-ac-csparse", "Alart-Curnier Newton, CSparse", SICONOS_FRICTION_3D_NSN_AC, "ncp",
       with_csparse},
      {"siconos-nsn-ac-dense",
       "Alart-Curnier Newton, dense matrices",
       SICONOS_FRICTION_3D_NSN_AC,
       "ncp",
       {},
       Storage::dense},
      {"siconos-nsn-ac-test", "Alart-Curnier Newton, general line search",
       SICONOS_FRICTION_3D_NSN_AC_TEST},
      {"siconos-nsn-fb", "Fischer-Burmeister Newton, MUMPS", SICONOS_FRICTION_3D_NSN_FB},
      {"siconos-nsn-nm", "natural map Newton, MUMPS", SICONOS_FRICTION_3D_NSN_NM},
  };
}

Table fixed_points() {
  return {
      {"siconos-prox", "proximal point, Alart-Curnier Newton inside", SICONOS_FRICTION_3D_PROX},
      {"siconos-prox-reg", "proximal regularisation", SICONOS_FRICTION_3D_PROX, "ncp",
       [](SolverOptions& options, const Request&) {
         options.iparam[SICONOS_FRICTION_3D_PROXIMAL_IPARAM_STRATEGY] =
             SICONOS_FRICTION_3D_PROXIMAL_REGULARIZATION;
       }},
      {"siconos-tfp", "Tresca fixed point", SICONOS_FRICTION_3D_TFP},
      {"siconos-pfp", "Panagiotopoulos' fixed point", SICONOS_FRICTION_3D_PFP},
      {"siconos-aclmfp", "fixed point of Acary, Cadoux, Lemaréchal and Malick",
       SICONOS_FRICTION_3D_ACLMFP},
      {"siconos-soclcp", "Gauss-Seidel on the convex problem", SICONOS_FRICTION_3D_SOCLCP, "ccp"},
      {"siconos-admm", "ADMM, constant penalty", SICONOS_FRICTION_3D_ADMM},
      {"siconos-admm-br", "ADMM, residuals balanced", SICONOS_FRICTION_3D_ADMM, "ncp",
       [](SolverOptions& options, const Request&) {
         options.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
             SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING;
       }},
  };
}

Table projections() {
  return {
      {"siconos-dsfp", "De Saxcé fixed point, step 1", SICONOS_FRICTION_3D_DSFP},
      {"siconos-dsfp-scaled", "De Saxcé fixed point, step 1 / ||W||_inf", SICONOS_FRICTION_3D_DSFP,
       "ncp",
       [](SolverOptions& options, const Request& request) {
         const double norm = (request.W().cwiseAbs() * Vector::Ones(request.unknowns())).maxCoeff();
         if (norm > 0) options.dparam[SICONOS_FRICTION_3D_NSN_RHO] = 1 / norm;
       }},
      {"siconos-hp", "hyperplane projection", SICONOS_FRICTION_3D_HP},
      {"siconos-eg", "extra-gradient", SICONOS_FRICTION_3D_EG},
      {"siconos-fpp", "fixed point projection", SICONOS_FRICTION_3D_FPP},
      {"siconos-vi-eg", "extra-gradient, self-adaptive steps", SICONOS_FRICTION_3D_VI_EG},
      {"siconos-vi-fpp", "fixed point projection, self-adaptive steps", SICONOS_FRICTION_3D_VI_FPP},
  };
}

Table global() {
  return {
      {"siconos-global-nsgs-wr",
       "reduced to the local form, NSGS",
       SICONOS_GLOBAL_FRICTION_3D_NSGS_WR,
       "ncp",
       {},
       Storage::blocks,
       needs_diagonal},
      {"siconos-global-nsn-ac-wr", "reduced to the local form, Alart-Curnier Newton",
       SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR},
      {"siconos-global-nsn-ac", "Alart-Curnier Newton on the global form",
       SICONOS_GLOBAL_FRICTION_3D_NSN_AC},
      {"siconos-global-admm", "ADMM on the global form, constant penalty",
       SICONOS_GLOBAL_FRICTION_3D_ADMM},
      {"siconos-global-admm-br", "ADMM on the global form, residuals balanced",
       SICONOS_GLOBAL_FRICTION_3D_ADMM, "ncp",
       [](SolverOptions& options, const Request&) {
         options.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
             SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING;
       }},
      {"siconos-global-ipm", "interior point on the global form, convex",
       SICONOS_GLOBAL_FRICTION_3D_IPM, "ccp"},
      {"siconos-global-ipm-s",
       "interior point on the global form, corrected by the sliding velocity",
       SICONOS_GLOBAL_FRICTION_3D_IPM, "ncp",
       [](SolverOptions& options, const Request&) {
         options.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_UPDATE_S] =
             SICONOS_FRICTION_3D_ADMM_UPDATE_S_YES;
       }},
  };
}

}  // namespace
}  // namespace siconos

const Peer& peer() {
  using siconos::Method, siconos::Table;
  static const Peer made = [] {
    Peer all{PEER_VERSION, {}};
    const auto add = [&](const Table& table, auto solve) {
      for (const Method& method : table)
        all.solvers.push_back({method.name,
                               method.model,
                               "Siconos: " + method.summary,
                               {3},
                               [method, solve](const Request& request, Answer& answer) {
                                 solve(method, request, answer);
                               }});
    };
    for (const Table& table : {siconos::gauss_seidel(), siconos::newton(), siconos::fixed_points(),
                               siconos::projections()})
      add(table, siconos::solve_local);
    add(siconos::global(), siconos::solve_global);
    return all;
  }();
  return made;
}

}  // namespace frictionbench::peers
