#include "frictionbench/solvers/hybrid/ncp_hybrid.hpp"

#include "frictionbench/solvers/admm/accelerated_admm.hpp"
#include "frictionbench/solvers/admm/ncp_admm.hpp"
#include "frictionbench/solver/scaled_solve.hpp"
#include "frictionbench/solvers/hybrid/forecast.hpp"
#include "frictionbench/solvers/hybrid/stages.hpp"
#include "frictionbench/solvers/hybrid/sweep_stage.hpp"
#include "frictionbench/solvers/interior_point/ncp_ipm.hpp"
#include "frictionbench/solvers/nonsmooth_newton/ncp_newton.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int fewest_admm_iterations = 40;  // before the forecast counts
constexpr int forecast_interval = 10;       // iterations
constexpr int smooth_sweeps = 20;           // of ADMM's own, after those of stage 1

// Of methods on a problem that is scaled already.
template <typename Settings>
Settings unscaled(Settings settings = {}) {
  settings.scaling = Scaling::none;
  return settings;
}

// A registered solver from zero.
template <typename Method>
Stages::Stage as_it_is(const ContactProblem& problem,
                       const typename Method::Settings& settings = {}) {
  return [&problem, solver = Method(unscaled(settings))](const Limits& limits, const InitialGuess&,
                                                         Observer& observer) {
    return solver.solve(problem, limits, {}, observer);
  };
}

// The stages after the sweeps.
Result solve_by_factorizations(const NcpHybrid::Settings& settings, const ContactProblem& problem,
                               const Limits& limits, Observer& observer, Result begun) {
  Forecast forecast(limits.tolerances);
  const auto hopeless = [&](int iteration, const ConeResiduals& residuals) {
    forecast.add(iteration, residuals);
    return iteration >= fewest_admm_iterations && iteration % forecast_interval == 0 &&
           forecast.iterations_left() > settings.admm;
  };
  const auto admm = [&](const Limits& bounds, const InitialGuess& guess, Observer& watch) {
    auto its_settings = unscaled<AdmmSettings>();
    its_settings.start_sweeps = smooth_sweeps;
    return accelerated_admm(ContactModel::ncp, its_settings, problem, bounds, guess, watch,
                            hopeless);
  };
  InteriorPointSettings interior_point;
  interior_point.gap = 1e9;  // what is within the tolerances is good enough here
  NcpNewton::Settings natural_map;
  natural_map.function = ContactFunction::natural_map;

  Stages stages(problem, limits, observer, std::move(begun));
  stages.run("ADMM", settings.admm, admm) ||
      stages.run("interior point", settings.interior_point,
                 as_it_is<NcpIpm>(problem, interior_point)) ||
      stages.run("Newton", settings.safeguards, as_it_is<NcpNewton>(problem)) ||
      stages.run("Newton", settings.safeguards, as_it_is<NcpNewton>(problem, natural_map)) ||
      stages.run("interior point", settings.safeguards, as_it_is<NcpIpm>(problem)) ||
      stages.run("ADMM", limits.max_iterations, as_it_is<NcpAdmm>(problem));
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
  fields.add("safeguards", safeguards, at_least(0),
             "most iterations of each method that tries what is left, but the last one, ADMM; 0 "
             "leaves them out",
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
