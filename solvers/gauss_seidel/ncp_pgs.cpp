#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"

namespace frictionbench::solvers {

void NcpPgs::describe(SettingFields& fields) {
  fields.add(
      "relaxation", relaxation, open_interval(0, 2),
      "relaxation factor omega of the normal and the tangential step; 1 is plain Gauss-Seidel "
      "and the paper's value",
      "measured, see ncp_pgs.hpp; [LeLidec24] Alg. 6: 1");
  fields.add(
      "tangent_divisor", tangent_divisor,
      {{"largest_eigenvalue", TangentDivisor::largest_eigenvalue},
       {"smallest_entry", TangentDivisor::smallest_entry}},
      "divisor of the tangential step; largest_eigenvalue: of W_TT; smallest_entry: the smaller "
      "diagonal entry of W_TT, as in the paper",
      "largest_eigenvalue: measured, see ncp_pgs.hpp; smallest_entry: [LeLidec24] Alg. 6");
  sweeps.describe(fields);
}

RegisteredSolver ncp_pgs() {
  const auto run = [](const NcpPgs& settings, Solve& solve) {
    gauss_seidel_of_blocks(settings.sweeps, solve, [&](const auto& W, Index i, Vector& r, auto&) {
      settings.step(W, i, r);
    });
  };
  return solver_entry<NcpPgs>(
      {.name = "ncp-pgs",
       .model = ContactModel::ncp,
       .summary = "over-relaxed projected Gauss-Seidel on the exact friction cone",
       .sources = {"[LeLidec24] Alg. 6", "[Carpentier24] section V"},
       .every_set = true,
       .bilateral = Bilateral::block},
      run);
}

}  // namespace frictionbench::solvers
