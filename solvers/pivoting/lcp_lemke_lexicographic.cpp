#include "frictionbench/solvers/pivoting/lemke.hpp"
#include "frictionbench/solvers/pivoting/pivoting.hpp"

namespace frictionbench::solvers {

namespace {

/// Lemke's method with a lexicographic order: as `lcp-lemke`, but a tie, of ratios that differ by
/// `tie` or less from the smallest, is decided by the ratios of the columns of B^-1 in turn, until one
/// row is left. If the last column leaves several, it decides by its smallest. A z_0 in a tie leaves
/// immediately. [YamaneNakamura08] II-B and V-A; section V-A compares tie = 0, 1e-8, 1e-6 and 1e-4.
///
/// Deviations: those of `lcp-lemke`.
struct LcpLemkeLexicographic {
  double tie = 1e-8;
  PivotingSettings pivoting;

  void describe(SettingFields& fields) {
    fields.add("tie", tie, at_least(0),
               "difference of ratios up to which they are a tie, Delta of the paper",
               "[YamaneNakamura08] Table I: 0, 1e-8, 1e-6, 1e-4");
    pivoting.describe(fields);
  }
  void adapt(SolverInfo& info) const { pivoting.adapt(info); }
};

void run(const LcpLemkeLexicographic& settings, Solve& solve) {
  const LemkeRule rule{.smallest_pivot = settings.pivoting.smallest_pivot,
                       .lexicographic = settings.tie};
  solve_by_pivots(settings.pivoting, solve,
                  [&](const Lcp& lcp, const auto& start, const PivotRun& run) {
                    return lemke(lcp, start, rule, run);
                  });
}

}  // namespace

RegisteredSolver lcp_lemke_lexicographic() {
  return solver_entry({.name = "lcp-lemke-lexicographic",
                       .model = ContactModel::lcp,
                       .facets = 8,
                       .summary = "Lemke's method with a lexicographic order against cycles",
                       .sources = {"[YamaneNakamura08] II-B, V-A",
                                   "Cottle, Dantzig, Linear Algebra Appl. 1 (1968)"},
                       .dependable = false},
                      run);
}

}  // namespace frictionbench::solvers
