#include "support/registered_solvers.hpp"

#include <algorithm>

#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::test {

std::shared_ptr<const Solver> solver(const std::string& spec) {
  return solvers::all_solvers().make(spec).solver;
}

Result solve(const std::string& spec, const ContactProblem& problem, const Limits& limits,
             const Vector& start) {
  Observer silent;
  return solve(spec, problem, limits, start, silent);
}

Result solve(const std::string& spec, const ContactProblem& problem, const Limits& limits,
             const Vector& start, Observer& observer) {
  return solver(spec)->solve(problem, limits, start, observer);
}

std::vector<std::string> registered_names() { return solvers::all_solvers().ready_names(); }

std::vector<std::string> exact_solvers_of(ContactModel model) {
  std::vector<std::string> names;
  const Registry registry = solvers::all_solvers();
  for (const RegisteredSolver& solver : registry.solvers())
    if (solver.required.empty() && solver.info.model == model && solver.info.exact &&
        solver.info.contacts)
      names.push_back(solver.info.name);
  return names;
}

std::string solver_test_name(const testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace frictionbench::test
