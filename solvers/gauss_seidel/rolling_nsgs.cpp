#include <fmt/format.h>

#include <Eigen/LU>
#include <vector>

#include "frictionbench/problem/facts.hpp"
#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"

namespace frictionbench::solvers {

namespace {

/// Nonsmooth Gauss-Seidel as Siconos 4.4 runs it by default on rolling friction: rolling_fc3d_nsgs with
/// the local solver ONECONTACT_ProjectionOnConeWithLocalIteration (rolling_fc3d_projection.c). The
/// problem: Acary, Bourrier, Eur. J. Mech. A 85 (2021).
///
/// Each contact in turn, at the newest impulses of the others, with q = q_i + sum_{j != i} W_ij r_j,
/// u(r) = W_ii r + q and its own rho, which is kept from sweep to sweep:
///
///     q_N >= 0              r* = 0
///     -W_ii^-1 q in K       r* = -W_ii^-1 q                     all of it sticks
///     otherwise, from r_i   s  = P_K(r - rho û(r)),  rho <- tau rho until rho ||W_ii (s - r)|| <= L ||s - r||
///                           rho <- rho / tau         if rho ||W_ii (s - r)|| < L_min ||s - r|| and ||s - r|| shrinks
///                           r  <- s                  until ||s - r|| <= local tolerance; r* = r
///     r_i <- r_i + omega (r* - r_i)
///
/// ||s - r|| shrinks if it is less than in the iteration before, in the first less than 1.
///
/// Deviations from Siconos:
/// 1. It stops when the relative change of r in a sweep, and then the natural map over
///    max(||q||, ||r||, ||u||), are within its tolerance; here the residuals of the verdict are.
/// 2. q_N = 0 opens the contact, too; Siconos asks for q_N > 0.
/// 3. A singular W_ii has no test for sticking; Siconos aborts.
/// 4. The projection is exact for every vector. Siconos' leaves one alone that rounding puts between
///    its cases.
/// 5. Friction cones are taken, too: rolling cones without the rows R1, R2.
struct RollingNsgs {
  int local_iterations = 1000;
  double local_tolerance = 1e-12;  // impulse
  double rho = 1;                  // at first, impulse per velocity
  double backtracking = 2.0 / 3;   // tau
  double upper_ratio = 0.9;        // L
  double lower_ratio = 0.3;        // L_min
  int most_backtracks = 100;       // of one projection
  double relaxation = 1;           // omega
  Scaling scaling = Scaling::none;
  SweepSettings sweeps;

  void describe(SettingFields& fields) {
    const std::string source = "Siconos 4.4, rolling_fc3d_projection.c";
    fields.add("local_iterations", local_iterations, at_least(1),
               "most projections per contact and sweep", "Siconos 4.4, solver_options_create");
    fields.add(
        "local_tolerance", local_tolerance, at_least(0),
        "the projections of a contact end when one moves its impulse by no more than this, in "
        "the unit of impulses",
        "Siconos 4.4, solver_options_create");
    fields.add("rho", rho, positive(), "step length of each contact at first, impulse per velocity",
               source);
    fields.add(
        "backtracking", backtracking, open_interval(0, 1),
        "tau: factor of rho after a step that is too long; its inverse after one that is too "
        "short",
        source);
    fields.add("upper_ratio", upper_ratio, open_interval(0, 1),
               "L: a step is too long if rho ||W_ii step|| exceeds this fraction of ||step||",
               source);
    fields.add("lower_ratio", lower_ratio, Range{0, 1},
               "L_min: a step is too short if rho ||W_ii step|| is less than this fraction of "
               "||step||",
               source);
    fields.add("most_backtracks", most_backtracks, at_least(1),
               "most step lengths tried per projection", source);
    fields.add("relaxation", relaxation, open_interval(0, 2),
               "relaxation factor omega of the step towards the local solution; 1 is none",
               "1: Siconos 4.4, NSGS_RELAXATION_FALSE");
    describe_scaling(fields, scaling);
    sweeps.describe(fields);
  }

  void adapt(SolverInfo& info) const { sweeps.adapt(info); }
};

/// The contacts one by one, with the step length that each has come to.
template <typename Rows>
class LocalProjections {
 public:
  using Segment = typename Rows::Segment;
  using Block = typename Rows::Block;

  /// Both must outlive it.
  LocalProjections(const RollingNsgs& settings, const Rows& W)
      : settings_(settings), W_(W), rho_(Vector::Constant(W.count(), settings.rho)) {
    factors_.reserve(static_cast<std::size_t>(W.count()));
    for (Index i = 0; i < W.count(); ++i) factors_.emplace_back(W.W(i));
  }

  /// r* of contact i. \param free its velocity without its own impulse. \param r where to start.
  Segment solve(Index i, const Segment& free, const Segment& r) {
    if (free[0] >= 0) return Segment::Zero(free.size());
    const auto& factors = factors_[static_cast<std::size_t>(i)];
    if (factors.isInvertible()) {
      const Segment sticking = -factors.solve(free);
      if (W_.project(i, sticking) == sticking) return sticking;
    }
    return projections(i, free, r);
  }

 private:
  Segment projections(Index i, const Segment& free, Segment r) {
    double& rho = rho_[i];
    double moved = 1;
    for (int k = 0; k < settings_.local_iterations && moved > settings_.local_tolerance; ++k) {
      Segment u = W_.W(i) * r + free;
      u[0] += W_.correction(i, u);
      Segment step = W_.project(i, r - rho * u) - r;
      double ratio = rho * (W_.W(i) * step).norm();
      for (int tried = 1;
           ratio > settings_.upper_ratio * step.norm() && tried < settings_.most_backtracks;
           ++tried) {
        rho *= settings_.backtracking;
        step = W_.project(i, r - rho * u) - r;
        ratio = rho * (W_.W(i) * step).norm();
      }
      const double before = moved;
      moved = step.norm();
      if (ratio < settings_.lower_ratio * moved && moved < before) rho /= settings_.backtracking;
      r += step;
    }
    return r;
  }

  const RollingNsgs& settings_;
  const Rows& W_;
  Vector rho_;
  std::vector<Eigen::FullPivLU<Block>> factors_;
};

// Blocks are friction cones of the problem's dimension, or rolling cones.
bool is_taken(const ContactProblem& problem) {
  for (const SetPointer& set : problem.other_sets())
    if (set->kind() != "rolling" && set->kind() != "friction" && set->kind() != "friction2d")
      return false;
  return true;
}

void run(const RollingNsgs& settings, Solve& solve) {
  if (!is_taken(solve.problem()))
    return solve.refuse(fmt::format("takes rolling and friction cones only, and the problem has {}",
                                    sets_of(solve.problem())));
  solve.use(settings.scaling);
  with_rows(settings.sweeps, solve, [&](const auto& W) {
    LocalProjections local(settings, W);
    sweep_until_solved(
        settings.sweeps, solve, W,
        [&](const auto&, Index i, const Vector& r, auto& r_i) {
          r_i += settings.relaxation * (local.solve(i, W.free_velocity(i, r), r_i) - r_i);
        },
        [](const Vector&, const Vector&) { return false; });
  });
}

}  // namespace

RegisteredSolver rolling_nsgs() {
  return solver_entry(
      {.name = "rolling-nsgs",
       .model = ContactModel::ncp,
       .summary = "Siconos' nonsmooth Gauss-Seidel for rolling friction, projections per contact",
       .sources = {"Siconos 4.4, rolling_fc3d_nsgs", "Acary, Bourrier, Eur. J. Mech. A 85 (2021)"},
       .every_set = true},
      run);
}

}  // namespace frictionbench::solvers
