#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "frictionbench/base/memory.hpp"
#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/solvers/active_set/active_set.hpp"
#include "frictionbench/solvers/admm/admm.hpp"
#include "frictionbench/solvers/hybrid/budget.hpp"
#include "frictionbench/solvers/hybrid/forecast.hpp"
#include "frictionbench/solvers/hybrid/sweep_stages.hpp"
#include "frictionbench/solvers/interior_point/cone_coordinates.hpp"
#include "frictionbench/solvers/interior_point/interior_point.hpp"
#include "frictionbench/solvers/interior_point/ncp_path.hpp"
#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int forecast_interval = 10;       // iterations
constexpr Index many_contacts = 200;        // for which sweeps may be cheaper than a path
constexpr Index very_many_contacts = 1000;  // for which ADMM may be cheaper than other methods
constexpr int short_path = 100;             // iterations, with fewer contacts than many
constexpr int smooth_sweeps = 20;           // of ADMM itself, after those of stage 1
constexpr std::array other_regularizations = {1.3e-3, 0.7e-3};  // of paths; the first has 1e-3
constexpr Index most_together = 12;  // contacts: setting islands up would take longer

struct AdmmPatience {
  int fewest = 40;    // iterations before the forecast counts
  double longer = 1;  // factor of the iteration limit
  double weight_growth = AdmmSettings().weight_growth;
};
// Residuals may stay where they are until the contacts' weights have changed often enough, here at
// iterations 40, 80, 160 and 320.
constexpr AdmmPatience where_contacts_settle = {.fewest = 400, .longer = 5, .weight_growth = 2};

// With many contacts, what Newton's method does not solve in a few iterations it hardly ever solves.
int newton_iterations(Index contacts) {
  return static_cast<int>(std::clamp<Index>(100000 / contacts, 50, 1000));
}

