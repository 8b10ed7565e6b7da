/// \file
/// The reference value of non-monotone line searches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace frictionbench {

/// The last few values of a function along its iterates. A line search that asks for a decrease from the
/// largest of them may climb (Grippo, Lampariello, Lucidi, SIAM J. Numer. Anal. 23, 1986).
class RecentValues {
 public:
  /// \param memory how many are kept, >= 1.
  explicit RecentValues(int memory) : memory_(static_cast<std::size_t>(memory)) {}

  /// Forgets all values but this one.
  void restart(double value) { values_.assign(1, value); }
  /// In place of the oldest, if there are `memory` already.
  void add(double value) {
    if (values_.size() == memory_) values_.erase(values_.begin());
    values_.push_back(value);
  }

  /// \pre restart() or add() was called.
  double largest() const { return *std::max_element(values_.begin(), values_.end()); }
  double last() const { return values_.back(); }  ///< of all that were added; as above

 private:
  std::size_t memory_;
  std::vector<double> values_;  // the oldest first
};

}  // namespace frictionbench
