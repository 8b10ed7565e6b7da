#include "frictionbench/solvers/compliant_newton/global_velocities.hpp"

#include <stdexcept>

#include "frictionbench/problem/facts.hpp"

namespace frictionbench::solvers {

GlobalVelocities::GlobalVelocities(const GlobalForm& form, WorkCounters& work)
    : form_(&form),
      M_(symmetric_part(form.M)),
      scale_(Vector(M_.diagonal()).cwiseSqrt().cwiseInverse()),
      mass_(M_, work),
      hessian_(work) {
  if (!mass_.factorize(0.0))
    throw std::runtime_error("the symmetric part of M is not positive definite");
  free_velocity_ = form.f;
  mass_.solve_in_place(free_velocity_);
}

Vector GlobalVelocities::state(const Vector& r) {
  Vector v = form_->H * r;
  mass_.solve_in_place(v);
  return v + free_velocity_;
}

Vector GlobalVelocities::contact_velocity(const Vector& v) {
  return form_->H.transpose() * v + form_->w;
}

double GlobalVelocities::momentum_cost(const Vector& v) {
  const Vector change = v - free_velocity_;
  return change.dot(M_ * change) / 2;
}

Vector GlobalVelocities::momentum_residual(const Vector& v, const Vector& r) const {
  return M_ * v - form_->f - form_->H * r;
}

MomentumBalance GlobalVelocities::balance(const Vector& v, const Vector& r) {
  return {scale_.cwiseProduct(momentum_residual(v, r)).norm(), scale_.cwiseProduct(M_ * v).norm(),
          scale_.cwiseProduct(form_->H * r).norm()};
}

bool GlobalVelocities::factorize(const BlockDiagonal& C) {
  const SparseMatrix HC = form_->H * sparse(C);
  return hessian_.factorize(M_ + SparseMatrix(HC * SparseMatrix(HC.transpose())));
}

NewtonDirection GlobalVelocities::direction(const Vector& v, const Vector& r) {
  Vector change = -momentum_residual(v, r);
  hessian_.solve_in_place(change);
  const Vector momentum = M_ * change;
  return {change, form_->H.transpose() * change, momentum.dot(v - free_velocity_),
          momentum.dot(change)};
}

}  // namespace frictionbench::solvers