/// Solves the NCP in stages: cheap methods first, more expensive ones as fallbacks, each only while
/// it is expected to succeed.
///
///  0. With at most 40 contacts, Newton's method by active sets, dense: a few microseconds per contact.
///     With at most 10 contacts, all of active_set_method(), which allocates nothing; with more the
///     attempt from the start.
///  1. Exact sweeps of Gauss-Seidel with momentum (SweepMomentum), from the start. They solve easy
///     problems in less time than a factorisation takes, and large, loosely packed ones. With 11 to 40
///     contacts in turns with attempts by active sets, for about the same work. How many: at least
///     for the predicted work of an ADMM's setup, at most for that of the interior point steps that
///     would follow (PredictedWork), so that the sweeps cost no more than what they may save. Left
///     out where that is fewer than four, among blocks that have no solution in closed form.
///  2. Interior point steps from the start of the central path (interior_point). About a dozen
///     factorisations, whatever the tolerance and conditioning; may get trapped. With other sets than
///     friction cones after stage 4: rolling contacts have more cones than unknowns.
///  3. Accelerated ADMM (accelerated_admm), for what traps them: from the best so far, often close to a
///     solution, or with 200 contacts or more from where the sweeps ended, which shows more clearly
///     which contacts stick, slide and separate. With 1000 contacts or more before stage 2, five times
///     as long, and 400 iterations without a forecast, because residuals may stay where they are for
///     hundreds of iterations before they fall: piles that are about to settle. Not where contacts are
///     strongly hyperstatic, as those of boxes and of most piles at rest: there they hardly ever fall.
///  4. With 200 contacts or more, the sweeps of stage 1 go on, as many as cost as much as 30 LU
///     factorisations: loosely packed piles.
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
/// then one sweep is the solution. Sweeps and ADMM end early when Forecast expects more iterations than
/// the stage has left. All stages but the first share one scaled problem (ContactScaling), and the
/// analysis of its LU (DelassusOperator).
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
               "between them; 0 skips it, and the sweeps of the fourth stage",
               source);
    fields.add("admm", admm, at_least(0),
               "maximum number of ADMM iterations in the third stage, five times as many with 1000 "
               "contacts or more that are not strongly hyperstatic; 0 skips it",
               source);
    fields.add("interior_point", interior_point, at_least(0),
               "maximum number of interior point iterations in the second stage; 0 skips it",
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

void admm_stage(const AdmmPatience& patience, int limit, Solve& stage) {
  Forecast forecast(stage.tolerance());
  stage.give_up_when([&](int iteration, const ConeResiduals& residuals) {
    forecast.add(iteration, residuals);
    return iteration >= patience.fewest && iteration % forecast_interval == 0 &&
           forecast.iterations_left() > limit;
  });
  AdmmSettings settings;
  settings.start_sweeps = smooth_sweeps;
  settings.weight_growth = patience.weight_growth;
  accelerated_admm(settings, stage);
}

/// The stages of NcpHybrid, one after the other, on a problem or one of its islands.
class Stages {
 public:
  /// Keeps the settings and the solve. \param uncoupled whether no block acts on another.
  /// \param settles whether ADMM comes first if there are very many contacts.
  Stages(const NcpHybrid& settings, bool uncoupled, bool settles, Solve& solve)
      : settings_(settings),
        solve_(solve),
        uncoupled_(uncoupled),
        plain_(solve.problem().is_plain()),
        has_cones_(reason_without_cones(solve.problem()).empty()),
        many_(solve.blocks() >= many_contacts),
        settles_(settles && solve.blocks() >= very_many_contacts),
        start_(solve.starts_from_zero() ? Vector() : solve.start()) {}

  void run() {
    if (ends_without_factorization()) return;
    solve_.use(Scaling::contacts);
    const LuBudget lu(solve_.W());
    if (many_ && !fits_into_memory(lu))
      ends("momentum", solve_.limits().max_iterations, solve_.start(), sweeps_to_the_end);
    else
      ends_without_fallbacks(lu) || ends_on_fallbacks();
  }

 private:
  // Each runs stages, and returns whether one of them ended the solve.
  bool ends_without_factorization();  // 0 and 1
  bool ends_without_fallbacks(const LuBudget& lu);
  bool ends_on_fallbacks();
  bool ends_on_path(const char* name, int most_iterations, const NcpPathSettings& settings = {}) {
    return ends(name, has_cones_ ? most_iterations : 0, start_,
                [&](Solve& stage) { ncp_path_method(settings, stage); });
  }
  template <typename Method>
  bool ends(const char* name, int most_iterations, Vector start, const Method& method) {
    Solve stage(solve_, name, most_iterations, std::move(start));
    if (stage.most_iterations() <= 0)
      return solve_.is_last_iteration() && !solve_.begin_iteration();  // which ends the solve
    method(stage);
    return solve_.take(stage);
  }

  bool fits_into_memory(const LuBudget& lu);

  const NcpHybrid& settings_;
  Solve& solve_;
  bool uncoupled_, plain_, has_cones_, many_, settles_;
  Vector start_;  // of the solve, empty for zero
};

// Sweeps, too, start from the start: what active sets leave unsolved is often far from any solution.
bool Stages::ends_without_factorization() {
  const Index blocks = solve_.blocks();
  const bool few = plain_ && blocks <= few_contacts && (!uncoupled_ || blocks <= most_together);
  const bool in_turns = blocks > very_few_contacts;
  const int active_set = few ? settings_.active_set : 0;
  return ends("active set", active_set, start_,
              [&](Solve& stage) {
                if (in_turns)
                  active_sets_from_start({}, stage);
                else
                  active_set_method({}, stage);
              }) ||
         ends("sweeps", settings_.sweeps, start_,
              [&](Solve& stage) { first_sweeps(active_set > 0 && in_turns, uncoupled_, stage); });
}

// Reports the memory that is needed and the memory that is available where it does not.
bool Stages::fits_into_memory(const LuBudget& lu) {
  const double there = settings_.memory > 0 ? 1e6 * settings_.memory : memory_left();
  const double needed = lu.bytes(there);
  if (needed <= there) return true;
  solve_.report("lu_memory_MB", needed / 1e6);
  solve_.report("available_memory_MB", there / 1e6);
  return false;
}

bool Stages::ends_without_fallbacks(const LuBudget& lu) {
  const Vector zero;
  InteriorPointSettings rough;
  rough.gap = 1e9;  // an answer within the tolerance is good enough here
  const Vector swept = solve_.start();
  // What the steps leave is inside the cones, where no contact is seen to slide or to separate.
  const auto start = [&] { return plain_ && many_ ? swept : solve_.start(); };
  const auto ends_on_admm = [&] {
    const AdmmPatience patience = settles_ ? where_contacts_settle : AdmmPatience();
    constexpr double any = std::numeric_limits<int>::max();
    const int most = static_cast<int>(std::min(any, patience.longer * settings_.admm));
    return ends("ADMM", most, start(), [&](Solve& stage) { admm_stage(patience, most, stage); });
  };
  const auto ends_on_sweeps = [&] {
    return ends("momentum", settings_.sweeps > 0 && many_ ? lu.affordable_sweeps() : 0, start(),
                more_sweeps);
  };
  const bool admm_first = settles_ || !plain_;
  const int path = settings_.path;
  return (admm_first && ends_on_admm()) || (!plain_ && ends_on_sweeps()) ||
         ends("interior point", has_cones_ ? settings_.interior_point : 0, zero,
              [&](Solve& stage) { interior_point(rough, stage); }) ||
         (!admm_first && ends_on_admm()) || (plain_ && ends_on_sweeps()) ||
         ends_on_path("path", many_ ? path : std::min(path, short_path)) ||
         ends("Newton", std::min(settings_.safeguards, newton_iterations(solve_.blocks())), zero,
              [](Solve& stage) { ncp_newton_method({}, stage); }) ||
         ends_on_path("long path", many_ || path <= short_path ? 0 : path);
}

bool Stages::ends_on_fallbacks() {
  const Vector zero;
  NonsmoothNewtonSettings natural_map;
  natural_map.function = ContactFunction::natural_map;
  return ends("natural map", settings_.safeguards, zero,
              [&](Solve& stage) { ncp_newton_method(natural_map, stage); }) ||
         std::ranges::any_of(other_regularizations,
                             [&](double regularization) {
                               return ends_on_path("other path", many_ ? settings_.path : 0,
                                                   {.regularization = regularization});
                             }) ||
         ends("full interior point", has_cones_ ? settings_.safeguards : 0, zero,
              [](Solve& stage) { interior_point({}, stage); }) ||
         ends("final ADMM", solve_.limits().max_iterations, zero,
              [](Solve& stage) { accelerated_admm({}, stage); });
}

// A bound on the rank of W of a plain problem: the degrees of freedom of the bodies or, where only W is
// known, of the motion of any two that touch against each other. Rows of W have the same columns for all
// contacts of the same two.
double degrees_of_freedom(const ContactProblem& problem) {
  if (problem.global()) return static_cast<double>(problem.global()->M.rows());
  const int dimension = problem.dimension(), of_two_bodies = dimension == 3 ? 6 : 3;
  const SparseMatrix& W = problem.local().W;
  std::unordered_map<std::string_view, int> rows;  // with these columns
  for (Index i = 0; i < problem.contacts(); ++i) {
    const int* start = W.outerIndexPtr() + dimension * i;
    const auto* columns = reinterpret_cast<const char*>(W.innerIndexPtr() + start[0]);
    rows[{columns, static_cast<std::size_t>(start[1] - start[0]) * sizeof(int)}] += dimension;
  }
  double sum = 0;
  for (const auto& [columns, count] : rows) sum += std::min(count, of_two_bodies);
  return sum;
}

// Whether there are many contacts, and W need not be expected to be singular for the closed ones among
// them: of all contacts of a pile that settles, a tenth or two separates.
bool may_settle(const ContactProblem& problem) {
  constexpr double rows_per_freedom = 1.2;
  return problem.is_plain() && problem.contacts() >= very_many_contacts &&
         static_cast<double>(problem.unknowns()) <= rows_per_freedom * degrees_of_freedom(problem);
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
  const ContactProblem& problem = solve.problem();
  const bool uncoupled = is_uncoupled(problem);
  const bool settles = may_settle(problem);
  const auto apart = [&](Solve& island) {
    Stages(settings, island.blocks() == 1, settles, island).run();
  };
  if (solve.blocks() <= most_together || uncoupled || !solve.solves_apart(apart))
    Stages(settings, uncoupled, settles, solve).run();
}

}  // namespace

RegisteredSolver ncp_hybrid() {
  return solver_entry(
      {.name = "ncp-hybrid",
       .model = ContactModel::ncp,
       .summary = "active sets, sweeps, interior point, ADMM, path, Newton: cheap methods first, "
                  "expensive ones as fallbacks",
       .sources = {"frictionbench, results/paper/second-order.md"},
       .every_set = true},
      run);
}

}  // namespace frictionbench::solvers
