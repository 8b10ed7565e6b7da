#include "frictionbench/scenes/contacts.hpp"

#include <gmock/gmock.h>

#include <numbers>

#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

// (N, T1, T2) of level ground.
const Matrix3 level = (Matrix3() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished();

Contact only_contact(const World& world) {
  const auto contacts = detect_contacts(world);
  EXPECT_EQ(contacts.size(), 1u);
  return contacts.empty() ? Contact{} : contacts.front();
}

TEST(Contacts, BallOnPlane) {
  World world;
  world.planes.push_back({});
  world.bodies.push_back(make_sphere(0.1, 1, {0.3, -0.2, 0.1005}));
  const Contact contact = only_contact(world);
  EXPECT_EQ(contact.a, 0);
  EXPECT_EQ(contact.b, Contact::fixed);
  EXPECT_NEAR(contact.gap, 0.0005, 1e-15);
  EXPECT_TRUE(contact.point.isApprox(Vector3(0.3, -0.2, 0.00025), 1e-12));
  EXPECT_EQ(contact.frame, level);
}

TEST(Contacts, BallsTouchBetweenTheirCentres) {
  World world;
  world.bodies = {make_sphere(0.2, 1, {0, 0, 0}), make_sphere(0.1, 1, {0.18, 0, 0.24})};
  world.bodies[0].mu = 0.9;
  world.bodies[1].mu = 0.4;
  const Contact contact = only_contact(world);
  EXPECT_EQ(contact.a, 1);
  EXPECT_EQ(contact.b, 0);
  EXPECT_EQ(contact.gap, 0);  // rounding of 0.3 - 0.3 is not a gap
  EXPECT_TRUE(contact.point.isApprox(Vector3(0.12, 0, 0.16), 1e-12));
  EXPECT_TRUE(contact.frame.col(0).isApprox(Vector3(0.6, 0, 0.8), 1e-12));
  EXPECT_NEAR(contact.mu, 0.6, 1e-15);
}

TEST(Contacts, BallAndBoxInEitherOrder) {
  World world;
  world.bodies = {make_box({0.4, 0.4, 0.4}, 1, {0, 0, 0}), make_sphere(0.1, 1, {0.3, 0.1, 0})};
  const Contact ball_last = only_contact(world);
  std::swap(world.bodies[0], world.bodies[1]);
  const Contact ball_first = only_contact(world);
  EXPECT_TRUE(ball_last.frame.col(0).isApprox(Vector3::UnitX()));
  EXPECT_TRUE(ball_first.frame.col(0).isApprox(-Vector3::UnitX()));
  EXPECT_TRUE(ball_last.point.isApprox(Vector3(0.2, 0.1, 0)));
  EXPECT_TRUE(ball_first.point.isApprox(ball_last.point));

  world.bodies[0].position = {0.1, 0, 0};
  EXPECT_THROW(detect_contacts(world), UnsupportedContact);
}

TEST(Contacts, BoxOnPlaneTouchesWithItsLowestCorners) {
  World world;
  world.planes.push_back({});
  world.bodies.push_back(make_box({0.2, 0.4, 0.6}, 1, {0, 0, 0.3}));
  EXPECT_EQ(detect_contacts(world).size(), 4u);

  // Rotated about x by asin(0.6) it stands on an edge; its centre is at 0.3 * 0.8 + 0.2 * 0.6.
  world.bodies[0].rotation = Eigen::AngleAxisd(std::asin(0.6), Vector3::UnitX());
  world.bodies[0].position.z() = 0.36;
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& contact : contacts) EXPECT_NEAR(contact.point.y(), 0.02, 1e-12);
}

TEST(Contacts, BoxesTouchInTheOverlapOfTheirFaces) {
  World world;
  world.bodies = {make_box({0.4, 0.4, 0.2}, 1, {0, 0, 0.1}),
                  make_box({0.2, 0.6, 0.2}, 1, {0.15, 0, 0.3})};
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 4u);
  std::vector<std::pair<double, double>> corners;
  for (const Contact& contact : contacts) {
    EXPECT_EQ(contact.frame, level);
    EXPECT_EQ(contact.gap, 0);
    EXPECT_NEAR(contact.point.z(), 0.2, 1e-15);
    corners.emplace_back(std::round(100 * contact.point.x()), std::round(100 * contact.point.y()));
  }
  EXPECT_THAT(corners, testing::UnorderedElementsAre(testing::Pair(5, -20), testing::Pair(20, -20),
                                                     testing::Pair(5, 20), testing::Pair(20, 20)));
}

