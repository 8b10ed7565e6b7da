/// \file
/// Warm starts from a problem with other contacts.
#pragma once

#include <utility>
#include <vector>

#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::fclib {

/// The blocks of a problem, and who each of them is.
struct IdentifiedBlocks {
  /// \param starts first row of each block, and the number of rows.
  IdentifiedBlocks(std::vector<Index> starts, std::vector<BlockIdentity> who)
      : shape(std::move(starts)), bodies(std::move(who)) {}
  /// Those of a file.
  explicit IdentifiedBlocks(const ProblemFile& file)
      : shape(file.problem.block_shape()), bodies(file.bodies) {}

  BlockShape shape;                   ///< rows of the blocks
  std::vector<BlockIdentity> bodies;  ///< ProblemFile::bodies, n_b; empty if the file does not say
};

/// An impulse to start a problem from, given the answer to the one before it in time: each block has
/// the impulse of the block of the same identity and number of rows there, or zero if it is new. If
/// several have an identity, the first gets that of the first, and so on.
/// \param r as long as before.shape. \returns as long as now.shape; empty if the problems cannot be
/// matched: one of them does not say who its blocks are, and they differ in size.
Vector impulse_of_same_blocks(const IdentifiedBlocks& before, const Vector& r,
                              const IdentifiedBlocks& now);

}  // namespace frictionbench::fclib
