/// \file
/// Solvers that run a function given by a test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::test {

using Script = std::function<Result(const ContactProblem&)>;
using StartedScript = std::function<Result(const ContactProblem&, const Vector& start)>;

/// A solver whose script is given the impulse to start from.
inline ConfiguredSolver scripted_from(const std::string& name, StartedScript script,
                                      ContactModel model = ContactModel::ncp) {
  const auto run = [script = std::move(script)](const ContactProblem& problem, const Limits&,
                                                const Vector& start, Observer&, Result) {
    return script(problem, start.size() > 0 ? start : Vector::Zero(problem.unknowns()));
  };
  const SolverInfo info{.name = name, .model = model, .summary = "scripted", .sources = {"a test"}};
  return {name, {}, std::make_shared<Solver>(info, run)};
}

inline ConfiguredSolver scripted(const std::string& name, Script script,
                                 ContactModel model = ContactModel::ncp) {
  return scripted_from(
      name,
      [script = std::move(script)](const ContactProblem& problem, const Vector&) {
        return script(problem);
      },
      model);
}

}  // namespace frictionbench::test
