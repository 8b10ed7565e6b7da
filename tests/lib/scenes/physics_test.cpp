// Mechanical properties of the scenes' solutions.
#include <numeric>

#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

double total_mass(const World& world) {
  return std::accumulate(world.bodies.begin(), world.bodies.end(), 0.0,
                         [](double sum, const Body& body) { return sum + body.mass; });
}

// Sum of the impulses of the fixed planes.
Vector3 ground_impulse(const Snapshot& snapshot, const Vector& r) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t i = 0; i < snapshot.contacts.size(); ++i)
    if (snapshot.contacts[i].b == Contact::fixed)
      sum += world_impulse(snapshot.world, snapshot.contacts[i], r, i);
  return sum;
}

class AtRest : public testing::TestWithParam<NamedScene> {};

INSTANTIATE_TEST_SUITE_P(
    Scenes, AtRest,
    testing::Values(NamedScene{"stack", {}}, NamedScene{"stack", {{"mass_ratio", "1e4"}}},
                    NamedScene{"stack", {{"mu", "0"}, {"offset", "0.03"}}},
                    NamedScene{"stack", {{"pull", "0.5"}}},
                    NamedScene{"wall", {{"mu_spread", "0.4"}}}, NamedScene{"pyramid", {}},
                    NamedScene{"arch", {{"mu", "0.7"}}},
                    NamedScene{"arch", {{"thickness", "0.1"}, {"opening", "120"}}},
                    NamedScene{"arch", {{"voussoirs", "20"}, {"columns", "3"}}},
                    NamedScene{"pyramid", {{"levels", "4"}, {"mass_ratio", "100"}}},
                    NamedScene{"pushed_box_2d", {}},
                    NamedScene{"pushed_box", {{"direction", "70"}}}));

