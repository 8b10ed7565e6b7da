#include "frictionbench/solvers/staggered/ccp_desaxce.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "frictionbench/solvers/staggered/fixed_point.hpp"

namespace frictionbench::solvers {

namespace {

std::shared_ptr<const Solver> ccp_solver(const std::string& spec) {
  const Registry registry = all_solvers();
  const ConfiguredSolver inner = registry.make(spec);
  if (inner.info().model == ContactModel::ccp) return inner.solver;

  std::vector<std::string> names;
  for (const RegisteredSolver& solver : registry.solvers())
    if (solver.info.model == ContactModel::ccp) names.push_back(solver.info.name);
  throw std::invalid_argument(
      fmt::format("inner = '{}' must be a solver of the CCP: {}", spec, fmt::join(names, ", ")));
}

// The cascade takes what its inner solver takes.
SolverInfo with_inner(SolverInfo info, const SolverInfo& inner) {
  info.two_dimensional = inner.two_dimensional;
  info.three_dimensional = inner.three_dimensional;
  info.zero_diagonal = inner.zero_diagonal;
  return info;
}

// What a CCP is solved to: a tenth of the tolerances, or of what the residuals are above them.
Tolerances inner_tolerances(const Tolerances& asked, const ConeResiduals& residuals) {
  double above = 1;
  const auto compare = [&](double residual, double tolerance) {
    if (tolerance > 0) above = std::max(above, residual / tolerance);
  };
  compare(residuals.primal, asked.primal);
  compare(residuals.dual, asked.dual);
  compare(residuals.complementarity, asked.complementarity);
  above *= 0.1;
  return {above * asked.primal, above * asked.dual, above * asked.complementarity};
}

}  // namespace

void CcpDesaxce::Settings::describe(SettingFields& fields) {
  fields.add("inner", inner,
             "the solver of the CCPs, with its settings if need be: ccp-admm(rho_update=linear)",
             "[Carpentier24] section III-A: any solver of (28a)");
}

SolverInfo CcpDesaxce::info() {
  SolverInfo info;
  info.name = "ccp-desaxce";
  info.summary = "the NCP by a cascade of CCPs: fixed point on the De Saxcé correction";
  info.model = ContactModel::ncp;
  info.sources = {"Carpentier, Le Lidec, Montaut, RSS 2024 (S), section III-A",
                  "Acary, Cadoux, Lemarechal, Malick, ZAMM 91 (2011)"};
  info.zero_diagonal = true;
  return info;
}

CcpDesaxce::CcpDesaxce(const Settings& settings) : CcpDesaxce(ccp_solver(settings.inner)) {}

CcpDesaxce::CcpDesaxce(std::shared_ptr<const Solver> inner)
    : Solver(with_inner(info(), inner->info())), inner_(std::move(inner)) {}

Result CcpDesaxce::run(const ContactProblem& problem, const Limits& limits,
                       const InitialGuess& guess, Observer& observer) const {
  Result result;
  result.r = guess.r;
  const DelassusOperator W(problem, result.work);
  Vector velocity = W.velocity(result.r);
  fixed_point(problem, limits, observer, result, [&](int left, Vector& r, Vector& u) {
    const ContactProblem ccp =
        problem.with_velocity_added(de_saxce_corrections(velocity, problem.mu()));
    Limits inner = limits;
    inner.max_iterations = left;
    inner.tolerances = inner_tolerances(limits.tolerances,
                                        cone_residuals(ContactModel::ncp, problem, r, velocity));
    Observer nobody;
    const Result answer = inner_->solve(ccp, inner, {r}, nobody);
    result.work += answer.work;
    if (answer.status == Status::error) {
      result.status = Status::error;
      result.message = inner_->info().name + ": " + answer.message;
      return 0;
    }
    r = answer.r;
    u = velocity = W.velocity(r);
    return std::max(1, answer.iterations);
  });
  return result;
}

}  // namespace frictionbench::solvers
