#include "frictionbench/solvers/admm/proximal_admm.hpp"

#include "frictionbench/solvers/admm/admm_start.hpp"
#include "frictionbench/solvers/admm/penalty.hpp"
#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solver/stopping.hpp"

namespace frictionbench::solvers {

namespace {

struct State {
  Vector f;  // unconstrained impulse
  Vector y;  // its copy in the cone, the answer
  Vector z;  // dual variable, the modified velocity û
};

// b = -(q + s - eta f - rho y - z) of (37), with s = Γ(z) or 0.
void right_hand_side(ContactModel model, const ContactProblem& problem, double eta, double rho,
                     const State& state, Vector& b) {
  b = eta * state.f + rho * state.y + state.z - problem.local().q;
  if (model == ContactModel::ncp) b -= de_saxce_corrections(state.z, problem.mu());
}

// (38), (36c) and the residuals (40)-(42), contact by contact; state.f holds f_k already.
template <int Dim>
ConeResiduals project_and_measure(const ContactProblem& problem, double eta, double rho,
                                  const Vector& old_f, State& state) {
  ConeResiduals residuals;
  residuals.worst_contact = 0;
  const auto keep_largest = [](double& largest, double value) {
    if (!(value <= largest)) largest = value;  // keeps a NaN
  };
  for (Index i = 0; i < problem.contacts(); ++i) {
    const Eigen::Matrix<double, Dim, 1> f = state.f.segment<Dim>(Dim * i);
    const Eigen::Matrix<double, Dim, 1> old_y = state.y.segment<Dim>(Dim * i);
    auto z = state.z.segment<Dim>(Dim * i);
    const Eigen::Matrix<double, Dim, 1> y = project_on_cone((f - z / rho).eval(), problem.mu()[i]);
    z -= rho * (f - y);
    state.y.segment<Dim>(Dim * i) = y;

    const Eigen::Matrix<double, Dim, 1> dual =
        eta * (f - old_f.segment<Dim>(Dim * i)) + rho * (y - old_y);
    keep_largest(residuals.primal, (f - y).template lpNorm<Eigen::Infinity>());
    keep_largest(residuals.dual, dual.template lpNorm<Eigen::Infinity>());
    keep_largest(residuals.complementarity, std::abs(f.dot(z)));
  }
  return residuals;
}

template <int Dim>
Result iterate(ContactModel model, const AdmmSettings& settings, const ContactProblem& problem,
               const Limits& limits, const InitialGuess& guess, Observer& observer) {
  Result result;
  const DelassusOperator W(problem, result.work);
  Penalty penalty(settings, W.largest_eigenvalue(settings.power_iterations));
  ShiftedCholesky cholesky = W.factorization();
  const auto refactor = [&] { return cholesky.factorize(settings.eta + penalty.rho()); };
  const auto not_positive_definite = [&] {
    result.status = Status::error;
    result.message = "W + (eta + rho) I is not positive definite";
  };

  AdmmStart start = admm_start(model, problem, W, guess.r, 0, result.work);
  State state{start.y, start.y, std::move(start.z)};
  result.r = state.y;
  if (!refactor()) {
    not_positive_definite();
    return result;
  }
  observer.setup_finished();

  Vector old_f;
  for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
    const double rho = penalty.rho();
    old_f = state.f;
    right_hand_side(model, problem, settings.eta, rho, state, state.f);
    cholesky.solve_in_place(state.f);
    const ConeResiduals residuals =
        project_and_measure<Dim>(problem, settings.eta, rho, old_f, state);
    observer.iterated({result.iterations, residuals, rho});

    const bool small = residuals.within(limits.tolerances);
    if (small && settings.stop == StoppingTest::verified) {
      const ConeResiduals verified = cone_residuals(model, problem, state.y, W.velocity(state.y));
      if (stop_on_residuals(verified, limits, result)) break;
    } else if (stop_on_residuals(residuals, limits, result)) {
      break;
    }

    if (const int direction = penalty.direction(residuals.primal, residuals.dual)) {
      penalty.move(direction);
      if (!refactor()) {
        not_positive_definite();
        break;
      }
    }
  }
  if (result.iterations > limits.max_iterations) stop_at_iteration_limit(limits, result);
  result.r = state.y;
  result.claimed["rho"] = penalty.rho();
  return result;
}

}  // namespace

Result proximal_admm(ContactModel model, const AdmmSettings& settings,
                     const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                     Observer& observer) {
  return with_dimension(problem.dimension(), [&](auto dim) {
    return iterate<dim()>(model, settings, problem, limits, guess, observer);
  });
}

}  // namespace frictionbench::solvers
