/// \file
/// MuJoCo's model and state, owned, and its errors as exceptions.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

#include "frictionbench/mujoco/extraction.hpp"

namespace frictionbench::mujoco {

/// A model that is being simulated.
class Engine {
 public:
  /// Loads the model of a simulation, and puts it where it starts.
  /// \throws FileError naming the model and what is wrong.
  explicit Engine(const Simulation& simulation);

  /// One time step. The velocities are those after it; positions of bodies, contacts, Jacobians and
  /// forces stay those before it. \throws FileError naming the model and the step.
  void step();

  const mjModel& model() const { return *model_; }
  mjData& data() { return *data_; }
  const mjData& data() const { return *data_; }
  int steps_taken() const { return steps_; }
  /// What is not as the model says.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void start_at(const std::string& keyframe);
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model_{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data_{nullptr, mj_deleteData};
  int steps_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace frictionbench::mujoco
