/// \file
/// How long a pair will take, as far as one can know beforehand.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// Estimates the time of a solve: from an earlier run where that has the pair, from the size of the
/// problem otherwise. The same inputs give the same estimates on every machine, because shards are
/// cut by them.
class CostModel {
 public:
  CostModel() = default;
  /// Knows the solve times of the records of `earlier`.
  explicit CostModel(const results::Document& earlier);

  bool empty() const { return known_.empty(); }  ///< whether it knows no earlier times

  /// Estimated seconds of one solve. \param entries stored entries of the problem's matrices.
  double solve_time(const std::string& sha256, const std::string& solver, Index entries) const;

  /// Estimated seconds of a whole pair: its process, the solve, and the repetitions of a short one.
  double pair_time(const std::string& sha256, const std::string& solver, Index entries,
                   const MeasureOptions& options) const;

 private:
  std::map<std::pair<std::string, std::string>, double> known_;  // by SHA-256 and solver
};

}  // namespace frictionbench::bench
