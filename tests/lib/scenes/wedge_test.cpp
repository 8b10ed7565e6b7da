// Wedges: inertia, and contacts with planes, balls and each other.
#include <gmock/gmock.h>

#include <cmath>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/scenes/internal/shapes.hpp"
#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

constexpr Wedge shape{0.1, 0.3, 0.4, 0.25};

// Sums over the cells of a fine grid, cut off at the sides.
TEST(Wedge, MassAndInertiaAreIntegralsOverItsVolume) {
  constexpr int cells = 400;
  const double dz = shape.height / cells, dx = 2 * shape.upper / cells;
  double volume = 0, x2 = 0, z2 = 0, z1 = 0;
  for (int i = 0; i < cells; ++i) {
    const double z = -shape.below() + (i + 0.5) * dz;
    const double half =
        shape.lower + (shape.upper - shape.lower) * (z + shape.below()) / shape.height;
    for (int j = 0; j < cells; ++j) {
      const double x = -shape.upper + (j + 0.5) * dx;
      if (std::abs(x) > half) continue;
      const double cell = dx * dz * 2 * shape.half_width;
      volume += cell;
      x2 += x * x * cell;
      z1 += z * cell;
      z2 += z * z * cell;
    }
  }
  EXPECT_NEAR(shape.volume(), volume, 1e-3 * volume);
  EXPECT_NEAR(z1 / volume, 0, 1e-3 * shape.height);
  EXPECT_NEAR(shape.below() + shape.above(), shape.height, 1e-15);

  const Body body = make_wedge(shape, 7, Vector3::Zero());
  const double y2 = shape.half_width * shape.half_width / 3;
  EXPECT_NEAR(body.inertia.x(), 7 * (y2 + z2 / volume), 2e-3 * body.inertia.x());
  EXPECT_NEAR(body.inertia.y(), 7 * (x2 + z2) / volume, 2e-3 * body.inertia.y());
  EXPECT_NEAR(body.inertia.z(), 7 * (x2 / volume + y2), 2e-3 * body.inertia.z());
}

TEST(Wedge, WithEqualEdgesIsABox) {
  const Body wedge = make_wedge({0.1, 0.1, 0.6, 0.2}, 3, Vector3::Zero());
  const Body box = make_box({0.2, 0.4, 0.6}, 3, Vector3::Zero());
  EXPECT_TRUE(wedge.inertia.isApprox(box.inertia, 1e-14));
  EXPECT_NEAR(extent(wedge.shape), extent(box.shape), 1e-15);
  const auto of_wedge = corners(wedge.shape, 3), of_box = corners(box.shape, 3);
  ASSERT_EQ(of_wedge.size(), 8u);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_TRUE(of_wedge[k].isApprox(of_box[k], 1e-14));
  for (const Vector3& point : {Vector3(0.5, 0.1, 0.1), Vector3(-0.5, -0.5, 0.7)})
    EXPECT_TRUE(nearest_point(wedge.shape, point).isApprox(nearest_point(box.shape, point), 1e-14));
}

// Against the points of a fine grid.
TEST(Wedge, NearestPointIsTheNearestOfAll) {
  constexpr int cells = 200;
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector3 point(random.uniform(-0.6, 0.6), 0, random.uniform(-0.6, 0.6));
    double least = 1;
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j) {
        const double z = -shape.below() + shape.height * i / cells;
        const double half = shape.lower + (shape.upper - shape.lower) * i / cells;
        const Vector3 candidate(half * (2.0 * j / cells - 1), 0, z);
        least = std::min(least, (candidate - point).norm());
      }
    const double distance = (nearest_point(shape, point) - point).norm();
    EXPECT_LE(distance, least + 1e-15) << point.transpose();
    EXPECT_GE(distance, least - 3e-3) << point.transpose();  // cells are 2 to 3 mm
  }
  EXPECT_EQ(nearest_point(shape, {0.05, 0.1, 0}), Vector3(0.05, 0.1, 0));
  EXPECT_NEAR(nearest_point(shape, {0.05, 0.4, 0}).y(), 0.25, 1e-15);
}

