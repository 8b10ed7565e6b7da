#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"

namespace frictionbench::solvers {

void NcpPgs::describe(SettingFields& fields) {
  fields.add("relaxation", relaxation, open_interval(0, 2),
             "relaxation factor omega of both steps; 1 is plain Gauss-Seidel, as in the paper",
             "measured, see ncp_pgs.hpp");
  fields.add("tangent_divisor", tangent_divisor,
             {{"largest_eigenvalue", TangentDivisor::largest_eigenvalue},
              {"smallest_entry", TangentDivisor::smallest_entry}},
             "divisor of the tangent step: the largest eigenvalue of W_TT, or, as in the paper, the "
             "smaller of its two diagonal entries",
             "smallest_entry: [LeLidec24] Alg. 6; largest_eigenvalue: measured, see ncp_pgs.hpp");
  sweeps.describe(fields);
}

RegisteredSolver ncp_pgs() {
  const auto run = [](const NcpPgs& settings, Solve& solve) {
    gauss_seidel(settings.sweeps, solve, [&](const auto& W, Index i, Vector& r, auto&) {
      settings.step(W, i, r);
    });
  };
  return solver_entry<NcpPgs>(
      {.name = "ncp-pgs",
       .model = ContactModel::ncp,
       .summary = "over-relaxed projected Gauss-Seidel on the exact friction cone",
       .sources = {"[LeLidec24] Alg. 6", "[Carpentier24] section V"},
       .zero_diagonal = false},
      run);
}

}  // namespace frictionbench::solvers
