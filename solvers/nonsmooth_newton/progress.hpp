/// \file
#pragma once

#include <limits>

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::solvers {

/// The impulses of a solve of the NCP, judged one iteration after the other. Keeps the best in the
/// result, and ends the solve where one is within the tolerances or nothing more is gained.
class Progress {
 public:
  /// Everything must outlive it. \param patience iterations that end a solve as `stalled` if none
  /// of them lowers the residual by one per cent.
  Progress(const ContactProblem& problem, const Limits& limits, int patience, Result& result)
      : problem_(problem), limits_(limits), patience_(patience), result_(result) {}

  /// \param r the impulse of iteration `result.iterations`, \param u its velocity, both m.
  /// \returns whether the solve ends; the result says how.
  bool ends(const Vector& r, const Vector& u);

  const ConeResiduals& residuals() const { return residuals_; }  ///< of the last impulse judged

 private:
  const ContactProblem& problem_;
  const Limits& limits_;
  int patience_;
  Result& result_;
  ConeResiduals residuals_;
  double best_ = std::numeric_limits<double>::infinity();
  double milestone_ = best_;  // what the next one must be one per cent below
  int last_milestone_ = 0;    // iteration
};

}  // namespace frictionbench::solvers
