// The global form: M v = H r + q, u = H^T v + b there, with their q = f and b = w of the same file.
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>

#include "siconos.hpp"

namespace frictionbench::peers::siconos {

namespace {

NumericsMatrix* triplets(const Eigen::Map<const SparseMatrix>& given) {
  const int rows = static_cast<int>(given.rows());
  NumericsMatrix* const matrix = NM_create(NM_SPARSE, rows, static_cast<int>(given.cols()));
  NM_triplet_alloc(matrix, given.nonZeros());
  for (int row = 0; row < rows; ++row)
    for (Eigen::Map<const SparseMatrix>::InnerIterator entry(given, row); entry; ++entry)
      NM_entry(matrix, row, static_cast<int>(entry.col()), entry.value());
  return matrix;
}

}  // namespace

void solve_global(const Method& method, const Request& request, Answer& answer) {
  if (!request.has_global_form()) throw Refusal("needs the global form");
  if (method.id == SICONOS_GLOBAL_FRICTION_3D_IPM && (request.mu().array() <= 0).any())
    throw Refusal("divides by mu: needs mu > 0");
  if (request.has_compliance()) throw Refusal("the global form has no compliance");
  const std::unique_ptr<GlobalFrictionContactProblem, decltype(&globalFrictionContact_free)>
      problem(globalFrictionContactProblem_new(), &globalFrictionContact_free);
  problem->dimension = 3;
  problem->numberOfContacts = request.contacts();
  problem->M = triplets(request.M());
  problem->H = triplets(request.H());
  problem->q = copy(request.f().data(), request.f().size());
  problem->b = copy(request.w().data(), request.unknowns());
  problem->mu = copy(request.mu().data(), request.contacts());

  Vector velocity = Vector::Zero(request.unknowns()), v = Vector::Zero(request.f().size());
  solve(method, request, answer, [&](SolverOptions& options) {
    return gfc3d_driver(problem.get(), answer.r.data(), velocity.data(), v.data(), &options);
  });
}

}  // namespace frictionbench::peers::siconos
