// A net of rings and links into which a ball, a box or rods fall.

#include "frictionbench/scenes/internal/links.hpp"

namespace frictionbench::scenes {

namespace {

constexpr int rod_count = 5;    // [YamaneNakamura08] V-C
constexpr double height = 0.5;  // of the net over the ground, m

// Stacked over the middle of the net, whose upper side is at `top`.
void drop_load(World& world, const NetParameters& parameters, double top, Random& random) {
  const double size = parameters.load_size, start = top + parameters.drop;
  const auto add = [&](Body body) {
    // Nothing stays balanced.
    const double x = random.uniform(-0.01, 0.01) * size, y = random.uniform(-0.01, 0.01) * size;
    body.position += Vector3(x, y, 0);
    body.mu = surface(parameters, random);
    world.bodies.push_back(body);
  };
  switch (parameters.load) {
    case NetLoad::ball:
      add(make_sphere(size, parameters.load_mass, {0, 0, start + size}));
      return;
    case NetLoad::box:
      add(make_box(Vector3::Constant(2 * size), parameters.load_mass, {0, 0, start + size}));
      return;
    case NetLoad::rods:
      for (int k = 0; k < rod_count; ++k) {
        const double radius = size / 5;
        Body rod = make_capsule(radius, size - radius, parameters.load_mass / rod_count,
                                {0, 0, start + (2.5 * k + 1) * radius});
        if (k % 2 == 1) rod.rotation = Eigen::Quaterniond(1, 0, 0, 1).normalized();
        add(rod);
      }
  }
}

}  // namespace

World net(const NetParameters& parameters) {
  World world = ground(parameters, 3);
  world.damping = parameters.damping;
  Random random(static_cast<std::uint64_t>(parameters.seed));
  const Ring link = link_shape(parameters), ring = ring_shape(parameters, parameters.ring_radius);
  const double half_pitch =
      ring.half_length() + link.half_length() - 2 * parameters.wire - parameters.slack;
  const auto at = [&](double i, double j) {
    const double middle = (parameters.nodes - 1) / 2.0;
    return Vector3(2 * half_pitch * (i - middle), 2 * half_pitch * (j - middle), height);
  };
  const auto within = [&](int k) { return k >= 0 && k < parameters.nodes; };
  const Eigen::Quaterniond along_x = quarter_roll();
  const Eigen::Quaterniond along_y =
      (Eigen::Quaterniond(1, 0, 0, 1).normalized() * along_x).normalized();

  const auto add = [&](Body body, bool moves) {
    (moves ? world.bodies : world.fixtures).push_back(std::move(body));
  };
  const auto add_link = [&](const Vector3& position, const Eigen::Quaterniond& rotation,
                            bool moves) {
    Body body = make_link(parameters, link, position, random);
    body.rotation = rotation;
    add(body, moves);
  };

  // Rings lie flat, links stand upright between them; the outermost links are fixed.
  for (int i = -1; i < parameters.nodes; ++i)
    for (int j = -1; j < parameters.nodes; ++j) {
      if (within(i) && within(j)) add(make_link(parameters, ring, at(i, j), random), true);
      if (within(j)) add_link(at(i + 0.5, j), along_x, within(i) && within(i + 1));
      if (within(i)) add_link(at(i, j + 0.5), along_y, within(j) && within(j + 1));
    }
  drop_load(world, parameters, height + parameters.link_radius + parameters.wire, random);
  check_room(world, parameters);
  return world;
}

}  // namespace frictionbench::scenes
