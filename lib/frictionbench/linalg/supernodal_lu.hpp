/// \file
/// LU factorisation of a large sparse matrix on dense panels.
#pragma once

#include <vector>

#include "frictionbench/linalg/supernodes.hpp"

namespace frictionbench {

/// P Q A Q^T = L U for a sparse A (m x m) of symmetric pattern, whose values are not symmetric, on the
/// panels of its supernodes through BLAS: the left-looking method of CHOLMOD [Chen, Davis, Hager,
/// Rajamanickam, ACM TOMS 35(3), 2008], with U^T stored beside L.
///
/// Rows are exchanged (P) within the diagonal block of a supernode only. In the matrices of contact
/// solvers, W plus a block for each contact that makes it regular, these hold the large entries, and
/// callers refine. In return, patterns are known in advance, and nearly all operations are products of
/// dense matrices. UMFPACK, which looks for pivots, takes 3 to 12 times as long on W of piles of 350 to
/// 2 000 contacts (tests/benchmarks/bench_lu.cpp).
class SupernodalLu {
 public:
  /// Analyses a pattern. \param pattern of all matrices to come, stored entries, zero or not.
  /// \param shape of blocks, as for supernodes_of(). \throws std::runtime_error if it cannot be analysed.
  SupernodalLu(const ColumnMatrix& pattern, const BlockShape& shape);
  /// The same with an analysis that was made before. \param nodes of this pattern, or of one whose entries
  /// lie in the same blocks; not empty.
  SupernodalLu(const ColumnMatrix& pattern, SharedSupernodes nodes);

  FactorCost cost() const { return nodes_->cost; }             ///< of each factorisation
  const SharedSupernodes& analysis() const { return nodes_; }  ///< made or given

  /// \param A of that pattern; it is not kept. \returns false if a diagonal block is singular, or an
  /// entry not finite; the others must not be called then.
  [[nodiscard]] bool factorize(const ColumnMatrix& A);

  /// x := A^-1 x.
  void solve_in_place(Vector& x);

  int determinant_sign() const { return sign_; }  ///< 1 or -1

 private:
  using Panel = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

  // Those of supernode s: its columns, its rows, and the rows below its columns.
  int columns(Index s) const { return first(s + 1) - first(s); }
  int rows(Index s) const;
  int below(Index s) const { return rows(s) - columns(s); }
  int first(Index s) const { return nodes_->starts[static_cast<std::size_t>(s)]; }
  const int* row(Index s) const;  // the rows, one after the other

  // Panels of L, with U's diagonal block, and of U^T without it, from row `from` of the supernode.
  Panel lower(Index s, int from);
  Panel upper(Index s, int from);

  Index place(int row, int column) const;
  void take_values(const ColumnMatrix& A);
  int update(Index s, Index by, int from);
  bool eliminate(Index s);

  SharedSupernodes nodes_;
  std::vector<int> node_of_;      // the supernode of a column
  std::vector<Index> values_at_;  // where the panels of a supernode begin
  std::vector<Index> place_of_;   // of A's entries: in L, or -1 - that in U^T
  Vector lower_, upper_;
  std::vector<int> exchanged_;       // with which row, counted from 1 in its supernode, m
  std::vector<int> place_in_panel_;  // of the rows of the supernode that is updated, m
  std::vector<int> targets_;         // of an update: the rows of its products in the panel
  std::vector<double> product_;      // of an update
  Vector permuted_, gathered_;       // of a solve, m
  int sign_ = 1;
};

}  // namespace frictionbench
