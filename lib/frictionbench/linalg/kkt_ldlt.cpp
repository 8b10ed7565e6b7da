#include "frictionbench/linalg/kkt_ldlt.hpp"

#include <Eigen/SparseCholesky>

#include "frictionbench/math/sparse.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench {

namespace {

// The lower triangle for d = 1. The last m columns have their diagonal entries only.
ColumnMatrix lower_triangle(const GlobalForm& form) {
  const Index n = form.M.rows(), m = form.H.cols();
  const SparseMatrix M = symmetric_part(form.M);
  Triplets entries;
  entries.reserve(static_cast<std::size_t>(M.nonZeros() + form.H.nonZeros() + m));
  for (Index row = 0; row < n; ++row) {
    for (SparseMatrix::InnerIterator entry(M, row); entry && entry.col() <= row; ++entry)
      entries.emplace_back(row, entry.col(), entry.value());
    for (SparseMatrix::InnerIterator entry(form.H, row); entry; ++entry)
      entries.emplace_back(n + entry.col(), row, entry.value());
  }
  for (Index k = n; k < n + m; ++k) entries.emplace_back(k, k, -1);
  return assembled<ColumnMatrix>(n + m, n + m, entries);
}

}  // namespace

class KktLdlt::Factor {
 public:
  explicit Factor(const GlobalForm& form) : n_(form.M.rows()), lower_(lower_triangle(form)) {
    ldlt_.analyzePattern(lower_);
  }

  bool factorize(const Vector& d) {
    Eigen::Map<Vector>(lower_.valuePtr() + lower_.outerIndexPtr()[n_], d.size()) = -d;
    ldlt_.factorize(lower_);
    // As many positive entries of D as M has rows, by Sylvester's law of inertia.
    return ldlt_.info() == Eigen::Success && (ldlt_.vectorD().array() > 0).count() == n_;
  }
  Vector solve(const Vector& right) const { return ldlt_.solve(right); }
  Index nonzeros() const { return ldlt_.matrixL().nestedExpression().nonZeros(); }

 private:
  Index n_;
  ColumnMatrix lower_;
  Eigen::SimplicialLDLT<ColumnMatrix, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt_;
};

KktLdlt::KktLdlt(const GlobalForm& form, WorkCounters& work)
    : work_(&work), factor_(std::make_unique<Factor>(form)) {
  ++work_->analyses;
}

KktLdlt::~KktLdlt() = default;
KktLdlt::KktLdlt(KktLdlt&&) noexcept = default;
KktLdlt& KktLdlt::operator=(KktLdlt&&) noexcept = default;

bool KktLdlt::factorize(const Vector& d) {
  ++work_->factorizations.ldlt;
  return factor_->factorize(d);
}

Vector KktLdlt::solve(const Vector& right) const {
  ++work_->triangular_solves;
  return factor_->solve(right);
}

Index KktLdlt::nonzeros() const { return factor_->nonzeros(); }

}  // namespace frictionbench
