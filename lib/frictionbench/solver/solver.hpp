/// \file
/// The contract between the harness and a solver: what it is asked, and what it returns.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// How a solve ended. Solvers set the first eleven, only the harness the others.
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
        "the solver solved its own model, and the answer does not solve the criterion's"},
       {not_repeatable, "not_repeatable", "repeating the solve gave another answer or other work"},
       {wrong, "wrong",
        "the solver reported convergence, and the verdict on its own model refutes it"}});
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
  complementary_basis,
  iteration_limit,
  time_limit,
  forecast,
  no_progress,
  secondary_ray,
  repeated_basis,
  memory_limit,
  not_finite,
  failure,
};
constexpr auto describe(StopReason) {
  using enum StopReason;
  return enum_names<StopReason>(
      "stop reason",
      {{none, "none", "no test of the solver"},
       {no_contacts, "no_contacts", "there was nothing to solve"},
       {residuals, "residuals", "the model's residuals are within the tolerance"},
       {polyhedral_residuals, "polyhedral_residuals",
        "those of another pyramid than the lcp's are"},
       {admm_residuals, "admm_residuals", "those of the ADMM itself are"},
       {momentum, "momentum", "the momentum of a compliant problem balances"},
       {fixed_point, "fixed_point",
        "the iterates no longer move, at an answer of the method's own"},
       {complementary_basis, "complementary_basis",
        "a pivoting method has reached a basis that solves the problem up to rounding"},
       {iteration_limit, "iteration_limit"},
       {time_limit, "time_limit"},
       {forecast, "forecast", "the iterations left would not have been enough"},
       {no_progress, "no_progress", "residuals or cost no longer fall"},
       {secondary_ray, "secondary_ray", "no pivot bounds the driving variable"},
       {repeated_basis, "repeated_basis", "the basis has been there before"},
       {memory_limit, "memory_limit", "the memory that the settings allow is used"},
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
  int iterations = 0;  ///< as the method counts; stages add up
  WorkCounters work;   ///< inner solvers included
  std::map<std::string, double, std::less<>>
      reported;  ///< what the solver itself measured at exit, by name
};

/// What becomes of bilateral rows.
enum class Bilateral {
  block,      ///< blocks like any other
  eliminate,  ///< eliminated before the solver sees the problem
  proximal,   ///< the same for relaxed rows, again and again
};

/// What a solver is and which problems it takes.
struct SolverInfo {
  std::string name;                        ///< registered name, "ncp-pgs"
  ContactModel model = ContactModel::ncp;  ///< the problem that it solves
  int facets = 4;                          ///< of the pyramid, in 3D, if that is the lcp
  std::string summary = {};                ///< one line
  std::vector<std::string> sources = {};   ///< paper and algorithm

  /// Its fixed points solve the problem of `model`. False for a method that only comes close, and
  /// ends `inaccurate` unless it happens to solve it, or that adds a compliance (Result::compliance).
  bool exact = true;
  /// Solves what it takes, as a rule. False for a method that is known to fail on small problems, too: it
  /// ends `ray`, `cycle`, `inaccurate` or `stalled`, and says why.
  bool dependable = true;

  /// Needs M and H, and never asks for W, so that it may be given ContactProblem::without_W(); false: W
  /// and q, which every problem has.
  bool uses_global_form = false;
  bool two_dimensional = true;    ///< takes 2D problems
  bool three_dimensional = true;  ///< takes 3D problems
  bool contacts = true;           ///< takes contacts; false: bilateral rows only
  bool every_set = false;         ///< takes blocks of every set; false: friction cones only
  /// What is done with bilateral rows, unless the setting `bilateral` says otherwise. `block` only
  /// goes with every_set, or without contacts.
  Bilateral bilateral = Bilateral::eliminate;
  bool zero_diagonal = true;  ///< takes contacts whose block of W has a zero diagonal entry
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

/// Where a solve will run.
struct Workplace {
  std::optional<int> processor = {};              ///< that it is pinned to
  std::optional<std::int64_t> memory_limit = {};  ///< bytes of address space

  bool operator==(const Workplace&) const = default;
};

/// What a solver keeps ready between solves, such as a process that it sends problems to, lent to one
/// solve. Its end says that the solve is over, however it ended.
class Lease {
 public:
  virtual ~Lease() = default;
  /// Open files that a process forked for the solve must keep.
  virtual std::vector<int> descriptors() const = 0;
};

/// A contact solver with its settings. No solve depends on an earlier one, and solve() may be called
/// from several threads concurrently.
class Solver {
 public:
  /// Solves `problem`, which the info allows and which has at least one unknown, from the impulse
  /// `start` (m, or empty for zero), in the memory of an earlier result.
  using Run = std::function<Result(const ContactProblem& problem, const Limits& limits,
                                   const Vector& start, Observer& observer, Result memory)>;

  /// Makes a lease for a solve in a process that is about to be forked. Failures are for the solve
  /// to report.
  using Lend = std::function<std::unique_ptr<Lease>(const Workplace&)>;

  /// \param run is called concurrently if solve() is. \param lend empty for a solver that keeps
  /// nothing ready.
  Solver(SolverInfo info, Run run, Lend lend = {})
      : info_(std::move(info)), run_(std::move(run)), lend_(std::move(lend)) {}

  /// Refuses problems that the solver does not take, answers one without unknowns by the empty
  /// impulse, and solves the others. Exceptions of the solver pass through. \param start m, or
  /// empty for zero.
  /// \param memory an earlier result, whose memory the new one takes over; nothing else of it
  ///        matters. A caller that solves small problems over and over saves allocations.
  /// \throws std::invalid_argument if `start` has another length.
  Result solve(const ContactProblem& problem, const Limits& limits, const Vector& start,
               Observer& observer, Result memory = {}) const;
  /// From zero, unwatched.
  Result solve(const ContactProblem& problem, const Limits& limits, Result memory = {}) const;

  const SolverInfo& info() const { return info_; }  ///< what it is and takes

  /// To be called, by one that forks a process for a solve, before it does so and in one thread; to be
  /// held until the solve is over. Null from a solver that keeps nothing ready.
  std::unique_ptr<Lease> lease(const Workplace& workplace) const {
    return lend_ ? lend_(workplace) : nullptr;
  }

 private:
  SolverInfo info_;
  Run run_;
  Lend lend_;
};

/// The problem without_W() if the solver uses the global form alone, else as it is: for its solve and for
/// the verdict on it.
ContactProblem as_taken_by(const SolverInfo& info, const ContactProblem& problem);

/// Why a solver must refuse `problem`, in one line; empty if it need not.
std::string reason_to_refuse(const SolverInfo& info, const ContactProblem& problem);

}  // namespace frictionbench
