/// \file
/// W by contact, for Gauss-Seidel, with sweeps and products counted.
#pragma once

#include "frictionbench/linalg/block_rows.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// \tparam Dim the problem's dimension.
template <int Dim>
class ContactSweeps {
 public:
  using Block = Eigen::Matrix<double, Dim, Dim>;  ///< as in BlockRows
  using Segment = Eigen::Matrix<double, Dim, 1>;  ///< as in BlockRows
  static constexpr int dimension = Dim;           ///< 2 or 3

  /// Both must outlive it.
  ContactSweeps(const ContactProblem& problem, WorkCounters& work)
      : q_(&problem.local().q), mu_(&problem.mu()), work_(&work), rows_(problem.local().W) {}

  Index contacts() const { return rows_.contacts(); }  ///< n_c
  double mu(Index i) const { return (*mu_)[i]; }       ///< friction coefficient of contact i
  const Block& W(Index i) const { return rows_.diagonal(i); }           ///< W_ii
  auto q(Index i) const { return q_->template segment<Dim>(Dim * i); }  ///< q_i, Dim

  /// (W r + q)_i.
  Segment velocity(Index i, const Vector& r) const { return rows_.row_times(i, r) + q(i); }
  /// (W r + q)_i - W_ii r_i, the velocity of contact i without its own impulse.
  Segment free_velocity(Index i, const Vector& r) const { return free_velocity(i, r, *q_); }
  /// The same for another q, m.
  Segment free_velocity(Index i, const Vector& r, const Vector& q) const {
    return rows_.free_velocity(i, r, q);
  }

  /// W r + q, m; one product.
  Vector velocity(const Vector& r) const {
    ++work_->products;
    Vector u = *q_;
    for (Index i = 0; i < contacts(); ++i)
      u.template segment<Dim>(Dim * i) += rows_.row_times(i, r);
    return u;
  }

  /// One sweep: calls update(i) for each contact, by number or in the given order.
  template <typename Update>
  void sweep(Update&& update) const {
    ++work_->sweeps;
    for (Index i = 0; i < contacts(); ++i) update(i);
  }
  /// \param order contacts by number; each may occur any number of times.
  template <typename Update>
  void sweep(const std::vector<Index>& order, Update&& update) const {
    ++work_->sweeps;
    for (const Index i : order) update(i);
  }

 private:
  const Vector* q_;
  const Vector* mu_;
  WorkCounters* work_;
  BlockRows<Dim> rows_;
};

}  // namespace frictionbench
