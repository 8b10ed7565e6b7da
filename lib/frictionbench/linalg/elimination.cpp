#include "frictionbench/linalg/elimination.hpp"

#include <fmt/format.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "frictionbench/math/sparse.hpp"
#include "frictionbench/problem/part.hpp"

namespace frictionbench {

namespace {

constexpr Index most_at_once = 64;   // right-hand sides of a solve, to bound memory
constexpr double consistent = 1e-8;  // of the size of what rows ask for

// x -> A^+ x for a square matrix whose rows and columns may repeat each other. Rows and columns are
// equilibrated by the diagonal, so that the rank does not depend on units.
class PseudoInverse {
 public:
  PseudoInverse(const ColumnMatrix& A, WorkCounters& work)
      : work_(&work), scale_(Vector(A.diagonal())) {
    for (double& entry : scale_) entry = entry > 0 ? 1 / std::sqrt(entry) : 1;
    matrix_ = scale_.asDiagonal() * A * scale_.asDiagonal();
    matrix_.makeCompressed();
    qr_.compute(matrix_);
    ++work_->analyses;
    ++work_->factorizations.lu;
  }

  Index rank() const { return qr_.rank(); }
  Matrix times(const Matrix& B) const {
    work_->triangular_solves += B.cols();
    return scale_.asDiagonal() * Matrix(qr_.solve(Matrix(scale_.asDiagonal() * B)));
  }
  // How far A (A^+ b) is from b, in units of the largest equilibrated entry of b and `size`.
  bool reaches(const Vector& b, const Vector& size) const {
    const Vector wanted = scale_.cwiseProduct(b);
    ++work_->triangular_solves;
    const Vector missed = matrix_ * Vector(qr_.solve(wanted)) - wanted;
    return missed.lpNorm<Eigen::Infinity>() <=
           consistent * scale_.cwiseProduct(size).lpNorm<Eigen::Infinity>();
  }

 private:
  WorkCounters* work_;
  Vector scale_;
  ColumnMatrix matrix_;
  Eigen::SparseQR<ColumnMatrix, Eigen::COLAMDOrdering<int>> qr_;
};

// A^+ B, of which most columns are mostly zero.
ColumnMatrix times(const PseudoInverse& inverse, const ColumnMatrix& B) {
  Triplets entries;
  for (Index first = 0; first < B.cols(); first += most_at_once) {
    const Index count = std::min(most_at_once, B.cols() - first);
    const Matrix X = inverse.times(Matrix(B.middleCols(first, count)));
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < X.rows(); ++i)
        if (X(i, j) != 0)
          entries.emplace_back(static_cast<int>(i), static_cast<int>(first + j), X(i, j));
  }
  return assembled<ColumnMatrix>(B.rows(), B.cols(), entries);
}

}  // namespace

struct Elimination::Data {
  Data(const ContactProblem& problem, WorkCounters& work, double relaxation) {
    for (Index i = 0; i < problem.blocks(); ++i) {
      const bool stays = !problem.layout()->sets[static_cast<std::size_t>(i)]->is_whole_space();
      if (stays) kept.push_back(i);
      std::vector<Index>& rows = stays ? kept_rows : bilateral_rows;
      for (Index row = problem.block_start(i); row < problem.block_start(i + 1); ++row)
        rows.push_back(row);
    }

    const LocalView form = problem.local();
    W_cb = submatrix(form.W, kept_rows, bilateral_rows);
    W_bc = submatrix(form.W, bilateral_rows, kept_rows);
    ColumnMatrix W_bb = submatrix(form.W, bilateral_rows, bilateral_rows);
    if (relaxation > 0) {
      ColumnMatrix shift(W_bb.rows(), W_bb.rows());
      shift.setIdentity();
      W_bb += relaxation * shift;
    }
    inverse = std::make_unique<PseudoInverse>(W_bb, work);
    q_b = form.q(bilateral_rows);
    const Vector size = q_b.cwiseAbs().array() + form.q.lpNorm<Eigen::Infinity>();
    if (!inverse->reaches(q_b, size))
      throw InvalidProblem("bilateral rows",
                           fmt::format("have rank {} of {} and contradict each other: no impulse "
                                       "makes all of their velocities zero",
                                       inverse->rank(), q_b.size()));

    LocalForm rest_form;
    const ColumnMatrix X = times(*inverse, W_bc);
    const ColumnMatrix W_cc = submatrix(form.W, kept_rows, kept_rows);
    const ColumnMatrix W = W_cc - ColumnMatrix(W_cb * X);
    rest_form.W = SparseMatrix(W);
    rest_form.W.makeCompressed();
    rest_form.q = Vector(form.q(kept_rows)) - W_cb * inverse->times(q_b).col(0);

    rest.emplace(problem.dimension(), problem.mu(), std::move(rest_form),
                 other_sets_of(problem, kept));
  }

  std::vector<Index> kept;                       // blocks
  std::vector<Index> kept_rows, bilateral_rows;  // increasing
  ColumnMatrix W_cb, W_bc;
  Vector q_b;
  std::unique_ptr<PseudoInverse> inverse;  // of W_bb
  std::optional<ContactProblem> rest;
};

Elimination::Elimination(const ContactProblem& problem, WorkCounters& work, double relaxation)
    : data_(std::make_unique<Data>(problem, work, relaxation)) {}
Elimination::~Elimination() = default;
Elimination::Elimination(Elimination&&) noexcept = default;
Elimination& Elimination::operator=(Elimination&&) noexcept = default;

const ContactProblem& Elimination::rest() const { return *data_->rest; }
const std::vector<Index>& Elimination::kept() const { return data_->kept; }
Index Elimination::rank() const { return data_->inverse->rank(); }

Vector Elimination::kept_rows(const Vector& x) const { return x(data_->kept_rows); }

Vector Elimination::bilateral_rows(const Vector& x) const { return x(data_->bilateral_rows); }

Vector Elimination::carried(const Vector& offset) const {
  return -(data_->W_cb * data_->inverse->times(offset).col(0));
}

Vector Elimination::whole(const Vector& r, const Vector& offset) const {
  Vector velocity = data_->W_bc * r + data_->q_b;
  if (offset.size() > 0) velocity += offset;
  const Vector bilateral = -data_->inverse->times(velocity).col(0);
  Vector all(r.size() + bilateral.size());
  all(data_->kept_rows) = r;
  all(data_->bilateral_rows) = bilateral;
  return all;
}

}  // namespace frictionbench
