/// \file
#pragma once

#include <functional>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::test {

/// A solver that runs a function given by a test.
class ScriptedSolver final : public Solver {
 public:
  using Script = std::function<Result(const ContactProblem&)>;
  using StartedScript = std::function<Result(const ContactProblem&, const Vector& start)>;
  ScriptedSolver(SolverInfo info, StartedScript script)
      : Solver(std::move(info)), script_(std::move(script)) {}

 private:
  Result run(const ContactProblem& problem, const Limits&, const InitialGuess& guess,
             Observer&) const override {
    return script_(problem, guess.r);
  }
  StartedScript script_;
};

/// A scripted solver whose script is given the initial impulse.
inline ConfiguredSolver scripted_from(const std::string& name, ScriptedSolver::StartedScript script,
                                      ContactModel model = ContactModel::ncp) {
  SolverInfo info;
  info.name = name;
  info.model = model;
  info.zero_diagonal = true;
  return {name, nlohmann::json::object(),
          std::make_shared<ScriptedSolver>(info, std::move(script))};
}

inline ConfiguredSolver scripted(const std::string& name, ScriptedSolver::Script script,
                                 ContactModel model = ContactModel::ncp) {
  return scripted_from(
      name,
      [script = std::move(script)](const ContactProblem& problem, const Vector&) {
        return script(problem);
      },
      model);
}

}  // namespace frictionbench::test
