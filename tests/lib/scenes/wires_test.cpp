// Contacts of capsules and rings, and of fixtures.
#include "frictionbench/scenes/internal/wires.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/scenes/internal/shapes.hpp"
#include "scene_support.hpp"

namespace frictionbench::scenes::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Eigen::Quaterniond turned(double degrees, const Vector3& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis));
}

// Without gravity, so that gaps alone decide.
World resting(std::vector<Body> bodies) {
  World world;
  world.gravity.setZero();
  world.bodies = std::move(bodies);
  return world;
}

Vector3 random_vector(Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

TEST(Wires, CapsulesThatCrossTouchAtOnePoint) {
  World world =
      resting({make_capsule(0.1, 1, 1, {0, 0, 0}), make_capsule(0.05, 0.5, 1, {0.3, 0.2, 0.1505})});
  world.bodies[1].rotation = turned(90, Vector3::UnitZ());
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].a, 1);
  EXPECT_EQ(contacts[0].b, 0);
  EXPECT_NEAR(contacts[0].gap, 0.0005, 1e-15);
  EXPECT_TRUE(contacts[0].frame.col(0).isApprox(Vector3::UnitZ()));
  EXPECT_TRUE(contacts[0].point.isApprox(Vector3(0.3, 0, 0.10025), 1e-12));
}

TEST(Wires, EndOfACapsuleTouchesTheSideOfAnother) {
  // It stands on the other, 3 : 4 beside its middle line.
  World world = resting({make_capsule(0.1, 1, 1, {0, 0, 0}), make_capsule(0.1, 0.5, 1, {0, 0, 0})});
  world.bodies[1].rotation = turned(90, Vector3::UnitY());
  world.bodies[1].position = {0.4, 0.12, 0.66};
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].gap, 0);
  EXPECT_TRUE(contacts[0].frame.col(0).isApprox(Vector3(0, 0.6, 0.8), 1e-12));
  EXPECT_TRUE(contacts[0].point.isApprox(Vector3(0.4, 0.06, 0.08), 1e-12));
}

TEST(Wires, ParallelCapsulesTouchAtBothEndsOfTheirOverlap) {
  for (const double tilt : {0.0, 0.05}) {  // degrees; 0.05 lifts an end by 0.3 mm
    World world =
        resting({make_capsule(0.1, 0.5, 1, {0, 0, 0}), make_capsule(0.1, 0.5, 1, {0.3, 0, 0.2})});
    world.bodies[1].rotation = turned(tilt, Vector3::UnitY());
    const auto contacts = detect_contacts(world);
    ASSERT_EQ(contacts.size(), 2u) << tilt;
    for (const double end : {-0.2, 0.5})
      EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), [end](const Contact& contact) {
        return std::abs(contact.point.x() - end) <= 1e-3;
      })) << tilt;
  }
}

TEST(Wires, BallAndCapsuleInEitherOrder) {
  World world =
      resting({make_capsule(0.1, 0.5, 1, {0, 0, 0}), make_sphere(0.2, 1, {0.68, 0, 0.24})});
  const auto last = detect_contacts(world);
  ASSERT_EQ(last.size(), 1u);  // at the end: (0.18, 0, 0.24) away, which is 0.3
  EXPECT_EQ(last[0].gap, 0);
  EXPECT_TRUE(last[0].frame.col(0).isApprox(Vector3(0.6, 0, 0.8), 1e-12));
  std::swap(world.bodies[0], world.bodies[1]);
  const auto first = detect_contacts(world);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_TRUE(first[0].frame.col(0).isApprox(-last[0].frame.col(0), 1e-12));
  EXPECT_TRUE(first[0].point.isApprox(last[0].point, 1e-12));
}

TEST(Wires, TouchPlanesBelowEveryEnd) {
  World world = resting(
      {make_capsule(0.1, 0.5, 1, {0, 0, 0.1}), make_ring({0.5, 0.2, 0.1, 12}, 1, {3, 0, 0.1005})});
  world.planes.push_back({});
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 2u + 12u);
  EXPECT_EQ(contacts[0].gap, 0);
  EXPECT_NEAR(std::abs(contacts[0].point.x()), 0.5, 1e-15);
  for (std::size_t k = 2; k < contacts.size(); ++k) EXPECT_NEAR(contacts[k].gap, 0.0005, 1e-15);
}

TEST(Wires, BallInARingTouchesEverySide) {
  // Sides are 0.3 away from the axis; the ball's centre is 0.4 above their plane.
  const World world =
      resting({make_ring({0.3, 0, 0.1, 8}, 1, {0, 0, 0}), make_sphere(0.4, 1, {0, 0, 0.4})});
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 8u);
  for (const Contact& contact : contacts) {
    EXPECT_EQ(contact.gap, 0);
    EXPECT_NEAR(contact.frame(2, 0), 0.8, 1e-12);
    EXPECT_NEAR(contact.point.z(), 0.1 * 0.8, 1e-12);
  }
}

