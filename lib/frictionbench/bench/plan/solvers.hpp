/// \file
/// From what a user names (solvers, patterns, models, lists) to the solvers of a run.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench {

/// Makes the solvers that every text stands for:
///   `NAME`, `NAME(setting=value,...)`  that solver
///   `ncp-*`, `?cp-pgs`                 all ready solvers whose names match (`*`: any text, `?`: one
///                                      letter)
///   `model=ncp`                        all ready solvers of that model that take contacts
///   `@FILE`                            the texts in that file, one per line (blank lines and lines
///                                      that start with # are skipped)
/// A ready solver needs no setting; without any text all of them that take contacts are meant. A solver
/// that comes twice is taken once, where it comes first. \param excluded texts of the same kinds: what
/// they stand for is left out.
/// \throws std::invalid_argument for an unknown name or setting, a pattern or model without a solver,
///         and if two solvers would have the same id, or nothing is left.
/// \throws SelectionError for a list that cannot be read.
std::vector<ConfiguredSolver> find_solvers(const Registry& registry,
                                           const std::vector<std::string>& texts,
                                           const std::vector<std::string>& excluded = {});

}  // namespace frictionbench::bench
