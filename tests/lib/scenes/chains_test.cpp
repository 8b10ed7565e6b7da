// Chains, hoists, rings and nets: what hangs, stays linked and is held.
#include <gmock/gmock.h>

#include <numeric>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/scenes/data_set.hpp"
#include "frictionbench/scenes/settling.hpp"
#include "scene_support.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::scenes::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

double energy(const World& world) {
  double sum = 0;
  for (const Body& body : world.bodies)
    sum += body.mass * (body.velocity.squaredNorm() / 2 - world.gravity.dot(body.position)) -
           body.force.dot(body.position) +
           body.angular_velocity.dot(world_inertia(body) * body.angular_velocity) / 2;
  return sum;
}

double weight(const World& world) {
  return std::accumulate(
      world.bodies.begin(), world.bodies.end(), 0.0,
      [&](double sum, const Body& body) { return sum + body.mass * world.gravity.norm(); });
}

// How often core b goes through the polygon of core a, which is flat and convex, with signs.
int linking_number(const Body& a, const Body& b) {
  const Ring &of_a = std::get<Ring>(a.shape), &of_b = std::get<Ring>(b.shape);
  const auto corners = [](const Ring& ring) {  // of an octagon
    const double x = ring.radius, y = ring.radius * (std::sqrt(2.0) - 1), s = ring.stretch / 2;
    return std::vector<Vector3>{{x + s, y, 0},   {y + s, x, 0},   {-y - s, x, 0}, {-x - s, y, 0},
                                {-x - s, -y, 0}, {-y - s, -x, 0}, {y + s, -x, 0}, {x + s, -y, 0}};
  };
  const auto outline = corners(of_a);
  const auto inside = [&](const Vector3& point) {
    for (std::size_t k = 0; k < outline.size(); ++k) {
      const Vector3 side = outline[(k + 1) % outline.size()] - outline[k];
      if (side.cross(point - outline[k]).z() < 0) return false;
    }
    return true;
  };
  std::vector<Vector3> loop = corners(of_b);
  for (Vector3& point : loop)
    point = a.rotation.conjugate() * (b.position + b.rotation * point - a.position);
  int count = 0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector3 &from = loop[k], &to = loop[(k + 1) % loop.size()];
    if ((from.z() < 0) == (to.z() < 0)) continue;
    if (inside(from + from.z() / (from.z() - to.z()) * (to - from))) count += to.z() < 0 ? -1 : 1;
  }
  return std::abs(count);
}

// The links of a chain one after another, with the fixed ones at its ends.
std::vector<Body> links_in_order(const World& world) {
  std::vector<Body> links = world.bodies;
  links.insert(links.begin(), world.fixtures.front());
  if (world.fixtures.size() > 1) links.push_back(world.fixtures.back());
  return links;
}

// Nothing adds energy but the push that takes overlaps apart, which is of the order of the overlap.
void expect_settles(World& world, int steps) {
  Settling settling;
  const double before = energy(world), slack = 1e-3 * weight(world);
  double highest = before;
  for (int k = 0; k < steps; ++k) {
    settling.step(world);
    const double now = energy(world);
    ASSERT_LE(now, highest + slack) << "step " << k;
    highest = std::min(highest, now);
    for (const Contact& contact : detect_contacts(world)) ASSERT_GE(contact.gap, -1e-3);
  }
  EXPECT_LT(energy(world), before);
}

TEST(Chains, HangBetweenTheirEnds) {
  World world = make("chain").world;
  ASSERT_EQ(world.fixtures.size(), 2u);
  ASSERT_EQ(world.bodies.size(), 12u);
  expect_settles(world, 1000);
  const auto links = links_in_order(world);
  for (std::size_t k = 1; k < links.size(); ++k)
    EXPECT_EQ(linking_number(links[k - 1], links[k]), 1) << k;
  for (std::size_t k = 2; k < links.size(); ++k)
    EXPECT_EQ(linking_number(links[k - 2], links[k]), 0) << k;
  // It sags, lowest in the middle.
  const double middle = (world.bodies[5].position.z() + world.bodies[6].position.z()) / 2;
  EXPECT_LT(middle, world.bodies[0].position.z() - 0.05);
  EXPECT_LT(middle, world.bodies[11].position.z() - 0.05);
  for (const Body& body : world.bodies) EXPECT_LT(std::abs(body.position.y()), 0.02);
}

// The two fixed links carry the weight, and what horizontal force goes in comes out.
TEST(Chains, ForcesOfTheEndsBalanceTheWeight) {
  const Snapshot snapshot = state("chain", {{"damping", "20"}, {"snapshots", "1"}});
  const World& world = snapshot.world;
  const Vector r = solved_impulse(global_problem(world, snapshot.contacts), 1e-7);
  Vector3 left = Vector3::Zero(), right = Vector3::Zero();
  for (std::size_t i = 0; i < snapshot.contacts.size(); ++i)
    if (snapshot.contacts[i].b == Contact::fixed)
      (snapshot.contacts[i].fixture == 0 ? left : right) +=
          world_impulse(world, snapshot.contacts[i], r, i) / world.time_step;
  EXPECT_NEAR((left + right).z(), weight(world), 0.05 * weight(world));
  EXPECT_NEAR(left.x() + right.x(), 0, 0.05 * weight(world));
  EXPECT_LT(left.x(), -0.1 * weight(world));  // both pull outwards
  EXPECT_NEAR(left.z(), right.z(), 0.1 * weight(world));
}

