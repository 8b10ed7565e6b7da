#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "frictionbench/math/portable_numbers.hpp"

namespace frictionbench::solvers {

void SweepSettings::describe(SettingFields& fields) {
  fields.add(
      "form", form, {{"local", ProblemForm::local}, {"global", ProblemForm::global}},
      "local: sweep over rows of W; global: over the velocities of bodies, with M and H, so that "
      "W is never formed; files in global form only, and the same iterates up to rounding",
      "local: [LeLidec24] Algs. 1, 2, 6; global: Catto, GDC 2005");
  fields.add(
      "check_every", check_every, at_least(1),
      "number of sweeps between evaluations of the residuals; the last sweep is always checked",
      "1: every iterate is tested, as in [LeLidec24] Alg. 6");
  fields.add("order", order,
             {{"fixed", ContactOrder::fixed},
              {"random", ContactOrder::random},
              {"residual", ContactOrder::residual},
              {"colours", ContactOrder::colours}},
             "order of contacts in a sweep; fixed: as numbered in the file; random: reshuffled for "
             "each sweep; residual: largest correction in the previous sweep first; colours: in "
             "groups of contacts that share no body, only with form=global",
             "fixed: [LeLidec24] Algs. 1, 2, 6");
  fields.add("momentum", momentum,
             "whether a sweep starts further on in the direction of progress, see "
             "sweep_momentum.hpp; Nesterov's momentum with restarts",
             "false: [LeLidec24] Algs. 1, 2, 6");
  fields.add("seed", seed, at_least(0), "random seed for order=random", "arbitrary");
  fields.add("threads", threads, at_least(1),
             "number of threads, on which no result depends; more than one only with order=colours",
             "1: one processor, as `frictionbench run` gives every solve");
}

void SweepSettings::adapt(SolverInfo& info) const {
  if (order == ContactOrder::colours && form != ProblemForm::global)
    throw std::invalid_argument("order=colours is for form=global");
  if (threads > 1 && order != ContactOrder::colours)
    throw std::invalid_argument(
        fmt::format("threads={} needs order=colours: other orders are for one thread", threads));
  if (form == ProblemForm::global) info.uses_global_form = true;
}

SweepOrder::SweepOrder(const SweepSettings& settings, BlockShape shape)
    : order_(settings.order),
      engine_(static_cast<std::uint64_t>(settings.seed)),
      blocks_(static_cast<std::size_t>(shape.count())),
      shape_(std::move(shape)) {
  std::iota(blocks_.begin(), blocks_.end(), Index{0});
}

const std::vector<Index>& SweepOrder::next(const Vector& r) {
  // The remainder of a 64-bit number favours no block by more than 1e-13.
  if (order_ == ContactOrder::random)
    shuffle(blocks_, [&](std::size_t left) { return engine_() % left; });
  if (order_ == ContactOrder::residual) sort_by_correction(r);
  return blocks_;
}

void SweepOrder::sort_by_correction(const Vector& r) {
  if (last_r_.size() == r.size()) {
    Vector correction(shape_.count());
    for (Index i = 0; i < shape_.count(); ++i)
      correction[i] = (r - last_r_).segment(shape_.start(i), shape_.rows(i)).norm();
    std::stable_sort(blocks_.begin(), blocks_.end(),
                     [&](Index i, Index j) { return correction[i] > correction[j]; });
  }
  last_r_ = r;
}

}  // namespace frictionbench::solvers
