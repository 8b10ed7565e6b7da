#include "frictionbench/solvers/jacobi/projected_jacobi.hpp"

#include <algorithm>

namespace frictionbench::solvers {

void JacobiSettings::describe(SettingFields& fields) {
  fields.add("relaxation", relaxation, open_interval(0, 2),
             "relaxation factor omega of the step; any is safe for the CCP with divisor=row_sum",
             "1: the step that D - W >= 0 justifies");
  fields.add(
      "divisor", divisor, {{"row_sum", Divisor::row_sum}, {"trace", Divisor::trace}},
      "what divides the step of a contact: the largest absolute row sum of its rows of W, or "
      "trace(W_ii) / dim, which wants an omega far below 1 where contacts are coupled",
      "row_sum: Gershgorin; trace: Chrono's ChSolverJacobi");
}

Vector jacobi_steps(const ContactProblem& problem, const JacobiSettings& settings) {
  const SparseMatrix& W = problem.local().W;
  const Index dim = problem.dimension();
  Vector divisors = Vector::Zero(problem.contacts());
  if (settings.divisor == JacobiSettings::Divisor::trace) {
    const Vector diagonal = W.diagonal();
    for (Index i = 0; i < problem.contacts(); ++i)
      divisors[i] = diagonal.segment(dim * i, dim).mean();
  } else {
    for (Index row = 0; row < W.rows(); ++row) {
      double sum = 0;
      for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry)
        sum += std::abs(entry.value());
      divisors[row / dim] = std::max(divisors[row / dim], sum);
    }
  }
  return settings.relaxation * divisors.cwiseInverse();
}

}  // namespace frictionbench::solvers
