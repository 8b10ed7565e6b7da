/// \file
/// A problem of few contacts with a dense Delassus matrix, without allocations: what is done with it
/// is counted.
#pragma once

#include <Eigen/LU>

#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The number of contacts that dense, stack-allocated matrices are for; 115 kB in 3D.
constexpr Index few_contacts = 40;

/// A vector of at most Dim * few_contacts entries, inside the object itself.
template <int Dim>
using FewVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Dim * few_contacts, 1>;
/// A matrix of at most that many rows and columns.
template <int Dim>
using FewMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Dim * few_contacts,
                                Dim * few_contacts>;

/// W, q and mu of a problem. \tparam Dim the problem's dimension.
template <int Dim>
class DenseContacts {
 public:
  using Segment = Eigen::Matrix<double, Dim, 1>;  ///< entries of one contact in a vector

  /// Both must outlive it. \pre 1 to few_contacts contacts.
  DenseContacts(const ContactProblem& problem, WorkCounters& work)
      : q_(&problem.local().q), mu_(&problem.mu()), work_(&work) {
    const SparseMatrix& W = problem.local().W;
    W_.setZero(W.rows(), W.cols());
    for (Index row = 0; row < W.rows(); ++row)
      for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry)
        W_(row, entry.col()) = entry.value();
  }

  Index contacts() const { return mu_->size(); }  ///< n_c
  double mu(Index i) const { return (*mu_)[i]; }  ///< friction coefficient of contact i
  auto q(Index i) const { return q_->template segment<Dim>(Dim * i); }  ///< q_i, Dim
  /// W_ij.
  auto W(Index i, Index j) const { return W_.template block<Dim, Dim>(Dim * i, Dim * j); }

  /// u = W r + q; one product.
  void velocity(const FewVector<Dim>& r, FewVector<Dim>& u) const {
    ++work_->products;
    u = *q_;
    for (Index j = 0; j < contacts(); ++j) {
      const Segment r_j = r.template segment<Dim>(Dim * j);
      if ((r_j.array() == 0).all()) continue;
      u.noalias() += W_.template middleCols<Dim>(Dim * j) * r_j;
    }
  }

  /// One sweep of Gauss-Seidel: calls update(i, q_i + sum_(j != i) W_ij r_j), which returns the new
  /// r_i, for each contact.
  template <typename Update>
  void sweep(FewVector<Dim>& r, Update&& update) const {
    ++work_->sweeps;
    for (Index i = 0; i < contacts(); ++i) {
      auto r_i = r.template segment<Dim>(Dim * i);
      const Segment others =
          q(i) + W_.template middleRows<Dim>(Dim * i).lazyProduct(r) - W(i, i) * r_i;
      r_i = update(i, others);
    }
  }

 private:
  FewMatrix<Dim> W_;
  const Vector* q_;
  const Vector* mu_;
  WorkCounters* work_;
};

/// Solves A x = b by an LU factorisation with partial pivoting, in place of A and b. Counts both.
/// x has infinite or NaN entries if A is singular.
template <int Dim>
void solve_in_place(FewMatrix<Dim>& A, FewVector<Dim>& b, WorkCounters& work) {
  ++work.factorizations.lu;
  ++work.triangular_solves;
  const Eigen::PartialPivLU<Eigen::Ref<FewMatrix<Dim>>> lu(A);
  b = lu.solve(b);
}

}  // namespace frictionbench
