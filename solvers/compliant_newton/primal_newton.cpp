#include "frictionbench/solvers/compliant_newton/primal_newton.hpp"

#include <fmt/format.h>

#include <limits>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/solvers/compliant_newton/velocity_model.hpp"

namespace frictionbench::solvers {

namespace {

// Whether an iteration made progress. When the cost only changes by rounding, its gradient decides:
// Newton's method at least halves it until that, too, is rounding.
class Gain {
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
  Iteration(const Compliance& compliance, const PrimalNewtonSettings& settings, Solve& solve)
      : settings_(settings),
        solve_(solve),
        trials_(solve.work()),
        contacts_(solve.problem().mu(), compliance),
        model_(make_velocity_model(solve.problem(), solve.work())),
        C_(Dim, solve.contacts()) {
    solve.soften(compliance.diagonal(Dim));
  }

  void run();
  void report_condition() {
    if (has_hessian_) solve_.report("hessian_condition", model_->condition());
  }

 private:
  bool is_balanced(const MomentumBalance& balance) const;
  bool carry_asymmetry(const Vector& r);
  void end_balanced(const Vector& r, const MomentumBalance& balance) {
    solve_.end_inaccurate(
        StopReason::momentum, r,
        fmt::format("momentum balances (error {:.1e}), but the residuals of the compliant CCP are "
                    "not within the tolerance",
                    balance.error()));
  }
  std::string advance(const Vector& u, const Vector& r, double momentum_cost);
  LinePoint along(const NewtonDirection& direction, double momentum_cost, const Vector& u,
                  double alpha) const;

  const PrimalNewtonSettings& settings_;
  Solve& solve_;
  TrialSteps trials_;
  RegularizedContacts<Dim> contacts_;
  std::unique_ptr<VelocityModel> model_;
  BlockDiagonal C_;
  Vector state_;
  bool has_hessian_ = false;
  double carried_at_ = std::numeric_limits<double>::infinity();  // residual at that time
};

// [Castro22] (26)
template <int Dim>
bool Iteration<Dim>::is_balanced(const MomentumBalance& balance) const {
  return balance.residual <
         settings_.absolute_tolerance + settings_.relative_tolerance * balance.size();
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
std::string Iteration<Dim>::advance(const Vector& u, const Vector& r, double momentum_cost) {
  contacts_.curvature_root(u, C_);
  if (!model_->factorize(C_)) return "the Hessian is numerically not positive definite";
  const NewtonDirection direction = model_->direction(state_, r);
  const auto line = [&](double alpha) {
    trials_.count();
    return along(direction, momentum_cost, u, alpha);
  };
  const LinePoint start = along(direction, momentum_cost, u, 0);
  const double alpha = step_length(settings_.line_search, start, line);
  if (!(alpha > 0)) return "rounding: no step lowers the cost";
  state_ += alpha * direction.state;
  has_hessian_ = true;
  return {};
}

// To be called at a minimum. \returns false if that is the best that can be had.
template <int Dim>
bool Iteration<Dim>::carry_asymmetry(const Vector& r) {
  if (!settings_.carry_asymmetry || model_->is_symmetric()) return false;
  const double residual = solve_.residuals().max();
  if (!(residual <= carried_at_ / 2)) return false;
  carried_at_ = residual;
  model_->carry_asymmetry(state_, r);
  return true;
}

template <int Dim>
void Iteration<Dim>::run() {
  state_ = model_->state(solve_.start());
  solve_.answer_unsolved_with(contacts_.impulse(model_->contact_velocity(state_)));
  solve_.report("momentum_tolerance", settings_.relative_tolerance);

  Gain gain;
  while (solve_.begin_iteration()) {
    const Vector u = model_->contact_velocity(state_);
    const Vector r = contacts_.impulse(u);
    if (r.allFinite()) solve_.answer_unsolved_with(r);
    solve_.return_velocity(model_->velocity(state_));
    solve_.judge(r, solve_.W().velocity(r));
    const MomentumBalance balance = model_->balance(state_, r);
    const double momentum_cost = model_->momentum_cost(state_);
    const double cost = momentum_cost + contacts_.cost(r);
    solve_.report("cost", cost);
    solve_.report("momentum_error", balance.error());

    // The source's test alone decides where it is asked for: an answer within the tolerance goes on.
    const bool goes_on =
        settings_.stop == NewtonStop::momentum && solve_.is_within_tolerance(solve_.residuals());
    if (goes_on ? solve_.ends_for_time() : solve_.ends()) return;
    const bool balanced = is_balanced(balance);
    const bool at_minimum = !gain.made(cost, balance.residual);
    if (balanced && settings_.stop == NewtonStop::momentum) return end_balanced(r, balance);
    if ((balanced || at_minimum) && carry_asymmetry(r)) {
      gain = Gain();
      continue;
    }
    if (at_minimum && balanced) return end_balanced(r, balance);
    if (at_minimum)
      return solve_.stall("rounding: the cost and the momentum error no longer decrease");
    if (std::string why = advance(u, r, momentum_cost); !why.empty())
      return solve_.stall(std::move(why));
  }
}

}  // namespace

void PrimalNewtonSettings::describe(SettingFields& fields) {
  fields.add(
      "stop", stop, {{"verified", NewtonStop::verified}, {"momentum", NewtonStop::momentum}},
      "verified: when the residuals of the compliant CCP are within the tolerance of the run; "
      "momentum: when the momentum balances, [Castro22] (26)",
      "momentum is [Castro22]; verified is ours");
  fields.add("carry_asymmetry", carry_asymmetry,
             "if M or W is not symmetric, repeat with the asymmetric part on the right-hand side; "
             "false: solve with the symmetric part alone",
             "ours; [Castro22] has symmetric matrices");
  fields.add("relative_tolerance", relative_tolerance, at_least(0),
             "relative tolerance of the momentum balance, [Castro22] (26)",
             "[Castro22] section IV-E studies 1e-6 to 1e-1; Drake: 1e-6");
  fields.add("absolute_tolerance", absolute_tolerance, at_least(0),
             "absolute tolerance of the momentum balance, in sqrt(J)", "[Castro22] section IV-E");
  fields.add("condition", condition,
             "report the condition number of the last Hessian, computed from all eigenvalues (cost "
             "cubic in its size)",
             "[Castro22] Fig. 15");
}

void primal_newton(const Compliance& compliance, const PrimalNewtonSettings& settings,
                   Solve& solve) {
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    Iteration<dim()> iteration(compliance, settings, solve);
    iteration.run();
    if (settings.condition) iteration.report_condition();
  });
}

}  // namespace frictionbench::solvers
