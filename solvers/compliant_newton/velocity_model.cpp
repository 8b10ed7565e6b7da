#include "frictionbench/solvers/compliant_newton/velocity_model.hpp"

#include "frictionbench/solvers/compliant_newton/global_velocities.hpp"
#include "frictionbench/solvers/compliant_newton/local_velocities.hpp"

namespace frictionbench::solvers {

std::unique_ptr<VelocityModel> make_velocity_model(const ContactProblem& problem,
                                                   WorkCounters& work) {
  if (problem.global()) return std::make_unique<GlobalVelocities>(*problem.global(), work);
  return std::make_unique<LocalVelocities>(problem.local(), work);
}

}  // namespace frictionbench::solvers
