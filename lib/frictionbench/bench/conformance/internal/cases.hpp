/// \file
/// The cases of a check, and what is wrong with an outcome.
#pragma once

#include <string>

#include "frictionbench/bench/conformance/internal/subject.hpp"

namespace frictionbench::bench::conformance {

/// Collects the cases of one check.
class Cases {
 public:
  /// \param what the case, "2D, seed 3"; empty if the check has only one.
  /// \param complaint what is wrong; empty if nothing is.
  void add(const std::string& what, const std::string& complaint);
  /// The same for a solve, whose iterations are worth telling.
  void add(const std::string& what, const std::string& complaint, const PairOutcome& outcome);

  /// Not applicable without a case; the first complaint; or what the cases took.
  Seen seen() const;

 private:
  int cases_ = 0, complaints_ = 0, most_iterations_ = -1;
  std::string first_;
};

/// A case of a check in 2D and 3D: "3D".
std::string named(int dimension);

/// How a solve ended: "status stalled: no more progress".
std::string text_of(const results::Record& record);

/// Why a solve does not solve the problem of the solver's model; empty if it does. A solver that is
/// not exact may call its answer inaccurate instead, and must say why.
std::string unsolved(const Subject& subject, const PairOutcome& outcome);

/// Why a solve did not end by itself, or with an answer of no use to anyone: it crashed, was killed,
/// failed, or was not repeatable. Empty otherwise.
std::string broken(const PairOutcome& outcome);

/// As broken(), or a claim that the verdict refutes; empty for a solver that solved its problem, said
/// that it did not, or refused it.
std::string dishonest(const PairOutcome& outcome);

/// As unsolved(), or how far the answer is from the known one. \param allowed error of an exact
/// answer; one of a model with compliance may be 15 % off.
std::string unsolved(const Subject& subject, const PairOutcome& outcome, const Vector& known,
                     double allowed);

}  // namespace frictionbench::bench::conformance