TEST(Wedge, StandsOnAPlaneWithItsCorners) {
  World world;
  world.planes.push_back({});
  world.bodies.push_back(make_wedge(shape, 1, {0, 0, shape.below()}));
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& contact : contacts) {
    EXPECT_EQ(contact.gap, 0);
    EXPECT_NEAR(std::abs(contact.point.x()), shape.lower, 1e-15);
    EXPECT_NEAR(std::abs(contact.point.y()), shape.half_width, 1e-15);
  }
}

TEST(Wedge, TouchesBallsOnItsFacesAndEdges) {
  World world;
  world.bodies = {make_wedge(shape, 1, {0, 0, 0}),
                  make_sphere(0.1, 1, {0.1, 0, shape.above() + 0.1})};
  const auto above = detect_contacts(world);
  ASSERT_EQ(above.size(), 1u);
  EXPECT_EQ(above[0].gap, 0);
  EXPECT_TRUE(above[0].frame.col(0).isApprox(Vector3::UnitZ(), 1e-14));

  // Beside the middle of the left side, which leans outwards by 0.2 over 0.4.
  const Vector3 outward = Vector3(-2, 0, -1).normalized();
  const Vector3 middle(-0.2, 0, (shape.above() - shape.below()) / 2);
  world.bodies[1].position = middle + 0.1005 * outward;
  const auto beside = detect_contacts(world);
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_NEAR(beside[0].gap, 0.0005, 1e-15);
  EXPECT_TRUE(beside[0].frame.col(0).isApprox(outward, 1e-12));
  EXPECT_TRUE(beside[0].point.isApprox(middle + 0.00025 * outward, 1e-12));

  world.bodies[1].position = {0.3 + 0.06, 0, shape.above() + 0.08};
  const auto at_edge = detect_contacts(world);
  ASSERT_EQ(at_edge.size(), 1u);
  EXPECT_EQ(at_edge[0].gap, 0);
  EXPECT_TRUE(at_edge[0].frame.col(0).isApprox(Vector3(0.6, 0, 0.8), 1e-12));

  world.bodies[1].position.setZero();
  EXPECT_THROW(detect_contacts(world), UnsupportedContact);
}

// A second wedge turned about y by the angle between the sides, so that right side meets left side.
class Joint : public testing::Test {
 protected:
  Joint() {
    const double slope = (shape.upper - shape.lower) / shape.height;
    turn_ = Eigen::AngleAxisd(2 * std::atan(slope), Vector3::UnitY());
    middle_ = {0.2, 0, (shape.above() - shape.below()) / 2};
    outward_ = Vector3(1, 0, -slope).normalized();
    up_ = Vector3(slope, 0, 1).normalized();
    world_.bodies = {make_wedge(shape, 1, {0, 0, 0}), make_wedge(shape, 1, {0, 0, 0})};
    place(Vector3::Zero());
  }

  // Puts the middles of the two faces on each other, and then moves the second.
  void place(const Vector3& move, double tilt = 0) {
    Body& body = world_.bodies[1];
    body.rotation = Eigen::AngleAxisd(tilt, Vector3::UnitY()) * turn_;
    body.position = middle_ - body.rotation * Vector3(-0.2, 0, middle_.z()) + move;
  }

  World world_;
  Eigen::Quaterniond turn_;
  Vector3 middle_, outward_, up_;
};

TEST_F(Joint, TouchesAtTheCornersOfTheCommonFace) {
  const auto contacts = detect_contacts(world_);
  ASSERT_EQ(contacts.size(), 4u);
  const double half_side = std::hypot(0.2, 0.4) / 2;
  for (const Contact& contact : contacts) {
    EXPECT_EQ(contact.a, 1);
    EXPECT_EQ(contact.gap, 0);
    EXPECT_TRUE(contact.frame.col(0).isApprox(outward_, 1e-12));
    const Vector3 from_middle = contact.point - middle_;
    EXPECT_NEAR(from_middle.dot(outward_), 0, 1e-14);
    EXPECT_NEAR(std::abs(from_middle.dot(up_)), half_side, 1e-14);
    EXPECT_NEAR(std::abs(from_middle.y()), shape.half_width, 1e-14);
  }
}

