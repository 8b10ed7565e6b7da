/// \file
/// The columns of H and of M^-1 H by contact, which do for W what its rows would.
#pragma once

#include <span>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The columns H_i and (M^-1 H)_i of every contact, or other block, i. Only the degrees of freedom of
/// the bodies that it acts on are stored, so that
///
///     v = M^-1 (H r + f),     u_i = H_i^T v + w_i,     W_ij = H_i^T (M^-1 H)_j
///
/// cost as much as a contact has degrees of freedom, 12 between two rigid bodies, whatever else acts
/// on these: about 650 bytes for such a contact in 3D.
class ContactColumns {
 public:
  /// Takes as many solves with M as there are groups(), each with as many right-hand sides as a block
  /// has rows. \param shape of the columns of H. \throws InvalidProblem if M is singular.
  ContactColumns(const GlobalForm& form, BlockShape shape);

  Index dofs() const { return free_velocity_.size(); }  ///< n
  const BlockShape& shape() const { return shape_; }    ///< as given

  const Vector& free_generalized_velocity() const { return free_velocity_; }  ///< M^-1 f, n
  const Vector& free_contact_velocity() const { return q_; }  ///< q = H^T M^-1 f + w, m

  /// The degrees of freedom of the bodies that block i acts on, increasing.
  std::span<const int> dofs_of(Index i) const {
    const auto first = static_cast<std::size_t>(first_entry_[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(first_entry_[static_cast<std::size_t>(i) + 1]);
    return {dof_.data() + first, end - first};
  }
  /// The entries of H_i at these, rows of one after the other: the block's rows at each.
  const double* H(Index i) const { return H_.data() + first_value(i); }
  /// The same of M^-1 H_i.
  const double* inverse_times_H(Index i) const { return inverse_times_H_.data() + first_value(i); }

  /// u += H_i^T v. \param v n. \param u as many entries as block i has rows, a vector of fixed size
  /// where these are known to the compiler.
  template <typename Segment>
  void add_velocity(Index i, const Vector& v, Segment& u) const {
    const double* h = H(i);
    for (const int dof : dofs_of(i))
      for (Index a = 0; a < u.size(); ++a) u[a] += *h++ * v[dof];
  }
  /// v += M^-1 H_i r_i. Arguments as above.
  template <typename Segment>
  void add_impulse(Index i, const Segment& r_i, Vector& v) const {
    const double* g = inverse_times_H(i);
    for (const int dof : dofs_of(i)) {
      double change = 0;
      for (Index a = 0; a < r_i.size(); ++a) change += *g++ * r_i[a];
      v[dof] += change;
    }
  }

  /// W_ii = H_i^T M^-1 H_i.
  BlockMatrix diagonal_block(Index i) const;
  /// The diagonal of W, m.
  Vector delassus_diagonal() const;
  /// v = M^-1 (H r + f), n. \param r m.
  Vector generalized_velocity(const Vector& r) const;
  /// H^T v, m. \param v n.
  Vector contact_velocity(const Vector& v) const;

  /// All blocks in groups, those of each on different bodies and in increasing order: first fit. What
  /// M does not have, such as the ground, is not a body.
  const std::vector<std::vector<int>>& groups() const { return groups_; }

 private:
  // A block's values are in the order of its entries, each with the rows of the block.
  std::size_t first_value(Index i) const {
    return static_cast<std::size_t>(first_value_[static_cast<std::size_t>(i)]);
  }
  void find_dofs(const SparseMatrix& M, const SparseMatrix& H);
  void take_H(const SparseMatrix& H);

  BlockShape shape_;
  Vector free_velocity_;            // n
  Vector q_;                        // m
  std::vector<Index> first_entry_;  // n_b + 1
  std::vector<Index> first_value_;  // n_b + 1
  std::vector<int> dof_;
  std::vector<double> H_, inverse_times_H_;
  std::vector<std::vector<int>> groups_;
};

}  // namespace frictionbench
