#include <fmt/format.h>

#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/pivoting/boxed_pivots.hpp"

namespace frictionbench::solvers {

namespace {

/// The principal pivoting of Cottle and Dantzig on the boxed LCP of the friction pyramid of four facets,
/// as ODE, Bullet and DART have it:
///
///     u = W r + q,    0 <= r_N ⟂ u_N >= 0,    -mu r_N <= r_Tk <= mu r_N,  k = 1, 2,
///     u_Tk >= 0 at the lower bound, <= 0 at the upper, else 0
///
/// Normal impulses come first; the bounds of a contact's friction are set from its r_N when the turn
/// of its tangents comes, and r_N changes afterwards. The engines leave it at that. Here, pass after
/// pass solves the problem with the bounds of the pass before (first with the same sets, which costs no
/// pivots if they still hold), so that an answer whose bounds settle solves the LCP. They need not
/// settle: that is a fixed point iteration on Tresca's problem.
///
/// The clamped rows have a symmetric matrix, whose L D L^T is updated and downdated (GrowingLdlt).
///
/// Deviations from ODE:
/// 1. Passes after the first. `passes=1` is ODE's.
/// 2. Files are not exactly symmetric, and redundant contacts make W singular. The matrix is
///    A = (W + W^T) / 2 + shift I, and (W - A) r of the pass before is part of q, so that an answer is
///    one for W as it is.
/// 3. A pass ends in a cycle, or on a ray, with that status; ODE prints a message and continues.
/// 4. Units are equilibrated (`scaling`), as the shift depends on them.
struct LcpDantzig {
  int passes = 200;
  double shift = 1e-10;
  double memory = 1024;  // MB
  Scaling scaling = Scaling::contacts;

  void describe(SettingFields& fields) {
    fields.add("passes", passes, at_least(1),
               "maximum number of solves, each with the bounds of friction from the one before",
               "1: ODE, Bullet, DART; more: frictionbench");
    fields.add("shift", shift, open_interval(0, 1),
               "multiple of the unit matrix added to W in a pass, and corrected for in the next",
               "ODE's CFM in double precision");
    fields.add(
        "memory", memory, at_least(1),
        "memory for matrices, in MB; a problem that needs more ends with the status memory_limit",
        "6 000 unknowns");
    describe_scaling(fields, scaling);
  }
};

class Dantzig {
 public:
  Dantzig(const LcpDantzig& settings, Solve& solve) : settings_(settings), solve_(solve) {}

  void run() {
    solve_.use(settings_.scaling);
    if (!solve_.begin_iteration()) return;
    Vector r = solve_.start();
    Vector u = solve_.W().velocity(r);
    if (solve_.ends(r, u)) return;
    const double unknowns = static_cast<double>(solve_.unknowns());
    // W, its symmetric part and the factor.
    if (3 * sizeof(double) * unknowns * unknowns > settings_.memory * 1e6)
      return solve_.run_out_of_memory(fmt::format(
          "more than {:g} MB would be needed; see the setting memory", settings_.memory));

    order_rows();
    const Matrix W = Matrix(solve_.W().matrix())(rows_, rows_);
    Matrix A = (W + W.transpose()) / 2;
    A.diagonal().array() += settings_.shift;
    PivotRun run{.work = solve_.work(), .begin_pivot = [&] {
                   return !solve_.ends_for_time() && solve_.begin_iteration();
                 }};
    BoxedPivots pivots(A, run);
    LcpEnd end = pivots.solve(solve_.q()(rows_), [&](Index i, const Vector& x) {
      return bounds(i, normal_of(i) < 0 ? 0 : x[normal_of(i)]);
    });
    for (int pass = 1; end == LcpEnd::solved; ++pass) {
      r(rows_) = pivots.x();
      u = solve_.W().velocity(r);
      if (solve_.ends(r, u)) return;
      if (pass == settings_.passes)
        return solve_.end_inaccurate(
            StopReason::no_progress, r,
            fmt::format("the bounds of friction do not settle in {} passes", pass));
      if (!run.begin_pivot()) return;
      end = next_pass(pivots, Vector(u(rows_) - A * r(rows_)), r);
    }
    finish(end);
  }

 private:
  // Normal impulses, then friction, contact by contact.
  void order_rows() {
    const Index dim = solve_.problem().dimension();
    for (Index i = 0; i < solve_.contacts(); ++i) rows_.push_back(dim * i);
    for (Index i = 0; i < solve_.contacts(); ++i)
      for (Index t = 1; t < dim; ++t) rows_.push_back(dim * i + t);
  }

  // The normal impulse that bounds x_i; -1 if x_i is one.
  Index normal_of(Index i) const {
    const Index contacts = solve_.contacts();
    return i < contacts ? -1 : (i - contacts) / (solve_.problem().dimension() - 1);
  }

  std::pair<double, double> bounds(Index i, double r_N) const {
    if (normal_of(i) < 0) return {0, std::numeric_limits<double>::infinity()};
    const double most = solve_.mu(normal_of(i)) * r_N;
    return {-most, most};
  }

  // With bounds from the impulse of the pass before.
  LcpEnd next_pass(BoxedPivots& pivots, const Vector& b, const Vector& r) const {
    const Vector x = r(rows_);
    Vector lo(x.size()), hi(x.size());
    for (Index i = 0; i < x.size(); ++i)
      std::tie(lo[i], hi[i]) = bounds(i, normal_of(i) < 0 ? 0 : x[normal_of(i)]);
    if (pivots.solve_by_last_sets(b, lo, hi)) return LcpEnd::solved;
    return pivots.solve(b, [&](Index i, const Vector&) { return std::pair(lo[i], hi[i]); });
  }

  void finish(LcpEnd end) {
    if (end == LcpEnd::ray) return solve_.end_on_ray("a normal impulse is not bounded");
    if (end == LcpEnd::cycle) return solve_.end_in_cycle("the same rows are clamped again");
    if (end == LcpEnd::singular)
      solve_.end_inaccurate(StopReason::failure, solve_.start(),
                            "the clamped matrix is singular to working precision");
  }

  const LcpDantzig& settings_;
  Solve& solve_;
  std::vector<Index> rows_;  // of W, in the order in which they are solved
};

void run(const LcpDantzig& settings, Solve& solve) { Dantzig(settings, solve).run(); }

}  // namespace

RegisteredSolver lcp_dantzig() {
  return solver_entry(
      {.name = "lcp-dantzig",
       .model = ContactModel::lcp,
       .summary = "principal pivoting on the boxed LCP, the direct solver of ODE and DART",
       .sources = {"Cottle, Dantzig, Linear Algebra Appl. 1 (1968)", "Baraff, SIGGRAPH (1994)"},
       .dependable = false},
      run);
}

}  // namespace frictionbench::solvers
