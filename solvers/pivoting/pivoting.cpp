#include "frictionbench/solvers/pivoting/pivoting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "frictionbench/solver/facets.hpp"
#include "frictionbench/solvers/pivoting/exact_basis.hpp"

namespace frictionbench::solvers {

void PivotingSettings::describe(SettingFields& fields) {
  describe_facets(fields, facets, "[YamaneNakamura08] section V: 8");
  fields.add(
      "two_step", two_step,
      "solve the frictionless problem first, and start with the normal impulses basic that are "
      "so in its answer",
      "[YamaneNakamura08] IV-C");
  fields.add(
      "smallest_pivot", smallest_pivot, at_least(0),
      "entries of the driving column of this size or smaller do not bound the driving variable",
      "0: [YamaneNakamura08] II-A, III; 1e-9: larger than what rounding makes of a zero");
  fields.add(
      "refine", refine,
      "factor the basis of an answer anew and refine the answer once, as a check of what many "
      "pivots have made of it",
      "false: [YamaneNakamura08] takes the answer as pivots leave it; true: frictionbench");
  fields.add("confirm", confirm,
             "look at the basis of an answer in rational arithmetic, by QSopt_ex, and report "
             "rational_signs: 1 if no variable is negative, 0 if some are by 1e-12 of the largest "
             "or less, "
             "-1 else; minutes beyond 100 pivots, which only the process's limits end",
             "frictionbench");
  fields.add("factorize_every", factorize_every, at_least(1),
             "maximum number of pivots in product form before the basis is factored anew",
             "usual for product forms; [YamaneNakamura08] never factors");
  fields.add("memory", memory, at_least(1),
             "memory for bases, factors and nodes, in MB; a solve that needs more ends with the "
             "status memory_limit",
             "a search of some ten thousand nodes with 100 contacts");
  fields.add("islands", islands, "solve groups of contacts apart that do not act on each other",
             "false: [YamaneNakamura08] solves one LCP");
  describe_scaling(fields, scaling);
}

namespace {

constexpr double byte_per_megabyte = 1e6;
constexpr double rounding = 1e-12;  // of a basic variable, relative to the largest

class PivotingSolve {
 public:
  PivotingSolve(const PivotingSettings& settings, Solve& solve, const LcpMethod& method)
      : settings_(settings),
        solve_(solve),
        method_(method),
        run_{.work = solve.work(),
             .begin_pivot = [this] { return !solve_.ends_for_time() && solve_.begin_iteration(); },
             .most_pivots = settings.factorize_every,
             .refine = settings.refine,
             .memory = static_cast<std::int64_t>(settings.memory * byte_per_megabyte)} {}

  void run() {
    if (settings_.confirm && !has_rational_arithmetic())
      return solve_.refuse(
          "confirm needs QSopt_ex: install libqsopt-ex-dev and libgmp-dev, and build frictionbench "
          "again");
    solve_.use(settings_.scaling);
    if (!solve_.begin_iteration()) return;
    answer_ = solve_.start();
    if (solve_.ends(answer_, solve_.W().velocity(answer_))) return;

    run_.memory -= ContactLcp::bytes(solve_.problem(), settings_.facets);
    if (run_.memory < 0) return end({LcpEnd::memory});
    const ContactLcp contacts(solve_.problem(), settings_.facets);
    std::vector<Index> start;
    if (settings_.two_step) {
      LcpAnswer normals = method_(frictionless(contacts), {}, run_);
      if (normals.end == LcpEnd::interrupted) return;
      if (normals.end == LcpEnd::solved) {
        Vector z = Vector::Zero(contacts.size());
        z.head(normals.z.size()) = normals.z;
        answer_ = contacts.impulse(z);
        solve_.answer_unsolved_with(answer_);
        start = std::move(normals.active);
      }
    }
    run_.accept = [&](const Vector& z) { return accept(contacts.impulse(z)); };
    const LcpAnswer answer = method_(contacts.lcp(), start, run_);
    if (accepted_ && settings_.confirm)
      solve_.report("rational_signs", rational_signs(contacts.lcp(), answer));
    else if (answer.end != LcpEnd::interrupted && !accepted_)
      end(answer);
  }

 private:
  static Lcp frictionless(const ContactLcp& contacts) {
    const Index n = contacts.contacts();
    return {contacts.lcp().M.topLeftCorner(n, n), contacts.lcp().q.head(n)};
  }

  static double rational_signs(const Lcp& lcp, const LcpAnswer& answer) {
    const Vector w = lcp.M * answer.z + lcp.q;
    const double largest =
        std::max(answer.z.lpNorm<Eigen::Infinity>(), w.lpNorm<Eigen::Infinity>());
    switch (exact_signs(lcp, answer.active, rounding * largest)) {
      case ExactSigns::nonnegative:
        return 1;
      case ExactSigns::rounding:
        return 0;
      default:
        return -1;
    }
  }

  // Judges the answer of a basis, and keeps the best that is not good enough.
  bool accept(const Vector& r) {
    accepted_ = solve_.ends(r, solve_.W().velocity(r));
    if (!missed_ || solve_.residuals().max() < *missed_) {
      missed_ = solve_.residuals().max();
      answer_ = r;
    }
    return accepted_;
  }

  void end(const LcpAnswer& answer) {
    if (missed_)
      return solve_.end_inaccurate(
          StopReason::complementary_basis, answer_,
          fmt::format("the basis found solves the LCP with an error of {:.1e}", *missed_));
    switch (answer.end) {
      case LcpEnd::ray:
        return solve_.end_on_ray(
            answer.artificial ? fmt::format("no pivot bounds the driving variable, at z_0 = {:.1e}",
                                            *answer.artificial)
                              : "no pivot bounds the driving variable");
      case LcpEnd::cycle:
        return solve_.end_in_cycle("the same variables are basic again");
      case LcpEnd::memory:
        return solve_.run_out_of_memory(fmt::format(
            "more than {:g} MB would be needed; see the setting memory", settings_.memory));
      case LcpEnd::exhausted:
        return solve_.stall("no pivot is left to try");
      default:
        return solve_.end_inaccurate(StopReason::failure, answer_,
                                     "the basis is singular to working precision");
    }
  }

  const PivotingSettings& settings_;
  Solve& solve_;
  const LcpMethod& method_;
  PivotRun run_;
  Vector answer_;                 // if the method finds none: the start, or the frictionless one
  std::optional<double> missed_;  // the smallest residual of an answer that was not accepted
  bool accepted_ = false;
};

}  // namespace

void solve_by_pivots(const PivotingSettings& settings, Solve& solve, const LcpMethod& method) {
  if (settings.islands &&
      solve.solves_apart([&](Solve& island) { PivotingSolve(settings, island, method).run(); }))
    return;
  PivotingSolve(settings, solve, method).run();
}

}  // namespace frictionbench::solvers
