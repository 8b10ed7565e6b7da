#include "frictionbench/scenes/world.hpp"

#include <cmath>
#include <numbers>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/scenes/internal/shapes.hpp"

namespace frictionbench::scenes {

Body make_box(const Vector3& edges, double mass, const Vector3& position) {
  const Vector3 squares = edges.cwiseAbs2();
  Body body;
  body.shape = Box{edges / 2};
  body.position = position;
  body.mass = mass;
  body.inertia = mass / 12 * (Vector3::Constant(squares.sum()) - squares);
  return body;
}

// Means over the trapezoid, from integrals over slices of half length s that grows from the lower
// edge l to the upper u: x^2 is the integral of s^3 / 3 over that of s, (l^2 + u^2) / 6; z^2 about the
// centroid is h^2 (l^2 + 4 l u + u^2) / (18 (l + u)^2). Symmetry makes the axes principal.
Body make_wedge(const Wedge& shape, double mass, const Vector3& position) {
  const double l = shape.lower, u = shape.upper, sum = l + u;
  const double x = (l * l + u * u) / 6;
  const double y = shape.half_width * shape.half_width / 3;
  const double z = shape.height * shape.height * (l * l + 4 * l * u + u * u) / (18 * sum * sum);
  Body body;
  body.shape = shape;
  body.position = position;
  body.mass = mass;
  body.inertia = mass * Vector3(y + z, x + z, x + y);
  return body;
}

// A cylinder and two half balls, whose centres of mass are 3/8 of the radius beyond their flat sides.
Body make_capsule(double radius, double half_length, double mass, const Vector3& position) {
  const double length = 2 * half_length, square = radius * radius;
  const double balls = mass * 4 * radius / (4 * radius + 3 * length);
  const double cylinder = mass - balls;
  const double along = cylinder * square / 2 + balls * square * 2 / 5;
  const double across = cylinder * (3 * square + length * length) / 12 +
                        balls * (square * 2 / 5 + length * length / 4 + length * radius * 3 / 8);
  Body body;
  body.shape = Capsule{radius, half_length};
  body.position = position;
  body.mass = mass;
  body.inertia = {along, across, across};
  return body;
}

double core_length(const Ring& shape) {
  const std::vector<Vector3> corners = core(shape);
  double length = 0;
  for (std::size_t k = 0; k < corners.size(); ++k)
    length += (corners[(k + 1) % corners.size()] - corners[k]).norm();
  return length;
}

// Second moments of the wire along each side, with x along it, v outwards and z along the axis of the ring:
// mitred at half the angle between two sides, with tangent t, it is L + 2 t v long. With A the
// cross-section, the integrals of 1, x^2, v, v^2 and z^2 are A L, A (L^3 / 12 + L t^2 r^2 / 4),
// A t r^2 / 2, A L r^2 / 4 and the same. Symmetry makes the axes principal.
Body make_ring(const Ring& shape, double mass, const Vector3& position) {
  const std::vector<Vector3> corners = core(shape);
  const auto [cosine, sine] = cosine_and_sine(std::numbers::pi / shape.sides);
  const double tangent = sine / cosine, square = shape.wire * shape.wire;
  Vector3 squares =
      Vector3::Zero();  // integrals of x^2, y^2 and z^2 in the axes of the body, over A
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vector3 side = corners[(k + 1) % corners.size()] - corners[k];
    const Vector3 middle = corners[k] + side / 2;
    const double length = side.norm();
    const Vector3 along = side / length;
    const Vector3 outward(along.y(), -along.x(), 0);
    squares +=
        length * middle.cwiseAbs2() + tangent * square * middle.cwiseProduct(outward) +
        length * (length * length / 12 + tangent * tangent * square / 4) * along.cwiseAbs2() +
        length * square / 4 * (outward.cwiseAbs2() + Vector3::UnitZ());
  }
  Body body;
  body.shape = shape;
  body.position = position;
  body.mass = mass;
  body.inertia = mass / core_length(shape) * (Vector3::Constant(squares.sum()) - squares);
  return body;
}

Body make_sphere(double radius, double mass, const Vector3& position) {
  Body body;
  body.shape = Sphere{radius};
  body.position = position;
  body.mass = mass;
  body.inertia.setConstant(0.4 * mass * radius * radius);
  return body;
}

Body make_disk(double radius, double mass, const Vector3& position) {
  Body body = make_sphere(radius, mass, position);
  const double axial = 0.5 * mass * radius * radius;
  body.inertia = {axial / 2, axial / 2, axial};
  return body;
}

Matrix3 world_inertia(const Body& body) {
  const Vector3& moments = body.inertia;
  // Exactly diagonal for balls, whatever their rotation.
  if (moments.x() == moments.y() && moments.y() == moments.z()) return moments.asDiagonal();
  const Matrix3 rotation = body.rotation.toRotationMatrix();
  const Matrix3 inertia = rotation * moments.asDiagonal() * rotation.transpose();
  return (inertia + inertia.transpose()) / 2;
}

Vector velocities(const World& world) {
  const Index dofs = world.dofs_per_body();
  Vector v(world.dofs());
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    const Index at = dofs * static_cast<Index>(b);
    if (world.dimension == 2)
      v.segment<3>(at) << body.velocity.head<2>(), body.angular_velocity.z();
    else
      v.segment<6>(at) << body.velocity, body.angular_velocity;
  }
  return v;
}

void set_velocities(World& world, const Vector& v) {
  const Index dofs = world.dofs_per_body();
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    Body& body = world.bodies[b];
    const Index at = dofs * static_cast<Index>(b);
    if (world.dimension == 2) {
      body.velocity.head<2>() = v.segment<2>(at);
      body.angular_velocity.z() = v[at + 2];
    } else {
      body.velocity = v.segment<3>(at);
      body.angular_velocity = v.segment<3>(at + 3);
    }
  }
}

Vector3 horizontal(double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  return {rounded_to_24_bits(std::cos(angle)), rounded_to_24_bits(std::sin(angle)), 0};
}

Vector3 along_slope(double degrees) {
  const Vector3 slope = horizontal(degrees);
  return {slope.y(), 0, -slope.x()};
}

}  // namespace frictionbench::scenes