// The lower ring hangs in the upper one: sides along y and z, 0.2 apart.
TEST(Wires, RingsThatHangInEachOtherBySidesTouchAtOnePoint) {
  World world = resting({make_ring({0.5, 0.3, 0.1, 8}, 1, {0, 0, 0}),
                         make_ring({0.4, 0, 0.1, 8}, 1, {0.65 + 0.4 - 0.2, 0, 0})});
  world.bodies[1].rotation = turned(90, Vector3::UnitX());
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].gap, 0);
  EXPECT_TRUE(contacts[0].point.isApprox(Vector3(0.55, 0, 0), 1e-9));
  EXPECT_TRUE(contacts[0].frame.col(0).isApprox(-Vector3::UnitX(), 1e-12));
}

// Squares that hang in each other by corners have two sides each that touch two of the other's: with
// directions (1, +-1, 0) and (1, 0, +-1), normals along their cross products (1, -+1, -+1) / sqrt(3).
TEST(Wires, RingsThatHangInEachOtherByCornersTouchAtFourPoints) {
  const Ring square{0.5, 0, 0.1, 4};
  const double corner = square.radius * std::sqrt(2.0);
  // Lines through the corners of either square, d apart along x, have the distance d / sqrt(3).
  World world = resting({make_ring(square, 1, {0, 0, 0}),
                         make_ring(square, 1, {2 * corner - 0.2 * std::sqrt(3.0), 0, 0})});
  world.bodies[0].rotation = turned(45, Vector3::UnitZ());
  world.bodies[1].rotation = turned(90, Vector3::UnitX()) * turned(45, Vector3::UnitZ());
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0, 1e-12);
    EXPECT_TRUE(
        contact.frame.col(0).cwiseAbs().isApprox(Vector3::Constant(1 / std::sqrt(3.0)), 1e-9));
  }
}

TEST(Wires, RingsThatLieOnEachOtherTouchAtEveryCorner) {
  const Ring shape{0.3, 0.1, 0.05, 8};
  const World world = resting({make_ring(shape, 1, {0, 0, 0}), make_ring(shape, 1, {0, 0, 0.1})});
  const auto contacts = detect_contacts(world);
  EXPECT_EQ(contacts.size(), 8u);
  for (const Contact& contact : contacts) EXPECT_EQ(contact.gap, 0);
}

TEST(Wires, CapsuleOnABoxTouchesAtBothEndsOfWhatIsOverTheFace) {
  World world =
      resting({make_box({1, 1, 1}, 1, {0, 0, 0}), make_capsule(0.1, 0.4, 1, {0.3, 0.2, 0.6})});
  for (const bool box_first : {true, false}) {
    const auto contacts = detect_contacts(world);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_EQ(contacts[0].gap, 0);
    EXPECT_TRUE(contacts[0].frame.col(0).isApprox((box_first ? 1 : -1) * Vector3::UnitZ()));
    EXPECT_NEAR(contacts[0].point.x() + contacts[1].point.x(), -0.1 + 0.5, 1e-12);
    EXPECT_NEAR(std::abs(contacts[0].point.x() - contacts[1].point.x()), 0.6, 1e-12);
    std::swap(world.bodies[0], world.bodies[1]);
  }
}

TEST(Wires, CapsuleAcrossAnEdgeOfABoxTouchesOnce) {
  // At right angles to the edge x = z = 0.5, at 45 degrees to both faces.
  World world = resting({make_box({1, 1, 1}, 1, {0, 0, 0}), make_capsule(0.1, 0.4, 1, {0, 0, 0})});
  world.bodies[1].position = Vector3(0.5, 0.1, 0.5) + 0.1 * Vector3(1, 0, 1).normalized();
  world.bodies[1].rotation = turned(45, Vector3::UnitY());
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 0, 1e-12);
  EXPECT_TRUE(contacts[0].point.isApprox(Vector3(0.5, 0.1, 0.5), 1e-9));
  EXPECT_TRUE(contacts[0].frame.col(0).isApprox(Vector3(1, 0, 1).normalized(), 1e-9));
}

