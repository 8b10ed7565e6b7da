/// \file
/// The Delassus matrix by contact, for methods that treat one contact at a time, with sweeps and
/// products counted.
#pragma once

#include <vector>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// Rows of Dim x Dim blocks. Block row i holds the blocks W_ij of all j that touch contact i, in
/// increasing j, contiguous in memory: a sweep over the contacts reads W once, in order.
template <int Dim>
class BlockRows {
 public:
  using Block = Eigen::Matrix<double, Dim, Dim>;  ///< rows of one contact x columns of another
  using Segment = Eigen::Matrix<double, Dim, 1>;  ///< entries of one contact in a vector

  /// \param W Dim n_c x Dim n_c. A block with any entry is stored whole.
  explicit BlockRows(const SparseMatrix& W);

  Index contacts() const { return static_cast<Index>(row_start_.size()) - 1; }  ///< n_c

  /// (W x)_i, the rows of contact i times x (Dim n_c).
  Segment row_times(Index i, const Vector& x) const {
    // Local copies: the compiler cannot know that nothing below changes the members.
    const Block* const blocks = blocks_.data();
    const int* const columns = column_.data();
    const double* const entries = x.data();
    const Index end = row_start_[static_cast<std::size_t>(i) + 1];
    Segment sum = Segment::Zero();
    for (Index k = row_start_[static_cast<std::size_t>(i)]; k < end; ++k) {
      __builtin_prefetch(blocks + k + fetched_ahead);
      const Eigen::Map<const Segment> x_j(entries + Dim * columns[k]);
      sum += blocks[k].lazyProduct(x_j);
    }
    return sum;
  }

  /// (W r + q)_i - W_ii r_i, the velocity of contact i without its own impulse.
  Segment free_velocity(Index i, const Vector& r, const Vector& q) const {
    return row_times(i, r) + q.template segment<Dim>(Dim * i) -
           diagonal(i) * r.template segment<Dim>(Dim * i);
  }

  /// W_ii; zero if no entry of it is stored.
  const Block& diagonal(Index i) const { return diagonal_[static_cast<std::size_t>(i)]; }

 private:
  // The processor's own prefetching, a few blocks ahead, leaves a third of a sweep's speed unused.
  // 1 to 8 kB perform alike (tests/benchmarks/bench_sweep.cpp).
  static constexpr Index fetched_ahead = 2048 / static_cast<Index>(sizeof(Block));

  std::vector<Index> row_start_;  // contacts + 1
  std::vector<int> column_;       // contact j of each block
  std::vector<Block> blocks_;     // and fetched_ahead more, so that prefetching stays inside
  std::vector<Block> diagonal_;
};

extern template class BlockRows<2>;
extern template class BlockRows<3>;

/// The rows and the right-hand side of a problem, with what is done with them counted.
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

  Index contacts() const { return rows_.contacts(); }     ///< n_c
  Index count() const { return contacts(); }              ///< of blocks: n_c
  BlockShape shape() const { return {Dim, contacts()}; }  ///< rows of the blocks
  /// The entries of contact i. \param x m.
  template <typename Entries>
  static auto of(Entries&& x, Index i) {
    return x.template segment<Dim>(Dim * i);
  }
  double mu(Index i) const { return (*mu_)[i]; }  ///< friction coefficient of contact i
  /// The projection on its friction cone.
  Segment project(Index i, const Segment& x) const { return project_on_cone(x, mu(i)); }
  /// Γ(u_i), of the normal component.
  double correction(Index i, const Segment& u) const { return de_saxce_correction(u, mu(i)); }
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
