/// \file
/// What moves in a simulation at one time: places of bodies, shapes to draw, and impulses.
#pragma once

#include <Eigen/Geometry>
#include <variant>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench::simulation {

using Vector3 = Eigen::Vector3d;  ///< a point or direction; in 2D the third component is 0

/// Where a body or a shape is.
struct Pose {
  Vector3 position = Vector3::Zero();                            ///< m
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< own axes to the world's
};

/// A ball, or a disk in 2D.
struct Ball {
  double radius = 0;  ///< m
};
/// A convex body with flat faces; in 2D a convex polygon, its only face.
struct Polyhedron {
  std::vector<Vector3> corners;         ///< m, in its own axes
  std::vector<std::vector<int>> faces;  ///< corners of each, in order around it
};
/// All points within `radius` of a line: a capsule, a ring of wire.
struct Tube {
  std::vector<Vector3> core;  ///< corners of the line, m, in its own axes
  double radius = 0;          ///< m
};
/// Around its own axis z.
struct Cylinder {
  double radius = 0;       ///< m
  double half_length = 0;  ///< m
};
/// Its axes are its own x, y and z.
struct Ellipsoid {
  Vector3 radii = Vector3::Zero();  ///< m
};

using Shape = std::variant<Ball, Polyhedron, Tube, Cylinder, Ellipsoid>;  ///< of a solid

/// A box with these half edges (m) around `center`, in its own axes.
Polyhedron box(const Vector3& half_edges, const Vector3& center = Vector3::Zero());

/// Radius of the ball around the origin of its own axes that holds the shape, m.
double extent(const Shape& shape);

/// Something to draw.
struct Solid {
  static constexpr int fixed = -1;  ///< for what does not move

  Shape shape;       ///< in its own axes
  Pose pose;         ///< of these axes
  int body = fixed;  ///< the body that it belongs to; those of a body have one colour
};

/// The surface { x : normal . x = offset } of a fixed half space.
struct Plane {
  Vector3 normal = Vector3::UnitZ();  ///< unit vector towards the bodies
  double offset = 0;                  ///< m
};

/// The impulse at a contact, in the step that led to a frame.
struct ContactImpulse {
  int first = 0;                      ///< body that the impulse acts on, or Solid::fixed
  int second = 0;                     ///< body that the opposite acts on, or Solid::fixed
  Vector3 point = Vector3::Zero();    ///< m
  Vector3 impulse = Vector3::Zero();  ///< on the first body, N s
};

/// What moves, at one time.
struct Frame {
  double time = 0;                       ///< s
  int dimension = 3;                     ///< 2 (x-y plane) or 3
  std::vector<Pose> bodies;              ///< all frames of a simulation have the same
  std::vector<Solid> solids;             ///< what bodies and their surroundings look like
  std::vector<Plane> planes;             ///< fixed
  std::vector<ContactImpulse> impulses;  ///< of the step that led here; may be empty
};

}  // namespace frictionbench::simulation
