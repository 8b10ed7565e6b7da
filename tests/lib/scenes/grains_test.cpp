// Balls and disks after settling.
#include <algorithm>
#include <cmath>

#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

class Settled : public testing::TestWithParam<NamedScene> {};

INSTANTIATE_TEST_SUITE_P(
    Grains, Settled,
    testing::Values(NamedScene{"packed_spheres", {{"snapshots", "1"}}},
                    NamedScene{"packed_spheres", {{"snapshots", "1"}, {"seed", "4"}}},
                    NamedScene{"packed_spheres", {{"snapshots", "1"}, {"mass_ratio", "1000"}}},
                    NamedScene{"periodic_box", {{"snapshots", "1"}}},
                    NamedScene{"disks_2d", {{"snapshots", "1"}}}));

TEST_P(Settled, GrainsAreInTheBoxNearlyAtRestAndHardlyOverlap) {
  const Snapshot snapshot = state(GetParam().name, GetParam().parameters);
  for (const Body& body : snapshot.world.bodies) {
    const double radius = std::get<Sphere>(body.shape).radius;
    for (const Plane& plane : snapshot.world.planes)
      EXPECT_GE(plane.normal.dot(body.position) - plane.offset, radius - 2e-3 * radius);
    EXPECT_LE(body.velocity.norm(), 0.05);
    EXPECT_TRUE(body.position.allFinite());
  }
  EXPECT_GE(snapshot.contacts.size(), snapshot.world.bodies.size());  // every grain is supported
  double deepest = 0;
  for (const Contact& contact : snapshot.contacts) deepest = std::min(deepest, contact.gap);
  EXPECT_GE(deepest, -0.05 * 0.02) << "deeper than 2 % of the mean radius";
}

TEST(Grains, StayInTheirPlaneIn2D) {
  const Snapshot snapshot = state("disks_2d", {{"steps", "100"}, {"snapshots", "1"}});
  for (const Body& body : snapshot.world.bodies) {
    EXPECT_EQ(body.position.z(), 0);
    EXPECT_EQ(body.angular_velocity.head<2>(), Eigen::Vector2d(0, 0));
  }
}

TEST(Grains, AreTheSameBitForBitForTheSameSeed) {
  const Assignments one = {{"steps", "50"}, {"snapshots", "2"}};
  const Assignments other = {{"steps", "50"}, {"snapshots", "2"}, {"seed", "2"}};
  const auto first = snapshots(make("packed_spheres", one));
  const auto again = snapshots(make("packed_spheres", one));
  const auto different = snapshots(make("packed_spheres", other));
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].step, 25);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(velocities(first[k].world), velocities(again[k].world));
    EXPECT_NE(velocities(first[k].world), velocities(different[k].world));
  }
}

// Positions are rounded after each step, which removes differences in the last digits.
TEST(Grains, RoundingErrorsDoNotGrow) {
  Scene scene = make("packed_spheres", {{"steps", "100"}, {"snapshots", "1"}});
  const Vector v = velocities(snapshots(scene).back().world);
  for (Body& body : scene.world.bodies) body.position.x() = std::nextafter(body.position.x(), 10);
  EXPECT_EQ(velocities(snapshots(scene).back().world), v);
}

// Between two walls, and without any across the slope.
TEST(Chute, GrainsFlowDown) {
  const Snapshot snapshot =
      state("chute", {{"grains", "10"}, {"steps", "100"}, {"snapshots", "1"}});
  EXPECT_EQ(snapshot.world.planes.size(), 3u);
  EXPECT_NEAR(snapshot.world.gravity.norm(), 9.81, 1e-6);
  for (const Body& body : snapshot.world.bodies) EXPECT_GT(body.velocity.x(), 0.1);
  EXPECT_GE(snapshot.contacts.size(), 10u);
}

}  // namespace
}  // namespace frictionbench::scenes::test
