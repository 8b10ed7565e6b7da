#include "support/mechanism.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "frictionbench/sets/sets.hpp"

namespace frictionbench::test {

namespace {

using scenes::Body;
using scenes::Contact;
using scenes::World;

const Body& body(const World& world, int index) {
  return world.bodies[static_cast<std::size_t>(index)];
}

Matrix3 rotation(const World& world, int index) {
  if (index == Contact::fixed) return Matrix3::Identity();
  return body(world, index).rotation.toRotationMatrix();
}

Vector3 centre(const World& world, int index) {
  return index == Contact::fixed ? Vector3::Zero() : body(world, index).position;
}

Vector3 anchor(const World& world, const Joint::Side& side) {
  return centre(world, side.body) + rotation(world, side.body) * side.anchor;
}

Matrix3 frame(const World& world, const Joint::Side& side) {
  return rotation(world, side.body) * side.frame;
}

Joint::Side side(const World& world, int index, const Vector3& point, const Matrix3& frame) {
  const Matrix3 R = rotation(world, index);
  return {index, R.transpose() * (point - centre(world, index)), R.transpose() * frame};
}

// Rows of joints, in the columns of a dense n x p matrix.
class Rows {
 public:
  explicit Rows(const World& world) : world_(world), G_(world.dofs(), 0) {}

  // Equality rows of a joint. Both bodies are pushed at the same point and turned about the same axes, so
  // that momentum is conserved even where the sides of the joint have drifted apart.
  void add_equalities(const Joint& joint) {
    const Vector3 point = (anchor(world_, joint.a) + anchor(world_, joint.b)) / 2;
    for (int k = 0; k < 3; ++k) add(joint, Vector3::Unit(k), point);
    if (!joint.is_hinge) return;
    const Matrix3 across = scenes::contact_frame(axis(joint), 3);
    add_torque(joint, across.col(1));
    add_torque(joint, across.col(2));
  }
  // A positive impulse turns b forward.
  void add_turn(const Joint& joint, double sign) { add_torque(joint, sign * axis(joint)); }

  const Matrix& matrix() const { return G_; }

 private:
  Vector3 axis(const Joint& joint) const {
    return (frame(world_, joint.a).col(0) + frame(world_, joint.b).col(0)).normalized();
  }
  void add(const Joint& joint, const Vector3& force, const Vector3& point) {
    G_.conservativeResizeLike(Matrix::Zero(G_.rows(), G_.cols() + 1));
    for (const auto& [index, sign] : {std::pair(joint.b.body, 1.0), std::pair(joint.a.body, -1.0)})
      if (index != Contact::fixed)
        G_.col(G_.cols() - 1).segment<6>(6 * index) << sign * force,
            sign * (point - centre(world_, index)).cross(force);
  }
  void add_torque(const Joint& joint, const Vector3& torque) {
    G_.conservativeResizeLike(Matrix::Zero(G_.rows(), G_.cols() + 1));
    for (const auto& [index, sign] : {std::pair(joint.b.body, 1.0), std::pair(joint.a.body, -1.0)})
      if (index != Contact::fixed) G_.col(G_.cols() - 1).segment<3>(6 * index + 3) = sign * torque;
  }

  const World& world_;
  Matrix G_;
};

// How far the sides of a joint are apart along its equality rows.
Vector openings(const World& world, const Joint& joint) {
  Vector error(joint.is_hinge ? 5 : 3);
  error.head<3>() = anchor(world, joint.b) - anchor(world, joint.a);
  if (joint.is_hinge) {
    const Vector3 a = frame(world, joint.a).col(0), b = frame(world, joint.b).col(0);
    const Matrix3 across = scenes::contact_frame((a + b).normalized(), 3);
    error.tail<2>() = across.rightCols<2>().transpose() * a.cross(b);
  }
  return error;
}

void append(Vector& all, const Vector& more) {
  all.conservativeResize(all.size() + more.size());
  all.tail(more.size()) = more;
}

// How far the angle of a joint is beyond its limits: negative below the lower one.
double overshoot(const World& world, const Joint& joint) {
  if (!joint.is_hinge) return 0;
  const double angle = angle_of(world, joint);
  return angle - std::clamp(angle, joint.low, joint.high);
}

// One body at a time: bodies overlap where they are joined, which scenes do not have.
std::vector<Contact> contacts_with_planes(const World& world) {
  std::vector<Contact> all;
  World alone = world;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    alone.bodies = {world.bodies[b]};
    for (Contact contact : scenes::detect_contacts(alone)) {
      contact.a = static_cast<int>(b);
      all.push_back(contact);
    }
  }
  return all;
}

}  // namespace

Joint ball_joint(const World& world, int a, int b, const Vector3& point) {
  Joint joint;
  joint.a = side(world, a, point, Matrix3::Identity());
  joint.b = side(world, b, point, Matrix3::Identity());
  return joint;
}

