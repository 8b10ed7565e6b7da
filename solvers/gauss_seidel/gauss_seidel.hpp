/// \file
/// The loop that all Gauss-Seidel solvers share, and its settings.
#pragma once

#include <random>
#include <type_traits>
#include <vector>

#include "frictionbench/linalg/body_sweeps.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/gauss_seidel/sweep_momentum.hpp"

namespace frictionbench::solvers {

/// `random` gives the same order with every compiler; `residual` keeps the order of equal
/// corrections, and starts with a fixed sweep; `colours` is that of BodySweeps, group by group.
enum class ContactOrder { fixed, random, residual, colours };

struct SweepSettings {
  ProblemForm form = ProblemForm::local;  ///< global: BodySweeps, and W is never formed
  int check_every = 1;
  ContactOrder order = ContactOrder::fixed;
  int seed = 1;
  bool momentum = false;  ///< SweepMomentum
  int threads = 1;        ///< the result does not depend on it
  void describe(SettingFields& fields);

  /// To be called by the function of that name of every solver that has these settings.
  /// \throws std::invalid_argument for an order or threads that need another form or order.
  void adapt(SolverInfo& info) const;
};

/// The order of contacts, or other blocks, in each sweep, which visits every one once. Not of colours.
class SweepOrder {
 public:
  SweepOrder(const SweepSettings& settings, BlockShape shape);

  /// The order of the next sweep, which starts from impulse r (m).
  const std::vector<Index>& next(const Vector& r);

 private:
  void sort_by_correction(const Vector& r);

  ContactOrder order_;
  std::mt19937_64 engine_;
  std::vector<Index> blocks_;
  BlockShape shape_;
  Vector last_r_;  // at the start of the last sweep; for ContactOrder::residual
};

/// Sweeps over the blocks of W until the model's residuals are within the tolerance or the solver's
/// own test holds. Iterates are judged after every `check_every`-th sweep.
/// \param W what with_rows() gives.
/// \param update `update(W, i, r, r_i)` improves r_i, the impulse of block i, in place in r.
/// \param own_test `own_test(r, u)` sees each judged iterate that has not ended the solve, and
///        returns whether it has ended the solve itself.
template <typename Rows, typename Update, typename OwnTest>
void sweep_until_solved(const SweepSettings& settings, Solve& solve, const Rows& W,
                        const Update& update, const OwnTest& own_test) {
  SweepOrder order(settings, W.shape());
  SweepMomentum momentum(W);
  Vector r = solve.start();
  while (solve.begin_iteration()) {
    if (settings.momentum) momentum.extrapolate(r);
    const auto improve = [&](Index i) {
      auto r_i = W.of(r, i);
      update(W, i, r, r_i);
    };
    if constexpr (!requires { W.sweep(r, improve); })
      W.sweep(order.next(r), improve);
    else if (settings.order == ContactOrder::colours)
      W.sweep(r, improve);
    else
      W.sweep(r, order.next(r), improve);
    if (!solve.is_due(settings.check_every)) continue;
    const Vector u = W.velocity(r);
    if (solve.ends(r, u) || own_test(r, u)) return;
  }
}

/// Calls f with the blocks of the problem for sweeps in the form of the settings.
/// \tparam Blocks FrictionBlocks or AnyBlocks, whichever the problem has.
template <typename Blocks, typename Function>
void with_rows(const SweepSettings& settings, Solve& solve, const Function& f) {
  if (settings.form == ProblemForm::global)
    f(BodySweeps<Blocks>(solve.problem(), solve.work(), settings.order == ContactOrder::colours,
                         settings.threads));
  else if constexpr (std::is_same_v<Blocks, AnyBlocks>)
    f(BlockSweeps(solve.problem(), solve.work()));
  else
    f(solve.sweeps<Blocks::Segment::SizeAtCompileTime>());
}
template <typename Function>
void with_rows(const SweepSettings& settings, Solve& solve, const Function& f) {
  with_blocks(solve.problem(),
              [&]<typename Blocks>(const Blocks&) { with_rows<Blocks>(settings, solve, f); });
}

/// The same for contacts only.
template <typename Update, typename OwnTest>
void gauss_seidel(const SweepSettings& settings, Solve& solve, const Update& update,
                  const OwnTest& own_test) {
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    with_rows<FrictionBlocks<dim()>>(settings, solve, [&](const auto& W) {
      sweep_until_solved(settings, solve, W, update, own_test);
    });
  });
}
template <typename Update>
void gauss_seidel(const SweepSettings& settings, Solve& solve, const Update& update) {
  gauss_seidel(settings, solve, update, [](const Vector&, const Vector&) { return false; });
}

/// The same for blocks of any set: `update` takes those, too.
template <typename Update>
void gauss_seidel_of_blocks(const SweepSettings& settings, Solve& solve, const Update& update) {
  with_rows(settings, solve, [&](const auto& W) {
    sweep_until_solved(settings, solve, W, update,
                       [](const Vector&, const Vector&) { return false; });
  });
}

}  // namespace frictionbench::solvers
