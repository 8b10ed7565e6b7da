// Scenes of one body, or of boxes: stack, pushed and sliding box, spring and cylinder, wall, pyramid.
#include <cmath>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/scenes/internal/structures.hpp"

namespace frictionbench::scenes {

namespace {

double progression(double first, double ratio, int k, int count) {
  return count < 2
             ? first
             : rounded_to_24_bits(first * std::pow(ratio, static_cast<double>(k) / (count - 1)));
}

Vector3 shift(double size, Random& random) {
  const double x = random.uniform(-size, size);
  const double y = random.uniform(-size, size);
  return {x, y, 0};
}

// A box with the contact points that a user asked for.
Body box_with(const FaceParameters& face, const Vector3& edges, double mass,
              const Vector3& position) {
  Body body = make_box(edges, mass, position);
  Box& box = std::get<Box>(body.shape);
  box.points = face.points;
  box.points_inside = face.points_inside;
  return body;
}

World pushed(const PushedBoxParameters& parameters, int dimension) {
  World world = ground(parameters, dimension);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  const double height = parameters.slenderness * parameters.edge;
  const Vector3& up = world.planes[0].normal;
  Vector3 edges = Vector3::Constant(parameters.edge);
  edges[dimension - 1] = height;
  Body box = box_with(parameters.face, edges, parameters.mass, height / 2 * up);
  box.mu = surface(parameters, random);
  const double unit = parameters.mu > 0 ? std::sqrt(box.mu * parameters.mu) : 1;
  const Vector3 direction =
      dimension == 2 ? Vector3(Vector3::UnitX()) : horizontal(parameters.direction);
  const Vector3 arm = (parameters.push_height - 0.5) * height * up;
  box.force = parameters.push * unit * parameters.mass * parameters.gravity * direction;
  box.torque = arm.cross(box.force);
  box.force_growth =
      parameters.push_growth * unit * parameters.mass * parameters.gravity * direction;
  box.torque_growth = arm.cross(box.force_growth);
  world.bodies.push_back(box);
  return world;
}

}  // namespace

World stack(const StackParameters& parameters) {
  World world = ground(parameters, 3);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  double total_mass = 0;
  for (int k = 0; k < parameters.boxes; ++k) {
    const Vector3 centre(0, 0, (k + 0.5) * parameters.edge);
    const double mass = progression(parameters.mass, parameters.mass_ratio, k, parameters.boxes);
    Body box = box_with(parameters.face, Vector3::Constant(parameters.edge), mass,
                        centre + shift(parameters.offset, random));
    box.mu = surface(parameters, random);
    world.bodies.push_back(box);
    total_mass += mass;
  }
  world.bodies[0].force.x() = parameters.pull * parameters.mu * total_mass * parameters.gravity;
  throw_ball(world, parameters.ball, world.bodies.size() / 2, Vector3::UnitX(), parameters.edge / 2,
             parameters.mu);
  return world;
}

World pushed_box(const PushedBoxParameters& parameters) { return pushed(parameters, 3); }
World pushed_box_2d(const PushedBoxParameters& parameters) { return pushed(parameters, 2); }

World sliding_box(const SlidingBoxParameters& parameters) {
  World world = ground(parameters, 3);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  world.gravity = parameters.gravity * along_slope(parameters.slope);
  Body box = box_with(parameters.face, Vector3::Constant(parameters.edge), parameters.mass,
                      Vector3(0, 0, parameters.edge / 2));
  box.mu = surface(parameters, random);
  box.velocity = parameters.speed * horizontal(parameters.direction);
  box.angular_velocity.z() = parameters.spin;
  world.bodies.push_back(box);
  return world;
}

World spring_cylinder(const SpringCylinderParameters& parameters) {
  World world = ground(parameters, 2);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  const Vector3 rest(0, parameters.radius - parameters.sink, 0);
  Body cylinder =
      make_disk(parameters.radius, parameters.mass, rest + parameters.stretch * Vector3::UnitX());
  cylinder.mu = surface(parameters, random);
  world.bodies.push_back(cylinder);
  world.springs.push_back({0, Vector3::UnitX(), rest, parameters.spring_stiffness});
  return world;
}

World wall(const WallParameters& parameters) {
  World world = ground(parameters, 3);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  const double pitch = parameters.length + parameters.joint;
  const double half_brick = (parameters.length - parameters.joint) / 2;
  const double face = parameters.height * parameters.thickness;
  const double end = parameters.columns * pitch - parameters.joint;
  std::size_t target = 0;

  for (int row = 0; row < parameters.rows; ++row) {
    const auto lay = [&](double left, double length) {
      const double y = random.uniform(-parameters.offset, parameters.offset);
      Body brick = make_box({length, parameters.thickness, parameters.height},
                            parameters.density * length * face,
                            {left + length / 2, y, (row + 0.5) * parameters.height});
      brick.mu = surface(parameters, random);
      world.bodies.push_back(brick);
    };
    const bool shifted = row % 2 == 1;
    if (row == parameters.rows / 2)
      target = world.bodies.size() + static_cast<std::size_t>(parameters.columns / 2);
    if (shifted) lay(0, half_brick);
    for (int column = 0; column < parameters.columns - (shifted ? 1 : 0); ++column)
      lay((column + (shifted ? 0.5 : 0)) * pitch, parameters.length);
    if (shifted) lay(end - half_brick, half_brick);
  }
  throw_ball(world, parameters.ball, target, Vector3::UnitY(), parameters.thickness / 2,
             parameters.mu);
  return world;
}

World pyramid(const PyramidParameters& parameters) {
  World world = ground(parameters, 3);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  for (int level = 0; level < parameters.levels; ++level) {
    const int side = parameters.levels - level;
    const double mass =
        progression(parameters.mass, parameters.mass_ratio, level, parameters.levels);
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        const Vector3 centre((i - (side - 1) / 2.0) * parameters.spacing,
                             (j - (side - 1) / 2.0) * parameters.spacing,
                             (level + 0.5) * parameters.edge);
        Body box = make_box(Vector3::Constant(parameters.edge), mass,
                            centre + shift(parameters.offset, random));
        box.mu = surface(parameters, random);
        world.bodies.push_back(box);
      }
  }
  return world;
}

}  // namespace frictionbench::scenes
