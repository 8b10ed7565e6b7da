#include "frictionbench/solvers/pivoting/pivot_search.hpp"
#include "frictionbench/solvers/pivoting/pivoting.hpp"

namespace frictionbench::solvers {

namespace {

/// Lemke's method as a search for a sequence of pivots: [YamaneNakamura08] III, Algs. 1 and 2.
///
/// A node is a pivot of the driving variable and row i. Its descendants are the pivots of the next
/// driving variable and every row with
///
///     m'_i < 0,   q_min > -epsilon,   ||w - M z - z_0 d - q|| <= e_max,   basic variables not had before
///
/// q_min being the least of q' after the pivot, d the covering vector (ones), and z_0 its variable. A node
/// at which z_0 leaves is a goal.
///
/// Deviations from the paper:
/// 1. The next node is one of the descendants found last, that with the least exp(-q_min). The paper
///    takes the least sum of exp(-q_min) from the root (`order=total`). Every pivot of a degenerate
///    problem adds about 1 to that, so that it searches in breadth first, and real files, whose answers
///    are a hundred pivots away, exhaust its limits.
/// 2. A pivot needs m'_i < -`smallest_pivot`, as smaller entries are rounding; 0 in the paper.
/// 3. A goal is refined (`refine`): its basis is factored anew, which makes of an error of e_max one of
///    rounding. If it still misses the run's tolerance, the search continues. The paper takes any goal.
/// 4. M' is stored as the pivots that made it (LcpBasis), of which a node needs one column. A node has
///    the pivots of its ancestor and one more, until there are `factorize_every`; then its basis is
///    factored, and its q' computed from that.
/// 5. Memory is limited (`memory`).
/// 6. Units are equilibrated (`scaling`): epsilon and e_max count impulses and velocities of size 1,
///    where the paper has newtons and metres per second of a humanoid robot.
struct LcpPivotSearch {
  SearchRule rule{.order = SearchOrder::depth};
  PivotingSettings pivoting{.smallest_pivot = 1e-9, .refine = true};

  void describe(SettingFields& fields) {
    fields.add("epsilon", rule.most_negative, at_least(0),
               "how far below zero basic variables may be, epsilon", "[YamaneNakamura08] V: 1e-3");
    fields.add("max_error", rule.most_error, at_least(0),
               "norm of the error of w = M z + z_0 d + q up to which a pivot is made, e_max",
               "[YamaneNakamura08] V: 1e-3");
    fields.add("order", rule.order, {{"depth", SearchOrder::depth}, {"total", SearchOrder::total}},
               "which pivot is next; depth: of those found last, that with the least exp(-q_min); "
               "total: that with the least sum of exp(-q_min) from the root",
               "total: [YamaneNakamura08] Alg. 2, line 7; depth: frictionbench, see "
               "solvers/pivoting/README.md");
    pivoting.describe(fields);
  }
  void adapt(SolverInfo& info) const { pivoting.adapt(info); }
};

void run(const LcpPivotSearch& settings, Solve& solve) {
  SearchRule rule = settings.rule;
  rule.smallest_pivot = settings.pivoting.smallest_pivot;
  solve_by_pivots(settings.pivoting, solve,
                  [&](const Lcp& lcp, const auto& start, const PivotRun& run) {
                    return pivot_search(lcp, start, rule, run);
                  });
}

}  // namespace

RegisteredSolver lcp_pivot_search() {
  return solver_entry(
      {.name = "lcp-pivot-search",
       .model = ContactModel::lcp,
       .facets = 8,
       .summary = "best-first search for pivots that solve the LCP of a pyramid of 8 facets",
       .sources = {"[YamaneNakamura08] Algs. 1, 2"}},
      run);
}

}  // namespace frictionbench::solvers
