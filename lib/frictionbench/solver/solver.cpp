#include "frictionbench/solver/solver.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/solver/bilateral.hpp"

namespace frictionbench {

namespace {

// Per-contact methods divide by the diagonal of W, except in the tangent directions of a
// frictionless contact.
std::string zero_diagonal_contact(const ContactProblem& problem) {
  const Vector diagonal = problem.delassus_diagonal();
  const char* block = problem.is_plain() ? "contact" : "block";
  return with_blocks(problem, [&](const auto& blocks) -> std::string {
    for (Index i = 0; i < blocks.count(); ++i)
      for (Index row = blocks.start(i); row < blocks.start(i + 1); ++row) {
        const bool frictionless = blocks.is_contact(i) && blocks.mu(i) == 0;
        if ((row == blocks.start(i) || !frictionless) && !(diagonal[row] > 0))
          return fmt::format("W has a zero on its diagonal at {} {}", block, i);
      }
    return {};
  });
}

}  // namespace

std::string reason_to_refuse(const SolverInfo& info, const ContactProblem& problem) {
  if (problem.dimension() == 2 && !info.two_dimensional) return "takes 3D problems only";
  if (problem.dimension() == 3 && !info.three_dimensional) return "takes 2D problems only";
  if (!info.contacts && problem.bilateral_rows() < problem.unknowns())
    return fmt::format("takes bilateral rows only, and the problem has {}",
                       problem.is_plain() ? "friction cones" : sets_of(problem));
  const bool eliminates = info.bilateral != Bilateral::block && problem.bilateral_rows() > 0;
  if (info.contacts && !problem.is_plain() && !info.every_set &&
      !(eliminates && has_bilateral_rows_only(problem)))
    return fmt::format("takes friction cones{}, and the problem has {}",
                       eliminates ? " and bilateral rows only" : " only", sets_of(problem));
  if (info.uses_global_form && eliminates)
    return "needs the global form (M, H), and bilateral rows are eliminated in the local one";
  if (info.uses_global_form && !problem.global())
    return "needs the global form (M, H), and the file has only W";
  if (!info.zero_diagonal && !eliminates) return zero_diagonal_contact(problem);
  return {};
}

ContactProblem as_taken_by(const SolverInfo& info, const ContactProblem& problem) {
  const bool has_no_use_for_W = info.uses_global_form && problem.global();
  return has_no_use_for_W && problem.has_W() ? problem.without_W() : problem;
}

Result Solver::solve(const ContactProblem& problem, const Limits& limits, const Vector& start,
                     Observer& observer, Result memory) const {
  if (std::string reason = reason_to_refuse(info_, problem); !reason.empty()) {
    Result refused;
    refused.status = Status::refused;
    refused.message = std::move(reason);
    return refused;
  }
  if (problem.unknowns() == 0) {
    observer.setup_finished();
    Result empty;
    empty.status = Status::converged;
    empty.stop_reason = StopReason::no_contacts;
    return empty;
  }
  if (start.size() != 0 && start.size() != problem.unknowns())
    throw std::invalid_argument(
        fmt::format("the start has {} entries, the problem {}", start.size(), problem.unknowns()));
  if (info_.bilateral != Bilateral::block && problem.bilateral_rows() > 0)
    return solve_without_bilateral_rows(info_, run_, problem, limits, start, observer,
                                        std::move(memory));
  return run_(problem, limits, start, observer, std::move(memory));
}

Result Solver::solve(const ContactProblem& problem, const Limits& limits, Result memory) const {
  Observer silent;
  return solve(problem, limits, {}, silent, std::move(memory));
}

}  // namespace frictionbench
