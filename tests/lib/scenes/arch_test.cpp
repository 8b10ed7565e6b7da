// Arches and vaults.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numbers>

#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

constexpr double degree = std::numbers::pi / 180;

class Joints : public testing::TestWithParam<std::tuple<int, int>> {};

INSTANTIATE_TEST_SUITE_P(Arch, Joints,
                         testing::Combine(testing::Values(2, 3, 5, 8, 15, 40, 201),
                                          testing::Values(20, 75, 120, 180)));

// Joint k is the plane through the axis at angle theta from the crown. Bodies are in its order, so the
// normal points on, to larger angles.
TEST_P(Joints, CloseAtTheirCornersWithNormalsAcross) {
  const auto [voussoirs, opening] = GetParam();
  const Snapshot snapshot = state("arch", {{"voussoirs", std::to_string(voussoirs)},
                                           {"opening", std::to_string(opening)},
                                           {"radius", "10"},
                                           {"thickness", "2"},
                                           {"offset", "0"}});
  std::map<int, int> inside, outside;
  for (const Contact& contact : snapshot.contacts) {
    const bool springing = contact.b == Contact::fixed;
    const int joint = springing ? (contact.point.x() < 0 ? 0 : voussoirs) : contact.a;
    if (springing)
      EXPECT_EQ(contact.a, joint == 0 ? 0 : voussoirs - 1);
    else
      EXPECT_EQ(contact.b, contact.a - 1);
    EXPECT_EQ(contact.gap, 0);

    const double theta = opening * degree * (static_cast<double>(joint) / voussoirs - 0.5);
    const Vector3 along(std::cos(theta), 0, -std::sin(theta));
    const Vector3 expected = springing && joint != 0 ? Vector3(-along) : along;
    EXPECT_LE((contact.frame.col(0) - expected).norm(), 1e-13);
    EXPECT_NEAR(contact.point.dot(along), 0, 1e-12);
    EXPECT_NEAR(std::abs(contact.point.y()), 0.2, 1e-12);
    const double distance = std::hypot(contact.point.x(), contact.point.z());
    inside[joint] += std::abs(distance - 9) < 1e-12;
    outside[joint] += std::abs(distance - 11) < 1e-12;
  }
  EXPECT_EQ(snapshot.contacts.size(), 4u * static_cast<std::size_t>(voussoirs + 1));
  for (int joint = 0; joint <= voussoirs; ++joint) {
    EXPECT_EQ(inside[joint], 2) << joint;
    EXPECT_EQ(outside[joint], 2) << joint;
  }
}

TEST(Arch, HasTheMassOfItsStones) {
  const World world = make("arch", {{"voussoirs", "25"}, {"density", "2500"}}).world;
  double mass = 0;
  for (const Body& body : world.bodies) mass += body.mass;
  // Triangles with their tips on the axis, outer minus inner.
  const double area = 25 * (2.2 * 2.2 - 1.8 * 1.8) / 2 * std::sin(180.0 / 25 * degree);
  EXPECT_NEAR(mass, 2500 * 0.4 * area, 1e-9 * mass);

  // Three stones of 0.4 m, or two and two halves, which make up for one joint of 0.01 m less.
  const World vault = make("arch", {{"voussoirs", "2"}, {"columns", "3"}}).world;
  ASSERT_EQ(vault.bodies.size(), 3u + 4u);
  double first = 0, second = 0;
  for (std::size_t k = 0; k < 7; ++k) (k < 3 ? first : second) += vault.bodies[k].mass;
  EXPECT_NEAR(second / first, 1.19 / 1.2, 1e-12);
}

// Stones of a course do not touch; each touches those of the courses beside its own.
TEST(Arch, VaultsAreLaidInRunningBond) {
  const Snapshot snapshot = state("arch", {{"voussoirs", "12"}, {"columns", "4"}});
  const auto angle = [&](int body) {
    const Vector3& centre = snapshot.world.bodies[static_cast<std::size_t>(body)].position;
    return std::atan2(centre.x(), centre.z());
  };
  std::map<std::pair<int, int>, int> pairs;
  for (const Contact& contact : snapshot.contacts) {
    if (contact.b == Contact::fixed) continue;
    EXPECT_EQ(contact.gap, 0);
    EXPECT_NEAR(angle(contact.a) - angle(contact.b), 15 * degree, 1e-12);
    ++pairs[{contact.a, contact.b}];
  }
  EXPECT_EQ(pairs.size(), 11u * 8u);
  for (const auto& [bodies, points] : pairs) EXPECT_EQ(points, 4);
}

