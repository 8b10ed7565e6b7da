#include <algorithm>

#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/solvers/admm/admm.hpp"
#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"
#include "frictionbench/solvers/hybrid/forecast.hpp"
#include "frictionbench/solvers/interior_point/interior_point.hpp"
#include "frictionbench/solvers/nonsmooth_newton/ncp_newton.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int longest_interval = 8;         // sweeps between two judgements, which cost about one
constexpr int fewest_admm_iterations = 40;  // before the forecast counts
constexpr int forecast_interval = 10;       // iterations
constexpr int smooth_sweeps = 20;           // of ADMM's own, after those of stage 1

// Where contacts are few, sweeps cost little compared with the start of an ADMM: more of them are
// exact, and the forecast counts later.
int exact_sweeps(Index contacts) {
  return static_cast<int>(std::clamp<Index>(40 / contacts, 2, 20));
}
int fewest_sweeps(Index contacts) {
  return static_cast<int>(std::clamp<Index>(500 / contacts, 24, 200));
}

/// The NCP by stages, cheap ones first, each only for as long as it promises to be enough.
///
///  1. Sweeps of Gauss-Seidel. They solve what is easy in less time than a factorisation takes, and
///     what is large and loosely packed.
///  2. Accelerated ADMM from there (accelerated_admm). Fast to 1e-6, and where its active set is
///     right soon.
///  3. Interior point steps from afar (interior_point). A dozen factorisations, whatever tolerance
///     and conditioning; may be trapped.
///  4. Fallbacks for what is left, each from zero: ncp-newton; ncp-newton on the natural map;
///     ncp-ipm in full; ncp-admm up to the iteration limit. Newton's method solves most of what
///     traps the interior point method; it would solve the rest too, in more factorisations.
///
/// Stages 1 and 2 end early, by the rule of Forecast: when the iterations that their residuals ask
/// for are more than the stage has. All but the sweeps share one scaled problem (ContactScaling).
///
/// Iterations are the sum of all stages; `stage` says which one finished, and `... iterations` how
/// many each took. Why these stages and numbers: results/paper/second-order.md.
struct NcpHybrid {
  int sweeps = 200;         // limit of stage 1; 0 leaves it out
  int admm = 200;           // limit of ADMM before the interior point method; 0 leaves it out
  int interior_point = 30;  // limit of the interior point method; 0 leaves it out
  int safeguards = 1000;    // limit of each fallback, except the last one, ADMM; 0 leaves them out

  void describe(SettingFields& fields) {
    constexpr const char* source = "measured, see results/paper/second-order.md";
    fields.add("sweeps", sweeps, at_least(0), "sweep limit of the first stage; 0 leaves it out",
               source);
    fields.add("admm", admm, at_least(0),
               "iteration limit of ADMM before the interior point method; 0 leaves it out", source);
    fields.add("interior_point", interior_point, at_least(0),
               "iteration limit of the interior point method; 0 leaves it out", source);
    fields.add(
        "safeguards", safeguards, at_least(0),
        "iteration limit of each fallback method; the final ADMM fallback is limited only by "
        "--max-iterations; 0 disables the others",
        source);
  }
};

/// Two sweeps as ncp-nsgs makes them, without relaxation, or up to 20 where contacts are few; they
/// are enough where contacts hardly feel each other. Then those of ncp-pgs, at less than half the
/// cost. Judged after 1, 2, 4, 8 and then every 8 sweeps. The answer is the impulse after the last.
template <int Dim>
void sweep_stage(Solve& stage) {
  const auto W = stage.sweeps<Dim>();
  const NcpPgs pgs;
  const int exact = exact_sweeps(W.contacts());
  Forecast forecast(stage.tolerance());
  stage.give_up_when([&](int iteration, const ConeResiduals& residuals) {
    forecast.add(iteration, residuals);
    return iteration >= fewest_sweeps(W.contacts()) &&
           forecast.iterations_left() > stage.most_iterations() - iteration;
  });

  Vector r = stage.start();
  int next_judgement = 1;
  while (stage.begin_iteration()) {
    W.sweep([&](Index i) {
      if (stage.iteration() <= exact)
        r.segment<Dim>(Dim * i) = solve_one_contact(W.W(i), W.free_velocity(i, r), W.mu(i));
      else
        pgs.step(W, i, r);
    });
    if (stage.iteration() < next_judgement && !stage.is_last_iteration()) continue;
    stage.answer_unsolved_with(r);
    if (stage.ends(r, W.velocity(r))) return;
    next_judgement = stage.iteration() + std::clamp(stage.iteration(), 1, longest_interval);
  }
}

void admm_stage(int limit, Solve& stage) {
  Forecast forecast(stage.tolerance());
  stage.give_up_when([&](int iteration, const ConeResiduals& residuals) {
    forecast.add(iteration, residuals);
    return iteration >= fewest_admm_iterations && iteration % forecast_interval == 0 &&
           forecast.iterations_left() > limit;
  });
  AdmmSettings settings;
  settings.start_sweeps = smooth_sweeps;
  accelerated_admm(settings, stage);
}

void run(const NcpHybrid& settings, Solve& solve) {
  // Runs a stage. Returns whether that ended the solve.
  const auto ends = [&](const char* name, int most_iterations, const Vector& start,
                        const auto& method) {
    Solve stage(solve, name, most_iterations, start);
    if (stage.most_iterations() <= 0) return solve.is_last_iteration();
    method(stage);
    return solve.take(stage);
  };

  if (ends("sweeps", settings.sweeps, solve.start(), [](Solve& stage) {
        with_dimension(stage.problem().dimension(), [&](auto dim) { sweep_stage<dim()>(stage); });
      }))
    return;

  solve.use(Scaling::contacts);
  const Vector zero = Vector::Zero(solve.unknowns());
  InteriorPointSettings rough;
  rough.gap = 1e9;  // what is within the tolerance is good enough here
  NonsmoothNewtonSettings natural_map;
  natural_map.function = ContactFunction::natural_map;

  ends("ADMM", settings.admm, solve.start(),
       [&](Solve& stage) { admm_stage(settings.admm, stage); }) ||
      ends("interior point", settings.interior_point, zero,
           [&](Solve& stage) { interior_point(rough, stage); }) ||
      ends("Newton", settings.safeguards, zero,
           [](Solve& stage) { ncp_newton_method({}, stage); }) ||
      ends("Newton", settings.safeguards, zero,
           [&](Solve& stage) { ncp_newton_method(natural_map, stage); }) ||
      ends("interior point", settings.safeguards, zero,
           [](Solve& stage) { interior_point({}, stage); }) ||
      ends("ADMM", solve.limits().max_iterations, zero,
           [](Solve& stage) { accelerated_admm({}, stage); });
}

}  // namespace

RegisteredSolver ncp_hybrid() {
  return solver_entry({.name = "ncp-hybrid",
                       .model = ContactModel::ncp,
                       .summary = "sweeps, ADMM, interior point steps, Newton: each while it pays",
                       .sources = {"frictionbench, results/paper/second-order.md"},
                       .zero_diagonal = false},
                      run);
}

}  // namespace frictionbench::solvers
