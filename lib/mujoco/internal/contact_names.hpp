/// \file
/// Which contacts of successive steps are the same.
#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Core>
#include <map>
#include <utility>
#include <vector>

#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::mujoco {

/// Gives contacts numbers that stay the same from step to step, which MuJoCo does not.
///
/// Two contacts are the same if they are of the same geoms, and at the same place of one of them: nearer
/// to each other than to any other contact of the two, and than a quarter of the smaller geom. A corner
/// that slides on a plane keeps its place on the box, and a ball that rolls has one contact. A contact
/// that opens and closes again keeps its number.
class ContactNames {
 public:
  /// Of all contacts of a step, in MuJoCo's order; those that the solver leaves out have names, too.
  /// To be called for every step.
  std::vector<fclib::BlockIdentity> of(const mjModel& model, const mjData& data);

 private:
  struct Known {
    int feature;
    Eigen::Vector3d on_first, on_second;  // in the frames of the geoms
  };
  using Pair = std::pair<int, int>;
  std::map<Pair, std::vector<Known>> known_;  // by geoms, as they were when last seen
  std::map<Pair, int> next_feature_;          // by bodies
};

}  // namespace frictionbench::mujoco
