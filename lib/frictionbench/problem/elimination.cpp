#include "frictionbench/problem/elimination.hpp"

#include <fmt/format.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "frictionbench/problem/part.hpp"

namespace frictionbench {

namespace {

using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

constexpr Index most_at_once = 64;   // right-hand sides of a solve, to bound memory
constexpr double consistent = 1e-8;  // of the size of what rows ask for

// The new number of each row that is chosen, and -1 for the others.
std::vector<Index> renumbered(const std::vector<bool>& chosen) {
  std::vector<Index> number;
  Index next = 0;
  for (const bool is_chosen : chosen) number.push_back(is_chosen ? next++ : -1);
  return number;
}

// The entries of A in rows and columns that have a number.
ColumnMatrix numbered_part(const SparseMatrix& A, const std::vector<Index>& rows,
                           const std::vector<Index>& cols) {
  std::vector<Eigen::Triplet<double, int>> entries;
  for (Index row = 0; row < A.rows(); ++row) {
    const Index i = rows[static_cast<std::size_t>(row)];
    if (i < 0) continue;
    for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry)
      if (const Index j = cols[static_cast<std::size_t>(entry.col())]; j >= 0)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(j), entry.value());
  }
  const auto size = [](const std::vector<Index>& number) {
    return number.empty() ? Index{0} : *std::ranges::max_element(number) + 1;
  };
  ColumnMatrix part(size(rows), size(cols));
  part.setFromTriplets(entries.begin(), entries.end());
  return part;
}

Vector numbered_part(const Vector& x, const std::vector<Index>& number) {
  Vector part(std::ranges::count_if(number, [](Index k) { return k >= 0; }));
  for (std::size_t k = 0; k < number.size(); ++k)
    if (number[k] >= 0) part[number[k]] = x[static_cast<Index>(k)];
  return part;
}

// x -> A^+ x for a square matrix whose rows and columns may repeat each other. Rows and columns are
// equilibrated by the diagonal, so that the rank does not depend on units.
class PseudoInverse {
 public:
  explicit PseudoInverse(const ColumnMatrix& A) : scale_(Vector(A.diagonal())) {
    for (double& entry : scale_) entry = entry > 0 ? 1 / std::sqrt(entry) : 1;
    matrix_ = scale_.asDiagonal() * A * scale_.asDiagonal();
    matrix_.makeCompressed();
    qr_.compute(matrix_);
  }

  Index rank() const { return qr_.rank(); }
  Matrix times(const Matrix& B) const {
    return scale_.asDiagonal() * Matrix(qr_.solve(Matrix(scale_.asDiagonal() * B)));
  }
  // How far A (A^+ b) is from b, in units of the largest equilibrated entry of b and `size`.
  bool reaches(const Vector& b, const Vector& size) const {
    const Vector wanted = scale_.cwiseProduct(b);
    const Vector missed = matrix_ * Vector(qr_.solve(wanted)) - wanted;
    return missed.lpNorm<Eigen::Infinity>() <=
           consistent * scale_.cwiseProduct(size).lpNorm<Eigen::Infinity>();
  }

 private:
  Vector scale_;
  ColumnMatrix matrix_;
  Eigen::SparseQR<ColumnMatrix, Eigen::COLAMDOrdering<int>> qr_;
};

// A^+ B, of which most columns are mostly zero.
ColumnMatrix times(const PseudoInverse& inverse, const ColumnMatrix& B) {
  std::vector<Eigen::Triplet<double, int>> entries;
  for (Index first = 0; first < B.cols(); first += most_at_once) {
    const Index count = std::min(most_at_once, B.cols() - first);
    const Matrix X = inverse.times(Matrix(B.middleCols(first, count)));
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < X.rows(); ++i)
        if (X(i, j) != 0)
          entries.emplace_back(static_cast<int>(i), static_cast<int>(first + j), X(i, j));
  }
  ColumnMatrix product(B.rows(), B.cols());
  product.setFromTriplets(entries.begin(), entries.end());
  return product;
}

}  // namespace

