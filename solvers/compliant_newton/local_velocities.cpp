#include "frictionbench/solvers/compliant_newton/local_velocities.hpp"

#include <cmath>

#include "frictionbench/problem/facts.hpp"

namespace frictionbench::solvers {

namespace {

// ||J^T x||. Rounding can make x.W x negative where J^T x vanishes.
double length(const Vector& x, const Vector& Wx) { return std::sqrt(std::max(0.0, x.dot(Wx))); }

}  // namespace

LocalVelocities::LocalVelocities(const LocalForm& form, WorkCounters& work)
    : work_(&work), W_(symmetric_part(form.W)), q_(form.q), hessian_(work) {}

Vector LocalVelocities::times(const Vector& x) {
  ++work_->products;
  return W_ * x;
}

Vector LocalVelocities::contact_velocity(const Vector& x) { return times(x) + q_; }

double LocalVelocities::momentum_cost(const Vector& x) { return x.dot(times(x)) / 2; }

MomentumBalance LocalVelocities::balance(const Vector& x, const Vector& r) {
  const Vector d = x - r;
  return {length(d, times(d)), length(x, times(x)), length(r, times(r))};
}

bool LocalVelocities::factorize(const BlockDiagonal& C) {
  C_ = sparse(C);
  const SparseMatrix WC = W_ * C_;
  SparseMatrix identity(W_.rows(), W_.cols());
  identity.setIdentity();
  return hessian_.factorize(identity + SparseMatrix(SparseMatrix(C_.transpose()) * WC));
}

NewtonDirection LocalVelocities::direction(const Vector& x, const Vector& r) {
  const Vector d = r - x;
  Vector inner = C_.transpose() * times(d);
  hessian_.solve_in_place(inner);
  const Vector change = d - C_ * inner;
  const Vector contact = times(change);
  return {change, contact, contact.dot(x), contact.dot(change)};
}

}  // namespace frictionbench::solvers
