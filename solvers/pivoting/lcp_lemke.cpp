#include "frictionbench/solvers/pivoting/lemke.hpp"
#include "frictionbench/solvers/pivoting/pivoting.hpp"

namespace frictionbench::solvers {

namespace {

/// Lemke's method on the polyhedral LCP: [YamaneNakamura08] II-A, with its covering vector of ones.
///
///     w = M z + z_0 1 + q:      z_0 enters for the most negative q_i. Then, until z_0 leaves,
///     y_r <- complement of the variable that left;      y_r enters, row s leaves with
///     s = argmin { q'_i / -m'_i : m'_i < 0 },      m' the column of y_r;      the lowest s in a tie
///
/// It ends `ray` without an m'_i < 0, `cycle` when a set of basic variables is back, and `inaccurate`
/// when the answer misses the tolerance: section V-A's no solution, cycle and error.
///
/// Deviations from the paper:
/// 1. Columns of M' are solved for with a factored basis (LcpBasis); the paper updates all of M'.
///    So rounding does not pile up for more than `factorize_every` pivots.
/// 2. An error is what exceeds the run's tolerance, instead of e_max = 1e-3.
/// 3. Units are equilibrated (`scaling`), because z_0 and ratios of impulses and velocities depend on
///    them.
struct LcpLemke {
  PivotingSettings pivoting;

  void describe(SettingFields& fields) { pivoting.describe(fields); }
  void adapt(SolverInfo& info) const { pivoting.adapt(info); }
};

void run(const LcpLemke& settings, Solve& solve) {
  const LemkeRule rule{.smallest_pivot = settings.pivoting.smallest_pivot};
  solve_by_pivots(settings.pivoting, solve,
                  [&](const Lcp& lcp, const auto& start, const PivotRun& run) {
                    return lemke(lcp, start, rule, run);
                  });
}

}  // namespace

RegisteredSolver lcp_lemke() {
  return solver_entry(
      {.name = "lcp-lemke",
       .model = ContactModel::lcp,
       .facets = 8,
       .summary = "Lemke's pivoting method on the friction pyramid of 8 facets",
       .sources = {"[YamaneNakamura08] II-A", "Lemke, Management Science 11 (1965)"},
       .dependable = false},
      run);
}

}  // namespace frictionbench::solvers
