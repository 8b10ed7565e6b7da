/// \file
/// What all Gauss-Seidel solvers leave to the user: how often residuals are evaluated, and the
/// order of the contacts in a sweep.
#pragma once

#include <random>
#include <vector>

#include "frictionbench/math/types.hpp"
#include "frictionbench/solver/settings.hpp"

namespace frictionbench::solvers {

enum class ContactOrder { fixed, random, residual };

struct SweepSettings {
  int check_every = 1;
  ContactOrder order = ContactOrder::fixed;
  int seed = 1;
  void describe(SettingFields& fields);
};

/// The contacts of each sweep in turn. Every sweep visits every contact once.
class SweepOrder {
 public:
  SweepOrder(const SweepSettings& settings, Index contacts);

  /// The order of the next sweep, which starts from impulse r (m).
  /// fixed: as the problem numbers them. random: shuffled anew, the same with every compiler for
  /// the same seed. residual: by the length of the correction that the last sweep made, longest
  /// first, equals as in the sweep before; the first sweep is fixed.
  const std::vector<Index>& next(const Vector& r);

 private:
  void shuffle();
  void sort_by_correction(const Vector& r);

  ContactOrder order_;
  std::mt19937_64 engine_;
  std::vector<Index> contacts_;
  Vector last_r_;  // at the start of the last sweep; for ContactOrder::residual
};

}  // namespace frictionbench::solvers
