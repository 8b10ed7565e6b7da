// How a solver is to behave, whatever it solves. Problems are of order 1, so the tolerance is in units of the files.

#include <fmt/format.h>

#include <climits>
#include <cmath>

#include "frictionbench/bench/conformance/internal/cases.hpp"
#include "frictionbench/bench/conformance/internal/checks.hpp"
#include "frictionbench/bench/conformance/problems.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench::bench::conformance {

namespace {

Seen refusal(const Subject& subject) {
  Cases cases;
  const auto add = [&](const std::string& what, const ContactProblem& problem) {
    const PairOutcome outcome = subject.solve(problem);
    const bool refused = outcome.record.status == Status::refused;
    cases.add(what, refused && !outcome.record.message.empty() ? "" : text_of(outcome.record));
  };
  for (const int dim : {2, 3})
    if (!subject.takes(dim)) add(named(dim), four_coupled_contacts(dim, 0));
  if (!subject.info().every_set) {
    const int dim = subject.takes(3) ? 3 : 2;
    const LocalRows rows{sparse(Matrix::Ones(dim, 1)), sparse(Matrix::Identity(1, 1) * 4),
                         Vector::Zero(1)};
    const LocalForm form{sparse(Matrix::Identity(dim, dim)), Vector::Unit(dim, 0) * -1};
    add("a limit", ContactProblem(dim, vector({0.5}), form).with_rows(rows, {interval(0, 1)}));
  }
  return cases.seen();
}

Seen warm_start(const Subject& subject) {
  Cases cases;
  for (const int dim : subject.dimensions()) {
    const ContactProblem problem = random_problem(dim, 4, 4 * dim, 23, 0.5);
    const PairOutcome cold = subject.solve(problem);
    std::string complaint = unsolved(subject, cold);
    if (complaint.empty()) {
      RunOptions looser = subject.options();
      looser.tolerance *= 10;
      const PairOutcome warm = subject.solve(problem, looser, cold.answer.r);
      complaint = unsolved(subject, warm);
      const int most = std::max(cold.record.iterations, 2);  // to find that it is solved
      if (complaint.empty() && warm.record.iterations > most)
        complaint = fmt::format("{} iterations from the solution, {} from zero",
                                warm.record.iterations, cold.record.iterations);
      cases.add(named(dim), complaint, warm);
    } else {
      cases.add(named(dim), complaint, cold);
    }
  }
  return cases.seen();
}

Seen any_start(const Subject& subject) {
  Cases cases;
  for (const int dim : subject.dimensions()) {
    const ContactProblem problem = four_coupled_contacts(dim, 0);
    // in and far outside of the cones, pulling contacts among them
    Vector start(problem.unknowns());
    for (Index k = 0; k < start.size(); ++k) start[k] = 10 * std::sin(static_cast<double>(3 * k));
    const PairOutcome outcome = subject.solve(problem, subject.options(), start);
    cases.add(named(dim), unsolved(subject, outcome), outcome);
  }
  return cases.seen();
}

// One that takes the tolerance in the units of the file stops too late or, with the smaller
// velocity, far too early.
Seen units(const Subject& subject) {
  Cases cases;
  RunOptions options = subject.options();
  options.scale = Scale::relative;
  for (const int dim : subject.dimensions())
    for (const double velocity : {1e-4, 1e4}) {
      const ContactProblem problem =
          four_coupled_contacts(dim, 1).scaled(Vector::Ones(4), 1 / velocity);
      const PairOutcome outcome = subject.solve(problem, options);
      cases.add(fmt::format("{}D, velocities of order {:g}", dim, velocity), dishonest(outcome),
                outcome);
    }
  return cases.seen();
}

Seen tight_tolerance(const Subject& subject) {
  Cases cases;
  RunOptions options = subject.options();
  options.tolerance = 1e-8;
  for (const int dim : subject.dimensions()) {
    const PairOutcome outcome = subject.solve(four_coupled_contacts(dim, 2), options);
    cases.add(named(dim), dishonest(outcome), outcome);
  }
  return cases.seen();
}

// A tolerance that nothing meets: the solve ends by something else.
constexpr double unreachable = 1e-300;

Seen iteration_limit(const Subject& subject) {
  Cases cases;
  RunOptions options = subject.options();
  options.tolerance = unreachable;
  options.max_iterations = 3;
  for (const int dim : subject.dimensions()) {
    const PairOutcome outcome = subject.solve(random_problem(dim, 10, 12, 22), options);
    std::string complaint = broken(outcome);
    if (complaint.empty() && outcome.record.iterations > 3)
      complaint = fmt::format("{} iterations, asked for at most 3", outcome.record.iterations);
    if (complaint.empty() && !outcome.record.verdict)
      complaint = "no impulse: the best one is wanted all the same";
    cases.add(named(dim), complaint, outcome);
  }
  return cases.seen();
}

Seen time_limit(const Subject& subject) {
  constexpr double allowed = 0.8;  // s, beyond the limit; programs are killed after 1 s
  Cases cases;
  if (subject.dimensions().empty()) return cases.seen();
  RunOptions options = subject.options();
  options.tolerance = unreachable;
  options.max_iterations = INT_MAX;
  options.time_limit = 0.2;
  const int dim = subject.takes(3) ? 3 : 2;
  PairOutcome outcome = subject.solve(random_problem(dim, 200, 100, 25), options);
  if (outcome.record.status == Status::refused)  // too large for it
    outcome = subject.solve(random_problem(dim, 20, 10, 25), options);
  const auto& time = outcome.record.time.solve;
  std::string complaint;
  if (!time)
    complaint = text_of(outcome.record);
  else if (time->median > options.time_limit + allowed)
    complaint =
        fmt::format("took {:.2f} s, with a limit of {:g} s", time->median, options.time_limit);
  cases.add("", complaint, outcome);
  return cases.seen();
}

Seen repeatable(const Subject& subject) {
  Cases cases;
  RunOptions options = subject.options();
  options.tolerance = std::min(options.tolerance, 1e-8);
  options.max_iterations = std::min(options.max_iterations, 500);
  options.repeat_time = options.time_limit;
  options.max_samples = 2;
  for (const int dim : subject.dimensions()) {
    const PairOutcome outcome = subject.solve(random_problem(dim, 8, 5 * dim, 21), options);
    cases.add(named(dim), broken(outcome), outcome);
  }
  return cases.seen();
}

Seen unchanged(const Subject& subject) {
  Cases cases;
  for (const int dim : subject.dimensions())
    for (const bool global : {false, true}) {
      const ContactProblem problem =
          (global ? random_global_problem(dim, 2, 4, 3) : four_coupled_contacts(dim, 3))
              .with_compliance(Vector::Constant(dim * (global ? 2 : 4), 0.1));
      const Conduct conduct = subject.watch(problem);
      cases.add(fmt::format("{}D, {} form", dim, global ? "global" : "local"),
                !conduct.failure.empty()   ? conduct.failure
                : !conduct.changed.empty() ? "changed " + conduct.changed
                                           : "");
    }
  return cases.seen();
}

Seen silent(const Subject& subject) {
  Cases cases;
  for (const int dim : subject.dimensions()) {
    const Conduct conduct = subject.watch(four_coupled_contacts(dim, 3));
    cases.add(named(dim), !conduct.failure.empty() ? conduct.failure
                          : conduct.printed > 0
                              ? fmt::format("printed {} bytes to standard output", conduct.printed)
                              : "");
  }
  return cases.seen();
}

}  // namespace

std::vector<Check> checks_of_conduct() {
  return {
      {"refusal", "what the solver does not take has the status refused", refusal},
      {"warm-start", "from its own answer: solved in no more iterations than from zero",
       warm_start},
      {"any-start", "solved from impulses far outside of the cones", any_start},
      {"units", "the tolerance is in the units asked for: solved, or said that it is not", units},
      {"tight-tolerance", "a tolerance of 1e-8: solved, or said that it is not", tight_tolerance},
      {"iteration-limit", "three iterations are kept, and the best impulse returned",
       iteration_limit},
      {"time-limit", "a time limit of 0.2 s is kept within 0.8 s", time_limit},
      {"repeatable", "a second solve gives the same impulse, bit by bit", repeatable},
      {"unchanged", "the problem is not changed", unchanged},
      {"silent", "nothing is written to standard output", silent}};
}

}  // namespace frictionbench::bench::conformance