TEST_P(AtRest, WeightIsSupportedAndNothingMoves) {
  const Snapshot snapshot = state(GetParam().name, GetParam().parameters);
  const World& world = snapshot.world;
  const ContactProblem problem = global_problem(world, snapshot.contacts);
  const Vector r = solved_impulse(problem);

  const double weight = total_mass(world) * world.gravity.norm() * world.time_step;
  const Vector3 up = -world.gravity.normalized();
  EXPECT_NEAR(ground_impulse(snapshot, r).dot(up), weight, 1e-6 * weight);
  EXPECT_LE(problem.generalized_velocity(r).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST(Physics, BallsAtRestAreSupportedByTheFloor) {
  const Snapshot snapshot =
      state("packed_spheres", {{"grains", "20"}, {"width", "0.3"}, {"snapshots", "1"}});
  const ContactProblem problem = global_problem(snapshot.world, snapshot.contacts);
  const Vector r = solved_impulse(problem, 1e-7);
  World after = snapshot.world;
  set_velocities(after, problem.generalized_velocity(r));

  const World& world = snapshot.world;
  const double h = world.time_step;
  Vector3 gain = Vector3::Zero();
  for (std::size_t b = 0; b < world.bodies.size(); ++b)
    gain += world.bodies[b].mass *
            (after.bodies[b].velocity - (1 - h * world.damping) * world.bodies[b].velocity);
  const Vector3 expected = gain - total_mass(world) * h * world.gravity;
  const Vector3 ground = ground_impulse(snapshot, r);
  const double weight = total_mass(world) * h * world.gravity.norm();
  EXPECT_LE((ground - expected).norm(), 1e-9 * weight);
  EXPECT_NEAR(ground.z(), weight, 2e-2 * weight);  // the remaining motion is slow
}

TEST(Physics, BoxBelowTheCoulombLimitSticks) {
  for (const char* scene : {"pushed_box", "pushed_box_2d"}) {
    World world = make(scene, {{"push", "0.95"}}).world;
    const Vector3 start = world.bodies[0].position;
    for (int k = 0; k < 20; ++k) solved_step(world);
    EXPECT_LE((world.bodies[0].position - start).norm(), 1e-7) << scene;
  }
}

TEST(Physics, BoxAboveTheCoulombLimitAcceleratesByTheExcess) {
  for (const char* scene : {"pushed_box", "pushed_box_2d"}) {
    World world = make(scene, {{"push", "1.5"}, {"mass", "3"}, {"mu", "0.4"}}).world;
    const double acceleration = (1.5 - 1) * 0.4 * 9.81;  // (F - mu m g) / m
    for (int k = 1; k <= 20; ++k) {
      solved_step(world);
      EXPECT_NEAR(world.bodies[0].velocity.x(), acceleration * k * world.time_step, 1e-6) << scene;
    }
    EXPECT_LE(world.bodies[0].angular_velocity.norm(), 1e-5) << scene;
  }
}

TEST(Physics, FrictionOpposesThePushInAnyDirection) {
  Snapshot snapshot = state("pushed_box", {{"push", "2"}, {"direction", "30"}});
  const World& world = snapshot.world;
  const Vector r = solved_impulse(global_problem(world, snapshot.contacts));
  const Vector3 ground = ground_impulse(snapshot, r);
  const Vector3 push = world.bodies[0].force.normalized();
  EXPECT_NEAR(-ground.dot(push), world.bodies[0].mu * ground.z(), 1e-7);
  EXPECT_NEAR(ground.cross(push).z(), 0, 1e-7);
}

TEST(Physics, SlenderBoxTipsBelowTheCoulombLimit) {
  // Pushed at the top, it tips above F h = m g a / 2: with h = 3 a from F = m g / 6, here 0.45 m g.
  const Snapshot snapshot =
      state("pushed_box", {{"push", "0.9"}, {"slenderness", "3"}, {"push_height", "1"}});
  const ContactProblem problem = global_problem(snapshot.world, snapshot.contacts);
  const Vector r = solved_impulse(problem);
  const Vector u = problem.contact_velocity(r);
  int open = 0;
  for (Index i = 0; i < problem.contacts(); ++i) open += u[3 * i] > 1e-4 && r[3 * i] < 1e-8;
  EXPECT_EQ(open, 2);
  EXPECT_GT(problem.generalized_velocity(r)[4], 0);  // turns about y, towards the push
}

TEST(Physics, SlidingBoxDeceleratesByMuGAndStops) {
  World world = make("sliding_box", {{"speed", "0.11"}, {"mu", "0.4"}, {"direction", "20"}}).world;
  const Vector3 direction = world.bodies[0].velocity.normalized();
  const double loss = 0.4 * 9.81 * world.time_step;  // 0.0196 m/s per step: stops in the sixth
  for (int k = 1; k <= 10; ++k) {
    solved_step(world);
    const Vector3 velocity = world.bodies[0].velocity;
    EXPECT_NEAR(velocity.dot(direction), std::max(0.11 - loss * k, 0.0), 1e-6);
    EXPECT_LE(velocity.cross(direction).norm(), 1e-6);
  }
}

TEST(Physics, BoxOnASlopeSticksBelowTheAngleOfFriction) {
  // atan(0.5) = 26.57 degrees
  World steep = make("sliding_box", {{"speed", "0"}, {"slope", "30"}}).world;
  World flat = make("sliding_box", {{"speed", "0"}, {"slope", "25"}}).world;
  for (int k = 0; k < 10; ++k) {
    solved_step(steep);
    solved_step(flat);
  }
  const double slope = std::atan(1.0) * 4 / 6;
  const double acceleration = 9.81 * (std::sin(slope) - 0.5 * std::cos(slope));
  EXPECT_NEAR(steep.bodies[0].velocity.x(), acceleration * 10 * steep.time_step, 1e-6);
  EXPECT_LE(flat.bodies[0].velocity.norm(), 1e-6);
}

TEST(Physics, BottomOfTheStackIsPulledOutFromUnderTheRest) {
  const Snapshot snapshot = state("stack", {{"pull", "4"}});
  const World& world = snapshot.world;
  const ContactProblem problem = global_problem(world, snapshot.contacts);
  const Vector v = problem.generalized_velocity(solved_impulse(problem, 1e-7));
  // Friction can accelerate the cube above by no more than mu g.
  EXPECT_GT(v[0], 2 * v[6]);
  EXPECT_LE(v[6], 0.5 * 9.81 * world.time_step * total_mass(world) / world.bodies[1].mass);
}

TEST(Physics, ImpactConservesMomentum) {
  const Snapshot snapshot = state("wall", {{"rows", "3"}, {"columns", "2"}, {"ball_mass", "10"}});
  const World& world = snapshot.world;
  const ContactProblem problem = global_problem(world, snapshot.contacts);
  const Vector r = solved_impulse(problem, 1e-7);
  World after = world;
  set_velocities(after, problem.generalized_velocity(r));
  Vector3 gain = -total_mass(world) * world.time_step * world.gravity - ground_impulse(snapshot, r);
  double energy_before = 0, energy_after = 0;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body &old_body = world.bodies[b], &new_body = after.bodies[b];
    gain += old_body.mass * (new_body.velocity - old_body.velocity);
    energy_before += old_body.mass * old_body.velocity.squaredNorm() / 2;
    energy_after +=
        old_body.mass * new_body.velocity.squaredNorm() / 2 +
        new_body.angular_velocity.dot(world_inertia(old_body) * new_body.angular_velocity) / 2;
  }
  EXPECT_LE(gain.norm(), 1e-10 * 10 * 5);
  EXPECT_LT(energy_after, energy_before);  // plastic
}

}  // namespace
}  // namespace frictionbench::scenes::test
