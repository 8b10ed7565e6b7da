#include "support/falling_mechanisms.hpp"

#include <algorithm>

namespace frictionbench::test {

namespace {

using scenes::Contact;
using scenes::make_box;
using scenes::make_sphere;
using scenes::World;

World empty_world() {
  World world;
  world.time_step = 0.005;
  world.contact_margin = 0.02;
  return world;
}

// A Grashof linkage in the x-z plane; the base is the fourth bar, body 3, or the world. Its hinges are
// parallel: 20 rows of rank 17, as a loop in the plane needs only 2 of the last hinge's 5.
void add_four_bar(Mechanism& mechanism, bool is_mounted) {
  World& world = mechanism.world;
  const auto bar = [&](const Vector3& from, const Vector3& to) {
    const Vector3 along = to - from;
    world.bodies.push_back(make_box({along.norm(), 0.03, 0.04}, 3 * along.norm(), (from + to) / 2));
    world.bodies.back().rotation = Eigen::Quaterniond::FromTwoVectors(Vector3::UnitX(), along);
  };
  const Vector3 A(0, 0, 1), B(0.1, 0, 1.25), C(0.6, 0, 1.45), D(0.6, 0, 1);
  bar(A, B);
  bar(B, C);
  bar(C, D);
  if (!is_mounted) bar(D, A);
  const int base = is_mounted ? Contact::fixed : 3;
  const Vector3 y = Vector3::UnitY();
  mechanism.joints = {hinge(world, base, 0, A, y), hinge(world, 0, 1, B, y),
                      hinge(world, 1, 2, C, y), hinge(world, 2, base, D, y)};
  mechanism.joints[0].high = 1;
  mechanism.joints[2].low = -0.3;
  mechanism.joints[1].dry_friction = 0.2;
}

Mechanism mounted_four_bar() {
  Mechanism mechanism{empty_world(), {}};
  add_four_bar(mechanism, true);
  return mechanism;
}

void turn(Mechanism& mechanism, const Eigen::AngleAxisd& by) {
  for (scenes::Body& body : mechanism.world.bodies) {
    body.position = by * body.position;
    body.rotation = by * body.rotation;
  }
}

// Lays the ground so far below the lowest point.
void drop_from(Mechanism& mechanism, double height) {
  World probe = mechanism.world;
  probe.planes = {{Vector3::UnitZ(), 0, 0.6}};
  probe.contact_margin = 100;
  double lowest = 100;
  for (const scenes::Body& body : mechanism.world.bodies) {
    probe.bodies = {body};
    for (const Contact& contact : scenes::detect_contacts(probe))
      lowest = std::min(lowest, contact.gap);
  }
  probe.planes[0].offset = lowest - height;
  mechanism.world.planes = probe.planes;
}

Mechanism dropped_four_bar() {
  Mechanism mechanism{empty_world(), {}};
  add_four_bar(mechanism, false);
  turn(mechanism, Eigen::AngleAxisd(0.3, Vector3(2, 1, 0).normalized()));
  drop_from(mechanism, 0.02);
  return mechanism;
}

// Upright, knees straight, a bar in both hands: the arms and the bar are a loop.
Mechanism dropped_humanoid() {
  Mechanism mechanism{empty_world(), {}};
  World& world = mechanism.world;
  std::vector<Joint>& joints = mechanism.joints;
  const auto add = [&](const scenes::Body& body) {
    world.bodies.push_back(body);
    return static_cast<int>(world.bodies.size()) - 1;
  };
  const Vector3 y = Vector3::UnitY();
  const int pelvis = add(make_box({0.14, 0.3, 0.15}, 11, {0, 0, 1}));
  const int torso = add(make_box({0.16, 0.34, 0.46}, 30, {0, 0, 1.32}));
  const int head = add(make_sphere(0.1, 5, {0, 0, 1.67}));
  const int bar = add(make_box({0.03, 0.6, 0.03}, 1.5, {0.3, 0, 1.22}));
  joints.push_back(hinge(world, pelvis, torso, {0, 0, 1.08}, y));
  joints.back().low = -0.2;
  joints.back().high = 0.8;
  joints.back().dry_friction = 20;
  joints.push_back(ball_joint(world, torso, head, {0, 0, 1.56}));
  for (const double side : {-1, 1}) {
    const double leg = 0.1 * side, arm = 0.22 * side;
    const int thigh = add(make_box({0.13, 0.13, 0.42}, 8, {0, leg, 0.71}));
    const int shank = add(make_box({0.1, 0.1, 0.42}, 4, {0, leg, 0.29}));
    const int foot = add(make_box({0.24, 0.1, 0.08}, 1.2, {0.05, leg, 0.04}));
    joints.push_back(ball_joint(world, pelvis, thigh, {0, leg, 0.92}));
    joints.push_back(hinge(world, thigh, shank, {0, leg, 0.5}, y));
    joints.back().low = 0;
    joints.back().high = 2.4;
    joints.push_back(hinge(world, shank, foot, {0, leg, 0.08}, y));
    joints.back().low = -0.5;
    joints.back().high = 0.7;
    joints.back().dry_friction = 5;
    const int upper_arm = add(make_box({0.07, 0.07, 0.28}, 2, {0, arm, 1.36}));
    const int lower_arm = add(make_box({0.28, 0.06, 0.06}, 1.5, {0.15, arm, 1.22}));
    joints.push_back(ball_joint(world, torso, upper_arm, {0, arm, 1.5}));
    joints.push_back(hinge(world, upper_arm, lower_arm, {0, arm, 1.22}, y));
    joints.back().low = -1.5;
    joints.back().high = 0.1;
    joints.push_back(ball_joint(world, lower_arm, bar, {0.3, arm, 1.22}));
  }
  turn(mechanism, Eigen::AngleAxisd(0.3, Vector3(1, 2, 0).normalized()));
  drop_from(mechanism, 0.02);
  return mechanism;
}

}  // namespace

std::vector<FallingMechanism> falling_mechanisms() {
  return {{"mounted_four_bar", mounted_four_bar, 100},
          {"dropped_four_bar", dropped_four_bar, 130},
          {"dropped_humanoid", dropped_humanoid, 100}};
}

}  // namespace frictionbench::test
