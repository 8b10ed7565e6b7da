/// \file
/// The problem of a step, by MuJoCo's inertia, forces and constraints.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "frictionbench/fclib/same_blocks.hpp"
#include "frictionbench/mujoco/internal/constraints.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::mujoco {

/// What a ContactProblem is made of, as Step says.
struct StepRows {
  GlobalForm form;                 ///< of all blocks
  Vector mu;                       ///< of the friction cones, which come first
  std::vector<SetPointer> others;  ///< sets of all other blocks
};

/// The impulses of all forces that are not those of constraints, once MuJoCo has summed them up; n.
Vector loads_of(const mjModel& model, const mjData& data);

/// The pieces of the problem of a step, before or after MuJoCo moves.
/// \param loads impulses of given forces, n. \param v velocity before the step, n.
StepRows step_rows(const mjModel& model, const mjData& data,
                   const std::vector<Constraint>& constraints, const Vector& loads,
                   const Vector& v);

/// Who the constraints are.
fclib::IdentifiedBlocks blocks_of(const std::vector<Constraint>& constraints);

/// Whether MuJoCo's Euler step is implicit in the damping of joints.
bool has_damped_joints(const mjModel& model);

}  // namespace frictionbench::mujoco
