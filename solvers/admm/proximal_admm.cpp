#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solvers/admm/penalty.hpp"

namespace frictionbench::solvers {

namespace {

struct State {
  Vector f;  // unconstrained impulse
  Vector y;  // its copy in the cone, the answer
  Vector z;  // dual variable, the modified velocity û
};

// b = -(q + s - eta f - rho y - z) of (37), with s = Γ(z) or 0.
void right_hand_side(const Solve& solve, double eta, double rho, const State& state, Vector& b) {
  b = eta * state.f + rho * state.y + state.z - solve.q();
  if (solve.model() == ContactModel::ncp) b -= corrections(solve.problem(), state.z);
}

// (38), (36c) and the residuals (40)-(42), contact by contact; state.f already holds f_k.
// \param balanced receives them in the units of the file, which the penalty rule compares.
template <int Dim>
ConeResiduals project_and_measure(const Solve& solve, double eta, double rho, const Vector& old_f,
                                  State& state, ConeResiduals& balanced) {
  return largest_residuals(solve.contacts(), solve.units(), [&](Index i) -> ConeResiduals {
    const Eigen::Matrix<double, Dim, 1> f = state.f.segment<Dim>(Dim * i);
    const Eigen::Matrix<double, Dim, 1> old_y = state.y.segment<Dim>(Dim * i);
    auto z = state.z.segment<Dim>(Dim * i);
    const Eigen::Matrix<double, Dim, 1> y = project_on_cone((f - z / rho).eval(), solve.mu(i));
    z -= rho * (f - y);
    state.y.segment<Dim>(Dim * i) = y;

    const Eigen::Matrix<double, Dim, 1> dual =
        eta * (f - old_f.segment<Dim>(Dim * i)) + rho * (y - old_y);
    const ConeResiduals own{(f - y).template lpNorm<Eigen::Infinity>(),
                            dual.template lpNorm<Eigen::Infinity>(), std::abs(f.dot(z))};
    balanced.take_contact(i, own, 1, 1);
    return own;
  });
}

template <int Dim>
void iterate(const AdmmSettings& settings, Solve& solve) {
  const DelassusOperator& W = solve.W();
  ShiftedCholesky cholesky = W.factorization();
  Penalty penalty = penalty_for(settings, W, cholesky);
  const auto refactor = [&] {
    const bool definite = cholesky.factorize(settings.eta + penalty.rho());
    if (!definite) solve.fail("W + (eta + rho) I is not positive definite");
    return definite;
  };

  AdmmStart start = admm_start(solve, 0);
  State state{start.y, start.y, std::move(start.z)};
  solve.answer_unsolved_with(state.y);
  if (!refactor()) return;

  Vector old_f;
  while (solve.begin_iteration()) {
    const double rho = penalty.rho();
    old_f = state.f;
    right_hand_side(solve, settings.eta, rho, state, state.f);
    cholesky.solve_in_place(state.f);
    ConeResiduals balanced;
    const ConeResiduals residuals =
        project_and_measure<Dim>(solve, settings.eta, rho, old_f, state, balanced);
    solve.answer_unsolved_with(state.y);
    solve.report("rho", rho);

    const bool verify =
        settings.stop == StoppingTest::verified && solve.is_within_tolerance(residuals);
    if (verify ? solve.ends(state.y, W.velocity(state.y), rho)
               : solve.ends_by(StopReason::admm_residuals, residuals, state.y, rho))
      return;

    if (const int direction = penalty.direction(balanced.primal, balanced.dual)) {
      penalty.move(direction);
      if (!refactor()) return;
    }
  }
}

}  // namespace

void proximal_admm(const AdmmSettings& settings, Solve& solve) {
  if (!solve.problem().is_plain())
    return solve.refuse("variant = rss2024 takes friction cones only, as the paper does");
  solve.use(settings.scaling);
  with_dimension(solve.problem().dimension(), [&](auto dim) { iterate<dim()>(settings, solve); });
}

}  // namespace frictionbench::solvers
