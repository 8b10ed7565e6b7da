/// \file
/// MuJoCo's constraints as blocks of a problem.
#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Geometry>
#include <Eigen/SparseCore>
#include <vector>

#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/mujoco/internal/contact_names.hpp"
#include "frictionbench/sets/constraint_set.hpp"

namespace frictionbench::mujoco {

/// One constraint, with all of its rows.
struct Constraint {
  SetPointer set;            ///< as Step says
  fclib::BlockIdentity who;  ///< bodies of a contact, or who_of() of another constraint
  BlockVector w;             ///< what is added to H^T v: max(gap, 0) / h in the first row
  BlockVector impulse;       ///< h times MuJoCo's force
  bool contact;              ///< not of joints or tendons
  /// Entries of H: rows are degrees of freedom, columns are counted from the first of the block. Entries
  /// at the same place add up.
  std::vector<Eigen::Triplet<double, int>> columns;
};

/// All constraints of MuJoCo's solver in the step that was taken last, in the order of Step.
/// \param names of its contacts, from ContactNames::of().
std::vector<Constraint> constraints_of(const mjModel& model, const mjData& data,
                                       const std::vector<fclib::BlockIdentity>& names);

}  // namespace frictionbench::mujoco
