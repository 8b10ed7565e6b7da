/// \file
/// Rigid bodies with joints, over a plane, in maximal coordinates: problems with sets of several kinds.
#pragma once

#include <limits>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"
#include "frictionbench/scenes/dynamics.hpp"

namespace frictionbench::test {

using scenes::Matrix3;
using scenes::Vector3;

/// Joins body a to body b, or to the world: a ball joint, or a hinge if it has an axis.
struct Joint {
  /// The joint as one of the bodies has it, in that body's frame.
  struct Side {
    int body = scenes::Contact::fixed;    ///< index; `fixed` stands for the world
    Vector3 anchor = Vector3::Zero();     ///< from the centre of mass, m
    Matrix3 frame = Matrix3::Identity();  ///< axis of the hinge, then where its angle counts from
  };

  Side a, b;
  bool is_hinge = false;
  /// Bounds of the angle of b relative to a, rad; 0 is the pose in which the joint was made.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double dry_friction = 0;  ///< torque, N m
};

/// A world whose bodies are joined. Bodies touch the planes, not each other.
struct Mechanism {
  scenes::World world;        ///< 3D, without damping, pushes or torques
  std::vector<Joint> joints;  ///< in the order of their rows
};

/// Limits that are further away (rad) are not in the problem, as contacts beyond World::contact_margin:
/// they would only raise the velocity that residuals are relative to.
inline constexpr double limit_margin = 0.1;

/// \name Joints of the bodies where they are now
/// \param a, b bodies, or `fixed`. \param point, axis in the world frame.
/// @{
Joint ball_joint(const scenes::World& world, int a, int b, const Vector3& point);
Joint hinge(const scenes::World& world, int a, int b, const Vector3& point, const Vector3& axis);
/// @}

/// The angle of a hinge, rad.
double angle_of(const scenes::World& world, const Joint& joint);

/// What the step of a mechanism solves.
///
///     M (v+ - v') = h m g + H r,     u = H^T v+ + w
///
/// by semi-implicit Euler, x+ = x + h v+, with v' = after_gyroscopic_torque(). Blocks, in this order:
///
///   friction(mu)      contacts with planes, w_N = max(gap, 0) / h
///   equality(3 or 5)  for each joint, in its order: both bodies have the same velocity there, and in
///                     hinges no relative rotation across the axis
///   for each joint again
///     interval(0,inf) a limit, if the angle is within limit_margin of it: w is (angle - low) / h, or
///                     (high - angle) / h, where that is positive, as the gap of a contact
///     interval(-c,c)  dry friction, c = h dry_friction
///
/// There is no Baumgarte term: w is never negative, so no row can make energy.
struct MechanismStep {
  std::vector<scenes::Contact> contacts;  ///< the first blocks
  Vector v;                               ///< v'
  Vector gravity;                         ///< h m g, n
  ContactProblem problem;                 ///< in global form
};
MechanismStep step_of(const Mechanism& mechanism);

/// The velocity after a time step of -ω x I ω alone, by the implicit midpoint rule, body by body. That
/// keeps the kinetic energy, which the explicit term of scenes::global_form() would raise.
Vector after_gyroscopic_torque(const scenes::World& world);

/// Kinetic plus potential energy, J. A step with impulses r changes it by r . H^T v+ - ||v+ - v'||_M^2 / 2,
/// exactly: gravity is constant, and every body turns about its own angular velocity, which leaves
/// ω . I ω as it is.
double energy(const scenes::World& world);

/// The largest distance between the two sides of a joint: of anchors (m), or of axes (rad).
double drift(const Mechanism& mechanism);

/// The largest angle by which a hinge is beyond a limit, rad.
double overshoot(const Mechanism& mechanism);

/// Closes what joints drifted apart, and turned beyond limits, in a step, by moving bodies without a
/// change of velocities (Gauss-Newton in the metric of M). Otherwise the hinges of a loop would no longer
/// be parallel, and their rows, dependent in theory, would lock it. Changes the energy: not to be called
/// between two measurements of it.
void close_joints(Mechanism& mechanism);

}  // namespace frictionbench::test
