#include "model_options.hpp"

namespace frictionbench::app {

void add_model_options(Command& command, mujoco::ModelSettings& settings) {
  command.option("MODEL", settings.model,
                 "MJCF file, .xml, or a model that MuJoCo has compiled, .mjb", {.required = true});
  command.option("--dt", settings.time_step, "time step; the model's own by default",
                 {.unit = "s", .range = positive()});
  command.option("--keyframe", settings.keyframe,
                 "start from this keyframe of the model, by name or number; from its reference "
                 "pose by default",
                 {.value = "NAME"});
  command.option("--control", settings.control,
                 "what actuators are told: zero, random values in their ranges, or those of a file",
                 {.value = "zero|random:SEED|FILE"});
}

}  // namespace frictionbench::app
