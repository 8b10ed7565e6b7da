/// \file
/// The loop that all Gauss-Seidel solvers share, and its settings.
#pragma once

#include <random>
#include <vector>

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/gauss_seidel/sweep_momentum.hpp"

namespace frictionbench::solvers {

/// `random` gives the same order with every compiler; `residual` keeps the order of equal
/// corrections, and starts with a fixed sweep.
enum class ContactOrder { fixed, random, residual };

struct SweepSettings {
  int check_every = 1;
  ContactOrder order = ContactOrder::fixed;
  int seed = 1;
  bool momentum = false;  ///< SweepMomentum
  void describe(SettingFields& fields);
};

/// The order of contacts, or other blocks, in each sweep, which visits every one once.
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
/// \param W what Solve::with_sweeps() or Solve::sweeps() gives.
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
    W.sweep(order.next(r), [&](Index i) {
      auto r_i = W.of(r, i);
      update(W, i, r, r_i);
    });
    if (!solve.is_due(settings.check_every)) continue;
    const Vector u = W.velocity(r);
    if (solve.ends(r, u) || own_test(r, u)) return;
  }
}

/// The same for contacts only.
template <typename Update, typename OwnTest>
void gauss_seidel(const SweepSettings& settings, Solve& solve, const Update& update,
                  const OwnTest& own_test) {
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    sweep_until_solved(settings, solve, solve.sweeps<dim()>(), update, own_test);
  });
}
template <typename Update>
void gauss_seidel(const SweepSettings& settings, Solve& solve, const Update& update) {
  gauss_seidel(settings, solve, update, [](const Vector&, const Vector&) { return false; });
}

/// The same for blocks of any set: `update` takes BlockSweeps as well.
template <typename Update>
void gauss_seidel_of_blocks(const SweepSettings& settings, Solve& solve, const Update& update) {
  solve.with_sweeps([&](const auto& W) {
    sweep_until_solved(settings, solve, W, update,
                       [](const Vector&, const Vector&) { return false; });
  });
}

}  // namespace frictionbench::solvers