struct Elimination::Data {
  Data(const ContactProblem& problem, double relaxation) {
    std::vector<bool> is_kept;
    for (Index i = 0; i < problem.blocks(); ++i) {
      const bool stays = !problem.layout()->sets[static_cast<std::size_t>(i)]->is_whole_space();
      if (stays) kept.push_back(i);
      is_kept.insert(is_kept.end(), static_cast<std::size_t>(problem.block_rows(i)), stays);
    }
    kept_number = renumbered(is_kept);
    is_kept.flip();
    bilateral_number = renumbered(is_kept);

    const LocalView form = problem.local();
    W_cb = numbered_part(form.W, kept_number, bilateral_number);
    W_bc = numbered_part(form.W, bilateral_number, kept_number);
    ColumnMatrix W_bb = numbered_part(form.W, bilateral_number, bilateral_number);
    if (relaxation > 0) {
      ColumnMatrix shift(W_bb.rows(), W_bb.rows());
      shift.setIdentity();
      W_bb += relaxation * shift;
    }
    inverse = std::make_unique<PseudoInverse>(W_bb);
    q_b = numbered_part(form.q, bilateral_number);
    const Vector size = q_b.cwiseAbs().array() + form.q.lpNorm<Eigen::Infinity>();
    if (!inverse->reaches(q_b, size))
      throw InvalidProblem("bilateral rows",
                           fmt::format("have rank {} of {} and contradict each other: no impulse "
                                       "makes all of their velocities zero",
                                       inverse->rank(), q_b.size()));

    LocalForm rest_form;
    const ColumnMatrix X = times(*inverse, W_bc);
    ColumnMatrix W = numbered_part(form.W, kept_number, kept_number) - ColumnMatrix(W_cb * X);
    rest_form.W = SparseMatrix(W);
    rest_form.W.makeCompressed();
    rest_form.q = numbered_part(form.q, kept_number) - W_cb * inverse->times(q_b).col(0);

    rest.emplace(problem.dimension(), problem.mu(), std::move(rest_form),
                 other_sets_of(problem, kept));
  }

  std::vector<Index> kept;                           // blocks
  std::vector<Index> kept_number, bilateral_number;  // of rows, -1 for those of the other kind
  ColumnMatrix W_cb, W_bc;
  Vector q_b;
  std::unique_ptr<PseudoInverse> inverse;  // of W_bb
  std::optional<ContactProblem> rest;
};

Elimination::Elimination(const ContactProblem& problem, double relaxation)
    : data_(std::make_unique<Data>(problem, relaxation)) {}
Elimination::~Elimination() = default;
Elimination::Elimination(Elimination&&) noexcept = default;
Elimination& Elimination::operator=(Elimination&&) noexcept = default;

const ContactProblem& Elimination::rest() const { return *data_->rest; }
const std::vector<Index>& Elimination::kept() const { return data_->kept; }
Index Elimination::rank() const { return data_->inverse->rank(); }

Vector Elimination::kept_rows(const Vector& x) const {
  return numbered_part(x, data_->kept_number);
}

Vector Elimination::bilateral_rows(const Vector& x) const {
  return numbered_part(x, data_->bilateral_number);
}

Vector Elimination::carried(const Vector& offset) const {
  return -(data_->W_cb * data_->inverse->times(offset).col(0));
}

Vector Elimination::whole(const Vector& r, const Vector& offset) const {
  Vector velocity = data_->W_bc * r + data_->q_b;
  if (offset.size() > 0) velocity += offset;
  const Vector bilateral = -data_->inverse->times(velocity).col(0);
  Vector all(static_cast<Index>(data_->kept_number.size()));
  for (Index k = 0; k < all.size(); ++k) {
    const Index own = data_->kept_number[static_cast<std::size_t>(k)];
    all[k] = own >= 0 ? r[own] : bilateral[data_->bilateral_number[static_cast<std::size_t>(k)]];
  }
  return all;
}

}  // namespace frictionbench
