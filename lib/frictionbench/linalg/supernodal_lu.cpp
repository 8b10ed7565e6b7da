#include "frictionbench/linalg/supernodal_lu.hpp"

#include <algorithm>
#include <utility>

// The reference BLAS and LAPACK, by their names in Fortran.
extern "C" {
void dgemm_(const char* transposed_a, const char* transposed_b, const int* m, const int* n,
            const int* k, const double* alpha, const double* a, const int* lda, const double* b,
            const int* ldb, const double* beta, double* c, const int* ldc);
void dtrsm_(const char* side, const char* triangle, const char* transposed, const char* diagonal,
            const int* m, const int* n, const double* alpha, const double* a, const int* lda,
            double* b, const int* ldb);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
}

namespace frictionbench {

namespace {

using Panel = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
using ConstPanel = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;

int size(Index count) { return static_cast<int>(count); }

// A B^T, in a storage that grows as needed.
Eigen::Map<const Matrix> product(const ConstPanel& A, const ConstPanel& B,
                                 std::vector<double>& storage) {
  const auto entries = static_cast<std::size_t>(A.rows() * B.rows());
  if (storage.size() < entries) storage.resize(entries);
  const Eigen::Map<const Matrix> result(storage.data(), A.rows(), B.rows());
  if (entries == 0) return result;
  const int m = size(A.rows()), n = size(B.rows()), k = size(A.cols());
  const int lda = size(A.outerStride()), ldb = size(B.outerStride());
  const double one = 1, zero = 0;
  dgemm_("N", "T", &m, &n, &k, &one, A.data(), &lda, B.data(), &ldb, &zero, storage.data(), &m);
  return result;
}

// B := B U^-1 for the upper triangle U of a factored block, and B := B L^-T for the unit lower one.
enum class Triangle { upper, transposed_lower };
void divide(Panel B, Triangle triangle, const ConstPanel& factored) {
  if (B.size() == 0) return;
  const bool is_upper = triangle == Triangle::upper;
  const int m = size(B.rows()), n = size(B.cols());
  const int lda = size(factored.outerStride()), ldb = size(B.outerStride());
  const double one = 1;
  dtrsm_("R", is_upper ? "U" : "L", is_upper ? "N" : "T", is_upper ? "N" : "U", &m, &n, &one,
         factored.data(), &lda, B.data(), &ldb);
}

}  // namespace

SupernodalLu::SupernodalLu(const ColumnMatrix& pattern, const BlockShape& shape)
    : SupernodalLu(pattern, std::make_shared<const Supernodes>(supernodes_of(pattern, shape))) {}

SupernodalLu::SupernodalLu(const ColumnMatrix& pattern, SharedSupernodes nodes)
    : nodes_(std::move(nodes)) {
  const auto m = static_cast<std::size_t>(pattern.cols());
  node_of_.resize(m);
  values_at_ = {0};
  for (Index s = 0; s < nodes_->count(); ++s) {
    std::fill_n(node_of_.begin() + first(s), columns(s), static_cast<int>(s));
    values_at_.push_back(values_at_.back() + Index{rows(s)} * columns(s));
  }
  exchanged_.resize(m);
  place_in_panel_.resize(m);
  permuted_.resize(pattern.cols());
  gathered_.resize(pattern.cols());

  std::vector<int> place_of_row(m);
  for (std::size_t k = 0; k < m; ++k)
    place_of_row[static_cast<std::size_t>(nodes_->order[k])] = static_cast<int>(k);
  place_of_.reserve(static_cast<std::size_t>(pattern.nonZeros()));
  for (Index j = 0; j < pattern.cols(); ++j)
    for (ColumnMatrix::InnerIterator entry(pattern, j); entry; ++entry)
      place_of_.push_back(place(place_of_row[static_cast<std::size_t>(entry.row())],
                                place_of_row[static_cast<std::size_t>(j)]));
}

int SupernodalLu::rows(Index s) const {
  const auto at = static_cast<std::size_t>(s);
  return size(nodes_->rows_at[at + 1] - nodes_->rows_at[at]);
}

const int* SupernodalLu::row(Index s) const {
  return nodes_->rows.data() + nodes_->rows_at[static_cast<std::size_t>(s)];
}

auto SupernodalLu::lower(Index s, int from) -> Panel {
  return {lower_.data() + values_at_[static_cast<std::size_t>(s)] + from, rows(s) - from,
          columns(s), Eigen::OuterStride<>(rows(s))};
}

auto SupernodalLu::upper(Index s, int from) -> Panel {
  return {upper_.data() + values_at_[static_cast<std::size_t>(s)] + from, rows(s) - from,
          columns(s), Eigen::OuterStride<>(rows(s))};
}

// Where an entry of the ordered matrix is stored, as in place_of_.
Index SupernodalLu::place(int row_of_entry, int column) const {
  const Index s = node_of_[static_cast<std::size_t>(std::min(row_of_entry, column))];
  const bool in_lower = row_of_entry >= first(s) && column < first(s + 1);
  const int along = in_lower ? column : row_of_entry, across = in_lower ? row_of_entry : column;
  const int* found = std::lower_bound(row(s), row(s) + rows(s), across);
  const Index at = values_at_[static_cast<std::size_t>(s)] + Index{along - first(s)} * rows(s) +
                   (found - row(s));
  return in_lower ? at : -1 - at;
}

void SupernodalLu::take_values(const ColumnMatrix& A) {
  lower_.setZero(values_at_.back());
  upper_.setZero(values_at_.back());
  for (std::size_t k = 0; k < place_of_.size(); ++k) {
    const double value = A.valuePtr()[k];
    if (place_of_[k] >= 0)
      lower_[place_of_[k]] = value;
    else
      upper_[-1 - place_of_[k]] = value;
  }
}

// Subtracts what an eliminated supernode contributes to the columns of s. \param from its first row that is
// one of them. \returns the first row beyond them.
int SupernodalLu::update(Index s, Index by, int from) {
  const int* theirs = row(by);
  const int until = size(std::lower_bound(theirs + from, theirs + rows(by), first(s + 1)) - theirs);
  const int affected = until - from;
  targets_.clear();
  for (int r = from; r < rows(by); ++r)
    targets_.push_back(place_in_panel_[static_cast<std::size_t>(theirs[r])]);
  const auto subtract = [&](const Eigen::Map<const Matrix>& change, Panel panel,
                            const int* target) {
    for (Index q = 0; q < affected; ++q) {
      double* column = panel.col(theirs[from + q] - first(s)).data();
      for (Index r = 0; r < change.rows(); ++r) column[target[r]] -= change(r, q);
    }
  };
  const Panel L = lower(by, from), U = upper(by, from);
  subtract(product(L, U.topRows(affected), product_), lower(s, 0), targets_.data());
  subtract(product(U.bottomRows(rows(by) - until), L.topRows(affected), product_), upper(s, 0),
           targets_.data() + affected);
  return until;
}

// Factors the diagonal block of a supernode, to which nothing is left to add, and its panels with it.
bool SupernodalLu::eliminate(Index s) {
  Panel block = lower(s, 0);
  const int order = columns(s), stride = size(block.outerStride());
  int* exchanged = exchanged_.data() + first(s);
  int info = 0;
  dgetrf_(&order, &order, block.data(), &stride, exchanged, &info);
  const auto pivots = block.diagonal().array();
  if (info != 0 || !pivots.isFinite().all()) return false;
  Panel right = upper(s, order);
  for (int k = 0; k < order; ++k) {
    if (pivots[k] < 0) sign_ = -sign_;
    const int with = exchanged[k] - 1;
    if (with == k) continue;
    sign_ = -sign_;
    right.col(k).swap(right.col(with));
  }
  divide(lower(s, order), Triangle::upper, block);
  divide(right, Triangle::transposed_lower, block);
  return true;
}

bool SupernodalLu::factorize(const ColumnMatrix& A) {
  eigen_assert(A.nonZeros() == static_cast<Index>(place_of_.size()));
  take_values(A);
  sign_ = 1;
  // Each supernode that is eliminated waits at the next one to which it contributes, in a list.
  const auto count = static_cast<std::size_t>(nodes_->count());
  constexpr int none = -1;
  std::vector<int> waiting(count, none), next(count, none), from(count, 0);
  const auto wait = [&](int by) {
    const auto at = static_cast<std::size_t>(by);
    if (from[at] == rows(by)) return;
    const int row_there = row(by)[from[at]];
    const auto node = static_cast<std::size_t>(node_of_[static_cast<std::size_t>(row_there)]);
    next[at] = std::exchange(waiting[node], by);
  };
  for (int s = 0; s < size(nodes_->count()); ++s) {
    for (int k = 0; k < rows(s); ++k) place_in_panel_[static_cast<std::size_t>(row(s)[k])] = k;
    for (int by = waiting[static_cast<std::size_t>(s)]; by != none;) {
      const auto at = static_cast<std::size_t>(by);
      const int after = next[at];
      from[at] = update(s, by, from[at]);
      wait(by);
      by = after;
    }
    if (!eliminate(s)) return false;
    from[static_cast<std::size_t>(s)] = columns(s);
    wait(s);
  }
  return true;
}

void SupernodalLu::solve_in_place(Vector& x) {
  const auto m = static_cast<Index>(nodes_->order.size());
  for (Index k = 0; k < m; ++k) permuted_[k] = x[nodes_->order[static_cast<std::size_t>(k)]];
  const auto others = [&](Index s) { return row(s) + columns(s); };
  for (Index s = 0; s < nodes_->count(); ++s) {
    auto own = permuted_.segment(first(s), columns(s));
    const int* exchanged = exchanged_.data() + first(s);
    for (int k = 0; k < columns(s); ++k) std::swap(own[k], own[exchanged[k] - 1]);
    lower(s, 0).topRows(columns(s)).template triangularView<Eigen::UnitLower>().solveInPlace(own);
    auto change = gathered_.head(below(s));
    change.noalias() = lower(s, columns(s)) * own;
    for (Index r = 0; r < change.size(); ++r) permuted_[others(s)[r]] -= change[r];
  }
  for (Index s = nodes_->count() - 1; s >= 0; --s) {
    auto own = permuted_.segment(first(s), columns(s));
    auto theirs = gathered_.head(below(s));
    for (Index r = 0; r < theirs.size(); ++r) theirs[r] = permuted_[others(s)[r]];
    own.noalias() -= upper(s, columns(s)).transpose() * theirs;
    lower(s, 0).topRows(columns(s)).template triangularView<Eigen::Upper>().solveInPlace(own);
  }
  for (Index k = 0; k < m; ++k) x[nodes_->order[static_cast<std::size_t>(k)]] = permuted_[k];
}

}  // namespace frictionbench
