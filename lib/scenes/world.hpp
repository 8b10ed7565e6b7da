/// \file
/// The contents of a scene: rigid bodies, fixed planes and bodies, gravity, and the time step.
#pragma once

#include <Eigen/Geometry>
#include <variant>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench::scenes {

using Vector3 = Eigen::Vector3d;  ///< a point or direction; in 2D the third component is 0
using Matrix3 = Eigen::Matrix3d;  ///< a rotation or an inertia

/// A ball in 3D, a disk in 2D.
struct Sphere {
  double radius = 0.1;  ///< m
};

/// A cuboid in 3D; a rectangle in 2D, where the third extent is not used.
struct Box {
  Vector3 half_extents = Vector3::Constant(0.1);  ///< m, in the body's own axes
  /// Contact points along an edge of a face, evenly spaced, >= 2: 2 are its corners. More hold no more
  /// than those two do, and make contacts that are redundant.
  int points = 2;
  bool points_inside = false;  ///< a square grid of points on each face, not only along its edges
};

/// A prism over an isosceles trapezoid, such as a stone of an arch; only in 3D. In the body's own axes
/// the prism runs along y, the parallel edges of the trapezoid along x, and z is at right angles to
/// them. The origin is the centre of mass.
struct Wedge {
  double lower = 0.1;       ///< half the parallel edge at the lower z, m
  double upper = 0.1;       ///< half the parallel edge at the higher z, m; the edges may be equal
  double height = 0.2;      ///< distance between the parallel edges, m
  double half_width = 0.1;  ///< along y, m

  /// Distance of the lower edge from the centre of mass, m.
  double below() const { return height * (lower + 2 * upper) / (3 * (lower + upper)); }
  /// Distance of the upper edge from the centre of mass, m.
  double above() const { return height * (2 * lower + upper) / (3 * (lower + upper)); }
  /// m^3.
  double volume() const { return 2 * half_width * height * (lower + upper); }
};

/// A round bar along x with hemispherical ends: all points within `radius` of a line, its core. Only
/// in 3D.
struct Capsule {
  double radius = 0.01;      ///< m
  double half_length = 0.1;  ///< of the core, m
};

/// A closed loop of wire in the x-y plane: capsules along the sides of a regular polygon, the core.
/// The polygon may be pulled apart along x, which makes the ring a link of a chain. Only in 3D.
struct Ring {
  double radius = 0.02;  ///< distance of the polygon's sides from its centre, m
  double stretch = 0;    ///< by which the two halves, x < 0 and x > 0, are pulled apart, m
  double wire = 0.005;   ///< radius of the wire, m
  int sides = 8;         ///< of the polygon, a multiple of 4: two are parallel to x, and two to y

  /// From the centre to the core along x, m.
  double half_length() const { return radius + stretch / 2; }
};

using Shape = std::variant<Sphere, Box, Wedge, Capsule, Ring>;  ///< of a body

/// A rigid body. All quantities in SI units and the world frame unless said otherwise.
/// In 2D a body moves in the x-y plane: z positions and velocities are 0, and it rotates about z.
struct Body {
  Shape shape;                         ///< in the body's own axes, around its centre of mass
  Vector3 position = Vector3::Zero();  ///< of the centre of mass
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< body to world
  Vector3 velocity = Vector3::Zero();                            ///< of the centre of mass, m/s
  Vector3 angular_velocity = Vector3::Zero();                    ///< rad/s
  double mass = 1;                                               ///< kg
  Vector3 inertia = Vector3::Ones();        ///< principal moments in the body's axes, kg m^2
  double mu = 0.5;                          ///< friction coefficient of the surface
  Vector3 force = Vector3::Zero();          ///< push at the centre of mass, N
  Vector3 torque = Vector3::Zero();         ///< torque, N m
  Vector3 force_growth = Vector3::Zero();   ///< of the push over time, N/s
  Vector3 torque_growth = Vector3::Zero();  ///< of the torque over time, N m/s
};

