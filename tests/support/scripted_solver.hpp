/// \file
#pragma once

#include <functional>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::test {

/// A solver that does what a test tells it to.
class ScriptedSolver final : public Solver {
 public:
  using Script = std::function<Result(const ContactProblem&)>;
  ScriptedSolver(SolverInfo info, Script script)
      : Solver(std::move(info)), script_(std::move(script)) {}

 private:
  Result run(const ContactProblem& problem, const Limits&, const InitialGuess&,
             Observer&) const override {
    return script_(problem);
  }
  Script script_;
};

inline ConfiguredSolver scripted(const std::string& name, ScriptedSolver::Script script,
                                 ContactModel model = ContactModel::ncp) {
  SolverInfo info;
  info.name = name;
  info.model = model;
  info.zero_diagonal = true;
  return {name, nlohmann::json::object(),
          std::make_shared<ScriptedSolver>(info, std::move(script))};
}

}  // namespace frictionbench::test
