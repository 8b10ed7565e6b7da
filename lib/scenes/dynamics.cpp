#include "frictionbench/scenes/dynamics.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "frictionbench/math/sparse.hpp"

namespace frictionbench::scenes {

namespace {

void add_entry(Triplets& entries, Index row, Index column, double value) {
  if (value != 0) entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
}

// Block-diagonal matrix of a scalar and a tensor per body, like M and its inverse.
template <typename Scalar, typename Tensor>
SparseMatrix block_diagonal(const World& world, Scalar&& linear, Tensor&& angular) {
  Triplets entries;
  Index at = 0;
  for (const Body& body : world.bodies) {
    const Matrix3 tensor = angular(body);
    for (int k = 0; k < world.dimension; ++k) add_entry(entries, at + k, at + k, linear(body));
    if (world.dimension == 2) {
      add_entry(entries, at + 2, at + 2, tensor(2, 2));
    } else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) add_entry(entries, at + 3 + i, at + 3 + j, tensor(i, j));
    }
    at += world.dofs_per_body();
  }
  return assembled(world.dofs(), world.dofs(), entries);
}

SparseMatrix mass_matrix(const World& world) {
  return block_diagonal(
      world, [](const Body& body) { return body.mass; }, world_inertia);
}

// The columns of a contact in the rows of one body, sign +1 for body a and -1 for b: force C r,
// torque (p - x) x C r, with x the centre of the copy of b that is touched.
void add_jacobian(Triplets& entries, const World& world, const Contact& contact, Index column,
                  int body_index, double sign) {
  if (body_index == Contact::fixed) return;
  const Body& body = world.bodies[static_cast<std::size_t>(body_index)];
  const Index at = world.dofs_per_body() * static_cast<Index>(body_index);
  const Vector3 shift = sign < 0 ? contact.shift : Vector3(Vector3::Zero());
  const Vector3 arm = contact.point - body.position - shift;
  for (int k = 0; k < world.dimension; ++k) {
    const Vector3 force = sign * contact.frame.col(k);
    const Vector3 torque = arm.cross(force);
    for (int i = 0; i < world.dimension; ++i) add_entry(entries, at + i, column + k, force[i]);
    if (world.dimension == 2) {
      add_entry(entries, at + 2, column + k, torque.z());
    } else {
      for (int i = 0; i < 3; ++i) add_entry(entries, at + 3 + i, column + k, torque[i]);
    }
  }
}

Vector free_momentum(const World& world) {
  const double h = world.time_step;
  const double kept = 1 - h * world.damping;
  Vector f(world.dofs());
  Index at = 0;
  for (const Body& body : world.bodies) {
    const Vector3 linear = body.mass * (kept * body.velocity + h * world.gravity) + h * body.force;
    const Vector3 spin = world_inertia(body) * body.angular_velocity;
    const Vector3 angular = kept * spin + h * (body.torque - body.angular_velocity.cross(spin));
    if (world.dimension == 2)
      f.segment<3>(at) << linear.head<2>(), angular.z();
    else
      f.segment<6>(at) << linear, angular;
    at += world.dofs_per_body();
  }
  for (const Spring& spring : world.springs) {
    const Body& body = world.bodies[static_cast<std::size_t>(spring.body)];
    f.segment(world.dofs_per_body() * static_cast<Index>(spring.body), world.dimension) -=
        h * spring.stiffness * spring.stretch(body) * spring.axis.head(world.dimension);
  }
  return f;
}

Vector friction_coefficients(const std::vector<Contact>& contacts) {
  Vector mu(static_cast<Index>(contacts.size()));
  std::transform(contacts.begin(), contacts.end(), mu.begin(),
                 [](const Contact& contact) { return contact.mu; });
  return mu;
}

// Why a step with the velocities of a world cannot be made; empty if it can.
std::string instability(const World& world) {
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Body& body = world.bodies[i];
    const double turns = world.time_step * body.angular_velocity.norm() / (2 * std::numbers::pi);
    if (!body.velocity.allFinite() || !std::isfinite(turns))
      return fmt::format("the simulation is unstable: the velocity of body {} is not finite", i);
    if (turns > 1)
      return fmt::format("the simulation is unstable: body {} turns {:.2g} times in one step", i,
                         turns);
  }
  return {};
}

}  // namespace

GlobalForm global_form(const World& world, const std::vector<Contact>& contacts) {
  const Index unknowns = world.dimension * static_cast<Index>(contacts.size());
  Triplets entries;
  Vector w = Vector::Zero(unknowns);
  Index column = 0;
  for (const Contact& contact : contacts) {
    add_jacobian(entries, world, contact, column, contact.a, 1);
    add_jacobian(entries, world, contact, column, contact.b, -1);
    w[column] = std::max(contact.gap, 0.0) / world.time_step;
    column += world.dimension;
  }
  return {mass_matrix(world), assembled(world.dofs(), unknowns, entries), free_momentum(world), w};
}

SparseMatrix inverse_mass(const World& world) {
  return block_diagonal(
      world, [](const Body& body) { return 1 / body.mass; },
      [](const Body& body) -> Matrix3 {
        const Matrix3 inertia = world_inertia(body);
        if (inertia.isDiagonal(0)) return inertia.diagonal().cwiseInverse().asDiagonal();
        const Matrix3 inverse = inertia.inverse();
        return (inverse + inverse.transpose()) / 2;
      });
}

LocalForm local_form(const World& world, const std::vector<Contact>& contacts) {
  const GlobalForm global = global_form(world, contacts);
  const SparseMatrix jacobian = global.H.transpose();
  const SparseMatrix response = jacobian * inverse_mass(world);  // H^T M^-1
  const SparseMatrix product = response * global.H;
  const SparseMatrix transposed = product.transpose();
  SparseMatrix W = 0.5 * (product + transposed);
  W.prune(0.0, 0.0);  // entries that cancel exactly
  W.makeCompressed();
  return {W, response * global.f + global.w};
}

ContactProblem global_problem(const World& world, const std::vector<Contact>& contacts) {
  return {world.dimension, friction_coefficients(contacts), global_form(world, contacts)};
}

ContactProblem local_problem(const World& world, const std::vector<Contact>& contacts) {
  return {world.dimension, friction_coefficients(contacts), local_form(world, contacts)};
}

void advance(World& world, const Vector& v, double share) {
  const Vector before = velocities(world);
  set_velocities(world, v);
  if (const std::string reason = instability(world); !reason.empty()) {
    set_velocities(world, before);
    throw UnstableStep(reason);
  }
  if (share != 1) set_velocities(world, share * v + (1 - share) * before);
  for (Body& body : world.bodies) {
    body.position += world.time_step * body.velocity;
    body.force += world.time_step * body.force_growth;
    body.torque += world.time_step * body.torque_growth;
    if (body.angular_velocity.isZero(0)) continue;
    const Vector3 half_turn = world.time_step / 2 * body.angular_velocity;
    // The Cayley map avoids trigonometric functions, whose last digits differ between libraries.
    const Eigen::Quaterniond turn(1, half_turn.x(), half_turn.y(), half_turn.z());
    body.rotation = (turn * body.rotation).normalized();
  }
  if (share != 1) set_velocities(world, v);
}

Result step(World& world, const Solver& solver, const Limits& limits) {
  const ContactProblem problem = global_problem(world, detect_contacts(world));
  Result result = solver.solve(problem, limits);
  advance(world, problem.generalized_velocity(result.r));
  return result;
}

}  // namespace frictionbench::scenes
