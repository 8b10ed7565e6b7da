// What is built where MuJoCo is not installed.
#include <stdexcept>

#include "frictionbench/mujoco/extraction.hpp"
#include "frictionbench/mujoco/motion.hpp"

namespace frictionbench::mujoco {

namespace {

[[noreturn]] void refuse() {
  throw std::runtime_error(
      "this program was built without MuJoCo: install libmujoco-dev (scripts/setup.sh --peers) and "
      "build it again");
}

}  // namespace

std::string version() { return ""; }

Extract extract(const Simulation&, const std::function<void(Step)>&) { refuse(); }

MovedModel make_motion(const ModelSettings&, int) { refuse(); }

}  // namespace frictionbench::mujoco