TEST(Chains, RingsHangInEachOther) {
  World world = make("rings", {{"chains", "3"}, {"links", "3"}}).world;
  ASSERT_EQ(world.bodies.size(), 3u * 5u - 1u);
  expect_settles(world, 1000);
  const auto links = links_in_order(world);
  for (std::size_t k = 1; k < links.size(); ++k)
    EXPECT_EQ(linking_number(links[k - 1], links[k]), 1) << k;
  for (const Body& body : world.bodies) EXPECT_LT(body.velocity.norm(), 3);
}

TEST(Chains, LoadIsHoistedByAPullThatIsLargeEnough) {
  World strong = make("hoist").world, weak = make("hoist", {{"pull", "0.5"}}).world;
  const double start = strong.bodies.front().position.z();
  EXPECT_DOUBLE_EQ(strong.bodies.front().mass, 10 * strong.bodies[1].mass);
  expect_settles(strong, 200);
  expect_settles(weak, 200);
  EXPECT_GT(strong.bodies.front().position.z(), start + 0.05);
  EXPECT_LT(weak.bodies.front().position.z(), start);
  // On the rod, and still a chain.
  for (World* world : {&strong, &weak}) {
    int on_rod = 0;
    for (const Contact& contact : detect_contacts(*world))
      on_rod += contact.b == Contact::fixed && contact.fixture == 1;
    EXPECT_GE(on_rod, 2);
    for (std::size_t k = 1; k < world->bodies.size(); ++k)
      EXPECT_EQ(linking_number(world->bodies[k - 1], world->bodies[k]), 1) << k;
  }
}

TEST(Nets, HoldABallAndABox) {
  for (const char* load : {"ball", "box"}) {
    World world = make("net", {{"load", load}}).world;
    const double net_height = world.fixtures.front().position.z();
    expect_settles(world, 1000);
    const Body& held = world.bodies.back();
    EXPECT_GT(held.position.z(), net_height) << load;  // on the net, not on the ground
    EXPECT_LT(held.velocity.norm(), 0.02) << load;
    for (const Contact& contact : detect_contacts(world))
      EXPECT_NE(contact.point.z(), 0) << load;  // nothing touches the ground
  }
}

TEST(Nets, RodsFallIntoThem) {
  World world = make("net", {{"load", "rods"}, {"nodes", "3"}, {"load_size", "0.1"}}).world;
  ASSERT_EQ(world.bodies.size(), 9u + 12u + 5u);
  ASSERT_EQ(world.fixtures.size(), 12u);
  expect_settles(world, 400);
  int on_net = 0;
  for (const Contact& contact : detect_contacts(world))
    on_net += contact.a >= 21 && contact.b >= 0 && contact.b < 21;
  EXPECT_GE(on_net, 4);
}

TEST(Chains, SeedAndOffsetDetermineTheScene) {
  for (const char* name : {"chain", "hoist", "rings", "net"}) {
    const auto place = [name](const char* seed) {
      return make(name, {{"seed", seed}}).world.bodies[1].position;
    };
    EXPECT_EQ(place("1"), place("1")) << name;
    EXPECT_NE(place("1"), place("2")) << name;
  }
}

TEST(Chains, RefuseLinksWithoutRoom) {
  const auto refused = [](const char* name, const Assignments& parameters, const char* words) {
    EXPECT_THAT([&] { make(name, parameters); },
                ThrowsMessage<std::invalid_argument>(HasSubstr(words)));
  };
  refused("chain", {{"sides", "6"}}, "sides = 6 must be a multiple of 4, e.g. 4");
  refused("rings", {{"wire", "0.01"}}, "wire = 0.01 m is too thick");
  refused("chain", {{"links", "1"}, {"arc", "180"}}, "links overlap");
  refused("hoist", {{"links", "6"}}, "links = 6: the rod takes");
}

// Equal bytes with the compiler and processor flags of the presets, whatever the compiler. A change to
// how these scenes are made or settled that is meant changes these lines, too.
TEST(Chains, FilesAreTheSameOnEveryMachine) {
  const frictionbench::test::TemporaryFolder folder;
  const Assignments short_run = {{"steps", "100"}, {"snapshots", "1"}};
  std::map<std::string, std::string> files;
  for (const char* name : {"chain", "hoist", "rings", "net"})
    for (const ManifestRow& row : write_data_set({{name, short_run, Forms::local}}, folder.path()))
      files[row.path] = row.sha256;
  const std::map<std::string, std::string> expected = {
      {"Chain/Chain-default-local-15-00100.hdf5",
       "a5e35cbaf51aee8618683fbdc6ba9d7a30a18cd448f6a95856d558f5d320bd73"},
      {"Hoist/Hoist-default-local-62-00100.hdf5",
       "48114e7d57e1a268df250a59ca1cbc376236b6e66b1dab785fd066e7b77fae26"},
      {"Net/Net-default-local-31-00100.hdf5",
       "00cc86e77f343433c59ca2dd42426da727964a3aed4fcd019046a83b3b0c41c9"},
      {"Rings/Rings-default-local-23-00100.hdf5",
       "c4f908c3aeea563a9c128839a2e5603acf7b4c3bac686cc82ffc878912da144e"}};
  EXPECT_EQ(files, expected);
}

}  // namespace
}  // namespace frictionbench::scenes::test
