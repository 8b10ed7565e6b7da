/// \file
/// Sweeps over contacts through the velocities of their bodies, without a Delassus matrix.
#pragma once

#include <concepts>
#include <memory>
#include <vector>

#include "frictionbench/base/team.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/largest_eigenvalue.hpp"
#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/problem/contact_columns.hpp"

namespace frictionbench {

/// What ContactSweeps and BlockSweeps are for W, for a problem in global form: the velocity of a contact
/// comes from those of its bodies, which follow every change of an impulse,
///
///     u_i = H_i^T v + w_i + R_i r_i,     v <- v + M^-1 H_i (change of r_i)
///
/// as in sequential impulses [Catto, Iterative Dynamics with Temporal Coherence, GDC 2005]. In exact
/// arithmetic it makes the iterates that rows of W make. v is computed anew from r at the start of each
/// sweep, so that rounding does not add up from one to the next.
///
/// Sweeps go through the contacts in a given order, or group by group (ContactColumns::groups()): within a
/// group no two contacts share a body, so that several threads make bit by bit what one makes.
/// \tparam Blocks FrictionBlocks or AnyBlocks, as with_blocks() gives them.
template <typename Blocks>
class BodySweeps {
 public:
  using Block = typename Blocks::Block;      ///< W_ii
  using Segment = typename Blocks::Segment;  ///< entries of one block in a vector
  /// 2 or 3; Eigen::Dynamic for AnyBlocks.
  static constexpr int dimension = Segment::SizeAtCompileTime;

  /// Both must outlive it. \param problem in global form. \param by_groups whether velocities are summed
  /// up, and may be swept, group by group. \param threads >= 1; more than one only by groups.
  BodySweeps(const ContactProblem& problem, WorkCounters& work, bool by_groups, int threads)
      : blocks_(problem),
        columns_(&problem.columns()),
        w_(&problem.global()->w),
        compliance_(&problem.compliance()),
        work_(&work),
        by_groups_(by_groups),
        team_(std::make_unique<Team>(threads)) {
    diagonal_.reserve(static_cast<std::size_t>(count()));
    for (Index i = 0; i < count(); ++i) {
      Block& W_ii = diagonal_.emplace_back(columns_->diagonal_block(i));
      if (compliance_->size() > 0) W_ii.diagonal() += of(*compliance_, i);
      if constexpr (dimension == Eigen::Dynamic) stiffness_.push_back(largest_eigenvalue(W_ii));
    }
  }

  Index count() const { return blocks_.count(); }                ///< of blocks: n_b
  const BlockShape& shape() const { return columns_->shape(); }  ///< rows of the blocks
  /// The entries of block i. \param x m.
  template <typename Entries>
  auto of(Entries&& x, Index i) const {
    return blocks_.of(x, i);
  }
  double mu(Index i) const { return blocks_.mu(i); }  ///< friction coefficient of block i
  /// The projection on its set.
  Segment project(Index i, const Segment& x) const { return blocks_.project(i, x); }
  /// Γ(u_i), of the first component.
  double correction(Index i, const Segment& u) const { return blocks_.correction(i, u); }
  /// The set of block i.
  const ConstraintSet& set(Index i) const requires std::same_as<Blocks, AnyBlocks> {
    return blocks_.set(i);
  }
  /// W_ii, with the compliance.
  const Block& W(Index i) const { return diagonal_[static_cast<std::size_t>(i)]; }
  /// The largest eigenvalue of the symmetric part of W_ii.
  double stiffness(Index i) const requires std::same_as<Blocks, AnyBlocks> {
    return stiffness_[static_cast<std::size_t>(i)];
  }

  /// (W r + q)_i, in a sweep. \param r the impulse that the sweep is changing, m.
  Segment velocity(Index i, const Vector& r) const {
    Segment u = of(*w_, i);
    columns_->add_velocity(i, v_, u);
    if (compliance_->size() > 0) u += of(*compliance_, i).cwiseProduct(of(r, i));
    return u;
  }
  /// (W r + q)_i - W_ii r_i, the velocity of block i without its own impulse; the same.
  Segment free_velocity(Index i, const Vector& r) const { return velocity(i, r) - W(i) * of(r, i); }

  /// W r + q, m; a product with H and one with H^T.
  Vector velocity(const Vector& r) const {
    take_impulse(r);
    ++work_->global_products;
    Vector u(r.size());
    visit([&](Index i) { of(u, i) = velocity(i, r); });
    return u;
  }

  /// One sweep, and a product with H: calls update(i), which may change r_i, for each block in the given
  /// order. \param r m.
  template <typename Update>
  void sweep(Vector& r, const std::vector<Index>& order, const Update& update) const {
    begin_sweep(r);
    for (const Index i : order) change(r, i, update);
  }
  /// The same group by group, in all threads. \param update is called concurrently for different blocks;
  /// must not throw.
  template <typename Update>
  void sweep(Vector& r, const Update& update) const {
    begin_sweep(r);
    visit([&](Index i) { change(r, i, update); });
  }

 private:
  void begin_sweep(const Vector& r) const {
    ++work_->sweeps;
    take_impulse(r);
  }

  // v = M^-1 (H r + f)
  void take_impulse(const Vector& r) const {
    ++work_->global_products;
    v_ = columns_->free_generalized_velocity();
    visit([&](Index i) { columns_->add_impulse(i, Segment(of(r, i)), v_); });
  }

  template <typename Update>
  void change(Vector& r, Index i, const Update& update) const {
    const Segment before = of(r, i);
    update(i);
    columns_->add_impulse(i, Segment(of(r, i) - before), v_);
  }

  // Every block, by number or group by group: the order of sums is the same in any number of threads.
  template <typename Visitor>
  void visit(const Visitor& visitor) const {
    if (!by_groups_) {
      for (Index i = 0; i < count(); ++i) visitor(i);
      return;
    }
    const auto threads = static_cast<std::size_t>(team_->size());
    team_->run([&](int k) {
      const auto own = static_cast<std::size_t>(k);
      for (const std::vector<int>& group : columns_->groups()) {
        const std::size_t end = group.size() * (own + 1) / threads;
        for (std::size_t j = group.size() * own / threads; j < end; ++j) visitor(group[j]);
        team_->meet();
      }
    });
  }

  Blocks blocks_;
  const ContactColumns* columns_;
  const Vector* w_;
  const Vector* compliance_;
  WorkCounters* work_;
  bool by_groups_;
  std::unique_ptr<Team> team_;
  std::vector<Block> diagonal_;
  std::vector<double> stiffness_;  // n_b for AnyBlocks, else empty
  mutable Vector v_;  // n; of the impulse that is being swept, or that was asked about last
};

}  // namespace frictionbench
