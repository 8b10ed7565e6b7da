#include "hybrid/ncp_hybrid.hpp"

#include "admm/accelerated_admm.hpp"
#include "frictionbench/solver/scaled_solve.hpp"
#include "hybrid/forecast.hpp"
#include "hybrid/stages.hpp"
#include "hybrid/sweep_stage.hpp"
#include "interior_point/interior_point.hpp"
#include "newton/ncp_newton.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int fewest_admm_iterations = 40;  // before the forecast counts
constexpr int forecast_interval = 10;       // iterations

// The problem is scaled.
AdmmSettings default_admm() {
  AdmmSettings settings;
  settings.scaling = Scaling::none;
  return settings;
}

AdmmSettings admm_after_sweeps() {
  AdmmSettings settings = default_admm();
  settings.start_sweeps = 20;  // its own are smoother than those of stage 1
  return settings;
}

InteriorPointSettings interior_point_settings() {
  InteriorPointSettings settings;
  settings.scaling = Scaling::none;
  settings.gap = 1e9;  // what is within the tolerances is good enough here
  return settings;
}

// Stages 2 to 5.
Result solve_by_factorizations(const NcpHybrid::Settings& settings, const ContactProblem& problem,
                               const Limits& limits, Observer& observer, Result begun) {
  const auto interior = [&](const Limits& bounds, const InitialGuess& guess, Observer& watch) {
    return interior_point(ContactModel::ncp, interior_point_settings(), problem, bounds, guess,
                          watch);
  };
  const Vector zero = Vector::Zero(problem.unknowns());
  Forecast forecast(limits.tolerances);
  const auto hopeless = [&](int iteration, const ConeResiduals& residuals) {
    forecast.add(iteration, residuals);
    return iteration >= fewest_admm_iterations && iteration % forecast_interval == 0 &&
           forecast.iterations_left() > settings.admm;
  };
  const auto admm_while_hopeful = [&](const Limits& bounds, const InitialGuess& guess,
                                      Observer& watch) {
    return accelerated_admm(ContactModel::ncp, admm_after_sweeps(), problem, bounds, guess, watch,
                            hopeless);
  };
  const auto newton_from_zero = [&](const Limits& bounds, const InitialGuess&, Observer& watch) {
    NonsmoothNewtonSettings newton;
    newton.scaling = Scaling::none;
    return NcpNewton(newton).solve(problem, bounds, {zero}, watch);
  };
  const auto admm_from_zero = [&](const Limits& bounds, const InitialGuess&, Observer& watch) {
    return accelerated_admm(ContactModel::ncp, default_admm(), problem, bounds, {zero}, watch);
  };

  Stages stages(problem, limits, observer, std::move(begun));
  if (!stages.run("ADMM", settings.admm, admm_while_hopeful) &&
      !stages.run("interior point", settings.interior_point, interior) &&
      !stages.run("Newton", settings.newton, newton_from_zero))
    stages.run("ADMM", limits.max_iterations, admm_from_zero);
  return stages.result();
}

}  // namespace

void NcpHybrid::Settings::describe(SettingFields& fields) {
  fields.add("sweeps", sweeps, at_least(0), "most sweeps of the first stage; 0 leaves it out",
             "ours, see results/paper/second-order.md");
  fields.add("admm", admm, at_least(0),
             "most iterations of ADMM before the interior point method; 0 leaves them out",
             "ours, likewise");
  fields.add("interior_point", interior_point, at_least(0),
             "most iterations of the interior point method; 0 leaves it out", "ours, likewise");
  fields.add("newton", newton, at_least(0), "most iterations of Newton's method; 0 leaves it out",
             "ours, likewise");
}

SolverInfo NcpHybrid::info() {
  SolverInfo info;
  info.name = "ncp-hybrid";
  info.summary = "sweeps, ADMM, interior point steps, Newton: each while it promises enough";
  info.model = ContactModel::ncp;
  info.sources = {"frictionbench, results/paper/second-order.md"};
  return info;
}

Result NcpHybrid::run(const ContactProblem& problem, const Limits& limits,
                      const InitialGuess& guess, Observer& observer) const {
  Result begun;
  begun.r = guess.r;
  Stages sweeps(problem, limits, observer, std::move(begun));
  if (sweeps.run("sweeps", settings_.sweeps,
                 [&](const Limits& bounds, const InitialGuess& start, Observer& watch) {
                   return sweep_stage(problem, bounds, start, watch);
                 }))
    return sweeps.result();

  return solve_scaled(Scaling::contacts, ContactModel::ncp, problem, limits, {sweeps.result().r},
                      [&](const ContactProblem& scaled, const InitialGuess& start) {
                        Result swept = sweeps.result();
                        swept.r = start.r;
                        return solve_by_factorizations(settings_, scaled, limits, observer,
                                                       std::move(swept));
                      });
}

}  // namespace frictionbench::solvers
