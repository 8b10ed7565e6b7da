/// \file
/// Verdicts of a finished run, computed again from the answers that it kept.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// A document whose records are not what its kept answers give, or from which what is asked cannot
/// be concluded. what() is one line: the file, the record, what is wrong.
class RejudgeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What could be computed again, and what not.
struct Recomputed {
  std::size_t records = 0;         ///< whose verdict was computed again, and is what they say
  std::size_t without_answer = 0;  ///< records without an impulse: there is nothing to judge
  /// Records whose verdict is not recomputable, by the reason: the answer was not kept, or the
  /// problem's file is not there or has changed.
  std::map<std::string, std::size_t> not_recomputable = {};
};

/// Judges every kept answer of a document again, by the document's own settings, and compares.
/// A recorded residual may differ from the computed one by rounding only.
/// \param path of the document: kept answers are beside it, and problems where it says, from here or
///        from its folder, or in a data set that is on this machine.
/// \throws RejudgeError naming the first forged record, or if the file of answers is not the one that
///         the run wrote; FileError if it cannot be read.
Recomputed recompute(const results::Document& document, const std::string& path);

/// Judges a document by other settings: every verdict is computed again from its kept answer, which
/// must be what the record says (recompute()). Of records without one, a looser tolerance under the
/// same criterion and scale can be concluded from the residuals that they have; anything else cannot,
/// because the solver was asked for something else.
/// Times and iterations stay those of what was asked: `run.asked`.
/// \param settings compliance must be the document's.
/// \throws RejudgeError also for what cannot be concluded.
results::Document rejudge(const results::Document& document, const std::string& path,
                          const results::JudgeSettings& settings);

/// Writes the answers that documents kept, those of their own records, to one file.
/// \param paths of the documents, in their order.
/// \returns what `run.impulses` says of the file; nothing, and no file, if none kept any.
std::optional<results::KeptImpulses> join_answers(const std::vector<results::Document>& documents,
                                                  const std::vector<std::string>& paths,
                                                  const std::string& output);

}  // namespace frictionbench::bench
