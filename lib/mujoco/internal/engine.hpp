/// \file
/// MuJoCo's model and state, owned, and its errors as exceptions.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

#include "frictionbench/math/types.hpp"
#include "frictionbench/mujoco/model.hpp"

namespace frictionbench::mujoco {

/// A model that is being simulated.
class Engine {
 public:
  /// Loads a model, and puts it where it starts.
  /// \throws FileError naming the model and what is wrong.
  explicit Engine(const ModelSettings& settings);

  /// One time step by MuJoCo's own forces. The velocities are those after it; positions of bodies, contacts,
  /// Jacobians and forces stay those before it. \throws FileError naming the model and the step.
  void step();

  /// \name A time step by other impulses
  /// Each throws FileError naming the model and the step.
  /// @{
  /// Positions of bodies, contacts, Jacobians, inertia and energies, of the state as it is. What is wrong with
  /// them is for sum_forces() to say.
  void look();
  /// Sums up the forces that are not those of constraints. After look(), and with the controls set.
  void sum_forces();
  /// Moves as MuJoCo's Euler step does, to the velocity v at its end, n; not at all to one that is not finite.
  /// \param constraint_impulse H r, n.
  void move(const Vector& v, const Vector& constraint_impulse);
  /// @}

  const mjModel& model() const { return *model_; }
  mjData& data() { return *data_; }
  const mjData& data() const { return *data_; }
  /// What is not as the model says.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void load();
  void start_at(const std::string& keyframe);
  template <typename Call>
  void call(const Call& function);
  void check_warnings() const;
  std::string where() const;
  [[noreturn]] void fail_as_unstable() const;
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model_{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data_{nullptr, mj_deleteData};
  int steps_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace frictionbench::mujoco
