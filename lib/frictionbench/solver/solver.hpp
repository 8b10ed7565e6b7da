/// \file
/// The contract between the harness and a solver.
#pragma once

#include <chrono>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/problem/contact_problem.hpp"
#include "frictionbench/solver/result.hpp"

namespace frictionbench {

/// What a solver is and what it can be given.
struct SolverInfo {
  std::string name;     ///< registered name, "ncp-pgs"
  std::string summary;  ///< one line
  ContactModel model = ContactModel::ncp;
  std::vector<std::string> sources;  ///< paper and algorithm

  /// Its fixed points solve the problem of `model`. False for a method that only comes close, has no
  /// criterion of its own here, and says `inaccurate` where it ends without a solution.
  bool exact = true;

  bool uses_global_form = false;  ///< wants M, H; false: W, q, which every problem has
  bool two_dimensional = true;    ///< takes 2D problems
  bool three_dimensional = true;  ///< takes 3D problems
  bool bilateral_rows = false;    ///< takes problems with bilateral rows
  bool zero_diagonal =
      false;  ///< takes contacts whose diagonal block of W has a zero diagonal entry
};

/// When to stop.
struct Limits {
  Tolerances tolerances;  ///< the solver's own stopping test uses these
  int max_iterations = 20000;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  bool time_is_up() const {
    return deadline != std::chrono::steady_clock::time_point::max() &&
           std::chrono::steady_clock::now() >= deadline;
  }
};

/// Where to start.
struct InitialGuess {
  Vector r;  ///< impulse, m; empty means zero
};

/// One row of an iteration history. `penalty` is NaN for methods that have none.
struct Iterate {
  int iteration = 0;
  ConeResiduals residuals;
  double penalty = std::numeric_limits<double>::quiet_NaN();
};

/// Watches a solve. The default does nothing.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void setup_finished() {}  ///< called once, right before the first iteration
  virtual void iterated(const Iterate&) {}
};

struct Result {
  Status status = Status::error;
  std::string message;  ///< one line for people; empty if there is nothing to say
  std::string fired;    ///< the stopping test that ended the solve; empty if none did
  Vector r;             ///< impulse, m: the best answer, also on failure
  int iterations = 0;
  WorkCounters work;
  std::map<std::string, double> claimed;  ///< what the solver itself measured at exit, by name
};

/// A contact solver. Solvers are stateless: solve() may be called again, from any thread.
///
/// A derived class has a `Settings` struct (see settings.hpp), a static `SolverInfo info()` and a
/// constructor from `Settings`; it implements run(). It neither reads files nor prints.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Solves, after the checks that are the same for all: what the solver cannot use is refused, and
  /// a problem without contacts is solved by the empty impulse. Exceptions of run() pass through.
  Result solve(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
               Observer& observer) const;
  Result solve(const ContactProblem& problem, const Limits& limits) const;

  const SolverInfo& info() const { return info_; }

 protected:
  explicit Solver(SolverInfo info) : info_(std::move(info)) {}

  /// `guess.r` has length m here (zeros if none was given), and the problem at least one contact.
  virtual Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                     Observer& observer) const = 0;

 private:
  SolverInfo info_;
};

/// Why `info` must refuse `problem`, in one line; empty if it need not.
std::string reason_to_refuse(const SolverInfo& info, const ContactProblem& problem);

}  // namespace frictionbench
