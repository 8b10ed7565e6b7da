// Scenes of chain links: a hanging chain, a hoist, and chains that hang in each other by rings.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "frictionbench/scenes/contacts.hpp"
#include "frictionbench/scenes/internal/links.hpp"

namespace frictionbench::scenes {

namespace {

// Links laid one after another in the x-z plane, each a quarter turn about its long axis from the one
// before. Headings are angles of the long axes from x towards z, degrees. The first link is at 0.
std::vector<Body> laid(const LinkParameters& parameters, const std::vector<Ring>& shapes,
                       const std::vector<double>& headings, Random& random) {
  std::vector<Body> links;
  Vector3 joint = Vector3::Zero();
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const auto [cosine, sine] = cosine_and_sine(headings[k] * std::numbers::pi / 360);
    const Eigen::Quaterniond heading = Eigen::Quaterniond(cosine, 0, -sine, 0).normalized();
    // From the middle of the joint, where two wires lie across each other, to the centre.
    const Vector3 arm = (shapes[k].half_length() - shapes[k].wire - parameters.slack / 2) *
                        (heading * Vector3::UnitX());
    const Vector3 centre = k == 0 ? Vector3(Vector3::Zero()) : Vector3(joint + arm);
    links.push_back(make_link(parameters, shapes[k], centre, random));
    links.back().rotation = k % 2 == 0 ? heading : (heading * quarter_roll()).normalized();
    joint = centre + arm;
  }
  return links;
}

void lift(std::vector<Body>& links, const Vector3& by) {
  for (Body& link : links) link.position += by;
}

// Not over any ground.
World empty_world(const LinkParameters& parameters) {
  World world = ground(parameters, 3);
  world.planes.clear();
  world.damping = parameters.damping;
  return world;
}

void check_link(const Ring& shape) {
  if (shape.sides % 4 != 0)
    throw std::invalid_argument(fmt::format("sides = {} must be a multiple of 4, e.g. {}",
                                            shape.sides, std::max(4, shape.sides / 4 * 4)));
  // Wires of others pass through it, across each other where a ring has several.
  if (shape.radius < 2.5 * shape.wire)
    throw std::invalid_argument(fmt::format(
        "wire = {} m is too thick for links or rings of radius {} m: it must be at most {} m",
        shape.wire, shape.radius, shape.radius / 2.5));
}

}  // namespace

Ring link_shape(const LinkParameters& parameters) {
  const Ring shape{parameters.link_radius, parameters.link_stretch, parameters.wire,
                   parameters.sides};
  check_link(shape);
  return shape;
}

Ring ring_shape(const LinkParameters& parameters, double radius) {
  const Ring shape{radius, 0, parameters.wire, parameters.sides};
  check_link(shape);
  return shape;
}

Body make_link(const LinkParameters& parameters, const Ring& shape, const Vector3& position,
               Random& random) {
  const double section = std::numbers::pi * shape.wire * shape.wire;
  const double x = random.uniform(-parameters.offset, parameters.offset);
  const double y = random.uniform(-parameters.offset, parameters.offset);
  const double z = random.uniform(-parameters.offset, parameters.offset);
  Body body = make_ring(shape, parameters.density * section * core_length(shape),
                        position + Vector3(x, y, z));
  body.mu = surface(parameters, random);
  return body;
}

void check_room(const World& world, const LinkParameters& parameters) {
  double deepest = 0;
  try {
    for (const Contact& contact : detect_contacts(world)) deepest = std::min(deepest, contact.gap);
  } catch (const UnsupportedContact&) {
    deepest = -2 * parameters.wire;  // wires that go through each other
  }
  if (deepest < -parameters.wire / 4)
    throw std::invalid_argument(
        fmt::format("links overlap by up to {:.2g} m: choose a thinner wire than {} m, more links, "
                    "or a smaller arc",
                    -deepest, parameters.wire));
}

Eigen::Quaterniond quarter_roll() { return Eigen::Quaterniond(1, 1, 0, 0).normalized(); }

