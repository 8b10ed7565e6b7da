#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "frictionbench/base/memory.hpp"
#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/solvers/active_set/active_set.hpp"
#include "frictionbench/solvers/active_set/active_set_steps.hpp"
#include "frictionbench/solvers/admm/admm.hpp"
#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"
#include "frictionbench/solvers/gauss_seidel/sweep_momentum.hpp"
#include "frictionbench/solvers/hybrid/budget.hpp"
#include "frictionbench/solvers/hybrid/forecast.hpp"
#include "frictionbench/solvers/interior_point/cone_coordinates.hpp"
#include "frictionbench/solvers/interior_point/interior_point.hpp"
#include "frictionbench/solvers/interior_point/ncp_path.hpp"
#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int longest_interval = 8;         // sweeps between evaluations, each as costly as one
constexpr int too_few_sweeps = 4;           // to be worth their setup
constexpr int fewest_admm_iterations = 40;  // before the forecast counts
constexpr int forecast_interval = 10;       // iterations
constexpr Index many_contacts = 200;        // for which factorisations are expensive
constexpr int short_path = 100;             // iterations, with fewer contacts than many
constexpr int smooth_sweeps = 20;           // of ADMM itself, after those of stage 1
constexpr Index very_many_contacts = 1000;  // for which interior point steps are expensive, too
constexpr std::array other_regularizations = {1.3e-3, 0.7e-3};  // of paths; the first has 1e-3
constexpr Index most_together = 12;  // contacts: setting islands up would take longer

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
///  0. With at most 40 contacts, Newton's method by active sets, dense: a few microseconds a contact.
///     With at most 10 contacts, all of active_set_method(), which allocates nothing; with more the
///     attempt from the start.
///  1. Exact sweeps of Gauss-Seidel with momentum (SweepMomentum), from the start. They solve easy
///     problems in less time than a factorisation takes, and large, loosely packed ones. With 11 to 40
///     contacts in turns with attempts by active sets, for about the same work. How many: at least
///     for the predicted work of an ADMM's setup, at most for that of the interior point steps that
///     would follow (PredictedWork), so that the sweeps cost no more than what they may save. Left
///     out where that is fewer than four, among blocks that have no solution in closed form.
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
///     thousands of contacts with hundreds. From the start: what thousands of sweeps leave is no
///     better place to begin, on piles of 4000 contacts a worse one. Below 200 contacts, where
///     Newton's method may be faster than a long path, only 100 iterations at first.
///  6. Newton's method from zero (ncp_newton_method), then the rest of such a path.
///  7. Fallbacks: ncp-newton on the natural map, from zero; with 200 contacts or more two other paths,
///     with a little more and a little less regularisation, because it is a matter of luck whether a
///     path gets lost among hundreds of folds; from zero ncp-ipm in full, and ncp-admm up to the
///     iteration limit.
///
/// With 200 contacts or more, where an LU factorisation would not fit into memory, as an analysis predicts,
/// there is none: after stage 1 come sweeps with momentum to the end, and the result reports both sizes.
///
/// Islands are solved apart, unless there are at most 12 contacts in all, or no contact acts on another:
/// then one sweep is the solution. Stages 1 to 3 end early
/// when Forecast expects more iterations than the stage has left. All stages but the first share one
/// scaled problem (ContactScaling), and the analysis of its LU (DelassusOperator).
///
/// Problems with other sets than friction cones have no active sets, and no interior point or path if a set
/// is not made of cones (ConstraintSet::conic_form).
///
/// Iterations are the sum of all stages; `stage` says which one finished, and `... iterations` how
/// many each took. Why these stages and numbers: results/paper/second-order.md.
struct NcpHybrid {
  int active_set = 100;
  int sweeps = 500;
  int admm = 200;
  int interior_point = 45;
  int path = 5000;
  int safeguards = 1000;
  double memory = 0;  // MB

