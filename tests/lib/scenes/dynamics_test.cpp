#include "frictionbench/scenes/dynamics.hpp"

#include <Eigen/Eigenvalues>
#include <limits>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/scenes/settling.hpp"
#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

Vector random_velocity(const World& world) {
  Random random(5);
  return Vector::NullaryExpr(world.dofs(), [&](Index) { return random.uniform(-1, 1); });
}

// Velocity of the material point of a body that is at `point`, by finite differences.
Vector3 moved_point_velocity(const World& before, const World& after, int index,
                             const Vector3& point, double dt) {
  if (index == Contact::fixed) return Vector3::Zero();
  const Body& old_body = before.bodies[static_cast<std::size_t>(index)];
  const Body& new_body = after.bodies[static_cast<std::size_t>(index)];
  const Vector3 local = old_body.rotation.conjugate() * (point - old_body.position);
  return (new_body.position + new_body.rotation * local - point) / dt;
}

class EveryScene : public testing::TestWithParam<NamedScene> {
 protected:
  Snapshot snapshot_ = state(GetParam().name, GetParam().parameters);
};

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(sample_scenes()),
                         [](const auto& scene) { return scene.param.name; });

TEST_P(EveryScene, JacobianGivesTheVelocityOfContactPoints) {
  World world = snapshot_.world;
  const Vector v = random_velocity(world);
  World moved = world;
  moved.time_step = 1e-6;
  advance(moved, v);
  const Vector u = global_form(world, snapshot_.contacts).H.transpose() * v;

  ASSERT_FALSE(snapshot_.contacts.empty());
  for (std::size_t i = 0; i < snapshot_.contacts.size(); ++i) {
    const Contact& contact = snapshot_.contacts[i];
    const Vector3 relative =
        moved_point_velocity(world, moved, contact.a, contact.point, moved.time_step) -
        moved_point_velocity(world, moved, contact.b, contact.point - contact.shift,
                             moved.time_step);
    const Vector3 expected = contact.frame.transpose() * relative;
    for (int k = 0; k < world.dimension; ++k)
      EXPECT_NEAR(u[world.dimension * static_cast<Index>(i) + k], expected[k], 1e-5);
  }
}

TEST_P(EveryScene, DelassusMatrixIsSymmetricPositiveSemidefinite) {
  const Matrix W = local_form(snapshot_.world, snapshot_.contacts).W;
  EXPECT_EQ(W, W.transpose());
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(W).eigenvalues();
  EXPECT_GE(eigenvalues.minCoeff(), -1e-12 * eigenvalues.maxCoeff());
  EXPECT_GT(W.diagonal().minCoeff(), 0);
}

// The two ways to compute the local form share only M, H, f and w.
TEST_P(EveryScene, LocalFormEqualsTheReductionOfTheGlobalForm) {
  const LocalForm direct = local_form(snapshot_.world, snapshot_.contacts);
  const ContactProblem problem = global_problem(snapshot_.world, snapshot_.contacts);
  const LocalView reduced = problem.local();
  EXPECT_LE((Matrix(direct.W) - Matrix(reduced.W)).norm(), 1e-12 * reduced.W.norm());
  EXPECT_LE((direct.q - reduced.q).norm(), 1e-12 * (1 + reduced.q.norm()));
}

TEST_P(EveryScene, InternalImpulsesConserveMomentum) {
  const World& world = snapshot_.world;
  const ContactProblem problem = global_problem(world, snapshot_.contacts);
  Random random(7);
  const Vector r =
      Vector::NullaryExpr(problem.unknowns(), [&](Index) { return random.uniform(-1, 1); });
  World after = world;
  set_velocities(after, problem.generalized_velocity(r));

  // Linear momentum, and angular momentum about the origin, gained from outside: gravity, pushes
  // and the fixed planes. Impulses between bodies must cancel.
  const double h = world.time_step;
  const double kept = 1 - h * world.damping;
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
  double scale = 1;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& old_body = world.bodies[b];
    const Body& new_body = after.bodies[b];
    const Vector3 gain = old_body.mass * (new_body.velocity - kept * old_body.velocity) -
                         h * (old_body.mass * world.gravity + old_body.force);
    const Vector3 spin = world_inertia(old_body) * old_body.angular_velocity;
    linear += gain;
    angular += old_body.position.cross(gain) + world_inertia(old_body) * new_body.angular_velocity -
               kept * spin - h * (old_body.torque - old_body.angular_velocity.cross(spin));
    scale += old_body.mass * new_body.velocity.norm();
  }
  for (std::size_t i = 0; i < snapshot_.contacts.size(); ++i) {
    const Contact& contact = snapshot_.contacts[i];
    const Vector3 impulse = world_impulse(world, contact, r, i);
    angular -= contact.shift.cross(impulse);  // the copy and the body are not at the same place
    if (contact.b != Contact::fixed) continue;
    linear -= impulse;
    angular -= contact.point.cross(impulse);
  }
  EXPECT_LE(linear.norm(), 1e-12 * scale);
  EXPECT_LE(angular.norm(), 1e-12 * scale);
}

