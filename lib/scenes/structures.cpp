#include "frictionbench/scenes/internal/structures.hpp"

namespace frictionbench::scenes {

World ground(const CommonParameters& parameters, int dimension) {
  const Vector3 up = dimension == 2 ? Vector3::UnitY() : Vector3::UnitZ();
  World world;
  world.dimension = dimension;
  world.gravity = -parameters.gravity * up;
  world.time_step = parameters.time_step;
  world.reduction = parameters.reduce_contacts;
  world.planes.push_back({up, 0, parameters.mu});
  return world;
}

double surface(const CommonParameters& parameters, Random& random) {
  return parameters.mu * (1 + parameters.mu_spread * random.uniform(-1, 1));
}

void throw_ball(World& world, const BallParameters& ball, std::size_t target,
                const Vector3& direction, double half, double mu) {
  if (ball.ball_mass == 0) return;
  Body body = make_sphere(ball.ball_radius, ball.ball_mass,
                          world.bodies[target].position - (half + ball.ball_radius) * direction);
  body.velocity = ball.ball_speed * direction;
  body.mu = mu;
  world.bodies.push_back(body);
}

}  // namespace frictionbench::scenes
