#include <algorithm>
#include <utility>

#include "frictionbench/solvers/active_set/active_set.hpp"
#include "frictionbench/solvers/admm/admm.hpp"
#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"
#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"
#include "frictionbench/solvers/hybrid/budget.hpp"
#include "frictionbench/solvers/hybrid/forecast.hpp"
#include "frictionbench/solvers/interior_point/cone_coordinates.hpp"
#include "frictionbench/solvers/interior_point/interior_point.hpp"
#include "frictionbench/solvers/interior_point/ncp_path.hpp"
#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int longest_interval = 8;         // sweeps between evaluations, each as costly as one
constexpr int fewest_admm_iterations = 40;  // before the forecast counts
constexpr int forecast_interval = 10;       // iterations
constexpr Index many_contacts = 200;        // for which factorisations are expensive
constexpr int short_path = 100;             // iterations, with fewer contacts than many
constexpr int smooth_sweeps = 20;           // of ADMM itself, after those of stage 1
constexpr Index very_many_contacts = 1000;  // for which interior point steps are expensive, too
constexpr Index most_together = 12;         // contacts: setting islands up would take longer

// With few contacts, sweeps are cheap compared with the setup of an ADMM: more of them are exact,
// and the forecast counts later.
int exact_sweeps(Index contacts) {
  return static_cast<int>(std::clamp<Index>(40 / contacts, 2, 20));
}
int fewest_sweeps(Index contacts) {
  return static_cast<int>(std::clamp<Index>(500 / contacts, 24, 200));
}

// Of sweeps with momentum. Residuals of large piles stay where they are for hundreds of sweeps before
// they fall.
int fewest_with_momentum(const Solve& stage) {
  return stage.blocks() >= very_many_contacts ? stage.most_iterations() / 2 : 200;
}

// With many contacts, what Newton's method does not solve in a few iterations it hardly ever solves.
int newton_iterations(Index contacts) {
  return static_cast<int>(std::clamp<Index>(100000 / contacts, 50, 1000));
}

/// Solves the NCP in stages: cheap methods first, more expensive ones as fallbacks, each only while
/// it is expected to succeed.
///
///  0. With at most 40 contacts, Newton's method by active sets (active_set_method), dense and from
///     the start: a few microseconds a contact.
///  1. Sweeps of Gauss-Seidel, with 200 contacts or more with momentum (SweepMomentum). They solve
///     easy problems in less time than a factorisation takes, and large, loosely packed ones.
///  2. Accelerated ADMM from there (accelerated_admm). Fast to 1e-6, or if it finds the active set
///     early.
///  3. With 200 contacts or more, sweeps with momentum again, as many as cost as much as 30 LU
///     factorisations: loosely packed piles of thousands. With 1000 contacts or more, half of them
///     without a forecast, because residuals may stay where they are for hundreds of sweeps before
///     they fall: piles that are about to settle.
///  4. Interior point steps from the start of the central path (interior_point). About a dozen
///     factorisations, whatever the tolerance and conditioning; may get trapped.
///  5. The central path, kept to closely and around its folds (ncp_path_method). Solves nearly all
///     that traps the interior point method, mostly with 10 to 50 factorisations, and piles of
///     thousands of contacts with hundreds. Below 200 contacts, where Newton's method may be
///     faster than a long path, only 100 iterations at first.
///  6. Newton's method from zero (ncp_newton_method), then the rest of such a path.
///  7. Fallbacks, each starting from zero: ncp-newton on the natural map; ncp-ipm in full; ncp-admm
///     up to the iteration limit.
///
/// Islands are solved apart, unless there are at most 12 contacts in all. Stages 1 to 3 end early
/// when Forecast expects more iterations than the stage has left. All stages but the first share one
/// scaled problem (ContactScaling).
///
/// Problems with other sets than friction cones have no stage 0, and no interior point or path if a set
/// is not made of cones (ConstraintSet::conic_form).
///
/// Iterations are the sum of all stages; `stage` says which one finished, and `... iterations` how
/// many each took. Why these stages and numbers: results/paper/second-order.md.
struct NcpHybrid {
  int active_set = 100;
  int sweeps = 200;
  int admm = 200;
  int interior_point = 30;
  int path = 5000;
  int safeguards = 1000;

  void describe(SettingFields& fields) {
    constexpr const char* source = "measured, see results/paper/second-order.md";
    fields.add("active_set", active_set, at_least(0),
               "maximum number of iterations by active sets, on problems of at most 40 contacts; 0 "
               "skips them",
               "measured, see solvers/active_set/README.md");
    fields.add("sweeps", sweeps, at_least(0),
               "maximum number of sweeps in the first stage; 0 skips it, and those with momentum",
               source);
    fields.add("admm", admm, at_least(0),
               "maximum number of ADMM iterations in the second stage; 0 skips it", source);
    fields.add("interior_point", interior_point, at_least(0),
               "maximum number of interior point iterations in the fourth stage; 0 skips it",
               source);
    fields.add("path", path, at_least(0),
               "maximum number of iterations on the central path, with at most one factorisation "
               "each; 0 skips it",
               source);
    fields.add(
        "safeguards", safeguards, at_least(0),
        "iteration limit of Newton's method and of each fallback, except that the final ADMM "
        "fallback is limited only by --max-iterations; 0 disables the others",
        source);
  }
};

