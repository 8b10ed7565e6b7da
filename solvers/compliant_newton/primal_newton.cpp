#include "frictionbench/solvers/compliant_newton/primal_newton.hpp"

#include <fmt/format.h>

#include <limits>

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/solver/stopping.hpp"
#include "frictionbench/solvers/compliant_newton/velocity_model.hpp"

namespace frictionbench::solvers {

namespace {

// Whether an iteration gained on the one before. Where the cost is at its round-off, its gradient
// tells: Newton's method at least halves it, until that is round-off, too.
class Progress {
 public:
  bool made(double cost, double gradient) {
    const bool better = cost < cost_ || gradient <= gradient_ / 2;
    cost_ = cost;
    gradient_ = gradient;
    return better;
  }

 private:
  double cost_ = std::numeric_limits<double>::infinity();
  double gradient_ = std::numeric_limits<double>::infinity();
};

template <int Dim>
class Iteration {
 public:
  Iteration(const Compliance& compliance, const PrimalNewtonSettings& settings,
            const ContactProblem& problem, Result& result)
      : settings_(settings),
        problem_(problem),
        W_(problem, result.work),
        contacts_(problem.mu(), compliance),
        model_(make_velocity_model(problem, result.work)),
        C_(Dim, problem.contacts()) {}

  void run(const Limits& limits, const InitialGuess& guess, Observer& observer, Result& result);

 private:
  bool is_solved(const MomentumBalance& balance, Result& result) const;
  std::string advance(const Vector& u, const Vector& r, double momentum_cost, WorkCounters& work);
  LinePoint along(const NewtonDirection& direction, double momentum_cost, const Vector& u,
                  double alpha) const;

  const PrimalNewtonSettings& settings_;
  const ContactProblem& problem_;
  DelassusOperator W_;
  RegularizedContacts<Dim> contacts_;
  std::unique_ptr<VelocityModel> model_;
  BlockDiagonal C_;
  Vector state_;
};

// [Castro22] (26)
template <int Dim>
bool Iteration<Dim>::is_solved(const MomentumBalance& balance, Result& result) const {
  if (!(balance.residual <
        settings_.absolute_tolerance + settings_.relative_tolerance * balance.size()))
    return false;
  result.status = Status::inaccurate;
  result.fired = "momentum";
  result.message = fmt::format(
      "solves the compliant problem (momentum error {:.1e}), which differs from the CCP",
      balance.error());
  return true;
}

// [Castro22] section IV-C
template <int Dim>
LinePoint Iteration<Dim>::along(const NewtonDirection& direction, double momentum_cost,
                                const Vector& u, double alpha) const {
  const Vector moved = u + alpha * direction.contact;
  const Vector r = contacts_.impulse(moved);
  const double slope = direction.slope + alpha * direction.curvature;
  return {momentum_cost + alpha * (direction.slope + slope) / 2 + contacts_.cost(r),
          slope - direction.contact.dot(r),
          direction.curvature + contacts_.curvature(moved, direction.contact)};
}

// One Newton step. \returns why there is none; empty if there is.
template <int Dim>
std::string Iteration<Dim>::advance(const Vector& u, const Vector& r, double momentum_cost,
                                    WorkCounters& work) {
  contacts_.curvature_root(u, C_);
  if (!model_->factorize(C_)) return "the Hessian is not positive definite to rounding";
  const NewtonDirection direction = model_->direction(state_, r);
  const auto line = [&](double alpha) {
    ++work.line_search;
    return along(direction, momentum_cost, u, alpha);
  };
  const LinePoint start = along(direction, momentum_cost, u, 0);
  const double alpha = step_length(settings_.line_search, start, line);
  if (!(alpha > 0)) return "rounding leaves no step that lowers the cost";
  state_ += alpha * direction.state;
  return {};
}

template <int Dim>
void Iteration<Dim>::run(const Limits& limits, const InitialGuess& guess, Observer& observer,
                         Result& result) {
  const auto stall = [&result](std::string why) {
    result.status = Status::stalled;
    result.message = std::move(why);
  };
  state_ = model_->state(guess.r);
  result.r = contacts_.impulse(model_->contact_velocity(state_));
  observer.setup_finished();

  Progress progress;
  for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
    const Vector u = model_->contact_velocity(state_);
    const Vector r = contacts_.impulse(u);
    const ConeResiduals residuals = cone_residuals(ContactModel::ccp, problem_, r, W_.velocity(r));
    observer.iterated({result.iterations, residuals});
    const MomentumBalance balance = model_->balance(state_, r);
    const double momentum_cost = model_->momentum_cost(state_);
    const double cost = momentum_cost + contacts_.cost(r);
    result.claimed["cost"] = cost;
    result.claimed["momentum_error"] = balance.error();
    result.claimed["momentum_tolerance"] = settings_.relative_tolerance;

    if (r.allFinite()) result.r = r;
    if (stop_on_residuals(residuals, limits, result)) break;
    if (is_solved(balance, result)) break;
    if (!progress.made(cost, balance.residual)) {
      stall("rounding: neither the cost nor the momentum error falls any more");
      break;
    }
    if (std::string why = advance(u, r, momentum_cost, result.work); !why.empty()) {
      stall(std::move(why));
      break;
    }
  }
  if (result.iterations > limits.max_iterations) stop_at_iteration_limit(limits, result);
  if (settings_.condition && result.work.line_search > 0)
    result.claimed["hessian_condition"] = model_->condition();
}

}  // namespace

void PrimalNewtonSettings::describe(SettingFields& fields) {
  fields.add("relative_tolerance", relative_tolerance, at_least(0),
             "relative tolerance of the balance of momentum, [Castro22] (26)",
             "the lower end of the 1e-6 to 1e-1 of [Castro22] section IV-E; Drake");
  fields.add("absolute_tolerance", absolute_tolerance, at_least(0),
             "absolute tolerance of the balance of momentum, square root of J", "[Castro22] section IV-E");
  fields.add("condition", condition,
             "claim the condition number of the last Hessian, from all of its eigenvalues (cubic "
             "in its size)",
             "[Castro22] Fig. 15");
}

Result primal_newton(const Compliance& compliance, const PrimalNewtonSettings& settings,
                     const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                     Observer& observer) {
  Result result;
  with_dimension(problem.dimension(), [&](auto dim) {
    Iteration<dim()>(compliance, settings, problem, result).run(limits, guess, observer, result);
  });
  return result;
}

}  // namespace frictionbench::solvers