Joint hinge(const World& world, int a, int b, const Vector3& point, const Vector3& axis) {
  Joint joint;
  joint.is_hinge = true;
  const Matrix3 frame = scenes::contact_frame(axis.normalized(), 3);
  joint.a = side(world, a, point, frame);
  joint.b = side(world, b, point, frame);
  return joint;
}

double angle_of(const World& world, const Joint& joint) {
  const Matrix3 turn = frame(world, joint.a).transpose() * frame(world, joint.b);
  return std::atan2(turn(2, 1) - turn(1, 2), turn(1, 1) + turn(2, 2));
}

Vector after_gyroscopic_torque(const World& world) {
  Vector v = velocities(world);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Matrix3 inertia = world_inertia(world.bodies[b]);
    const Matrix3 inverse = inertia.inverse();
    const Vector3 before = world.bodies[b].angular_velocity;
    Vector3 after = before;
    // Each round gains a factor h |ω| at least; fifty are enough for any time step worth taking.
    for (int round = 0; round < 50; ++round) {
      const Vector3 mean = (before + after) / 2;
      after = before - world.time_step * (inverse * mean.cross(inertia * mean));
    }
    v.segment<3>(6 * static_cast<Index>(b) + 3) = after;
  }
  return v;
}

MechanismStep step_of(const Mechanism& mechanism) {
  const World& world = mechanism.world;
  const double h = world.time_step;
  Rows rows(world);
  std::vector<SetPointer> sets;
  for (const Joint& joint : mechanism.joints) {
    rows.add_equalities(joint);
    sets.push_back(equality(joint.is_hinge ? 5 : 3));
  }
  Vector free = Vector::Zero(rows.matrix().cols());
  const auto add_turn = [&](const Joint& joint, double sign, SetPointer set, double velocity) {
    rows.add_turn(joint, sign);
    sets.push_back(std::move(set));
    free.conservativeResize(free.size() + 1);
    free[free.size() - 1] = velocity;
  };
  const SetPointer push = interval(0, std::numeric_limits<double>::infinity());
  for (const Joint& joint : mechanism.joints) {
    const double angle = angle_of(world, joint), most = h * joint.dry_friction;
    const double above = angle - joint.low, below = joint.high - angle;
    if (above < limit_margin) add_turn(joint, 1, push, std::max(above, 0.0) / h);
    if (below < limit_margin) add_turn(joint, -1, push, std::max(below, 0.0) / h);
    if (most > 0) add_turn(joint, 1, interval(-most, most), 0);
  }

  std::vector<Contact> contacts = contacts_with_planes(world);
  Vector mu(static_cast<Index>(contacts.size()));
  std::ranges::transform(contacts, mu.begin(), [](const Contact& contact) { return contact.mu; });
  GlobalForm form = scenes::global_form(world, contacts);
  Vector accelerated = Vector::Zero(world.dofs());
  for (Index b = 0; 6 * b < world.dofs(); ++b) accelerated.segment<3>(6 * b) = h * world.gravity;
  Vector v = after_gyroscopic_torque(world);
  Vector gravity = form.M * accelerated;
  form.f = form.M * v + gravity;
  return {std::move(contacts), std::move(v), std::move(gravity),
          ContactProblem(3, mu, std::move(form))
              .with_rows(GlobalRows{rows.matrix().sparseView(), free}, std::move(sets))};
}

double energy(const World& world) {
  double sum = 0;
  for (const Body& body : world.bodies)
    sum += body.mass * body.velocity.squaredNorm() / 2 +
           body.angular_velocity.dot(world_inertia(body) * body.angular_velocity) / 2 -
           body.mass * world.gravity.dot(body.position);
  return sum;
}

double drift(const Mechanism& mechanism) {
  double largest = 0;
  for (const Joint& joint : mechanism.joints)
    largest = std::max(largest, openings(mechanism.world, joint).lpNorm<Eigen::Infinity>());
  return largest;
}

double overshoot(const Mechanism& mechanism) {
  double largest = 0;
  for (const Joint& joint : mechanism.joints)
    largest = std::max(largest, std::abs(overshoot(mechanism.world, joint)));
  return largest;
}

void close_joints(Mechanism& mechanism) {
  World& world = mechanism.world;
  const World before = world;
  world.time_step = 1;
  for (int round = 0; round < 6; ++round) {
    Rows rows(world);
    Vector errors;
    for (const Joint& joint : mechanism.joints) {
      rows.add_equalities(joint);
      append(errors, openings(world, joint));
      const double beyond = overshoot(world, joint);
      if (beyond == 0) continue;
      rows.add_turn(joint, 1);
      append(errors, Vector::Constant(1, beyond));
    }
    const Matrix& G = rows.matrix();
    const Matrix MinvG = scenes::inverse_mass(world) * G;
    Eigen::CompleteOrthogonalDecomposition<Matrix> W(G.cols(), G.cols());
    W.setThreshold(1e-8);  // rows of loops are dependent
    W.compute(G.transpose() * MinvG);
    advance(world, -MinvG * W.solve(errors));
  }
  world.time_step = before.time_step;
  set_velocities(world, velocities(before));
}

}  // namespace frictionbench::test
