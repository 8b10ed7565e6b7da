/// \file
/// The contract between the harness and a solver.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/problem/contact_problem.hpp"
#include "frictionbench/solver/result.hpp"

namespace frictionbench {

/// What a solver is and which problems it takes.
struct SolverInfo {
  std::string name;                        ///< registered name, "ncp-pgs"
  ContactModel model = ContactModel::ncp;  ///< the problem that it solves
  std::string summary = {};                ///< one line
  std::vector<std::string> sources = {};   ///< paper and algorithm

  /// Its fixed points solve the problem of `model`. False for a method that only comes close, and
  /// ends `inaccurate` unless it happens to solve it, or that adds a compliance (Result::compliance).
  bool exact = true;

  bool uses_global_form = false;  ///< needs M and H; false: W and q, which every problem has
  bool two_dimensional = true;    ///< takes 2D problems
  bool three_dimensional = true;  ///< takes 3D problems
  bool bilateral_rows = false;    ///< takes problems with bilateral rows
  bool zero_diagonal = true;      ///< takes contacts whose block of W has a zero diagonal entry
};

/// When to stop.
struct Limits {
  double tolerance = 1e-6;     ///< on each residual of the solver's model, in `units`
  ResidualUnits units;         ///< those of the run's criterion; empty: the units of the file
  int max_iterations = 20000;  ///< as Result::iterations counts them
  /// Wall-clock time at which to give up; the default is never.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  /// Whether the deadline has passed. Reads the clock only if there is one.
  bool time_is_up() const {
    return deadline != std::chrono::steady_clock::time_point::max() &&
           std::chrono::steady_clock::now() >= deadline;
  }
};

/// One row of an iteration history. `penalty` is NaN for methods that have none.
struct Iterate {
  int iteration = 0;        ///< as Result::iterations, so far
  ConeResiduals residuals;  ///< of the solver's model, in Limits::units
  double penalty = std::numeric_limits<double>::quiet_NaN();  ///< of an augmented Lagrangian
};

/// Watches a solve. The default does nothing.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void setup_finished() {}          ///< called once, right before the first iteration
  virtual void iterated(const Iterate&) {}  ///< called when an iterate has been judged
};

/// A contact solver with its settings. Keeps no state between solves: solve() may be called from
/// several threads concurrently.
class Solver {
 public:
  /// Solves `problem`, which the info allows and which has at least one contact, from the impulse
  /// `start` (m).
  using Run = std::function<Result(const ContactProblem& problem, const Limits& limits,
                                   const Vector& start, Observer& observer)>;

  /// \param run is called concurrently if solve() is.
  Solver(SolverInfo info, Run run) : info_(std::move(info)), run_(std::move(run)) {}

  /// Refuses problems that the solver does not take, answers one without contacts by the empty
  /// impulse, and solves the others. Exceptions of the solver pass through. \param start m, or
  /// empty for zero.
  /// \throws std::invalid_argument if `start` has another length.
  Result solve(const ContactProblem& problem, const Limits& limits, const Vector& start,
               Observer& observer) const;
  /// From zero, unwatched.
  Result solve(const ContactProblem& problem, const Limits& limits) const;

  const SolverInfo& info() const { return info_; }  ///< what it is and takes

 private:
  SolverInfo info_;
  Run run_;
};

/// Why a solver must refuse `problem`, in one line; empty if it need not.
std::string reason_to_refuse(const SolverInfo& info, const ContactProblem& problem);

}  // namespace frictionbench
