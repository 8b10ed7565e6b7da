/// \file
/// The factorisations behind ShiftedCholesky, one class each. Nothing here counts work.
#pragma once

#include <Eigen/Cholesky>
#include <memory>

#include "frictionbench/linalg/shiftable_matrix.hpp"
#include "frictionbench/math/types.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// L L^T = A + D for a fixed symmetric A (m x m) and changing D, diagonal or block diagonal.
class CholeskyFactor {
 public:
  virtual ~CholeskyFactor() = default;

  /// Takes over the values of A, whose pattern must be that of the first one.
  virtual void change_values(const SparseMatrix& A) = 0;
  /// D = shift I. \returns false if the matrix is not positive definite.
  virtual bool factorize(double shift) = 0;
  /// \param diagonal that of D, m.
  virtual bool factorize(const Vector& diagonal) = 0;
  /// \param blocks D, symmetric, of the block size that the factor was made for.
  virtual bool factorize(const BlockDiagonal& blocks) = 0;
  /// x := (A + D)^-1 x.
  virtual void solve_in_place(Vector& x) = 0;
};

/// Eigen's LLT of a full matrix.
class DenseFactor final : public CholeskyFactor {
 public:
  explicit DenseFactor(const SparseMatrix& A) : A_(A), llt_(A.rows()) {}

  void change_values(const SparseMatrix& A) override { A_ = A; }
  bool factorize(double shift) override;
  bool factorize(const Vector& diagonal) override;
  bool factorize(const BlockDiagonal& blocks) override;
  void solve_in_place(Vector& x) override { llt_.solveInPlace(x); }

 private:
  Matrix A_;
  Matrix shifted_;
  Eigen::LLT<Matrix> llt_;
};

/// CHOLMOD. It refactors A + beta I without a copy of A (cholmod_factorize_p) and keeps its work
/// space between solves (cholmod_solve2).
class CholmodFactor final : public CholeskyFactor {
 public:
  enum class Method { simplicial, supernodal, by_operations };

  /// Copies A and analyses its pattern. \param supernodal_operations floating-point operations for
  /// an entry of the factor from which `by_operations` means supernodal. \param block rows of the
  /// blocks that will be added; 1 for diagonals only.
  /// \throws std::runtime_error if CHOLMOD cannot analyse A.
  CholmodFactor(const SparseMatrix& A, Method method, double supernodal_operations,
                Index block = 1);
  ~CholmodFactor() override;
  CholmodFactor(const CholmodFactor&) = delete;
  CholmodFactor& operator=(const CholmodFactor&) = delete;

  void change_values(const SparseMatrix& A) override;
  bool factorize(double shift) override;
  bool factorize(const Vector& diagonal) override;
  bool factorize(const BlockDiagonal& blocks) override;
  void solve_in_place(Vector& x) override;

  bool is_supernodal() const;
  double filled() const;  ///< share of the lower triangle that the factor fills

 private:
  struct Cholmod;  // its objects, and their release

  template <typename Shift>
  bool factorize_shifted(const Shift& shift);

  ShiftableMatrix A_;
  std::unique_ptr<Cholmod> cholmod_;
};

/// The dual route to W = H^T M^-1 H of a global form with fewer degrees of freedom n than unknowns
/// m (hyperstatic contacts): by the Woodbury identity, with D = diag(d) > 0,
///
///     (D + H^T M^-1 H)^-1 = D^-1 - D^-1 H^T (M + H D^-1 H^T)^-1 H D^-1
///
/// where only the n x n matrix in the middle is factored. The symmetric part of M stands for M.
class DualFactor final : public CholeskyFactor {
 public:
  /// Copies M and H. \throws std::runtime_error if CHOLMOD cannot analyse the pattern.
  DualFactor(const GlobalForm& form, double supernodal_operations);

  /// \throws std::logic_error: not offered.
  void change_values(const SparseMatrix& A) override;
  bool factorize(double shift) override;
  bool factorize(const Vector& diagonal) override;
  /// \throws std::logic_error: not offered.
  bool factorize(const BlockDiagonal& blocks) override;
  void solve_in_place(Vector& x) override;

 private:
  SparseMatrix middle() const;  // M + H D^-1 H^T

  SparseMatrix M_;  // n x n, symmetric
  SparseMatrix H_;  // n x m
  Vector inverse_diagonal_;
  CholmodFactor factor_;  // of middle(), so after what that is made of
};

}  // namespace frictionbench