/// A fixed half space { x : normal . x <= offset } that bodies rest against.
struct Plane {
  Vector3 normal = Vector3::UnitZ();  ///< unit vector that points towards the bodies
  double offset = 0;                  ///< m
  double mu = 0.5;                    ///< friction coefficient of the surface
};

/// A spring between a fixed point and the centre of a body, which pulls along a fixed axis only.
struct Spring {
  int body = 0;                      ///< its number
  Vector3 axis = Vector3::UnitX();   ///< unit vector
  Vector3 anchor = Vector3::Zero();  ///< where it is at rest, m
  double stiffness = 0;              ///< N/m

  /// How far it is stretched along its axis, m.
  double stretch(const Body& pulled) const { return axis.dot(pulled.position - anchor); }
};

/// Everything that one time step depends on.
///
/// What does not move is a plane or one of the `fixtures`: bodies of any shape that keep their place
/// and rotation whatever acts on them. They have no degrees of freedom and no part in M or H; contacts
/// with them are contacts with Contact::fixed, like those with planes. So that the end of a chain is
/// held, its last link is a fixture.
struct World {
  int dimension = 3;                ///< 2 (x-y plane) or 3
  Vector3 gravity = {0, 0, -9.81};  ///< m/s^2
  double time_step = 0.005;         ///< h, s
  double damping = 0;               ///< viscous drag per unit of mass, 1/s
  double contact_margin = 1e-3;     ///< surfaces closer than this are contacts, m
  /// The world repeats itself after this distance along each axis, m; 0: it does not. Positions need
  /// not lie within one period.
  Vector3 period = Vector3::Zero();
  /// Distance within which contacts of two bodies count as one, m, if redundant contacts are left out
  /// (reduction.hpp); 0: they are not.
  double reduction = 0;
  std::vector<Plane> planes;   ///< fixed
  std::vector<Body> fixtures;  ///< fixed; velocity, mass and forces do not matter, copies none
  std::vector<Body> bodies;    ///< that move
  std::vector<Spring> springs = {};  ///< on bodies

  /// Degrees of freedom of a body: linear then angular velocity, 6 in 3D, 3 in 2D (x, y, about z).
  int dofs_per_body() const { return dimension == 2 ? 3 : 6; }
  Index dofs() const { return dofs_per_body() * static_cast<Index>(bodies.size()); }  ///< n
};

/// A homogeneous cuboid with these edges (m) and mass (kg), at rest.
Body make_box(const Vector3& edges, double mass, const Vector3& position);

/// A homogeneous wedge of this mass (kg), at rest.
Body make_wedge(const Wedge& shape, double mass, const Vector3& position);

/// A homogeneous capsule along x, at rest.
Body make_capsule(double radius, double half_length, double mass, const Vector3& position);

/// A homogeneous ring in the x-y plane, at rest. For its inertia the corners are mitred rather than round.
Body make_ring(const Ring& shape, double mass, const Vector3& position);

/// Length of the core of a ring, m.
double core_length(const Ring& shape);

/// A homogeneous ball, at rest.
Body make_sphere(double radius, double mass, const Vector3& position);

/// A homogeneous disk for 2D worlds, at rest.
Body make_disk(double radius, double mass, const Vector3& position);

/// Inertia tensor about the centre of mass in the world frame, kg m^2.
Matrix3 world_inertia(const Body& body);

/// Generalised velocity v of all bodies, n.
Vector velocities(const World& world);

/// Sets the velocities of all bodies to the generalised velocity v (n).
void set_velocities(World& world, const Vector& v);

/// The unit vector at this angle (degrees) to the x axis in the x-y plane; the same digits with
/// every library.
Vector3 horizontal(double degrees);
/// The direction of gravity over ground that falls by this angle (degrees) along x. Gravity is tilted
/// instead of the ground.
Vector3 along_slope(double degrees);

}  // namespace frictionbench::scenes
