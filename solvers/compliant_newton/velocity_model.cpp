#include "frictionbench/solvers/compliant_newton/velocity_model.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench::solvers {

namespace {

// Cholesky factorisation of a matrix whose values change and whose pattern (explicit zeros
// included) does not.
class FixedPatternCholesky {
 public:
  explicit FixedPatternCholesky(WorkCounters& work) : work_(&work) {}

  [[nodiscard]] bool factorize(const SparseMatrix& matrix) {
    matrix_ = matrix;
    if (factor_)
      factor_->change_values(matrix);
    else
      factor_.emplace(matrix, *work_);
    return factor_->factorize(0.0);
  }
  void solve_in_place(Vector& x) { factor_->solve_in_place(x); }

  // Largest by smallest eigenvalue of the matrix factored last.
  double condition() const {
    const Vector eigenvalues = symmetric_eigenvalues(matrix_);
    return eigenvalues.tail(1)[0] / eigenvalues[0];
  }

 private:
  WorkCounters* work_;
  std::optional<ShiftedCholesky> factor_;
  SparseMatrix matrix_;
};

// The velocities v of a global form.
class GlobalVelocities final : public VelocityModel {
 public:
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
  SparseMatrix symmetric_M_;
  CountedMatrix M_, H_;  // of M the symmetric part
  Vector scale_;         // diag(M)^-1/2
  ShiftedCholesky mass_;
  Vector free_velocity_;  // v*
  FixedPatternCholesky hessian_;
};

// Velocities J^T x of a problem that has only W, J J^T = W_sym.
class LocalVelocities final : public VelocityModel {
 public:
  LocalVelocities(const LocalView& form, WorkCounters& work);

  Vector state(const Vector& r) override { return r; }
  Vector contact_velocity(const Vector& state) override;
  double momentum_cost(const Vector& state) override;
  MomentumBalance balance(const Vector& state, const Vector& r) override;
  bool factorize(const BlockDiagonal& C) override;
  NewtonDirection direction(const Vector& state, const Vector& r) override;
  double condition() const override { return hessian_.condition(); }

 private:
  SparseMatrix symmetric_W_;
  CountedMatrix W_;  // the symmetric part
  Vector q_;
  SparseMatrix C_;
  FixedPatternCholesky hessian_;
};

GlobalVelocities::GlobalVelocities(const GlobalForm& form, WorkCounters& work)
    : form_(&form),
      symmetric_M_(symmetric_part(form.M)),
      M_(symmetric_M_, work.global_products),
      H_(form.H, work.global_products),
      scale_(Vector(symmetric_M_.diagonal()).cwiseSqrt().cwiseInverse()),
      mass_(symmetric_M_, work),
      hessian_(work) {
  if (!mass_.factorize(0.0))
    throw std::runtime_error("the symmetric part of M is not positive definite");
  free_velocity_ = form.f;
  mass_.solve_in_place(free_velocity_);
}

Vector GlobalVelocities::state(const Vector& r) {
  Vector v = H_.times(r);
  mass_.solve_in_place(v);
  return v + free_velocity_;
}

Vector GlobalVelocities::contact_velocity(const Vector& v) {
  return H_.transposed_times(v) + form_->w;
}

double GlobalVelocities::momentum_cost(const Vector& v) {
  const Vector change = v - free_velocity_;
  return change.dot(M_.times(change)) / 2;
}

Vector GlobalVelocities::momentum_residual(const Vector& v, const Vector& r) const {
  return M_.times(v) - form_->f - H_.times(r);
}

MomentumBalance GlobalVelocities::balance(const Vector& v, const Vector& r) {
  return {scale_.cwiseProduct(momentum_residual(v, r)).norm(),
          scale_.cwiseProduct(M_.times(v)).norm(), scale_.cwiseProduct(H_.times(r)).norm()};
}

bool GlobalVelocities::factorize(const BlockDiagonal& C) {
  const SparseMatrix HC = form_->H * sparse(C);
  return hessian_.factorize(symmetric_M_ + SparseMatrix(HC * SparseMatrix(HC.transpose())));
}

NewtonDirection GlobalVelocities::direction(const Vector& v, const Vector& r) {
  Vector change = -momentum_residual(v, r);
  hessian_.solve_in_place(change);
  const Vector momentum = M_.times(change);
  return {change, H_.transposed_times(change), momentum.dot(v - free_velocity_),
          momentum.dot(change)};
}

// ||J^T x||. Rounding can make x.W x negative where J^T x vanishes.
double length(const Vector& x, const Vector& Wx) { return std::sqrt(std::max(0.0, x.dot(Wx))); }

LocalVelocities::LocalVelocities(const LocalView& form, WorkCounters& work)
    : symmetric_W_(symmetric_part(form.W)),
      W_(symmetric_W_, work.products),
      q_(form.q),
      hessian_(work) {}

Vector LocalVelocities::contact_velocity(const Vector& x) { return W_.times(x) + q_; }

double LocalVelocities::momentum_cost(const Vector& x) { return x.dot(W_.times(x)) / 2; }

MomentumBalance LocalVelocities::balance(const Vector& x, const Vector& r) {
  const Vector d = x - r;
  return {length(d, W_.times(d)), length(x, W_.times(x)), length(r, W_.times(r))};
}

bool LocalVelocities::factorize(const BlockDiagonal& C) {
  C_ = sparse(C);
  const SparseMatrix WC = symmetric_W_ * C_;
  SparseMatrix identity(symmetric_W_.rows(), symmetric_W_.cols());
  identity.setIdentity();
  return hessian_.factorize(identity + SparseMatrix(SparseMatrix(C_.transpose()) * WC));
}

NewtonDirection LocalVelocities::direction(const Vector& x, const Vector& r) {
  const Vector d = r - x;
  Vector inner = C_.transpose() * W_.times(d);
  hessian_.solve_in_place(inner);
  const Vector change = d - C_ * inner;
  const Vector contact = W_.times(change);
  return {change, contact, contact.dot(x), contact.dot(change)};
}

}  // namespace

std::unique_ptr<VelocityModel> make_velocity_model(const ContactProblem& problem,
                                                   WorkCounters& work) {
  if (problem.global()) return std::make_unique<GlobalVelocities>(*problem.global(), work);
  return std::make_unique<LocalVelocities>(problem.local(), work);
}

}  // namespace frictionbench::solvers
