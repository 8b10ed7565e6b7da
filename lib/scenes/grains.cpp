// Scenes made of balls or disks in an open or periodic box or a chute.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/scenes/internal/structures.hpp"

namespace frictionbench::scenes {

namespace {

// An open box of inner width `width`, centred, with its floor at height 0.
World open_box(const GrainParameters& parameters, int dimension) {
  World world = ground(parameters, dimension);
  world.damping = parameters.damping;
  for (int k = 0; k < dimension - 1; ++k)
    for (const double side : {1.0, -1.0})
      world.planes.push_back({side * Vector3::Unit(k), -parameters.width / 2, parameters.mu});
  return world;
}

Body make_grain(const GrainParameters& parameters, int dimension, Random& random) {
  const double radius = parameters.radius * (1 + parameters.spread * random.uniform(-1, 1));
  const double density = rounded_to_24_bits(parameters.density *
                                            std::pow(parameters.mass_ratio, random.uniform(0, 1)));
  const double disk = std::numbers::pi * radius * radius;
  Body grain = dimension == 2
                   ? make_disk(radius, density * disk, Vector3::Zero())
                   : make_sphere(radius, density * disk * radius * 4 / 3, Vector3::Zero());
  grain.mu = surface(parameters, random);
  return grain;
}

// A length to ask for, m: in a few digits, and not less.
std::string rounded_up(double length) { return fmt::format("{:.4g}", 1.001 * length); }

// Grains in layers of a square grid over the floor, not touching each other, with small random
// offsets so that none is balanced on top of another.
World dropped(const GrainParameters& parameters, World world) {
  const int dimension = world.dimension;
  Random random(static_cast<std::uint64_t>(parameters.seed));
  const double cell = 2.2 * parameters.radius * (1 + parameters.spread);
  const int a_side = static_cast<int>(parameters.width / cell);
  if (a_side < 1)
    throw std::invalid_argument(fmt::format(
        "width = {:g} m is too narrow for grains of radius up to {:g} m: it must be "
        "at least {} m",
        parameters.width, parameters.radius * (1 + parameters.spread), rounded_up(cell)));
  const int a_layer = dimension == 2 ? a_side : a_side * a_side;
  const double pitch = parameters.width / a_side;
  const double jitter = 0.03 * cell;

  for (int k = 0; k < parameters.grains; ++k) {
    Body grain = make_grain(parameters, dimension, random);
    const int place[] = {k % a_side, (k % a_layer) / a_side}, layer = k / a_layer;
    for (int axis = 0; axis < dimension - 1; ++axis)
      grain.position[axis] =
          (place[axis] + 0.5) * pitch - parameters.width / 2 + random.uniform(-jitter, jitter);
    grain.position[dimension - 1] = (layer + 0.6) * cell + random.uniform(-jitter, jitter);
    world.bodies.push_back(grain);
  }
  return world;
}

}  // namespace

World packed_spheres(const GrainParameters& parameters) {
  return dropped(parameters, open_box(parameters, 3));
}

World periodic_box(const GrainParameters& parameters) {
  World world = open_box(parameters, 3);
  std::erase_if(world.planes, [](const Plane& plane) { return plane.normal.z() == 0; });
  world.period = {parameters.width, parameters.width, 0};
  const double least = 6 * parameters.radius * (1 + parameters.spread);
  if (parameters.width < least)
    throw std::invalid_argument(
        fmt::format("width = {:g} m is too narrow for grains of radius up to {:g} m, which would "
                    "meet their own copies: it must be at least {} m",
                    parameters.width, least / 6, rounded_up(least)));
  return dropped(parameters, std::move(world));
}

World disks_2d(const GrainParameters& parameters) {
  return dropped(parameters, open_box(parameters, 2));
}

World chute(const ChuteParameters& parameters) {
  World world = open_box(parameters, 3);
  std::erase_if(world.planes, [](const Plane& plane) { return plane.normal.x() != 0; });
  world.gravity = parameters.gravity * along_slope(parameters.slope);
  return dropped(parameters, std::move(world));
}

}  // namespace frictionbench::scenes
