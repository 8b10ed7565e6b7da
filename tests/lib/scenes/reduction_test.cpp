#include "frictionbench/scenes/reduction.hpp"

#include <gmock/gmock.h>

#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double delta = 1e-3;

// On level ground under body 0.
Contact at(double x, double y, double gap = 0) {
  Contact contact;
  contact.point = {x, y, 0};
  contact.frame = contact_frame(Vector3::UnitZ(), 3);
  contact.gap = gap;
  return contact;
}

std::vector<std::pair<double, double>> places(const std::vector<Contact>& contacts) {
  std::vector<std::pair<double, double>> all;
  for (const Contact& contact : contacts) all.emplace_back(contact.point.x(), contact.point.y());
  return all;
}

using Place = std::pair<double, double>;

TEST(Reduction, KeepsTheCornersOfTheContactArea) {
  // A square with the middles of its edges, its centre, and a point inside.
  const auto left = reduced({at(0, 0), at(0.5, 0), at(1, 0), at(0, 0.5), at(0.5, 0.5), at(1, 0.5),
                             at(0, 1), at(0.5, 1), at(1, 1), at(0.2, 0.7)},
                            delta);
  EXPECT_THAT(places(left), ElementsAre(Place(0, 0), Place(1, 0), Place(0, 1), Place(1, 1)));
}

TEST(Reduction, KeepsEveryCornerThatIsOne) {
  // (0.5, 1.1) is outside of the square, (0.5, 0.9) is not.
  EXPECT_EQ(reduced({at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0.5, 1.1)}, delta).size(), 5u);
  EXPECT_EQ(reduced({at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0.5, 0.9)}, delta).size(), 4u);
}

TEST(Reduction, KeepsTheEndsOfALine) {
  EXPECT_THAT(places(reduced({at(0.3, 0.6), at(0.1, 0.2), at(0.4, 0.8), at(0.2, 0.4)}, delta)),
              ElementsAre(Place(0.1, 0.2), Place(0.4, 0.8)));
  EXPECT_EQ(reduced({at(0, 3), at(0, 1), at(0, 2)}, delta).size(), 2u);  // across T1
  EXPECT_EQ(reduced({at(0, 0), at(1, 0)}, delta).size(), 2u);
  EXPECT_THAT(reduced({}, delta), IsEmpty());
}

TEST(Reduction, OfNearPointsTheDeepestStays) {
  const auto left = reduced({at(0, 0, 2e-4), at(5e-4, 0, -1e-4), at(1, 0), at(1, 9e-4)}, delta);
  EXPECT_THAT(places(left), ElementsAre(Place(5e-4, 0), Place(1, 0)));
  EXPECT_EQ(reduced({at(0, 0), at(1.1e-3, 0)}, delta).size(), 2u);
}

TEST(Reduction, ComparesContactsOfTheSamePairAndSideOnly) {
  Contact other_body = at(0, 0), other_plane = at(0, 0), other_side = at(0, 0);
  other_body.b = 3;
  other_plane.fixture = 1;
  other_side.frame = contact_frame(Vector3::UnitX(), 3);
  EXPECT_EQ(reduced({at(0, 0), other_body, other_plane, other_side}, delta).size(), 4u);
  // For two bodies that move, the number of a plane says nothing.
  Contact same = other_body;
  same.fixture = 5;
  EXPECT_EQ(reduced({other_body, same}, delta).size(), 1u);
}

TEST(Reduction, AreasAreFlat) {
  // The point in the middle is on a step, 2 mm above the others.
  Contact above = at(0.5, 0.5);
  above.point.z() = 2e-3;
  EXPECT_EQ(reduced({at(0, 0), at(1, 0), at(1, 1), at(0, 1), above}, delta).size(), 5u);
  above.point.z() = 0.5e-3;
  EXPECT_EQ(reduced({at(0, 0), at(1, 0), at(1, 1), at(0, 1), above}, delta).size(), 4u);
}

TEST(Reduction, KeepsContactsThatOpen) {
  World world = make("sliding_box", {{"points", "4"}, {"reduce_contacts", "1e-3"}}).world;
  EXPECT_EQ(detect_contacts(world).size(), 4u);
  world.bodies[0].velocity = {0, 0, 3};
  EXPECT_EQ(detect_contacts(world).size(), 4u);
}

// What is left supports the box as all points do: same velocities after the step.
TEST(Reduction, ChangesNothingThatMoves) {
  const Assignments all = {{"points", "4"}, {"points_inside", "true"}, {"push", "2"}};
  Assignments fewer = all;
  fewer.emplace_back("reduce_contacts", "1e-3");
  World full = make("pushed_box", all).world, corners = make("pushed_box", fewer).world;
  EXPECT_EQ(detect_contacts(full).size(), 16u);
  EXPECT_EQ(detect_contacts(corners).size(), 4u);
  for (int k = 0; k < 10; ++k) {
    solved_step(full);
    solved_step(corners);
  }
  EXPECT_GT(full.bodies[0].velocity.norm(), 0.1);
  EXPECT_LE((full.bodies[0].velocity - corners.bodies[0].velocity).norm(), 1e-5);
}

TEST(Reduction, InThePlane) {
  EXPECT_EQ(state("pushed_box_2d", {{"points", "5"}}).contacts.size(), 5u);
  const auto left = state("pushed_box_2d", {{"points", "5"}, {"reduce_contacts", "1e-3"}}).contacts;
  ASSERT_EQ(left.size(), 2u);
  EXPECT_NEAR(left[0].point.x(), -0.1, 1e-12);
  EXPECT_NEAR(left[1].point.x(), 0.1, 1e-12);
}

TEST(Reduction, IsASettingOfEveryScene) {
  for (const NamedScene& scene : sample_scenes()) {
    Assignments parameters = scene.parameters;
    EXPECT_EQ(make(scene.name, parameters).world.reduction, 0) << scene.name;
    const Snapshot all = state(scene.name, parameters);
    parameters.emplace_back("reduce_contacts", "1e-3");
    parameters.emplace_back("steps", "0");
    EXPECT_EQ(make(scene.name, parameters).world.reduction, 1e-3) << scene.name;
    World fewer = all.world;
    fewer.reduction = delta;
    EXPECT_LE(detect_contacts(fewer).size(), all.contacts.size()) << scene.name;
  }
}

}  // namespace
}  // namespace frictionbench::scenes::test