TEST_F(Joint, TouchesInTheOverlapOfItsFaces) {
  place(0.1 * up_ + Vector3(0, 0.05, 0) + 0.0004 * outward_);
  const auto contacts = detect_contacts(world_);
  ASSERT_EQ(contacts.size(), 4u);
  const double half_side = std::hypot(0.2, 0.4) / 2;
  std::vector<std::pair<double, double>> found;
  for (const Contact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0004, 1e-14);
    const Vector3 from_middle = contact.point - middle_;
    EXPECT_NEAR(from_middle.dot(outward_), 0.0002, 1e-14);
    found.emplace_back(from_middle.dot(up_), from_middle.y());
  }
  using testing::DoubleNear, testing::Pair;
  const auto low = DoubleNear(0.1 - half_side, 1e-14), high = DoubleNear(half_side, 1e-14);
  const auto left = DoubleNear(-0.2, 1e-14), right = DoubleNear(0.25, 1e-14);
  EXPECT_THAT(found, testing::UnorderedElementsAre(Pair(low, left), Pair(low, right),
                                                   Pair(high, left), Pair(high, right)));
  place(0.51 * Vector3::UnitY());
  EXPECT_TRUE(detect_contacts(world_).empty());
  place(0.002 * outward_);
  EXPECT_TRUE(detect_contacts(world_).empty());
}

TEST_F(Joint, HasExactGapsWhereItOpens) {
  world_.contact_margin = 0.1;
  const double tilt = 0.05;
  place(0.02 * outward_, tilt);
  const auto contacts = detect_contacts(world_);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& contact : contacts) {
    const double height = (contact.point - middle_).dot(up_);
    EXPECT_NEAR(contact.gap, 0.02 + height * std::tan(tilt), 1e-14);
  }
}

TEST_F(Joint, RefusesWhatDoesNotTouchWithParallelSides) {
  place(Vector3::Zero(), 0.2);
  EXPECT_THROW(detect_contacts(world_), UnsupportedContact);
  place(Vector3(1, 0, 0), 0.2);
  EXPECT_TRUE(detect_contacts(world_).empty());
  world_.bodies[1] = make_box({0.2, 0.2, 0.2}, 1, {0.2, 0, 0.2});
  EXPECT_THROW(detect_contacts(world_), UnsupportedContact);
}

// All sides of thin wedges are nearly parallel.
TEST(ThinWedges, TouchWithTheirNearSides) {
  const Wedge thin{0.01, 0.012, 0.4, 0.25};
  const double slope = 0.002 / 0.4;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(2 * std::atan(slope), Vector3::UnitY()));
  const double middle = (thin.above() - thin.below()) / 2;
  World world;
  world.bodies = {make_wedge(thin, 1, Vector3::Zero()), make_wedge(thin, 1, Vector3::Zero())};
  world.bodies[1].rotation = turn;
  world.bodies[1].position = Vector3(0.011, 0, middle) - turn * Vector3(-0.011, 0, middle);
  for (const double side : {1.0, -1.0}) {
    const auto contacts = detect_contacts(world);
    ASSERT_EQ(contacts.size(), 4u);
    for (const Contact& contact : contacts) {
      EXPECT_EQ(contact.gap, 0);
      EXPECT_LE((contact.frame.col(0) - side * Vector3(1, 0, -slope).normalized()).norm(), 1e-12);
    }
    std::swap(world.bodies[0], world.bodies[1]);
  }
}

// An edge over a face: no face of the upper wedge has all of the lower one in front of it.
TEST(Wedge, IsApartFromAnEdgeOverItsFace) {
  World world;
  world.bodies = {make_wedge(shape, 1, {0, 0, 0}), make_wedge(shape, 1, {0, 0, 0})};
  Body& upper = world.bodies[1];
  upper.rotation = Eigen::AngleAxisd(0.7, Vector3::UnitY());
  double lowest = 0;
  for (const Vector3& corner : corners(shape, 3))
    lowest = std::min(lowest, (upper.rotation * corner).z());
  for (const double gap : {0.01, -0.01}) {
    upper.position.z() = shape.above() - lowest + gap;
    World swapped = world;
    std::swap(swapped.bodies[0], swapped.bodies[1]);
    for (const World& either : {world, swapped}) {
      if (gap > 0)
        EXPECT_TRUE(detect_contacts(either).empty());
      else
        EXPECT_THROW(detect_contacts(either), UnsupportedContact);
    }
  }
}

}  // namespace
}  // namespace frictionbench::scenes::test
