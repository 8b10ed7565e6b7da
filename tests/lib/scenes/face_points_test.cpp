// Boxes with more contact points than corners.
#include <gmock/gmock.h>

#include <set>

#include "frictionbench/scenes/internal/shapes.hpp"
#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

std::size_t contacts_of(const char* scene, const Assignments& parameters) {
  return state(scene, parameters).contacts.size();
}

TEST(FacePoints, CountsOnAPlane) {
  EXPECT_EQ(contacts_of("sliding_box", {}), 4u);
  EXPECT_EQ(contacts_of("sliding_box", {{"points", "3"}}), 8u);
  EXPECT_EQ(contacts_of("sliding_box", {{"points", "4"}}), 12u);
  EXPECT_EQ(contacts_of("pushed_box", {{"points", "5"}}), 16u);
  EXPECT_EQ(contacts_of("sliding_box", {{"points", "3"}, {"points_inside", "true"}}), 9u);
  EXPECT_EQ(contacts_of("pushed_box", {{"points", "4"}, {"points_inside", "true"}}), 16u);
  EXPECT_EQ(contacts_of("pushed_box_2d", {{"points", "4"}, {"points_inside", "true"}}), 4u);
}

TEST(FacePoints, CountsBetweenBoxes) {
  EXPECT_EQ(contacts_of("stack", {{"boxes", "3"}, {"points", "3"}}), 3u * 8u);
  EXPECT_EQ(contacts_of("stack", {{"boxes", "3"}, {"points", "3"}, {"points_inside", "true"}}),
            3u * 9u);
}

// All points of a surface, each once.
TEST(FacePoints, LieOnEveryFace) {
  Box box{{0.3, 0.2, 0.1}, 4, true};
  const auto on_faces = touching_points(box, 3);
  EXPECT_EQ(on_faces.size(), 4u * 4u * 4u - 2u * 2u * 2u);
  box.points_inside = false;
  const auto on_edges = touching_points(box, 3);
  EXPECT_EQ(on_edges.size(), 8u + 12u * 2u);
  std::set<std::array<double, 3>> different;
  for (const Vector3& point : on_faces) {
    different.insert({point.x(), point.y(), point.z()});
    EXPECT_EQ((point.cwiseAbs() - box.half_extents).maxCoeff(), 0);
  }
  EXPECT_EQ(different.size(), on_faces.size());
}

// The points of an overlap are evenly spaced, from corner to corner.
TEST(FacePoints, AreEvenlySpaced) {
  World world;
  world.bodies = {make_box({0.4, 0.4, 0.2}, 1, {0, 0, 0.1}),
                  make_box({0.2, 0.6, 0.2}, 1, {0.15, 0, 0.3})};
  std::get<Box>(world.bodies[0].shape).points = 3;
  std::vector<std::pair<double, double>> found;
  for (const Contact& contact : detect_contacts(world))
    found.emplace_back(std::round(1000 * contact.point.x()), std::round(1000 * contact.point.y()));
  using P = std::pair<double, double>;
  EXPECT_THAT(found,
              testing::UnorderedElementsAre(P(50, -200), P(125, -200), P(200, -200), P(50, 0),
                                            P(200, 0), P(50, 200), P(125, 200), P(200, 200)));
}

// A box on 16 points slides as one on 4: the rank of W is that of the box's velocity.
TEST(FacePoints, AreRedundant) {
  const Snapshot snapshot = state("sliding_box", {{"points", "5"}});
  const Matrix W = local_form(snapshot.world, snapshot.contacts).W;
  EXPECT_EQ(W.rows(), 48);
  EXPECT_EQ(Eigen::FullPivLU<Matrix>(W).setThreshold(1e-10).rank(), 6);
  World few = make("sliding_box").world, many = make("sliding_box", {{"points", "5"}}).world;
  for (int k = 0; k < 10; ++k) {
    solved_step(few);
    solved_step(many);
  }
  EXPECT_LE((few.bodies[0].velocity - many.bodies[0].velocity).norm(), 1e-5);
}

}  // namespace
}  // namespace frictionbench::scenes::test
