/// \file
/// What the projected Jacobi solvers share: the settings, the step lengths, and the loop. All
/// contacts are stepped from the same velocity, so that their order does not matter and they could
/// be stepped at once.
#pragma once

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solver/stopping.hpp"

namespace frictionbench::solvers {

struct JacobiSettings {
  /// What divides the step of a contact.
  enum class Divisor {
    row_sum,  ///< D_i = max_a sum_b |W_ab| over the rows a of the contact
    trace     ///< trace(W_ii) / dim, as in Gauss-Seidel
  };

  double relaxation = 1.0;
  Divisor divisor = Divisor::row_sum;
  void describe(SettingFields& fields);
};

/// The step length of each contact, relaxation / divisor.
Vector jacobi_steps(const ContactProblem& problem, const JacobiSettings& settings);

/// Iterates until the model's residuals are within the tolerances. An iteration takes one product
/// with W, for its velocity decides both: whether to stop, and the next step.
/// \tparam Dim the problem's dimension.
/// \param update `update(u_i, step, mu, r_i)` improves the impulse of a contact in place.
template <int Dim, typename Update>
Result projected_jacobi(ContactModel model, const ContactProblem& problem, const Limits& limits,
                        const Vector& start, Observer& observer, const JacobiSettings& settings,
                        const Update& update) {
  using Segment = Eigen::Matrix<double, Dim, 1>;
  Result result;
  result.r = start;
  const DelassusOperator W(problem, result.work);
  const Vector steps = jacobi_steps(problem, settings);
  Vector u = W.velocity(result.r);
  observer.setup_finished();

  for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Segment u_i = u.segment<Dim>(Dim * i);
      Segment r_i = result.r.segment<Dim>(Dim * i);
      update(u_i, steps[i], problem.mu()[i], r_i);
      result.r.segment<Dim>(Dim * i) = r_i;
    }
    ++result.work.sweeps;

    u = W.velocity(result.r);
    const ConeResiduals residuals = cone_residuals(model, problem, result.r, u);
    observer.iterated({result.iterations, residuals});
    if (stop_on_residuals(residuals, limits, result)) return result;
  }
  stop_at_iteration_limit(limits, result);
  return result;
}

}  // namespace frictionbench::solvers
