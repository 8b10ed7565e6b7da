/// \file
#pragma once

#include "frictionbench/solvers/compliant_newton/hessian.hpp"
#include "frictionbench/solvers/compliant_newton/velocity_model.hpp"

namespace frictionbench::solvers {

/// The velocities v of a global form; see make_velocity_model().
class GlobalVelocities final : public VelocityModel {
 public:
  /// \throws std::runtime_error if the symmetric part of M is not positive definite.
  GlobalVelocities(const GlobalForm& form, WorkCounters& work);

  Vector state(const Vector& r) override;
  Vector contact_velocity(const Vector& state) override;
  double momentum_cost(const Vector& state) override;
  MomentumBalance balance(const Vector& state, const Vector& r) override;
  bool factorize(const BlockDiagonal& C) override;
  NewtonDirection direction(const Vector& state, const Vector& r) override;
  double condition() const override { return hessian_.condition(); }

 private:
  Vector momentum_residual(const Vector& v, const Vector& r) const;

  const GlobalForm* form_;
  SparseMatrix M_;  // the symmetric part
  Vector scale_;    // diag(M)^-1/2
  ShiftedCholesky mass_;
  Vector free_velocity_;  // v*
  Hessian hessian_;
};

}  // namespace frictionbench::solvers
