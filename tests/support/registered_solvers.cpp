#include "support/registered_solvers.hpp"

#include <algorithm>

#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::test {

Solver registered_solver(const std::string& spec) {
  return *solvers::all_solvers().make(spec).solver;
}

std::vector<std::string> registered_names() {
  std::vector<std::string> names;
  const Registry registry = solvers::all_solvers();
  for (const RegisteredSolver& solver : registry.solvers()) names.push_back(solver.info.name);
  return names;
}

std::vector<std::string> exact_solvers_of(ContactModel model) {
  std::vector<std::string> names;
  const Registry registry = solvers::all_solvers();
  for (const RegisteredSolver& solver : registry.solvers())
    if (solver.info.model == model && solver.info.exact) names.push_back(solver.info.name);
  return names;
}

std::string solver_test_name(const testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace frictionbench::test