TEST(Contacts, GapsUnderATiltedBoxAreExact) {
  World world;
  world.contact_margin = 0.1;
  world.bodies = {make_box({0.4, 0.4, 0.2}, 1, {0, 0, -0.1}),
                  make_box({0.2, 0.2, 0.2}, 1, {0, 0, 0.13})};
  world.bodies[1].rotation = Eigen::AngleAxisd(0.05, Vector3::UnitY());
  // The lower face of the upper box is the plane z = 0.13 - 0.1 / cos(0.05) - x tan(0.05).
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& contact : contacts)
    EXPECT_NEAR(contact.gap, 0.13 - 0.1 / std::cos(0.05) - contact.point.x() * std::tan(0.05),
                1e-14);

  world.bodies[1].rotation = Eigen::AngleAxisd(0.2, Vector3::UnitY());
  EXPECT_THROW(detect_contacts(world), UnsupportedContact);
}

TEST(Contacts, RotatedBoxesAreLeftAloneWhereAFacePlaneIsBetweenThem) {
  World world;
  world.contact_margin = 1e-3;
  world.bodies = {make_box({0.2, 0.2, 0.2}, 1, {0, 0, 0}), make_box({0.2, 0.2, 0.2}, 1, {0, 0, 0})};
  world.bodies[1].rotation = Eigen::AngleAxisd(std::numbers::pi / 4, Vector3::UnitZ());
  const double edge = 0.1 + 0.1 * std::numbers::sqrt2;  // distance at which an edge touches a face
  for (const double gap : {-0.1, -0.01, -1e-6, 0.5e-3}) {
    world.bodies[1].position.x() = edge + gap;
    EXPECT_THROW(detect_contacts(world), UnsupportedContact) << gap;
  }
  for (const double gap : {2e-3, 0.1}) {
    world.bodies[1].position.x() = edge + gap;
    EXPECT_THAT(detect_contacts(world), testing::IsEmpty()) << gap;
  }
  // Both edges towards each other: here it is a face of the other box that is between them.
  world.bodies[1].position = {0.2, 0.2, 0};
  EXPECT_THAT(detect_contacts(world), testing::IsEmpty());
}

TEST(Contacts, FastBodiesAreDetectedBeforeTheyTouch) {
  World world;
  world.planes.push_back({});
  world.bodies.push_back(make_sphere(0.1, 1, {0, 0, 0.12}));
  EXPECT_TRUE(detect_contacts(world).empty());
  world.bodies[0].velocity.z() = -5;  // 0.025 m in a step
  EXPECT_NEAR(only_contact(world).gap, 0.02, 1e-15);
}

TEST(Contacts, FramesAreOrthonormalAndRightHanded) {
  for (const NamedScene& scene : sample_scenes())
    for (const Contact& contact : state(scene.name, scene.parameters).contacts) {
      EXPECT_TRUE((contact.frame.transpose() * contact.frame).isIdentity(1e-14)) << scene.name;
      EXPECT_NEAR(contact.frame.determinant(), 1, 1e-14) << scene.name;
    }
  for (double angle = 0; angle < 7; angle += 0.1) {
    const Vector3 normal(std::cos(angle), std::sin(angle) * 0.6, std::sin(angle) * 0.8);
    const Matrix3 frame = contact_frame(normal, 3);
    EXPECT_TRUE((frame.transpose() * frame).isIdentity(1e-14));
    EXPECT_NEAR(frame.determinant(), 1, 1e-14);
  }
}

// Counted by hand.
TEST(Contacts, StructuresHaveTheExpectedNumberOfContacts) {
  EXPECT_EQ(state("stack", {{"boxes", "7"}}).contacts.size(), 28u);
  // 3 bricks and then 2 + 2 halves: ground 3 * 4, and 2 (columns - 1) + 2 interfaces above.
  EXPECT_EQ(state("wall", {{"rows", "2"}, {"columns", "3"}}).contacts.size(), 12u + 4u * 6u);
  // Two springings of 2 stones, or one of 2 and a half, and 4 joints of 2 (columns - 1) + 2.
  EXPECT_EQ(state("arch", {{"voussoirs", "5"}}).contacts.size(), 4u * 6u);
  EXPECT_EQ(state("arch", {{"voussoirs", "5"}, {"columns", "2"}}).contacts.size(), 4u * (4u + 16u));
  EXPECT_EQ(state("arch", {{"voussoirs", "4"}, {"columns", "2"}}).contacts.size(), 4u * (5u + 12u));
  EXPECT_EQ(state("pyramid", {{"levels", "3"}}).contacts.size(), 9u * 4u + 4u * 16u + 16u);
  EXPECT_EQ(state("pushed_box_2d").contacts.size(), 2u);
  EXPECT_EQ(state("packed_spheres", {{"steps", "0"}}).contacts.size(), 0u);
}

}  // namespace
}  // namespace frictionbench::scenes::test
