/// \file
/// Several methods in turn on one problem, which are one solve to whoever watches it.
#pragma once

#include <functional>
#include <string>

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::solvers {

/// Runs stages one after the other. Each starts from the best impulse so far; iterations and work
/// add up, and observers see one history. What the stage that ran last says about the end is what
/// the solve says.
class Stages {
 public:
  /// One method: limits, where to start, and who watches.
  using Stage = std::function<Result(const Limits&, const InitialGuess&, Observer&)>;

  /// Everything but `begun` must outlive it. \param begun what stages before have done on the
  /// same problem, be it in other units: r in those of `problem`, iterations, work and claims.
  Stages(const ContactProblem& problem, const Limits& limits, Observer& observer, Result begun);

  /// Runs a stage for at most so many iterations, and not beyond the limits of the solve.
  /// `fired` becomes `name` if the stage solves the problem; the claim "`name` iterations" says
  /// how many it took, all runs together.
  /// \returns whether that ended the solve: solved, out of time or at the iteration limit.
  bool run(const std::string& name, int most_iterations, const Stage& stage);

  const Result& result() const { return result_; }

 private:
  double residual(const Vector& r);  // one product

  const ContactProblem& problem_;
  const Limits& limits_;
  Observer& observer_;
  Result result_;
};

}  // namespace frictionbench::solvers
