// Arches and barrel vaults. The axis is y, through the origin; angles are measured from the crown.
#include <fmt/format.h>

#include <numbers>
#include <stdexcept>

#include "frictionbench/scenes/internal/structures.hpp"

namespace frictionbench::scenes {

namespace {

// Angle between the two joints of a stone, rad.
double pitch_angle(const ArchParameters& parameters) {
  return parameters.opening * std::numbers::pi / 180 / parameters.voussoirs;
}

// The stone whose joints are planes through the axis, and the height of its centre of mass over it.
struct Stone {
  Wedge shape;
  double height;
};
Stone stone_of(const ArchParameters& parameters) {
  const auto [cosine, sine] = cosine_and_sine(pitch_angle(parameters) / 2);
  const double inner = parameters.radius - parameters.thickness / 2;
  const double outer = parameters.radius + parameters.thickness / 2;
  const Wedge shape{inner * sine, outer * sine, parameters.thickness * cosine,
                    parameters.width / 2};
  return {shape, inner * cosine + shape.below()};
}

// Only joints between courses are contacts: others must be wider than what counts as touching.
void check(const ArchParameters& parameters, const Wedge& stone, double margin) {
  if (parameters.thickness >= 2 * parameters.radius)
    throw std::invalid_argument(
        fmt::format("thickness = {} m must be less than twice the radius", parameters.thickness));
  if (2 * stone.lower <= margin)
    throw std::invalid_argument(
        fmt::format("voussoirs = {}: stones would be {:.3g} m thin inside; contacts are closer "
                    "than {} m",
                    parameters.voussoirs, 2 * stone.lower, margin));
  if (parameters.columns > 1 && parameters.joint <= margin + 2 * parameters.offset)
    throw std::invalid_argument(
        fmt::format("joint = {} m must be more than {} m, so that stones of a course do not touch",
                    parameters.joint, margin + 2 * parameters.offset));
  if (parameters.columns > 1 && parameters.joint >= parameters.width)
    throw std::invalid_argument(
        fmt::format("joint = {} m must be less than the width of a stone", parameters.joint));
}

// A half circle stands on the ground. Otherwise planes through the axis, which have the whole arch
// on their positive side.
void add_springings(World& world, const ArchParameters& parameters) {
  if (parameters.opening == 180) return;
  const double mu = world.planes[0].mu;
  const double inner = parameters.radius - parameters.thickness / 2;
  const auto [cosine, sine] = cosine_and_sine(parameters.opening * std::numbers::pi / 360);
  // The far foot is nearest to a springing: sin(opening) = 2 sine cosine times the inner radius.
  if (2 * sine * cosine * inner <= world.contact_margin)
    throw std::invalid_argument(
        fmt::format("opening = {}: the plane of a springing would touch the other foot, too",
                    parameters.opening));
  world.planes = {{{-cosine, 0, sine}, 0, mu}, {{cosine, 0, sine}, 0, mu}};
}

}  // namespace

World arch(const ArchParameters& parameters) {
  World world = ground(parameters, 3);
  const Stone stone = stone_of(parameters);
  check(parameters, stone.shape, world.contact_margin);
  add_springings(world, parameters);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  const double pitch = parameters.width + parameters.joint;
  const double half_stone = (parameters.width - parameters.joint) / 2;
  const double end = parameters.columns * pitch - parameters.joint;
  std::size_t target = 0;
  Vector3 inward = -Vector3::UnitZ();

  for (int course = 0; course < parameters.voussoirs; ++course) {
    // Symmetric to the last digit; the first course is at the springing on the side of -x.
    const double angle = (2 * course + 1 - parameters.voussoirs) * (pitch_angle(parameters) / 2);
    const auto [cosine, sine] = cosine_and_sine(angle / 2);
    const Eigen::Quaterniond rotation = Eigen::Quaterniond(cosine, 0, sine, 0).normalized();
    const Vector3 outward = rotation * Vector3::UnitZ();
    const auto lay = [&](double left, double width) {
      Wedge shape = stone.shape;
      shape.half_width = width / 2;
      const double y =
          left + width / 2 - end / 2 + random.uniform(-parameters.offset, parameters.offset);
      Body body = make_wedge(shape, parameters.density * shape.volume(),
                             stone.height * outward + y * Vector3::UnitY());
      body.rotation = rotation;
      body.mu = surface(parameters, random);
      world.bodies.push_back(body);
    };
    const bool shifted = parameters.columns > 1 && course % 2 == 1;
    // Beside the crown, where a load bends the arch.
    if (course == parameters.voussoirs / 4) {
      target = world.bodies.size() + static_cast<std::size_t>(parameters.columns / 2);
      inward = -outward;
    }
    if (shifted) lay(0, half_stone);
    for (int column = 0; column < parameters.columns - (shifted ? 1 : 0); ++column)
      lay((column + (shifted ? 0.5 : 0)) * pitch, parameters.width);
    if (shifted) lay(end - half_stone, half_stone);
  }
  throw_ball(world, parameters.ball, target, inward, stone.shape.above(), parameters.mu);
  return world;
}

}  // namespace frictionbench::scenes
