#include "frictionbench/scenes/catalogue.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Catalogue, VariantsNameNonDefaultParameters) {
  EXPECT_EQ(make("stack").variant, "default");
  const Scene scene = make("stack", {{"mass_ratio", "1e4"}, {"boxes", "2"}, {"steps", "3"}});
  EXPECT_EQ(scene.variant, "boxes2-mass_ratio10000");
  EXPECT_EQ(scene.command, "stack --boxes 2 --mass-ratio 10000 --steps 3");
  EXPECT_EQ(scene.family, "Stack");
}

TEST(Catalogue, RefusesUnknownNamesAndIllegalValues) {
  EXPECT_THAT([] { find_family("stakc"); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("did you mean stack")));
  EXPECT_THAT(
      [] {
        make("stack", {{"boxs", "3"}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("boxes")));
  EXPECT_THAT(
      [] {
        make("stack", {{"boxes", "0"}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("boxes = 0")));
  EXPECT_THAT(
      [] {
        make("packed_spheres", {{"width", "0.1"}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("too narrow")));
}

TEST(Catalogue, SnapshotsAreEvenlySpacedAndDistinct) {
  const auto steps = [](const Assignments& parameters) {
    std::vector<int> numbers;
    for (const Snapshot& snapshot : snapshots(make("sliding_box", parameters)))
      numbers.push_back(snapshot.step);
    return numbers;
  };
  EXPECT_EQ(steps({}), std::vector<int>({0}));
  EXPECT_EQ(steps({{"steps", "9"}, {"snapshots", "3"}}), std::vector<int>({3, 6, 9}));
  EXPECT_EQ(steps({{"steps", "2"}, {"snapshots", "5"}}), std::vector<int>({0, 1, 2}));
}

TEST(Catalogue, SeedDeterminesTheScene) {
  for (const char* name :
       {"stack", "wall", "arch", "pyramid", "packed_spheres", "periodic_box", "disks_2d"}) {
    const auto positions = [name](const char* seed) {
      std::vector<double> all;
      for (const Body& body : make(name, {{"seed", seed}}).world.bodies)
        all.insert(all.end(), body.position.begin(), body.position.end());
      return all;
    };
    EXPECT_EQ(positions("1"), positions("1")) << name;
    EXPECT_NE(positions("1"), positions("2")) << name;
  }
}

TEST(Catalogue, MassesHaveTheRequestedRatio) {
  const World world = make("stack", {{"boxes", "15"}, {"mass_ratio", "10000"}}).world;
  EXPECT_DOUBLE_EQ(world.bodies.front().mass, 1);
  EXPECT_DOUBLE_EQ(world.bodies.back().mass, 1e4);
}

TEST(Catalogue, CollapsingStructuresNameTheStep) {
  EXPECT_THAT(
      [] {
        snapshots(make("wall", {{"ball_mass", "500"}, {"ball_speed", "20"}, {"steps", "200"}}));
      },
      ThrowsMessage<UnsupportedContact>(HasSubstr("Wall: step ")));
}

// With this load the explicit gyroscopic term of light links diverges.
TEST(Catalogue, UnstableSimulationsNameTheStep) {
  EXPECT_THAT(
      [] {
        snapshots(make("hoist", {{"links", "40"},
                                 {"load", "7610"},
                                 {"mu", "0.217"},
                                 {"seed", "86491"},
                                 {"steps", "100"}}));
      },
      ThrowsMessage<UnstableStep>(AllOf(HasSubstr("Hoist: step "), HasSubstr("unstable"))));
}

}  // namespace
}  // namespace frictionbench::scenes::test
