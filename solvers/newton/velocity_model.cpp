#include "newton/velocity_model.hpp"

#include "newton/global_velocities.hpp"
#include "newton/local_velocities.hpp"

namespace frictionbench::solvers {

std::unique_ptr<VelocityModel> make_velocity_model(const ContactProblem& problem,
                                                   WorkCounters& work) {
  if (problem.global()) return std::make_unique<GlobalVelocities>(*problem.global(), work);
  return std::make_unique<LocalVelocities>(problem.local(), work);
}

}  // namespace frictionbench::solvers
