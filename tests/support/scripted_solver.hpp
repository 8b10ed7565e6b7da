/// \file
/// Solvers that run a function given by a test.
#pragma once

#include <functional>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::test {

using Script = std::function<Result(const ContactProblem&)>;
using StartedScript = std::function<Result(const ContactProblem&, const Vector& start)>;

/// A solver whose script is given the initial impulse.
inline ConfiguredSolver scripted_from(const std::string& name, const StartedScript& script,
                                      ContactModel model = ContactModel::ncp) {
  SolverInfo info;
  info.name = name;
  info.model = model;
  const auto run = [script](const ContactProblem& problem, const Limits&, const Vector& start,
                            Observer&) { return script(problem, start); };
  return {name, {}, std::make_shared<Solver>(info, run)};
}

inline ConfiguredSolver scripted(const std::string& name, const Script& script,
                                 ContactModel model = ContactModel::ncp) {
  return scripted_from(
      name, [script](const ContactProblem& problem, const Vector&) { return script(problem); },
      model);
}

}  // namespace frictionbench::test