// u_N predicts the gap after the step.
TEST(Dynamics, NormalVelocityIsTheChangeOfTheGap) {
  World world;
  world.contact_margin = 1;
  world.time_step = 1e-6;
  world.planes.push_back({Vector3(0.6, 0, 0.8), -0.3, 0.5});
  world.bodies = {make_box({0.2, 0.2, 0.2}, 1, {0, 0, 0}),
                  make_box({0.3, 0.2, 0.2}, 1, {0.02, 0, 0.22}),
                  make_sphere(0.1, 1, {0.1, 0.3, 0.25})};
  world.bodies[1].rotation = Eigen::AngleAxisd(0.01, Vector3(1, 2, 2) / 3);
  const auto contacts = detect_contacts(world);
  const Vector v = random_velocity(world);
  const GlobalForm form = global_form(world, contacts);
  const Vector u = form.H.transpose() * v + form.w;
  advance(world, v);
  const auto after = detect_contacts(world);
  ASSERT_EQ(contacts.size(), after.size());
  ASSERT_EQ(contacts.size(), 8u + 8u + 1u + 4u + 1u + 1u);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    // Corners of an overlap move over the faces, which are tilted by 0.01.
    const bool boxes = contacts[i].a == 1 && contacts[i].b == 0;
    const double gap_at_end = u[3 * static_cast<Index>(i)] * world.time_step;
    EXPECT_NEAR(gap_at_end - std::max(contacts[i].gap, 0.0), after[i].gap - contacts[i].gap,
                (boxes ? 2e-2 : 1e-5) * world.time_step)
        << "contact " << i;
  }
}

TEST(Dynamics, FreeFlightFollowsGravityAndConservesAngularMomentum) {
  World world;
  world.time_step = 1e-4;
  world.bodies.push_back(make_box({0.1, 0.2, 0.4}, 2, {0, 0, 1}));
  Body& body = world.bodies[0];
  body.velocity = {1, 0, 2};
  body.angular_velocity = {0.5, 4, 0.3};  // near the middle axis: it tumbles
  const Vector3 momentum = world_inertia(body) * body.angular_velocity;
  for (int k = 0; k < 10000; ++k) {
    const ContactProblem problem = global_problem(world, {});
    advance(world, problem.generalized_velocity(Vector(0)));
  }
  EXPECT_NEAR(body.velocity.z(), 2 - 9.81, 1e-10);
  EXPECT_NEAR(body.position.x(), 1, 1e-10);
  EXPECT_NEAR(body.position.z(), 1 + 2 - 9.81 / 2, 1e-3);
  // The angular velocity belongs to the old orientation, so momentum is conserved to first order.
  EXPECT_LE((world_inertia(body) * body.angular_velocity - momentum).norm(),
            1e-2 * momentum.norm());
  EXPECT_NEAR(body.rotation.norm(), 1, 1e-14);
}

TEST(Dynamics, RefusesToMoveByWhatNoStepResolves) {
  World world = make("stack").world;
  const Vector3 position = world.bodies[0].position;
  Vector v = Vector::Zero(world.dofs());
  v.head<6>() << 1, 1, 1, 0, 0, 7 / world.time_step;  // rad in one step
  EXPECT_THROW(advance(world, v), UnstableStep);
  v[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(advance(world, v), UnstableStep);
  EXPECT_THROW(advance(world, v, 0), UnstableStep);
  EXPECT_EQ(world.bodies[0].position, position);
  EXPECT_TRUE(velocities(world).isZero(0));
  v[5] = 6 / world.time_step;
  EXPECT_NO_THROW(advance(world, v));
  EXPECT_NE(world.bodies[0].position, position);
}

TEST(Dynamics, SettlingAgreesWithASolver) {
  Snapshot snapshot = state("sliding_box", {{"spin", "3"}});
  const ContactProblem problem = local_problem(snapshot.world, snapshot.contacts);
  const Vector r = Settling(2000).impulse(snapshot.world, snapshot.contacts);
  EXPECT_LE(judge(problem, r).ncp.max(), 1e-9);
}

}  // namespace
}  // namespace frictionbench::scenes::test
