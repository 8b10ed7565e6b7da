// Worlds that repeat themselves.
#include <gmock/gmock.h>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/scenes/internal/shapes.hpp"
#include "frictionbench/scenes/settling.hpp"
#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

// Two balls of radius 0.03 that touch across the border x = 0.5 = -0.5.
World pair_across_the_border() {
  World world;
  world.period = {1, 1, 0};
  world.bodies = {make_sphere(0.03, 1, {0.47, 0.2, 0.1}), make_sphere(0.03, 1, {-0.47, 0.2, 0.1})};
  return world;
}

TEST(Periodic, BallsTouchAcrossTheBorder) {
  World world = pair_across_the_border();
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 1u);
  const Contact& contact = contacts[0];
  EXPECT_EQ(contact.a, 1);
  EXPECT_EQ(contact.b, 0);
  EXPECT_EQ(contact.gap, 0);
  EXPECT_EQ(contact.shift, Vector3(-1, 0, 0));
  EXPECT_TRUE(contact.point.isApprox(Vector3(-0.5, 0.2, 0.1), 1e-14));
  EXPECT_TRUE(contact.frame.col(0).isApprox(Vector3::UnitX(), 1e-14));

  // Both turn about z at 1 rad/s: at the contact, a moves by -0.03 m/s along y, and b by 0.03.
  world.bodies[0].angular_velocity = world.bodies[1].angular_velocity = Vector3::UnitZ();
  const Vector u = global_form(world, contacts).H.transpose() * velocities(world);
  EXPECT_LE((contact.frame * u - Vector3(0, -0.06, 0)).norm(), 1e-14);

  world.period.setZero();
  EXPECT_TRUE(detect_contacts(world).empty());
}

TEST(Periodic, FastBallsAreFoundAcrossTheBorderBeforeTheyTouch) {
  World world = pair_across_the_border();
  world.bodies[0].position.x() = 0.45;
  EXPECT_TRUE(detect_contacts(world).empty());
  world.bodies[0].velocity.x() = 5;  // 0.025 m in a step
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 0.02, 1e-14);
}

TEST(Periodic, BallsTouchAcrossCorners) {
  for (const double side : {1.0, -1.0}) {
    World world = pair_across_the_border();
    world.bodies[0].position = {0.48, side * 0.48, 0};
    world.bodies[1].position = {-0.48, side * -0.48, 0};
    const auto contacts = detect_contacts(world);
    ASSERT_EQ(contacts.size(), 1u) << side;
    EXPECT_EQ(contacts[0].shift, Vector3(-1, -side, 0));
    EXPECT_TRUE(contacts[0].frame.col(0).isApprox(Vector3(1, side, 0).normalized(), 1e-12));
  }
}

TEST(Periodic, BoxesTouchAcrossTheBorder) {
  World world = pair_across_the_border();
  world.bodies = {make_box({0.1, 0.1, 0.1}, 1, {0.45, 0, 0}),
                  make_box({0.1, 0.1, 0.1}, 1, {-0.45, 0.02, 0})};
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& contact : contacts) {
    EXPECT_EQ(contact.gap, 0);
    EXPECT_NEAR(contact.point.x(), -0.5, 1e-14);
  }
}

// Balls everywhere, also outside of the period around the origin, against a look at all pairs.
TEST(Periodic, FindsEveryPair) {
  Random random(4);
  World world;
  world.period = {1, 0.8, 0};
  world.contact_margin = 0.01;
  world.gravity.setZero();
  for (int k = 0; k < 200; ++k)
    world.bodies.push_back(
        make_sphere(random.uniform(0.02, 0.1), 1,
                    {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(0, 0.5)}));
  std::vector<std::pair<int, int>> expected, found;
  int across = 0;
  for (int a = 0; a < 200; ++a)
    for (int b = 0; b < a; ++b) {
      const Body &first = world.bodies[static_cast<std::size_t>(a)],
                 &second = world.bodies[static_cast<std::size_t>(b)];
      bool near = false;
      for (int i = -7; i <= 7; ++i)
        for (int j = -9; j <= 9; ++j)
          near |= (first.position - second.position - Vector3(i, 0.8 * j, 0)).norm() <=
                  extent(first.shape) + extent(second.shape) + 0.01;
      if (near) expected.emplace_back(a, b);
    }
  for (const Contact& contact : detect_contacts(world)) {
    found.emplace_back(contact.a, contact.b);
    across += !contact.shift.isZero(0);
  }
  EXPECT_EQ(found, expected);
  EXPECT_GE(across, 100);
}

