#include "admm/proximal_admm.hpp"

#include <cmath>

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solver/stopping.hpp"

namespace frictionbench::solvers {

void AdmmSettings::describe(SettingFields& fields) {
  fields.add("rho_update", rho_update,
             {{"spectral", PenaltyRule::spectral},
              {"linear", PenaltyRule::linear},
              {"constant", PenaltyRule::constant}},
             "how the penalty rho follows the residuals", "S section III-F");
  fields.add("p_initial", p_initial, any_number(), "initial exponent p of rho = sqrt(m L) kappa^p",
             "Pinocchio's ADMM; S (45) leaves it free");
  fields.add("p_inc", p_inc, positive(), "spectral: what p grows by", "S (46)");
  fields.add("p_dec", p_dec, positive(), "spectral: what p shrinks by", "S (46)");
  fields.add("rho_initial", rho_initial, at_least(0),
             "initial penalty rho, unit of W; 0 takes it from (45) with p_initial", "S (45)");
  fields.add("tau_inc", tau_inc, above(1), "linear: what rho is multiplied by", "S (44)");
  fields.add("tau_dec", tau_dec, above(1), "linear: what rho is divided by", "S (44)");
  fields.add("alpha", alpha, above(1),
             "ratio of primal to dual residual, or dual to primal, from which rho changes",
             "S (44); value from Pinocchio's ADMM");
  fields.add("eta", eta, positive(),
             "proximal term, unit of W; also the strong convexity m of (45)", "S section III-B");
  fields.add("power_iterations", power_iterations, at_least(1),
             "products spent on the largest eigenvalue L of (45)",
             "S section III-F; value from Pinocchio's ADMM");
  fields.add("stop", stop, {{"admm", StoppingTest::admm}, {"verified", StoppingTest::verified}},
             "admm: S (43) alone; verified: (43), and then the residuals of the model at "
             "u = W y + q as well, one product a test",
             "S (43)");
  fields.shorthand("tau", {"tau_inc", "tau_dec"},
                   "tau_inc and tau_dec together, as in S Table III");
  fields.shorthand("p", {"p_inc", "p_dec"}, "p_inc and p_dec together, as in S Table III");
}

namespace {

// The penalty and the rule that moves it.
class Penalty {
 public:
  Penalty(const AdmmSettings& settings, double largest_eigenvalue)
      : settings_(settings), p_(settings.p_initial) {
    const double m = settings.eta;
    const double L = largest_eigenvalue + settings.eta;
    root_mL_ = std::sqrt(m * L);
    kappa_ = L / m;
    rho_ = settings.rho_initial > 0 ? settings.rho_initial : spectral();
  }

  double rho() const { return rho_; }

  // Returns whether rho changed, so that the matrix must be factored again.
  bool update(double primal, double dual) {
    const bool grow = primal >= settings_.alpha * dual;
    const bool shrink = !grow && dual >= settings_.alpha * primal;
    if (settings_.rho_update == PenaltyRule::constant || (!grow && !shrink)) return false;
    if (settings_.rho_update == PenaltyRule::linear) {
      rho_ = grow ? rho_ * settings_.tau_inc : rho_ / settings_.tau_dec;  // (44)
    } else {
      p_ += grow ? settings_.p_inc : -settings_.p_dec;  // (46)
      rho_ = spectral();
    }
    return true;
  }

 private:
  double spectral() const { return root_mL_ * std::pow(kappa_, p_); }  // (45)

  const AdmmSettings& settings_;
  double root_mL_;
  double kappa_;
  double p_;
  double rho_;
};

struct State {
  Vector f;  // unconstrained impulse
  Vector y;  // its copy in the cone, the answer
  Vector z;  // dual variable, the modified velocity û
};

// Without a guess all start from zero; a guess is projected, and z starts from its velocity.
State initial_state(ContactModel model, const ContactProblem& problem, const DelassusOperator& W,
                    const Vector& guess) {
  State state{guess, guess, Vector::Zero(guess.size())};
  if (guess.isZero(0)) return state;
  with_dimension(problem.dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    for (Index i = 0; i < problem.contacts(); ++i) {
      auto y_i = state.y.segment<Dim>(Dim * i);
      y_i = project_on_cone(y_i.eval(), problem.mu()[i]);
    }
    const Vector u = W.velocity(state.y);
    for (Index i = 0; i < problem.contacts(); ++i) {
      const double mu = problem.mu()[i];
      Eigen::Matrix<double, Dim, 1> velocity = u.segment<Dim>(Dim * i);
      if (model == ContactModel::ncp) velocity[0] += de_saxce_correction(velocity, mu);
      state.z.segment<Dim>(Dim * i) = project_on_dual_cone(velocity, mu);
    }
  });
  state.f = state.y;
  return state;
}

// b = -(q + s - eta f - rho y - z) of (37), with s = Γ(z) or 0.
template <int Dim>
void right_hand_side(ContactModel model, const ContactProblem& problem, double eta, double rho,
                     const State& state, Vector& b) {
  b = eta * state.f + rho * state.y + state.z - problem.local().q;
  if (model != ContactModel::ncp) return;
  for (Index i = 0; i < problem.contacts(); ++i)
    b[Dim * i] -= de_saxce_correction(state.z.segment<Dim>(Dim * i), problem.mu()[i]);
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

  State state = initial_state(model, problem, W, guess.r);
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
    right_hand_side<Dim>(model, problem, settings.eta, rho, state, state.f);
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

    if (penalty.update(residuals.primal, residuals.dual) && !refactor()) {
      not_positive_definite();
      break;
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
