#include "frictionbench/solvers/hybrid/sweep_stage.hpp"

#include <algorithm>

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/solver/stopping.hpp"
#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"
#include "frictionbench/solvers/gauss_seidel/separable_step.hpp"
#include "frictionbench/solvers/hybrid/forecast.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int longest_interval = 8;  // sweeps between two judgements, which cost about one

// Where contacts are few, sweeps cost little beside the start of an ADMM: more of them are exact,
// and the forecast counts later.
int exact_sweeps(Index contacts) {
  return static_cast<int>(std::clamp<Index>(40 / contacts, 2, 20));
}
int fewest_sweeps(Index contacts) {
  return static_cast<int>(std::clamp<Index>(500 / contacts, 24, 200));
}

// As ncp-nsgs without relaxation: an end where contacts hardly feel each other.
template <int Dim>
void exact_sweep(const ContactProblem& problem, const BlockRows<Dim>& rows, Vector& r) {
  for (Index i = 0; i < rows.contacts(); ++i)
    r.segment<Dim>(Dim * i) = solve_one_contact<Dim>(
        rows.diagonal(i), rows.free_velocity(i, r, problem.local().q), problem.mu()[i]);
}

// As ncp-pgs, at less than half the cost.
template <int Dim>
void separable_sweep(const ContactProblem& problem, const BlockRows<Dim>& rows, Vector& r) {
  const NcpPgs::Settings pgs;
  for (Index i = 0; i < rows.contacts(); ++i)
    separable_step(rows, problem.local().q, problem.mu()[i], pgs.relaxation, pgs.tangent_divisor, i,
                   r, [](auto& r_T, double limit) { project_on_disc(r_T, limit); });
}

template <int Dim>
void run(const ContactProblem& problem, const Limits& limits, Observer& observer, Result& result) {
  const DelassusOperator W(problem, result.work);
  const BlockRows<Dim> rows = W.block_rows<Dim>();
  Forecast forecast(limits.tolerances);
  observer.setup_finished();
  while (result.iterations < limits.max_iterations) {
    const int left = limits.max_iterations - result.iterations;
    const int interval = std::min(std::clamp(result.iterations, 1, longest_interval), left);
    for (int k = 0; k < interval; ++k)
      if (result.iterations++ < exact_sweeps(rows.contacts()))
        exact_sweep(problem, rows, result.r);
      else
        separable_sweep(problem, rows, result.r);
    result.work.sweeps += interval;

    const Vector u = W.velocity(rows, result.r);
    const ConeResiduals residuals = cone_residuals(ContactModel::ncp, problem, result.r, u);
    observer.iterated({result.iterations, residuals});
    if (stop_on_residuals(residuals, limits, result)) return;
    forecast.add(result.iterations, residuals);
    if (result.iterations >= fewest_sweeps(rows.contacts()) &&
        forecast.iterations_left() > left - interval)
      break;
  }
  result.status = Status::max_iterations;
}

}  // namespace

Result sweep_stage(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer) {
  Result result;
  result.r = guess.r;
  with_dimension(problem.dimension(),
                 [&](auto dim) { run<dim()>(problem, limits, observer, result); });
  return result;
}

}  // namespace frictionbench::solvers