/// Sweeps until they are solved or expected not to be. Residuals are evaluated after 1, 2, 4, 8 and
/// then every 8 sweeps. The answer is the impulse after the last.
/// \param fewest sweeps before the forecast counts. \param begin `begin(r)` moves r before a sweep.
/// \param step `step(i, r)` improves the impulse of contact i.
template <typename Rows, typename Begin, typename Step>
void sweep(Solve& stage, const Rows& W, int fewest, const Begin& begin, const Step& step) {
  Forecast forecast(stage.tolerance());
  stage.give_up_when([&](int iteration, const ConeResiduals& residuals) {
    forecast.add(iteration, residuals);
    return iteration >= fewest && forecast.iterations_left() > stage.most_iterations() - iteration;
  });

  Vector r = stage.start();
  int next_judgement = 1;
  while (stage.begin_iteration()) {
    begin(r);
    W.sweep([&](Index i) { step(i, r); });
    if (stage.iteration() < next_judgement && !stage.is_last_iteration()) continue;
    stage.answer_unsolved_with(r);
    if (stage.ends(r, W.velocity(r))) return;
    next_judgement = stage.iteration() + std::clamp(stage.iteration(), 1, longest_interval);
  }
}

/// Sweeps of ncp-nsgs with momentum. \param fewest as of sweep().
template <typename Rows>
void sweep_with_momentum(Solve& stage, const Rows& W, int fewest) {
  SweepMomentum momentum(W);
  sweep(
      stage, W, fewest, [&](Vector& r) { momentum.extrapolate(r); },
      [&](Index i, Vector& r) { W.of(r, i) = solve_alone(W, i, r); });
}

/// Two sweeps of ncp-nsgs without relaxation, up to 20 if there are few contacts: enough if
/// contacts are hardly coupled. Then the sweeps of ncp-pgs, at less than half the cost; of many
/// contacts sweeps with momentum from the first, because good impulses are many sweeps away.
template <typename Rows>
void sweep_stage(Solve& stage, const Rows& W) {
  if (W.count() >= many_contacts) return sweep_with_momentum(stage, W, fewest_sweeps(W.count()));
  const NcpPgs pgs;
  const int exact = exact_sweeps(W.count());
  sweep(
      stage, W, fewest_sweeps(W.count()), [](Vector&) {},
      [&](Index i, Vector& r) {
        if (stage.iteration() <= exact)
          W.of(r, i) = solve_alone(W, i, r);
        else
          pgs.step(W, i, r);
      });
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

void run_stages(const NcpHybrid& settings, Solve& solve) {
  // Runs a stage. Returns whether that ended the solve.
  const auto ends = [&](const char* name, int most_iterations, Vector start, const auto& method) {
    Solve stage(solve, name, most_iterations, std::move(start));
    if (stage.most_iterations() <= 0) return solve.is_last_iteration();
    method(stage);
    return solve.take(stage);
  };

  const auto by_rows = [](const auto& method) {
    return [method](Solve& stage) {
      stage.with_sweeps([&](const auto& rows) { method(stage, rows); });
    };
  };
  const bool plain = solve.problem().is_plain();
  const bool has_cones = reason_without_cones(solve.problem()).empty();
  const Index blocks = solve.blocks();
  const int active_set = plain && blocks <= few_contacts ? settings.active_set : 0;
  const int interior = has_cones ? settings.interior_point : 0;
  const int path = has_cones ? settings.path : 0;
  if (ends("active set", active_set, solve.starts_from_zero() ? Vector() : solve.start(),
           [](Solve& stage) { active_set_method({}, stage); }) ||
      ends("sweeps", settings.sweeps, solve.start(),
           by_rows([](Solve& stage, const auto& rows) { sweep_stage(stage, rows); })))
    return;
  solve.use(Scaling::contacts);
  const Vector zero;
  InteriorPointSettings rough;
  rough.gap = 1e9;  // an answer within the tolerance is good enough here
  NonsmoothNewtonSettings natural_map;
  natural_map.function = ContactFunction::natural_map;
  const bool many = blocks >= many_contacts;

  ends("ADMM", settings.admm, solve.start(),
       [&](Solve& stage) { admm_stage(settings.admm, stage); }) ||
      ends("momentum", settings.sweeps > 0 && many ? affordable_sweeps(solve.W()) : 0,
           solve.start(), by_rows([](Solve& stage, const auto& rows) {
             sweep_with_momentum(stage, rows, fewest_with_momentum(stage));
           })) ||
      ends("interior point", interior, zero, [&](Solve& stage) { interior_point(rough, stage); }) ||
      ends("path", many ? path : std::min(path, short_path), solve.start(),
           [](Solve& stage) { ncp_path_method({}, stage); }) ||
      ends("Newton", std::min(settings.safeguards, newton_iterations(blocks)), zero,
           [](Solve& stage) { ncp_newton_method({}, stage); }) ||
      ends("long path", many || path <= short_path ? 0 : path, solve.start(),
           [](Solve& stage) { ncp_path_method({}, stage); }) ||
      ends("natural map", settings.safeguards, zero,
           [&](Solve& stage) { ncp_newton_method(natural_map, stage); }) ||
      ends("full interior point", has_cones ? settings.safeguards : 0, zero,
           [](Solve& stage) { interior_point({}, stage); }) ||
      ends("final ADMM", solve.limits().max_iterations, zero,
           [](Solve& stage) { accelerated_admm({}, stage); });
}

void run(const NcpHybrid& settings, Solve& solve) {
  if (solve.blocks() > most_together &&
      solve.solves_apart([&](Solve& island) { run_stages(settings, island); }))
    return;
  run_stages(settings, solve);
}

}  // namespace

RegisteredSolver ncp_hybrid() {
  return solver_entry(
      {.name = "ncp-hybrid",
       .model = ContactModel::ncp,
       .summary = "active sets, sweeps, ADMM, interior point, path, Newton: cheap methods first, "
                  "expensive ones as fallbacks",
       .sources = {"frictionbench, results/paper/second-order.md"},
       .every_set = true},
      run);
}

}  // namespace frictionbench::solvers
