/// \file
#pragma once

#include "frictionbench/solvers/compliant_newton/hessian.hpp"
#include "frictionbench/solvers/compliant_newton/velocity_model.hpp"

namespace frictionbench::solvers {

/// Velocities J^T x of a problem that has W alone, J J^T = W_sym; see make_velocity_model().
class LocalVelocities final : public VelocityModel {
 public:
  LocalVelocities(const LocalForm& form, WorkCounters& work);

  Vector state(const Vector& r) override { return r; }
  Vector contact_velocity(const Vector& state) override;
  double momentum_cost(const Vector& state) override;
  MomentumBalance balance(const Vector& state, const Vector& r) override;
  bool factorize(const BlockDiagonal& C) override;
  NewtonDirection direction(const Vector& state, const Vector& r) override;
  double condition() const override { return hessian_.condition(); }

 private:
  Vector times(const Vector& x);

  WorkCounters* work_;
  SparseMatrix W_;  // the symmetric part
  Vector q_;
  SparseMatrix C_;
  Hessian hessian_;
};

}  // namespace frictionbench::solvers
