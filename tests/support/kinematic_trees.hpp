/// \file
/// Trees of hinged bodies, with or without loops through the ground: problems of bilateral rows alone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::test {

/// Bodies that hang on each other by hinges, at rest or not. SI units.
struct KinematicTree {
  struct Link {
    int parent = -1;         ///< an earlier link; -1: the world
    Eigen::Vector3d centre;  ///< of mass
    Eigen::Vector3d hinge;   ///< a point of the axis of the hinge to the parent
    Eigen::Vector3d axis;    ///< of that hinge, a unit vector
  };
  std::vector<Link> links;
  bool floating = false;  ///< the first link has no hinge to the world
  std::vector<int>
      anchors;  ///< links with a ball joint to the world at their far end: feet that stand
};

/// \name Trees of irregular shape, the same for the same arguments
/// @{
KinematicTree chain(int links);        ///< hangs on the world
KinematicTree binary_tree(int links);  ///< the same; link k hangs on link (k - 1) / 2
/// A floating base with limbs of so many links; the first `feet` of them stand on the ground.
KinematicTree robot(const std::vector<int>& limbs, int feet);
/// @}

/// \name The time step of a tree that moves and falls
/// Both have the same solution: the velocities of the bodies after the step.
/// @{
/// n = 6 per link, v = (velocity, angular velocity) of each; 5 rows per hinge, then 3 per foot.
ContactProblem in_maximal_coordinates(const KinematicTree& tree);
/// n = 1 per hinge, and 6 of the base if it floats; 3 rows per foot.
ContactProblem in_generalized_coordinates(const KinematicTree& tree);
/// The velocities of all bodies, 6 per link, of generalised velocities.
SparseMatrix body_velocities(const KinematicTree& tree);
/// @}

}  // namespace frictionbench::test
