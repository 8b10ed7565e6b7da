/// \file
/// What a solve returns: the impulse, and how the solve ended.
#pragma once

#include <map>
#include <string>

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// How a solve ended. Solvers set the first ten, only the harness the others.
enum class Status {
  converged,
  max_iterations,
  stalled,
  ray,
  cycle,
  inaccurate,
  diverged,
  refused,
  time_limit,
  error,
  memory_limit,
  crashed,
  other_model,
  not_repeatable,
  wrong,
};
constexpr auto describe(Status) {
  using enum Status;
  return enum_names<Status>(
      "status",
      {{converged, "converged", "the solver says so, and the verdict under the criterion agrees"},
       {max_iterations, "max_iterations", "iteration limit"},
       {stalled, "stalled", "no more progress, noticed by the solver"},
       {ray, "ray", "a pivoting method ended on a secondary ray"},
       {cycle, "cycle", "the method cycles"},
       {inaccurate, "inaccurate", "the solver itself calls its answer imprecise"},
       {diverged, "diverged", "an iterate became infinite or NaN"},
       {refused, "refused", "the solver does not apply to this problem"},
       {time_limit, "time_limit", "ended by the time limit"},
       {error, "error", "failed; the message says how"},
       {memory_limit, "memory_limit", "ended by the memory limit"},
       {crashed, "crashed", "the process died"},
       {other_model, "other_model",
        "the solver solved its own model, and its answer does not solve the criterion's"},
       {not_repeatable, "not_repeatable", "repeating the solve gave another answer or other work"},
       {wrong, "wrong", "the solver reported convergence, and the verdict on its own model refutes it"}});
}

/// Which test ended a solve. admm_residuals: [Carpentier24] (43); momentum: [Castro22] (26).
enum class StopReason {
  none,
  no_contacts,
  residuals,
  polyhedral_residuals,
  admm_residuals,
  momentum,
  fixed_point,
  iteration_limit,
  time_limit,
  forecast,
  no_progress,
  not_finite,
  failure,
};
constexpr auto describe(StopReason) {
  using enum StopReason;
  return enum_names<StopReason>(
      "stop reason", {{none, "none", "no test of the solver"},
                      {no_contacts, "no_contacts", "there was nothing to solve"},
                      {residuals, "residuals", "the model's residuals are within the tolerance"},
                      {polyhedral_residuals, "polyhedral_residuals",
                       "those of another pyramid than the lcp's are"},
                      {admm_residuals, "admm_residuals", "those of the ADMM itself are"},
                      {momentum, "momentum", "the momentum of a compliant problem balances"},
                      {fixed_point, "fixed_point",
                       "the iterates no longer move, at an answer of the method's own"},
                      {iteration_limit, "iteration_limit"},
                      {time_limit, "time_limit"},
                      {forecast, "forecast", "the iterations left would not have been enough"},
                      {no_progress, "no_progress", "residuals or cost no longer fall"},
                      {not_finite, "not_finite", "an iterate became NaN or infinite"},
                      {failure, "failure", "the method cannot continue"}});
}

/// What is known after a solve, whether it succeeded or not.
struct Result {
  Status status = Status::error;              ///< how it ended
  StopReason stop_reason = StopReason::none;  ///< which test ended it
  std::string stage;    ///< the part of the method that ended the solve; empty if it has no parts
  std::string message;  ///< one line for people; empty if there is nothing to say
  Vector r;             ///< impulse, m: the answer that passed the test, else the best iterate
  /// Of a method that chooses a compliance: all of it, that of the problem included, m. Its own model
  /// is the problem with this R instead. Empty: the compliance of the problem.
  Vector compliance = {};
  /// Of a method that solves for velocities: the generalised velocity that goes with r, n. Empty for
  /// others.
  Vector velocity = {};
  int iterations = 0;   ///< as the method counts; stages add up
  WorkCounters work;    ///< inner solvers included
  std::map<std::string, double> reported;  ///< what the solver itself measured at exit, by name
};

}  // namespace frictionbench
