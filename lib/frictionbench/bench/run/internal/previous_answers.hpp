/// \file
/// Answers that other pairs start from.
#pragma once

#include <map>
#include <string>

#include "frictionbench/bench/run/internal/schedule.hpp"
#include "frictionbench/fclib/same_blocks.hpp"

namespace frictionbench::bench {

/// The answers of a round that its later pairs start from, and who the blocks of their problems are.
class PreviousAnswers {
 public:
  void clear() { answers_.clear(); }  ///< forgets the answers
  void keep(PairIndex pair, Vector r) { answers_[pair] = std::move(r); }
  /// \param problem index in Plan::problems.
  void remember(std::size_t problem, fclib::IdentifiedBlocks blocks) {
    blocks_.emplace(problem, std::move(blocks));
  }

  /// What a problem starts from, m, given the pair before it; empty if that left no answer of use. The
  /// answer is forgotten. \param path of the problem before, for a resumed run, which has not read it,
  /// and only where files say who their blocks are. \param problem that was remembered.
  /// \throws FileError if that file cannot be read.
  Vector take(PairIndex before, const std::string& path, std::size_t problem);

 private:
  const fclib::IdentifiedBlocks& blocks_of(std::size_t problem, const std::string& path);

  std::map<PairIndex, Vector> answers_;
  std::map<std::size_t, fclib::IdentifiedBlocks> blocks_;
};

}  // namespace frictionbench::bench
