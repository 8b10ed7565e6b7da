/// \file
/// What all Gauss-Seidel solvers share: the loop, and what it leaves to the user.
#pragma once

#include <random>
#include <vector>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

enum class ContactOrder {
  fixed,    ///< as the problem numbers its contacts
  random,   ///< shuffled before each sweep; the same with every compiler for the same seed
  residual  ///< longest correction of the last sweep first, ties as before; the first is fixed
};

struct SweepSettings {
  int check_every = 1;                       // sweeps
  ContactOrder order = ContactOrder::fixed;  // [LeLidec24] Algs. 1, 2, 6
  int seed = 1;
  void describe(SettingFields& fields);
};

/// The contacts of each sweep in turn. Every sweep visits every contact once.
class SweepOrder {
 public:
  SweepOrder(const SweepSettings& settings, Index contacts);

  /// The order of the next sweep, which starts from impulse r (m).
  const std::vector<Index>& next(const Vector& r);

 private:
  void shuffle();
  void sort_by_correction(const Vector& r);

  ContactOrder order_;
  std::mt19937_64 engine_;
  std::vector<Index> contacts_;
  Vector last_r_;  // at the start of the last sweep; for ContactOrder::residual
};

/// Sweeps over the contacts until the model's residuals are within the tolerance, or a test of the
/// solver's own holds. Iterates are judged after every `check_every`-th sweep.
/// \param update `update(W, i, r, r_i)` improves r_i, the impulse of contact i, in place in r; W is a
///        ContactSweeps of the problem's dimension.
/// \param own_test `own_test(r, u)` is asked of an iterate that has not ended the solve; true if it
///        ends it, which it has then told `solve`.
template <typename Update, typename OwnTest>
void gauss_seidel(const SweepSettings& settings, Solve& solve, const Update& update,
                  const OwnTest& own_test) {
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    const auto W = solve.sweeps<dim()>();
    SweepOrder order(settings, W.contacts());
    Vector r = solve.start();
    while (solve.begin_iteration()) {
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