// The smallest gap against a search over many points of the cores.
TEST(Wires, SmallestGapIsThatOfASearch) {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const auto make_wire = [&](bool ring) {
      const Shape shape = ring ? Shape(Ring{0.3, 0.2, 0.01, 8}) : Shape(Capsule{0.01, 0.4});
      const Eigen::Quaterniond rotation =
          turned(random.uniform(-180, 180), random_vector(random, 1).normalized());
      return *wire_of(shape, rotation.toRotationMatrix(), random_vector(random, 0.6));
    };
    const Wire a = make_wire(trial % 2 == 0), b = make_wire(trial % 3 == 0);
    const Box box{{0.2, 0.15, 0.1}};
    constexpr int steps = 400;
    const auto samples = [](const Wire& wire) {
      std::vector<Vector3> points;
      const std::size_t count = wire.corners.size(), sides = wire.closed ? count : 1;
      for (std::size_t k = 0; k < sides; ++k)
        for (int s = 0; s <= steps; ++s)
          points.push_back(wire.corners[k] + static_cast<double>(s) / steps *
                                                 (wire.corners[(k + 1) % count] - wire.corners[k]));
      return points;
    };
    double of_wires = std::numeric_limits<double>::infinity(), of_box = of_wires;
    const auto on_a = samples(a), on_b = samples(b);
    for (const Vector3& p : on_a) {
      of_box = std::min(of_box, (p - nearest_point(box, p)).norm());
      for (const Vector3& q : on_b) of_wires = std::min(of_wires, (p - q).squaredNorm());
    }
    of_wires = std::sqrt(of_wires);
    const auto smallest = [](const std::optional<std::vector<FacingPoint>>& points) {
      double gap = std::numeric_limits<double>::infinity();
      for (const FacingPoint& point : points.value()) gap = std::min(gap, point.gap);
      return gap;
    };
    constexpr double spacing = 0.8 / steps;
    const double wires = smallest(facing_points(a, b, 10)) + a.radius + b.radius;
    EXPECT_LE(wires, of_wires + 1e-12);
    EXPECT_GE(wires, of_wires - spacing);
    const auto over_box = facing_points(a, box, 10);
    if (of_box == 0 || !over_box) continue;  // some point is inside
    const double boxes = smallest(over_box) + a.radius;
    EXPECT_LE(boxes, of_box + 1e-12);
    EXPECT_GE(boxes, of_box - spacing);
  }
}

// Gap, normal and point of every contact fit each other, and the surfaces are where they say.
TEST(Wires, PointsLieHalfWayBetweenTheSurfaces) {
  Random random(12);
  int seen = 0, exact = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto wire = [&] {
      return *wire_of(Ring{0.3, 0.1, 0.02, 8},
                      turned(random.uniform(-180, 180), random_vector(random, 1).normalized())
                          .toRotationMatrix(),
                      random_vector(random, 0.4));
    };
    const Wire a = wire(), b = wire();
    const auto distance = [](const Wire& to, const Vector3& point) {
      return facing_points({{point}, false, 0}, to, 100).value();
    };
    const auto points = facing_points(a, b, 0.1);
    for (const FacingPoint& at : points.value()) {
      ++seen;
      EXPECT_NEAR(at.normal.norm(), 1, 1e-12);
      double to_a = 1, to_b = 1;
      for (const FacingPoint& p : distance(a, at.point + at.gap / 2 * at.normal))
        to_a = std::min(to_a, std::abs(p.gap));
      for (const FacingPoint& p : distance(b, at.point - at.gap / 2 * at.normal))
        to_b = std::min(to_b, std::abs(p.gap));
      // Where pieces are nearly parallel, it is the round end of one of them that touches.
      constexpr double round_end = 0.02 * max_box_angle * max_box_angle / 2;
      EXPECT_LE(to_a, round_end);
      EXPECT_LE(to_b, round_end);
      exact += to_a <= 1e-12 && to_b <= 1e-12;
    }
  }
  EXPECT_GE(seen, 100);
  EXPECT_GE(exact, seen * 9 / 10);
}

TEST(Wires, RefuseWhatGoesThroughEachOther) {
  World world = resting({make_capsule(0.1, 1, 1, {0, 0, 0}), make_capsule(0.1, 1, 1, {0, 0, 0})});
  world.bodies[1].rotation = turned(90, Vector3::UnitZ());
  EXPECT_THAT([&] { detect_contacts(world); },
              ThrowsMessage<UnsupportedContact>(HasSubstr("core")));
  world.bodies[1] = make_box({0.1, 0.1, 0.1}, 1, {0, 0, 0});
  EXPECT_THAT([&] { detect_contacts(world); },
              ThrowsMessage<UnsupportedContact>(HasSubstr("body 1")));
  world.bodies[1] = make_wedge({}, 1, {0, 0, 0});
  EXPECT_THAT([&] { detect_contacts(world); },
              ThrowsMessage<UnsupportedContact>(HasSubstr("wedge")));
}