struct Answer {
  Snapshot snapshot;
  Vector r, v;
};

Answer solved(const Assignments& parameters) {
  Answer answer{state("arch", parameters), {}, {}};
  const ContactProblem problem = global_problem(answer.snapshot.world, answer.snapshot.contacts);
  answer.r = frictionbench::test::solve("ncp-hybrid", problem, precise()).r;
  EXPECT_LE(judge(problem, answer.r).ncp.max(), 1e-8);
  answer.v = problem.generalized_velocity(answer.r);
  return answer;
}

double fastest(const Assignments& parameters) {
  return solved(parameters).v.lpNorm<Eigen::Infinity>();
}

// [Heyman] A half circle stands if it is thicker than 0.107 radii, and if mu is above 0.31 or so.
TEST(Arch, StandsOnlyIfThickAndRoughEnough) {
  EXPECT_LE(fastest({{"mu", "0.7"}}), 1e-7);
  EXPECT_LE(fastest({{"mu", "0.35"}, {"voussoirs", "41"}}), 1e-7);
  EXPECT_LE(fastest({{"mu", "0.7"}, {"voussoirs", "41"}, {"thickness", "0.22"}}), 1e-7);

  EXPECT_GE(fastest({{"mu", "0"}}), 1e-3);
  EXPECT_GE(fastest({{"mu", "0.29"}, {"voussoirs", "41"}}), 1e-5);
  EXPECT_GE(fastest({{"mu", "0.7"}, {"voussoirs", "41"}, {"thickness", "0.2"}}), 1e-5);
}

TEST(Arch, CollapsesUnderAHeavyBall) {
  // The ball, which is last, rolls off.
  const auto fastest_stone = [](const char* mass) {
    const Vector v = solved({{"ball_mass", mass}, {"ball_speed", "0"}}).v;
    return v.head(v.size() - 6).lpNorm<Eigen::Infinity>();
  };
  EXPECT_LE(fastest_stone("100"), 1e-7);
  EXPECT_GE(fastest_stone("10000"), 1e-4);
}

TEST(Arch, PushesItsSpringingsApart) {
  for (const char* opening : {"180", "120"}) {
    const Answer answer = solved({{"mu", "0.7"}, {"opening", opening}});
    const World& world = answer.snapshot.world;
    double mass = 0;
    for (const Body& body : world.bodies) mass += body.mass;
    Vector3 left = Vector3::Zero(), right = Vector3::Zero();
    for (std::size_t i = 0; i < answer.snapshot.contacts.size(); ++i) {
      const Contact& contact = answer.snapshot.contacts[i];
      if (contact.b != Contact::fixed) continue;
      (contact.point.x() < 0 ? left : right) += world_impulse(world, contact, answer.r, i);
    }
    const double weight = mass * 9.81 * world.time_step;
    EXPECT_NEAR(left.z() + right.z(), weight, 1e-6 * weight) << opening;
    EXPECT_NEAR(left.x() + right.x(), 0, 1e-6 * weight) << opening;
    EXPECT_GE(left.x(), 0.1 * weight) << opening;
  }
}

TEST(Arch, BallTouchesTheStoneItHits) {
  const Snapshot snapshot = state("arch", {{"ball_mass", "20"}});
  const Contact& last = snapshot.contacts.back();
  ASSERT_EQ(last.a, 15);
  EXPECT_EQ(last.b, 15 / 4);
  EXPECT_EQ(last.gap, 0);
  const Body& ball = snapshot.world.bodies.back();
  EXPECT_NEAR(ball.velocity.normalized().dot(last.frame.col(0)), -1, 1e-12);
}

TEST(Arch, RefusesStonesThatWouldTouchOtherwise) {
  const auto refuses = [](const Assignments& parameters, const char* text) {
    EXPECT_THAT([&] { make("arch", parameters); },
                testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr(text)));
  };
  refuses({{"thickness", "4"}}, "thickness = 4");
  refuses({{"voussoirs", "10000"}}, "voussoirs = 10000");
  refuses({{"columns", "2"}, {"joint", "0.005"}}, "joint = 0.005");
  refuses({{"columns", "2"}, {"joint", "0.5"}}, "joint = 0.5");
  refuses({{"opening", "179.99"}}, "opening = 179.99");
  refuses({{"opening", "181"}}, "opening = 181");
  refuses({{"voussoirs", "1"}}, "voussoirs = 1");
}

}  // namespace
}  // namespace frictionbench::scenes::test