// Where the border is does not matter, nor which copy of a grain its position names.
TEST(Periodic, TranslationsGiveTheSameProblem) {
  const Snapshot snapshot =
      state("periodic_box", {{"grains", "60"}, {"steps", "150"}, {"snapshots", "1"}});
  const World& world = snapshot.world;
  const GlobalForm form = global_form(world, snapshot.contacts);
  Random random(6);
  int different_shifts = 0;
  for (int trial = 0; trial < 5; ++trial) {
    World moved = world;
    const Vector3 move(random.uniform(-1, 1), random.uniform(-1, 1), 0);
    for (Body& body : moved.bodies) {
      body.position += move;
      for (int axis = 0; axis < 2; ++axis)
        body.position[axis] += world.period[axis] * std::round(random.uniform(-2, 2));
    }
    const auto contacts = detect_contacts(moved);
    ASSERT_EQ(contacts.size(), snapshot.contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      EXPECT_EQ(contacts[i].a, snapshot.contacts[i].a);
      EXPECT_EQ(contacts[i].b, snapshot.contacts[i].b);
      different_shifts += !contacts[i].shift.isApprox(snapshot.contacts[i].shift);
    }
    const GlobalForm other = global_form(moved, contacts);
    EXPECT_LE((form.H - other.H).norm(), 1e-11 * form.H.norm());
    EXPECT_LE((form.w - other.w).norm(), 1e-11 * (1 + form.w.norm()));
    EXPECT_EQ(form.f, other.f);
  }
  EXPECT_GE(different_shifts, 50);
}

TEST(Periodic, GrainsRestOnEachOtherAcrossTheBorder) {
  const Snapshot snapshot = state("periodic_box", {{"snapshots", "1"}});
  EXPECT_EQ(snapshot.world.planes.size(), 1u);
  int across = 0;
  for (const Contact& contact : snapshot.contacts) {
    across += !contact.shift.isZero(0);
    EXPECT_EQ(contact.shift.z(), 0);
  }
  EXPECT_GE(across, 10);
  // Nothing holds them up but the floor and each other: 40 grains lie in few layers.
  for (const Body& body : snapshot.world.bodies) EXPECT_LE(body.position.z(), 0.6);
}

// Impulses between grains change no momentum, and the floor, which is level, none along x and y
// without friction.
TEST(Periodic, FrictionlessGrainsKeepTheirHorizontalMomentum) {
  Scene scene = make("periodic_box", {{"mu", "0"}, {"damping", "0"}});
  World& world = scene.world;
  for (Body& body : world.bodies) body.velocity.x() = 0.25;
  const auto momentum = [&] {
    Vector3 sum = Vector3::Zero();
    for (const Body& body : world.bodies) sum += body.mass * body.velocity;
    return sum;
  };
  const Vector3 before = momentum();
  std::size_t across = 0;
  for (int k = 0; k < 100; ++k) {
    const auto contacts = detect_contacts(world);
    for (const Contact& contact : contacts) across += !contact.shift.isZero(0);
    const ContactProblem problem = global_problem(world, contacts);
    advance(world, problem.generalized_velocity(Settling(20).impulse(world, contacts)));
  }
  EXPECT_GE(across, 100u);
  EXPECT_LE((momentum() - before).head<2>().norm(), 1e-12 * before.norm());
}

TEST(Periodic, RefusesBodiesThatWouldMeetTheirOwnCopies) {
  EXPECT_THAT(
      [] {
        make("periodic_box", {{"width", "0.35"}});
      },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("too narrow")));
  World world = pair_across_the_border();
  world.bodies[0] = make_sphere(0.17, 1, {0, 0, 0});
  EXPECT_THROW(detect_contacts(world), UnsupportedContact);
  world.period.setZero();
  EXPECT_NO_THROW(detect_contacts(world));
}

}  // namespace
}  // namespace frictionbench::scenes::test