// Against a fine grid of points inside.
TEST(Wires, InertiaOfACapsule) {
  const Body body = make_capsule(0.3, 0.5, 2, Vector3::Zero());
  constexpr int n = 160;
  Vector3 squares = Vector3::Zero();
  double inside = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vector3 p = 0.8 * Vector3(2 * i + 1 - n, 2 * j + 1 - n, 2 * k + 1 - n) / n;
        const Vector3 beyond(std::max(std::abs(p.x()) - 0.5, 0.0), p.y(), p.z());
        if (beyond.norm() > 0.3) continue;
        squares += p.cwiseAbs2();
        ++inside;
      }
  const Vector3 expected = 2 / inside * (Vector3::Constant(squares.sum()) - squares);
  EXPECT_TRUE(body.inertia.isApprox(expected, 2e-3)) << body.inertia << "\n\n" << expected;
}

// A ring of many sides is a torus: m (R^2 + 3/4 r^2) about its axis, m (R^2 / 2 + 5/8 r^2) across.
TEST(Wires, InertiaOfARingOfManySides) {
  const double R = 0.3, r = 0.1;
  const Body body = make_ring({R, 0, r, 256}, 3, Vector3::Zero());
  EXPECT_NEAR(body.inertia.z(), 3 * (R * R + 0.75 * r * r), 1e-4);
  EXPECT_NEAR(body.inertia.x(), 3 * (R * R / 2 + 0.625 * r * r), 1e-4);
  EXPECT_NEAR(body.inertia.x(), body.inertia.y(), 1e-15);
  EXPECT_NEAR(core_length({R, 0.5, r, 256}), 2 * std::numbers::pi * R + 1, 1e-3);
}

TEST(Wires, CornersOfARing) {
  const Ring ring{0.5, 0.4, 0.1, 8};
  const auto corners = core(ring);
  ASSERT_EQ(corners.size(), 8u);
  Vector3 low = Vector3::Zero(), high = Vector3::Zero(), sum = Vector3::Zero();
  for (const Vector3& corner : corners) {
    low = low.cwiseMin(corner);
    high = high.cwiseMax(corner);
    sum += corner;
  }
  EXPECT_TRUE(high.isApprox(Vector3(0.7, 0.5, 0), 1e-15));
  EXPECT_TRUE(low.isApprox(-high, 1e-15));
  EXPECT_LE(sum.norm(), 1e-15);
  EXPECT_DOUBLE_EQ(ring.half_length(), 0.7);
}

TEST(Fixtures, HoldBodiesWithoutDegreesOfFreedom) {
  World world;
  world.bodies = {make_sphere(0.1, 1, {0, 0, 0.2})};
  world.planes = {{Vector3::UnitX(), -0.1, 0.5}};
  world.fixtures = {make_box({1, 1, 1}, 1, {5, 0, 0}), make_capsule(0.1, 1, 7, {0, 0, 0})};
  world.fixtures[1].mu = 0.32;
  world.bodies[0].mu = 0.5;
  world.fixtures[1].velocity = {1, 2, 3};  // does not matter
  const auto contacts = detect_contacts(world);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts[0].fixture, 0);
  EXPECT_EQ(contacts[1].fixture, 2);  // the plane, the box, the capsule
  for (const Contact& contact : contacts) EXPECT_EQ(contact.b, Contact::fixed);
  EXPECT_EQ(contacts[1].gap, 0);
  EXPECT_NEAR(contacts[1].mu, 0.4, 1e-15);
  EXPECT_TRUE(contacts[1].frame.col(0).isApprox(Vector3::UnitZ()));

  EXPECT_EQ(world.dofs(), 6);
  solved_step(world);
  EXPECT_LE(world.bodies[0].velocity.norm(), 1e-7);
}

TEST(Fixtures, OfEveryShapeHoldWhatABodyOfThatShapeWould) {
  for (const Body& support :
       {make_sphere(0.2, 1, {0, 0, -0.2}), make_box({0.4, 0.4, 0.4}, 1, {0, 0, -0.2}),
        make_capsule(0.2, 0.3, 1, {0, 0, -0.2}),
        make_ring({0.2, 0, 0.05, 8}, 1, {0.2, 0, -0.05})}) {
    World with_fixture = resting({make_sphere(0.1, 1, {0, 0, 0.1})}), with_body = with_fixture;
    with_fixture.fixtures = {support};
    with_body.bodies.insert(with_body.bodies.begin(), support);
    const auto fixed = detect_contacts(with_fixture), moving = detect_contacts(with_body);
    ASSERT_EQ(fixed.size(), 1u);
    ASSERT_EQ(moving.size(), 1u);
    EXPECT_TRUE(fixed[0].point.isApprox(moving[0].point, 1e-14));
    EXPECT_TRUE(fixed[0].frame.isApprox(moving[0].frame, 1e-14));
    EXPECT_EQ(fixed[0].gap, moving[0].gap);
  }
}

}  // namespace
}  // namespace frictionbench::scenes::test