World chain(const ChainParameters& parameters) {
  World world = empty_world(parameters);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  const auto count = static_cast<std::size_t>(parameters.links) + 2;
  std::vector<double> headings;
  for (std::size_t k = 0; k < count; ++k)
    headings.push_back(parameters.arc *
                       (static_cast<double>(k) / static_cast<double>(count - 1) - 0.5));
  const std::vector<Body> links =
      laid(parameters, std::vector<Ring>(count, link_shape(parameters)), headings, random);
  world.fixtures = {links.front(), links.back()};
  world.bodies.assign(links.begin() + 1, links.end() - 1);
  check_room(world, parameters);
  return world;
}

World hoist(const HoistParameters& parameters) {
  World world = ground(parameters, 3);
  world.damping = parameters.damping;
  Random random(static_cast<std::uint64_t>(parameters.seed));
  const Ring shape = link_shape(parameters);

  // Links that lie over the rod form half of a regular polygon around it.
  const double pitch = 2 * (shape.half_length() - shape.wire) - parameters.slack;
  const double least = parameters.rod_radius + shape.radius + shape.wire;
  int over = 1;
  double distance = 0;  // of the polygon's sides from its centre
  for (; distance < least; ++over) {
    const auto [cosine, sine] = cosine_and_sine(std::numbers::pi / 2 / (over + 1));
    distance = pitch / 2 * cosine / sine;
  }
  const int pulled = (parameters.links - over) / 3, hanging = parameters.links - over - pulled;
  if (pulled < 1)
    throw std::invalid_argument(
        fmt::format("links = {}: the rod takes {}, and at least one must hang "
                    "on either side; it must be at least {}",
                    parameters.links, over, over + 3));

  std::vector<double> headings;
  for (int k = 0; k < parameters.links; ++k)
    headings.push_back(std::clamp(90 - (k - hanging + 0.5) * 180 / over, -90.0, 90.0));
  std::vector<Body> links =
      laid(parameters, std::vector<Ring>(headings.size(), shape), headings, random);

  // Every link over the rod says where its centre should be.
  Vector3 centre = Vector3::Zero();
  for (int k = hanging; k < hanging + over; ++k) {
    const Body& link = links[static_cast<std::size_t>(k)];
    const Vector3 along = link.rotation * Vector3::UnitX();
    centre += (link.position - distance * Vector3(-along.z(), 0, along.x())) / over;
  }
  double lowest = 0;
  for (const Body& link : links) lowest = std::min(lowest, link.position.z() - centre.z());
  const double height = 2 * shape.half_length() - lowest;
  lift(links, Vector3(0, 0, height) - centre);

  Body rod =
      make_capsule(parameters.rod_radius, 4 * (shape.radius + shape.wire), 1, {0, 0, height});
  rod.rotation = Eigen::Quaterniond(1, 0, 0, 1).normalized();
  rod.mu = parameters.mu;
  world.fixtures.push_back(rod);

  links.front().mass *= parameters.load;
  links.front().inertia *= parameters.load;
  double loaded = 0;
  for (int k = 0; k < hanging; ++k) loaded += links[static_cast<std::size_t>(k)].mass;
  links.back().force.z() = -parameters.pull * loaded * parameters.gravity;
  world.bodies = links;
  check_room(world, parameters);
  return world;
}

World rings(const RingsParameters& parameters) {
  World world = empty_world(parameters);
  Random random(static_cast<std::uint64_t>(parameters.seed));
  std::vector<Ring> shapes;
  for (int k = 0; k < parameters.chains; ++k) {
    const Ring ring = ring_shape(parameters, parameters.ring_radius);
    shapes.push_back(ring);
    shapes.insert(shapes.end(), static_cast<std::size_t>(parameters.links), link_shape(parameters));
    shapes.push_back(ring);
  }
  std::vector<double> headings;
  for (std::size_t k = 0; k < shapes.size(); ++k)
    headings.push_back(-90 + parameters.arc * static_cast<double>(k) /
                                 static_cast<double>(shapes.size() - 1));
  const std::vector<Body> links = laid(parameters, shapes, headings, random);
  world.fixtures = {links.front()};
  world.bodies.assign(links.begin() + 1, links.end());
  check_room(world, parameters);
  return world;
}

}  // namespace frictionbench::scenes
