/// \file
/// The loop that all Gauss-Seidel solvers share, and its settings.
#pragma once

#include <random>
#include <vector>

#include "frictionbench/math/friction_cone.hpp"
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

/// The order of contacts in each sweep, which visits every contact once.
class SweepOrder {
 public:
  SweepOrder(const SweepSettings& settings, Index contacts);

  /// The order of the next sweep, which starts from impulse r (m).
  const std::vector<Index>& next(const Vector& r);

 private:
  void sort_by_correction(const Vector& r);

  ContactOrder order_;
  std::mt19937_64 engine_;
  std::vector<Index> contacts_;
  Vector last_r_;  // at the start of the last sweep; for ContactOrder::residual
};

/// Sweeps over the contacts until the model's residuals are within the tolerance or the solver's
/// own test holds. Iterates are judged after every `check_every`-th sweep.
/// \param update `update(W, i, r, r_i)` improves r_i, the impulse of contact i, in place in r; W is
/// a
///        ContactSweeps of the problem's dimension.
/// \param own_test `own_test(r, u)` sees each judged iterate that has not ended the solve, and
///        returns whether it has ended the solve itself.
template <typename Update, typename OwnTest>
void gauss_seidel(const SweepSettings& settings, Solve& solve, const Update& update,
                  const OwnTest& own_test) {
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    const auto W = solve.sweeps<dim()>();
    SweepOrder order(settings, W.contacts());
    SweepMomentum momentum(W);
    Vector r = solve.start();
    while (solve.begin_iteration()) {
      if (settings.momentum) momentum.extrapolate(r);
      W.sweep(order.next(r), [&](Index i) {
        auto r_i = r.segment<dim()>(dim() * i);
        update(W, i, r, r_i);
      });
      if (!solve.is_due(settings.check_every)) continue;
      const Vector u = W.velocity(r);
      if (solve.ends(r, u) || own_test(r, u)) return;
    }
  });
}

template <typename Update>
void gauss_seidel(const SweepSettings& settings, Solve& solve, const Update& update) {
  gauss_seidel(settings, solve, update, [](const Vector&, const Vector&) { return false; });
}

}  // namespace frictionbench::solvers
