/// \file
/// MuJoCo's constraints as blocks of a problem.
#pragma once

#include <mujoco/mujoco.h>

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
  BlockVector w;             ///< what is added to H^T v
  /// Entries of H: rows are degrees of freedom, columns are counted from the first of the block. Entries
  /// at the same place add up.
  std::vector<Eigen::Triplet<double, int>> columns;
  int contact = -1;  ///< its number among MuJoCo's contacts; -1: it is none
  int row = 0;       ///< the first of MuJoCo's rows that it has
};

/// All constraints that MuJoCo has at its positions, in the order of Step.
/// \param names of its contacts, from ContactNames::of(). \param push_apart b: the first w of a contact or limit
/// is gap / h, and b gap / h where they overlap; those of an equality are b error / h.
std::vector<Constraint> constraints_of(const mjModel& model, const mjData& data,
                                       const std::vector<fclib::BlockIdentity>& names,
                                       double push_apart);

/// h times MuJoCo's own force, once its solver has run.
BlockVector mujoco_impulse(const mjModel& model, const mjData& data, const Constraint& constraint);

}  // namespace frictionbench::mujoco