  void describe(SettingFields& fields) {
    constexpr const char* source = "measured, see results/paper/second-order.md";
    fields.add(
        "active_set", active_set, at_least(0),
        "maximum number of iterations by active sets from the start, on problems of at most 40 "
        "contacts; 0 skips them, and those between sweeps",
        "measured, see solvers/active_set/README.md");
    fields.add("sweeps", sweeps, at_least(0),
               "maximum number of sweeps in the first stage, with the iterations of active sets "
               "between them; 0 skips it, and the sweeps of the third stage",
               source);
    fields.add("admm", admm, at_least(0),
               "maximum number of ADMM iterations in the second stage; 0 skips it", source);
    fields.add("interior_point", interior_point, at_least(0),
               "maximum number of interior point iterations in the fourth stage; 0 skips it",
               source);
    fields.add(
        "path", path, at_least(0),
        "maximum number of iterations on each central path, most with one factorisation each; "
        "0 skips them",
        source);
    fields.add(
        "safeguards", safeguards, at_least(0),
        "iteration limit of Newton's method and of each fallback, except that the final ADMM "
        "fallback is limited only by --max-iterations; 0 disables the others",
        source);
    fields.add(
        "memory", memory, at_least(0),
        "MB that a factorisation may take with 200 contacts or more; where it would take more, "
        "sweeps go on to the end instead. 0: what is there, within the limits of the process",
        "frictionbench");
  }
};

/// Exact sweeps with momentum until they are solved or expected not to be. Residuals are evaluated after
/// 1, 2, 4, 8 and then every 8 sweeps, or earlier where the forecast expects them solved. The answer is
/// the impulse after the last.
/// \param fewest sweeps before the forecast counts. \param most sweeps.
/// \param between `between(sweeps, r, u)` tries something else after residuals were evaluated, and
///        returns whether it has ended the stage.
template <typename Rows, typename Between>
void sweep(Solve& stage, const Rows& W, int fewest, int most, const Between& between) {
  Forecast forecast(stage.tolerance());
  int made = 0;
  bool is_sweeping = true;
  stage.give_up_when([&](int, const ConeResiduals& residuals) {
    if (!is_sweeping) return false;
    forecast.add(made, residuals);
    return made >= most || (made >= fewest && forecast.iterations_left() > most - made);
  });

  SweepMomentum momentum(W);
  Vector r = stage.start();
  int next_judgement = 1;
  while (stage.begin_iteration()) {
    momentum.extrapolate(r);
    W.sweep([&](Index i) { W.of(r, i) = solve_alone(W, i, r); });
    ++made;
    if (made < std::min(next_judgement, most) && !stage.is_last_iteration()) continue;
    stage.answer_unsolved_with(r);
    const Vector u = W.velocity(r);
    if (stage.ends(r, u)) return;
    is_sweeping = false;
    if (between(made, r, u)) return;
    is_sweeping = true;
    const double longest = std::min(made, longest_interval);
    next_judgement =
        made + static_cast<int>(std::clamp(std::ceil(forecast.iterations_left()), 1.0, longest));
  }
}
template <typename Rows>
void sweep(Solve& stage, const Rows& W, int fewest, int most) {
  sweep(stage, W, fewest, most, [](int, const Vector&, const Vector&) { return false; });
}

/// The same in turns with attempts by active sets: the first after two sweeps, each other one when the
/// sweeps since have cost as much as it may. \param work of one sweep. \pre At most few_contacts contacts.
template <int Dim>
void sweep_in_turns(Solve& stage, const ContactSweeps<Dim>& W, int fewest, int most, double work) {
  const int steps = ActiveSetSettings().steps_after_sweeps;
  ActiveSet<Dim> newton(stage);
  int last = 0;
  sweep(stage, W, fewest, most, [&](int sweeps, const Vector& r, const Vector& u) {
    if (sweeps < 2) return false;
    newton.go_to(r, u);
    if (last > 0 && (sweeps - last) * work < steps * newton.step_work()) return false;
    last = sweeps;
    return newton.newton(steps, 1);
  });
}

