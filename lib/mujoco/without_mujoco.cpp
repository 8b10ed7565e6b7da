// What is built where MuJoCo is not installed.
#include <stdexcept>

#include "frictionbench/mujoco/extraction.hpp"

namespace frictionbench::mujoco {

std::string version() { return ""; }

Extract extract(const Simulation&, const std::function<void(Step)>&) {
  throw std::runtime_error(
      "this program was built without MuJoCo: install libmujoco-dev (scripts/setup.sh --peers) and "
      "build it again");
}

}  // namespace frictionbench::mujoco
