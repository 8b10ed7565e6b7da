/// \file
/// Bases of a linear complementarity problem, and systems of equations with them.
#pragma once

#include <Eigen/SparseCore>
#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/solvers/pivoting/contact_lcp.hpp"

namespace frictionbench::solvers {

/// The columns of w - M z - d z_0 = q, one for each variable. Variables are numbers: w_j is j, z_j is
/// n + j and the artificial z_0 is 2 n.
class LcpColumns {
 public:
  /// The covering vector d is zero at first. \param lcp must outlive it.
  explicit LcpColumns(const Lcp& lcp);

  Index size() const { return M_.rows(); }  ///< n
  Index w(Index j) const { return j; }
  Index z(Index j) const { return size() + j; }
  Index artificial() const { return 2 * size(); }  ///< z_0
  bool is_slack(Index variable) const { return variable < size(); }
  /// w_j of z_j, and z_j of w_j. \pre not z_0.
  Index complement(Index variable) const {
    return variable < size() ? variable + size() : variable - size();
  }

  void cover(Vector d) { d_ = std::move(d); }  ///< chooses d, n
  /// a += factor * the column of the variable. \param a n.
  void add(Index variable, double factor, Vector& a) const;
  /// The column, n.
  Vector column(Index variable) const;
  /// Calls f(row, entry) for the entries of a column.
  template <typename Function>
  void for_each(Index variable, Function&& f) const {
    if (is_slack(variable)) return void(f(variable, 1.0));
    if (variable == artificial()) {
      for (Index row = 0; row < size(); ++row) f(row, -d_[row]);
      return;
    }
    for (LcpMatrix::InnerIterator entry(M_, variable - size()); entry; ++entry)
      f(entry.row(), -entry.value());
  }

 private:
  const LcpMatrix& M_;
  Vector d_;
};

/// Which variables are basic, as a number: equal for equal sets, and for others but once in 2^128. It
/// changes with a pivot in constant time.
struct BasisKey {
  std::uint64_t low = 0, high = 0;
  void toggle(Index variable);  ///< the variable enters, or leaves
  friend auto operator<=>(const BasisKey&, const BasisKey&) = default;
};
struct BasisKeyHash {
  std::size_t operator()(const BasisKey& key) const { return key.low; }
};

/// A basis: n variables, each at a position, whose columns are the matrix B; the others are zero, so the
/// basic ones are B^-1 q.
///
/// Most of them are slacks w_j, whose columns are unit vectors. What has to be factored is the rest, the
/// rows without a slack of the other columns: -M_aa of [YamaneNakamura08] (6), whose size is that of the
/// pivots. Its LU is dense (Eigen's, with partial pivoting), because M couples every two contacts of a
/// body and fills up at the first pivots: UMFPACK would analyse a new pattern every time. Pivots after a
/// factorisation are kept in product form, B = B_0 E_1 E_2 ..., each E_k a unit matrix except for one column.
/// A basis may be copied: copies share the factors and pivots, so that bases of a tree of pivots each
/// store one column. It is to be factored again after `most_pivots` pivots, or a bad one (is_due()).
class LcpBasis {
 public:
  /// All slacks, w_j at position j; or z_j instead where `start` has j. Both must outlive it.
  /// \param most_pivots between factorisations, > 0.
  LcpBasis(const LcpColumns& columns, const std::vector<Index>& start, int most_pivots,
           WorkCounters& work);

  Index size() const { return columns_->size(); }  ///< n
  const LcpColumns& columns() const { return *columns_; }
  Index at(Index position) const { return basic_[static_cast<std::size_t>(position)]; }
  const BasisKey& key() const { return key_; }

  /// B^-1 a. \param a n.
  Vector solve(Vector a) const;
  /// B^-1 a, once refined: with the residual of the first answer.
  Vector solve_refined(const Vector& a) const;

  /// Puts a variable in the place of the basic one at `position`; one pivot. \param column B^-1 times
  /// that of the variable, kept.
  void replace(Index position, Index variable, std::shared_ptr<const Vector> column);

  /// Whether to factor before the next solve(): after that many pivots, or one on an entry less than
  /// 1e-8 of its column.
  bool is_due() const { return pivots_ >= most_pivots_ || bad_pivot_; }
  /// Factors B. \returns false if it is singular or not finite; solve() must not be called then.
  [[nodiscard]] bool factorize();

  /// Bytes that factorize() would allocate, and those of one copy and one pivot.
  std::int64_t factor_bytes() const;
  std::int64_t copy_bytes() const;

 private:
  struct Factor;
  struct Pivot;
  Vector solve_factor(Vector a) const;
  Index structural_columns() const;

  const LcpColumns* columns_;
  mutable PivotingWork work_;
  int most_pivots_;
  std::vector<Index> basic_;  // variable by position
  BasisKey key_;
  std::shared_ptr<const Factor> factor_;
  std::shared_ptr<const Pivot> last_;  // since the factorisation
  int pivots_ = 0;                     // the same
  bool bad_pivot_ = false;
};

}  // namespace frictionbench::solvers