/// Stage 1: sweeps without a forecast while they have cost less than setting an ADMM up, and at most
/// until they have cost as much as interior point steps would. Where an ADMM is set up for the cost of a
/// few sweeps, because blocks have no solution in closed form, none are made.
/// \param active_sets whether to take turns with them. \param uncoupled whether no block acts on another,
///        so that one sweep is the solution.
template <typename Rows>
void sweep_stage(bool active_sets, bool uncoupled, Solve& stage, const Rows& W) {
  const PredictedWork work(stage.W(), W);
  const int fewest = work.sweeps(work.admm_setup());
  const int most = work.sweeps(work.interior_point());
  if (fewest < too_few_sweeps && !uncoupled)
    return stage.stall("sweeps would cost more than the methods that follow");
  if constexpr (requires { Rows::dimension; })
    if (active_sets) return sweep_in_turns(stage, W, fewest, most, work.sweep());
  sweep(stage, W, fewest, most);
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

// \param uncoupled whether no block acts on another.
void run_stages(const NcpHybrid& settings, bool uncoupled, Solve& solve) {
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
  const bool few = plain && blocks <= few_contacts && (!uncoupled || blocks <= most_together);
  const int active_set = few ? settings.active_set : 0;
  const int interior = has_cones ? settings.interior_point : 0;
  const int path = has_cones ? settings.path : 0;
  // Sweeps, too, start from there: what active sets leave unsolved is often far from any solution.
  const Vector start = solve.starts_from_zero() ? Vector() : solve.start();
  const bool in_turns = blocks > very_few_contacts;
  if (ends("active set", active_set, start,
           [&](Solve& stage) {
             if (in_turns)
               active_sets_from_start({}, stage);
             else
               active_set_method({}, stage);
           }) ||
      ends("sweeps", settings.sweeps, start, by_rows([&](Solve& stage, const auto& rows) {
             sweep_stage(active_set > 0 && in_turns, uncoupled, stage, rows);
           })))
    return;
  solve.use(Scaling::contacts);
  const Vector zero;
  InteriorPointSettings rough;
  rough.gap = 1e9;  // an answer within the tolerance is good enough here
  NonsmoothNewtonSettings natural_map;
  natural_map.function = ContactFunction::natural_map;
  const bool many = blocks >= many_contacts;
  LuBudget lu(solve.W());
  const auto ends_on_path = [&](const char* name, int most_iterations,
                                const NcpPathSettings& path_settings = {}) {
    return ends(name, most_iterations, start,
                [&](Solve& stage) { ncp_path_method(path_settings, stage); });
  };

  if (many) {
    const double there = settings.memory > 0 ? 1e6 * settings.memory : memory_left();
    const double needed = lu.bytes(there);
    if (needed > there) {
      solve.report("MB that an LU would take", needed / 1e6);
      solve.report("MB that are there", there / 1e6);
      ends("momentum", solve.limits().max_iterations, solve.start(),
           by_rows([](Solve& stage, const auto& rows) {
             sweep(stage, rows, stage.most_iterations(), stage.most_iterations());
           }));
      return;
    }
  }

  ends("ADMM", settings.admm, solve.start(),
       [&](Solve& stage) { admm_stage(settings.admm, stage); }) ||
      ends("momentum", settings.sweeps > 0 && many ? lu.affordable_sweeps() : 0, solve.start(),
           by_rows([](Solve& stage, const auto& rows) {
             sweep(stage, rows, fewest_with_momentum(stage), stage.most_iterations());
           })) ||
      ends("interior point", interior, zero, [&](Solve& stage) { interior_point(rough, stage); }) ||
      ends_on_path("path", many ? path : std::min(path, short_path)) ||
      ends("Newton", std::min(settings.safeguards, newton_iterations(blocks)), zero,
           [](Solve& stage) { ncp_newton_method({}, stage); }) ||
      ends_on_path("long path", many || path <= short_path ? 0 : path) ||
      ends("natural map", settings.safeguards, zero,
           [&](Solve& stage) { ncp_newton_method(natural_map, stage); }) ||
      std::ranges::any_of(other_regularizations,
                          [&](double regularization) {
                            return ends_on_path("other path", many ? path : 0,
                                                {.regularization = regularization});
                          }) ||
      ends("full interior point", has_cones ? settings.safeguards : 0, zero,
           [](Solve& stage) { interior_point({}, stage); }) ||
      ends("final ADMM", solve.limits().max_iterations, zero,
           [](Solve& stage) { accelerated_admm({}, stage); });
}

// Whether no block acts on another. Mostly the first entries of W say no.
bool is_uncoupled(const ContactProblem& problem) {
  const SparseMatrix& W = problem.local().W;
  return with_blocks(problem, [&](const auto& blocks) {
    for (Index row = 0; row < W.rows(); ++row)
      for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry)
        if (entry.value() != 0 && blocks.at_row(entry.col()) != blocks.at_row(row)) return false;
    return true;
  });
}

void run(const NcpHybrid& settings, Solve& solve) {
  const bool uncoupled = is_uncoupled(solve.problem());
  const auto apart = [&](Solve& island) { run_stages(settings, island.blocks() == 1, island); };
  if (solve.blocks() <= most_together || uncoupled || !solve.solves_apart(apart))
    run_stages(settings, uncoupled, solve);
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
