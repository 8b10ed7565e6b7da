/// \file
/// The Delassus operator of a problem; every product and factorisation is counted.
#pragma once

#include <optional>

#include "frictionbench/linalg/contact_sweeps.hpp"
#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/linalg/shifted_lu.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// W as an operator, the compliance included. The problem and the counters must outlive it. For one
/// thread: it keeps what LU factorisations analysed.
class DelassusOperator {
 public:
  DelassusOperator(const ContactProblem& problem, WorkCounters& work)
      : problem_(&problem), work_(&work) {}  ///< cheap: nothing is reduced, copied or allocated yet
  DelassusOperator(const DelassusOperator&) = delete;
  DelassusOperator& operator=(const DelassusOperator&) = delete;

  Index size() const { return problem_->unknowns(); }                 ///< m
  const SparseMatrix& matrix() const { return problem_->local().W; }  ///< W, m x m

  /// u = W r + q, with W as the file states it. One product.
  Vector velocity(const Vector& r) const;

  /// The size of rounding errors in each component of velocity(r): machine epsilon times
  /// |W| |r| + |q|, m. One product.
  Vector velocity_rounding(const Vector& r) const;

  /// W x. One product.
  Vector times(const Vector& x) const;

  /// One Jacobi sweep: calls step(dim, i) for each contact, dim a std::integral_constant of the
  /// problem's dimension.
  template <typename Step>
  void jacobi_sweep(Step&& step) const {
    ++work_->sweeps;
    with_dimension(problem_->dimension(), [&](auto dim) {
      for (Index i = 0; i < problem_->contacts(); ++i) step(dim, i);
    });
  }

  /// Cholesky factorisation of W_sym + diag(diagonal) + shift I with W_sym = (W + W^T) / 2;
  /// call factorize(shift) on it. \param diagonal m, or empty for none. \param backend not `dual`.
  ShiftedCholesky factorization(const Vector& diagonal = Vector(),
                                std::optional<CholeskyBackend> backend = std::nullopt) const;

  /// Cholesky factorisation of F + D for positive diagonals D, where F is W_sym or, with `dual`,
  /// H^T M_sym^-1 H + R, which differs from W_sym as little as W is asymmetric. For methods that only
  /// precondition their residual with it.
  /// \param backend chosen by CholeskyRule if not given.
  /// \throws std::invalid_argument for `dual` on a problem that has no global form.
  ShiftedCholesky preconditioner(std::optional<CholeskyBackend> backend = std::nullopt) const;

  /// LU factorisation of E W E + S for diagonal blocks S of the problem's blocks; of a plain problem
  /// through the global form if there are fewer degrees of freedom than CholeskyRule::dual_freedom says, or
  /// fewer than unknowns and a factorisation takes fewer operations. Only the first call analyses.
  /// \param E diagonal, m.
  ShiftedLu lu(const Vector& E) const;

  /// LU factorisation of T W + S for block-diagonal T and S, both in the problem's blocks.
  ShiftedLu row_scaled_lu() const;

  /// Predicted cost of a factorisation by lu(). The first call may analyse; none factorises.
  FactorCost lu_cost() const;

  /// Largest eigenvalue of W_sym by power_iteration(), an estimate from below. `iterations` products.
  double largest_eigenvalue(int iterations) const;

 private:
  // Whether there is a global form of fewer degrees of freedom than this fraction of the unknowns.
  bool may_be_dual(double freedom) const;
  ShiftedLu lu_of(const SparseMatrix& A, ShiftableMatrix::Pattern pattern) const;
  ShiftedLu dual_lu(const Vector& E) const;

  struct LuAnalyses {
    SharedSupernodes direct, dual;   // of W, and of M + H D^-1 H^T
    std::optional<FactorCost> cost;  // of the one that lu() takes
  };

  const ContactProblem* problem_;
  WorkCounters* work_;
  mutable LuAnalyses analyses_;
};

}  // namespace frictionbench
