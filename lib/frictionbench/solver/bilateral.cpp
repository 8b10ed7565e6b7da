#include "frictionbench/solver/bilateral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frictionbench/linalg/elimination.hpp"
#include "frictionbench/problem/part.hpp"
#include "frictionbench/solver/settings.hpp"

namespace frictionbench {

namespace {

constexpr double relaxation = 1e-4;  // eps, of the mean diagonal of W_bb
constexpr int most_proximal_steps = 1000;

double mean_diagonal(const ContactProblem& problem) {
  double sum = 0;
  Index rows = 0;
  for (Index i = 0; i < problem.blocks(); ++i) {
    if (!problem.layout()->sets[static_cast<std::size_t>(i)]->is_whole_space()) continue;
    for (Index row = problem.block_start(i); row < problem.block_start(i + 1); ++row, ++rows)
      sum += problem.local().W.coeff(row, row);
  }
  return sum > 0 ? sum / static_cast<double>(rows) : 1;
}

// The compliance of the whole problem, of which the solver chose `own` for the rows that it saw.
Vector whole_compliance(const ContactProblem& problem, const Elimination& elimination,
                        const Vector& own) {
  if (own.size() == 0) return own;
  Vector all =
      problem.compliance().size() > 0 ? problem.compliance() : Vector::Zero(problem.unknowns());
  Index at = 0;
  for (const Index i : elimination.kept())
    for (Index row = problem.block_start(i); row < problem.block_start(i + 1); ++row)
      all[row] += own[at++];
  return all;
}

}  // namespace

void describe_bilateral(SettingFields& fields, Bilateral& bilateral, const SolverInfo& info) {
  if (!info.contacts) return;
  std::vector<std::pair<std::string, Bilateral>> choices{{"eliminate", Bilateral::eliminate},
                                                         {"proximal", Bilateral::proximal}};
  if (info.every_set) choices.insert(choices.begin(), {"block", Bilateral::block});
  fields.add("bilateral", bilateral, std::move(choices),
             fmt::format("bilateral rows; {}eliminate: by the Schur complement of a rank-revealing "
                         "factorisation; proximal: by that of relaxed rows, again until they hold",
                         info.every_set ? "block: solved like any other block; " : ""),
             "proximal: Carpentier, Budhiraja, Mansard, RSS 2021");
}

bool has_bilateral_rows_only(const ContactProblem& problem) {
  return std::ranges::all_of(problem.other_sets(),
                             [](const SetPointer& set) { return set->is_whole_space(); });
}

Result solve_without_bilateral_rows(const SolverInfo& info, const Solver::Run& run,
                                    const ContactProblem& problem, const Limits& limits,
                                    const Vector& start, Observer& observer, Result memory) {
  const bool proximal = info.bilateral == Bilateral::proximal;
  const double eps = proximal ? relaxation * mean_diagonal(problem) : 0;
  WorkCounters work;
  const Elimination elimination(problem, work, eps);
  const ContactProblem& rest = elimination.rest();
  if (std::string reason = reason_to_refuse(info, rest); !reason.empty()) {
    Result refused;
    refused.status = Status::refused;
    refused.message = "without the bilateral rows, " + reason;
    return refused;
  }
  Limits own = limits;
  own.units = {blocks_of(limits.units.impulse, elimination.kept()),
               blocks_of(limits.units.velocity, elimination.kept())};

  Vector r = start.size() > 0 ? start : Vector::Zero(problem.unknowns());
  Result result;
  int iterations = 0;
  for (int step = 0;; ++step) {
    Vector offset;
    if (proximal) offset = -eps * elimination.bilateral_rows(r);
    own.max_iterations = limits.max_iterations - iterations;
    if (rest.unknowns() > 0) {
      result = run(proximal ? rest.with_velocity_added(elimination.carried(offset)) : rest, own,
                   elimination.kept_rows(r), observer, std::move(memory));
    } else {
      result = Result();
      result.status = Status::converged;
      result.stop_reason = StopReason::no_contacts;
    }
    work += result.work;
    iterations += result.iterations;
    r = elimination.whole(result.r, offset);
    const ConeResiduals residuals = cone_residuals(
        info.model, problem, r, problem.contact_velocity(r), limits.units, info.facets);
    ++work.products;
    const bool solved = residuals.max() <= limits.tolerance;
    const bool goes_on = proximal && result.status == Status::converged && !solved &&
                         step + 1 < most_proximal_steps && !limits.time_is_up() &&
                         iterations < limits.max_iterations;
    if (!goes_on) {
      if (result.status == Status::converged && !solved && result.compliance.size() == 0) {
        result.status = Status::inaccurate;
        result.message = "without the bilateral rows it is solved, with them it is not";
      }
      break;
    }
    memory = std::move(result);
  }
  result.r = std::move(r);
  result.compliance = whole_compliance(problem, elimination, result.compliance);
  result.velocity.resize(0);
  result.work = work;
  result.iterations = iterations;
  return result;
}

}  // namespace frictionbench
