#include "frictionbench/solver/solver.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace frictionbench {

namespace {

constexpr std::array<std::pair<Status, std::string_view>, 12> status_names{{
    {Status::converged, "converged"},
    {Status::max_iterations, "max_iterations"},
    {Status::stalled, "stalled"},
    {Status::ray, "ray"},
    {Status::cycle, "cycle"},
    {Status::inaccurate, "inaccurate"},
    {Status::refused, "refused"},
    {Status::time_limit, "time_limit"},
    {Status::error, "error"},
    {Status::memory_limit, "memory_limit"},
    {Status::crashed, "crashed"},
    {Status::wrong, "wrong"},
}};

constexpr std::array<std::pair<StopReason, std::string_view>, 13> stop_reason_names{{
    {StopReason::none, "none"},
    {StopReason::no_contacts, "no_contacts"},
    {StopReason::residuals, "residuals"},
    {StopReason::polyhedral_residuals, "polyhedral_residuals"},
    {StopReason::admm_residuals, "admm_residuals"},
    {StopReason::momentum, "momentum"},
    {StopReason::fixed_point, "fixed_point"},
    {StopReason::iteration_limit, "iteration_limit"},
    {StopReason::time_limit, "time_limit"},
    {StopReason::forecast, "forecast"},
    {StopReason::no_progress, "no_progress"},
    {StopReason::not_finite, "not_finite"},
    {StopReason::failure, "failure"},
}};

template <typename Table, typename Enum>
std::string_view name_in(const Table& table, Enum value) {
  for (const auto& [known, text] : table)
    if (known == value) return text;
  throw std::logic_error("a value without a name");
}

template <typename Table>
auto value_in(const Table& table, const char* kind, std::string_view text) {
  for (const auto& [value, known] : table)
    if (known == text) return value;
  throw std::invalid_argument(fmt::format("unknown {} '{}'", kind, text));
}

// A contact that no impulse can move: without a positive diagonal entry a per-contact method has
// nothing to divide by. The tangent directions of a frictionless contact are never divided by.
std::string zero_diagonal_contact(const ContactProblem& problem) {
  const int dim = problem.dimension();
  const Vector diagonal = problem.local().W.diagonal();
  for (Index i = 0; i < problem.contacts(); ++i)
    for (int a = 0; a < dim; ++a)
      if ((a == 0 || problem.mu()[i] > 0) && !(diagonal[dim * i + a] > 0))
        return fmt::format("the diagonal block of W of contact {} has a zero diagonal entry", i);
  return {};
}

}  // namespace

std::string_view name(Status status) { return name_in(status_names, status); }
Status status_from_name(std::string_view text) { return value_in(status_names, "status", text); }

std::string_view name(StopReason reason) { return name_in(stop_reason_names, reason); }
StopReason stop_reason_from_name(std::string_view text) {
  return value_in(stop_reason_names, "stop reason", text);
}

std::string reason_to_refuse(const SolverInfo& info, const ContactProblem& problem) {
  if (problem.dimension() == 2 && !info.two_dimensional) return "takes 3D problems only";
  if (problem.dimension() == 3 && !info.three_dimensional) return "takes 2D problems only";
  if (problem.bilateral_rows() > 0 && !info.bilateral_rows)
    return fmt::format("cannot use the {} rows of bilateral constraints", problem.bilateral_rows());
  if (info.uses_global_form && !problem.global())
    return "needs the global form (M, H), and the file has only W";
  if (!info.zero_diagonal) return zero_diagonal_contact(problem);
  return {};
}

Result Solver::solve(const ContactProblem& problem, const Limits& limits, const Vector& start,
                     Observer& observer) const {
  if (std::string reason = reason_to_refuse(info_, problem); !reason.empty()) {
    Result refused;
    refused.status = Status::refused;
    refused.message = std::move(reason);
    return refused;
  }
  if (problem.contacts() == 0) {
    observer.setup_finished();
    Result empty;
    empty.status = Status::converged;
    empty.stop_reason = StopReason::no_contacts;
    return empty;
  }
  if (start.size() == 0)
    return run_(problem, limits, Vector::Zero(problem.unknowns()), observer);
  if (start.size() != problem.unknowns())
    throw std::invalid_argument(fmt::format("the start has {} entries, the problem {}",
                                            start.size(), problem.unknowns()));
  return run_(problem, limits, start, observer);
}

Result Solver::solve(const ContactProblem& problem, const Limits& limits) const {
  Observer silent;
  return solve(problem, limits, {}, silent);
}

}  // namespace frictionbench
