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
  Vector velocity(const Vector& state) const override { return state; }
  MomentumBalance balance(const Vector& state, const Vector& r) override;
  bool factorize(const BlockDiagonal& C) override;
  NewtonDirection direction(const Vector& state, const Vector& r) override;
  bool is_symmetric() const override { return asymmetric_M_.nonZeros() == 0; }
  void carry_asymmetry(const Vector& state, const Vector& r) override;
  double condition() const override { return hessian_.condition(); }

 private:
  Vector momentum_residual(const Vector& v, const Vector& r) const;

  const GlobalForm* form_;
  SparseMatrix symmetric_M_, asymmetric_M_;  // of which M is the sum
  CountedMatrix M_, H_;                      // of M the symmetric part
  Vector f_;                                 // without what the asymmetric part adds
  Vector scale_;                             // diag(M)^-1/2
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
  Vector velocity(const Vector&) const override { return {}; }
  MomentumBalance balance(const Vector& state, const Vector& r) override;
  bool factorize(const BlockDiagonal& C) override;
  NewtonDirection direction(const Vector& state, const Vector& r) override;
  bool is_symmetric() const override { return asymmetric_W_.nonZeros() == 0; }
  void carry_asymmetry(const Vector& state, const Vector& r) override;
  double condition() const override { return hessian_.condition(); }

 private:
  const Vector* given_q_;
  SparseMatrix symmetric_W_, asymmetric_W_;  // of which W is the sum
  CountedMatrix W_;                          // the symmetric part
  Vector q_;                                 // with what the asymmetric part adds
  SparseMatrix C_;
  FixedPatternCholesky hessian_;
};

// What symmetric_part() leaves of a matrix, without the entries that are zero or round-off of it.
SparseMatrix asymmetric_part(const SparseMatrix& A, const SparseMatrix& symmetric) {
  constexpr double round_off = 1e-14;
  SparseMatrix rest = A - symmetric;
  rest.prune([&](Index, Index, double value) { return value != 0; });
  const bool is_round_off = rest.nonZeros() == 0 || rest.norm() <= round_off * A.norm();
  return is_round_off ? SparseMatrix(A.rows(), A.cols()) : rest;
}

GlobalVelocities::GlobalVelocities(const GlobalForm& form, WorkCounters& work)
    : form_(&form),
      symmetric_M_(symmetric_part(form.M)),
      asymmetric_M_(asymmetric_part(form.M, symmetric_M_)),
      M_(symmetric_M_, work.global_products),
      H_(form.H, work.global_products),
      f_(form.f),
      scale_(Vector(symmetric_M_.diagonal()).cwiseSqrt().cwiseInverse()),
      mass_(symmetric_M_, work),
      hessian_(work) {
  if (!mass_.factorize(0.0))
    throw std::runtime_error("the symmetric part of M is not positive definite");
  free_velocity_ = f_;
  mass_.solve_in_place(free_velocity_);
}

void GlobalVelocities::carry_asymmetry(const Vector& v, const Vector&) {
  f_ = form_->f - asymmetric_M_ * v;
  free_velocity_ = f_;
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
  return M_.times(v) - f_ - H_.times(r);
}

MomentumBalance GlobalVelocities::balance(const Vector& v, const Vector& r) {
  const Vector momentum = M_.times(v), impulse = H_.times(r);
  return {scale_.cwiseProduct(momentum - f_ - impulse).norm(), scale_.cwiseProduct(momentum).norm(),
          scale_.cwiseProduct(impulse).norm()};
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
    : given_q_(&form.q),
      symmetric_W_(symmetric_part(form.W)),
      asymmetric_W_(asymmetric_part(form.W, symmetric_W_)),
      W_(symmetric_W_, work.products),
      q_(form.q),
      hessian_(work) {}

void LocalVelocities::carry_asymmetry(const Vector&, const Vector& r) {
  q_ = *given_q_ + asymmetric_W_ * r;
}

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
  if (problem.global() && problem.compliance().size() == 0)
    return std::make_unique<GlobalVelocities>(*problem.global(), work);
  return std::make_unique<LocalVelocities>(problem.local(), work);
}

}  // namespace frictionbench::solvers
