/// \file
/// The shards of one run (`run --shard i/n`), put together to the document of the whole run.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

/// A document, and what messages call it: the path of its file.
struct NamedDocument {
  std::string name;   ///< path of the file
  Document document;  ///< what is in it
};

/// Shards that do not belong together. what() is one line: which files, and what differs.
class MergeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A pair of the plan that no shard has a record of.
struct MissingPair {
  std::string problem;  ///< PlannedProblem::id
  std::string solver;   ///< SolverEntry::id

  bool operator==(const MissingPair&) const = default;
};

/// The shards put together, and what they lack.
struct Merged {
  Document document;                 ///< of the whole run
  std::size_t pairs = 0;             ///< of the whole run, those of unreadable files left out
  std::vector<MissingPair> missing;  ///< in the order of the plan
  std::vector<Shard> absent;         ///< shards that were not given

  /// "3 of 40 pairs are missing: shard 2/3 was not given"; empty if none are.
  std::string shortfall() const;
};

/// The document that a single machine would have written, except for times; independent of the
/// order of `shards`.
/// Its `run` is that of the first shard with what concerns all of them: `run.shards` says how each
/// was made. Paths are those of the first shard; files are the same by their SHA-256.
/// \throws MergeError if they are not shards of one run: a different plan, file, solver, setting,
///         criterion, limit or build; a duplicate shard or pair; a problem that is
///         unreadable in one and has records in another.
Merged merge(std::vector<NamedDocument> shards);

}  // namespace frictionbench::results
