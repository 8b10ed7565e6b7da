#include "frictionbench/solvers/pivoting/contact_lcp.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "frictionbench/math/friction_pyramid.hpp"
#include "frictionbench/math/sparse.hpp"

namespace frictionbench::solvers {

namespace {

void add(Triplets& triplets, Index row, Index column, double value) {
  triplets.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
}

// e_k by columns.
Matrix polygon(Index dimension, int facets) {
  if (dimension == 2) {
    Matrix ends(1, 2);
    ends << 1, -1;
    return ends;
  }
  const RegularPyramid pyramid(facets);
  Matrix corners(2, facets);
  for (int k = 0; k < facets; ++k) {
    const Eigen::Vector2d corner = pyramid.corner(k);
    corners(0, k) = corner[0];
    corners(1, k) = corner[1];
  }
  return corners;
}

// The number of pairs of contacts between which W has entries.
Index blocks_of(const SparseMatrix& W, Index dim) {
  // Row of blocks, by column of blocks.
  std::vector<Index> last(static_cast<std::size_t>(W.cols() / dim), -1);
  Index blocks = 0;
  for (Index row = 0; row < W.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry) {
      Index& block_row = last[static_cast<std::size_t>(entry.col() / dim)];
      blocks += block_row != row / dim;
      block_row = row / dim;
    }
  return blocks;
}

// B^T times columns of W: 1 + K rows for each contact that they touch.
class SpreadColumns {
 public:
  SpreadColumns(const SparseMatrix& W, const Matrix& corners) : W_(W), corners_(corners) {}

  // Columns first, first + 1, ... of W.
  void take(Index first, Index count) {
    const Index dim = corners_.rows() + 1, rows = corners_.cols() + 1;
    contacts_.clear();
    for (Index column = first; column < first + count; ++column)
      for (LcpMatrix::InnerIterator entry(W_, column); entry; ++entry)
        contacts_.push_back(entry.row() / dim);
    std::ranges::sort(contacts_);
    contacts_.erase(std::unique(contacts_.begin(), contacts_.end()), contacts_.end());

    Matrix impulse_rows = Matrix::Zero(dim * std::ssize(contacts_), count);
    for (Index column = 0; column < count; ++column)
      for (LcpMatrix::InnerIterator entry(W_, first + column); entry; ++entry) {
        const Index place =
            std::ranges::lower_bound(contacts_, entry.row() / dim) - contacts_.begin();
        impulse_rows(dim * place + entry.row() % dim, column) = entry.value();
      }
    entries_.resize(rows * std::ssize(contacts_), count);
    for (Index place = 0; place < std::ssize(contacts_); ++place) {
      entries_.row(rows * place) = impulse_rows.row(dim * place);
      entries_.middleRows(rows * place + 1, rows - 1) =
          corners_.transpose() * impulse_rows.middleRows(dim * place + 1, dim - 1);
    }
  }

  const std::vector<Index>& contacts() const { return contacts_; }  // in order
  const Matrix& entries() const { return entries_; }

 private:
  LcpMatrix W_;
  const Matrix& corners_;
  std::vector<Index> contacts_;
  Matrix entries_;
};

}  // namespace

ContactVariables::ContactVariables(const ContactProblem& problem, int facets)
    : dimension_(problem.dimension()),
      contacts_(problem.contacts()),
      corners_(polygon(problem.dimension(), facets)) {
  eigen_assert(problem.is_plain());
  directions_ = corners_.cols();
  place_variables(problem.mu());
  make_impulse_matrix();
  make_friction_matrix(problem.mu());
}

ContactLcp::ContactLcp(const ContactProblem& problem, int facets)
    : ContactVariables(problem, facets) {
  const LocalView local = problem.local();
  lcp_.q = impulse_matrix().transpose() * local.q;
  assemble(local.W);
}

// Column by column, (B^T W) B + F. W has whole blocks, of which B^T and B make blocks of 1 + K rows and columns:
// products of sparse matrices would sort every entry of those anew, which takes several times as long.
void ContactLcp::assemble(const SparseMatrix& W) {
  const Index dim = corners().rows() + 1, rows = 1 + directions();
  const LcpMatrix F = friction_matrix();
  lcp_.M.resize(size(), size());
  lcp_.M.reserve(blocks_of(W, dim) * rows * rows + F.nonZeros());
  SpreadColumns spread(W, corners());
  for (Index i = 0; i < contacts(); ++i) {
    spread.take(dim * i, 1);
    append_column(normal(i), spread.contacts(), spread.entries(), F);
  }
  for (Index i = 0; i < contacts(); ++i) {
    if (!has_friction(i)) continue;
    spread.take(dim * i + 1, dim - 1);
    for (Index k = 0; k < directions(); ++k)
      append_column(first_weight(i) + k, spread.contacts(), spread.entries() * corners().col(k), F);
  }
  for (Index i = 0; i < contacts(); ++i)
    if (has_friction(i)) append_column(multiplier(i), {}, {}, F);
  lcp_.M.finalize();
}

void ContactLcp::append_column(Index column, const std::vector<Index>& touched,
                               const Vector& entries, const LcpMatrix& F) {
  const Index rows = 1 + directions();
  lcp_.M.startVec(column);
  for (Index place = 0; place < std::ssize(touched); ++place)
    lcp_.M.insertBackByOuterInner(column, normal(touched[at(place)])) = entries[rows * place];
  for (Index place = 0; place < std::ssize(touched); ++place) {
    const Index i = touched[at(place)];
    if (!has_friction(i)) continue;
    for (Index k = 0; k < directions(); ++k)
      lcp_.M.insertBackByOuterInner(column, first_weight(i) + k) = entries[rows * place + 1 + k];
  }
  for (LcpMatrix::InnerIterator entry(F, column); entry; ++entry)
    lcp_.M.insertBackByOuterInner(column, entry.row()) = entry.value();
}

std::int64_t ContactLcp::bytes(const ContactProblem& problem, int facets) {
  const Index dim = problem.dimension();
  const std::int64_t columns = dim == 2 ? 3 : 1 + facets;  // of a block
  const SparseMatrix& W = problem.local().W;
  const std::int64_t entries =
      blocks_of(W, dim) * columns * columns + 3 * facets * problem.contacts();
  return static_cast<std::int64_t>(sizeof(double) + sizeof(int)) * (entries + W.nonZeros());
}

void ContactVariables::place_variables(const Vector& mu) {
  first_weight_.assign(at(contacts_), -1);
  multiplier_.assign(at(contacts_), -1);
  size_ = contacts_;
  for (Index i = 0; i < contacts_; ++i)
    if (mu[i] > 0) {
      first_weight_[at(i)] = size_;
      size_ += directions_;
    }
  for (Index i = 0; i < contacts_; ++i)
    if (mu[i] > 0) multiplier_[at(i)] = size_++;
}

ContactVariables::Block ContactVariables::block(Index i) const {
  Block block{{normal(i)}, {}, {}};
  if (has_friction(i)) {
    for (Index k = 0; k < directions_; ++k) block.places.push_back(first_weight(i) + k);
    block.places.push_back(multiplier(i));
  }
  const auto size = static_cast<Index>(block.places.size());
  block.B.resize(dimension_, size);
  block.F.resize(size, size);
  for (Index column = 0; column < size; ++column) {
    for (Index row = 0; row < dimension_; ++row)
      block.B(row, column) = r_of_z_.coeff(dimension_ * i + row, block.places[at(column)]);
    for (Index row = 0; row < size; ++row)
      block.F(row, column) = friction_.coeff(block.places[at(row)], block.places[at(column)]);
  }
  return block;
}

void ContactVariables::make_impulse_matrix() {
  Triplets triplets;
  for (Index i = 0; i < contacts_; ++i) {
    add(triplets, dimension_ * i, normal(i), 1);
    if (!has_friction(i)) continue;
    for (Index t = 0; t < dimension_ - 1; ++t)
      for (Index k = 0; k < directions_; ++k)
        add(triplets, dimension_ * i + 1 + t, first_weight(i) + k, corners_(t, k));
  }
  r_of_z_ = assembled(dimension_ * contacts_, size_, triplets);
}

void ContactVariables::make_friction_matrix(const Vector& mu) {
  Triplets triplets;
  for (Index i = 0; i < contacts_; ++i) {
    if (!has_friction(i)) continue;
    add(triplets, multiplier(i), normal(i), mu[i]);
    for (Index k = 0; k < directions_; ++k) {
      add(triplets, multiplier(i), first_weight(i) + k, -1);
      add(triplets, first_weight(i) + k, multiplier(i), 1);
    }
  }
  friction_ = assembled(size_, size_, triplets);
}

Vector ContactVariables::impulse(VectorView z) const { return r_of_z_ * z; }

// r_T lies between two adjacent corners, the only ones by which it has coordinates >= 0. They may be
// negative by rounding.
void ContactVariables::weigh(const Vector& r_T, Eigen::Ref<Vector> weights) const {
  if (dimension_ == 2) {
    weights = (corners_.transpose() * r_T).cwiseMax(0);
    return;
  }
  double least = -std::numeric_limits<double>::infinity();
  for (Index k = 0; k < directions_; ++k) {
    const Index next = (k + 1) % directions_;
    Eigen::Matrix2d sector;
    sector << corners_.col(k), corners_.col(next);
    const Eigen::Vector2d own = sector.inverse() * r_T;
    if (!(own.minCoeff() > least)) continue;
    least = own.minCoeff();
    weights.setZero();
    weights[k] = std::max(0.0, own[0]);
    weights[next] = std::max(0.0, own[1]);
  }
}

Vector ContactVariables::variables(VectorView r, VectorView u) const {
  Vector z = Vector::Zero(size_);
  for (Index i = 0; i < contacts_; ++i) {
    z[normal(i)] = std::max(0.0, r[dimension_ * i]);
    if (!has_friction(i)) continue;
    const Vector r_T = r.segment(dimension_ * i + 1, dimension_ - 1);
    const Vector u_T = u.segment(dimension_ * i + 1, dimension_ - 1);
    weigh(r_T, z.segment(first_weight(i), directions_));
    z[multiplier(i)] = std::max(0.0, (-corners_.transpose() * u_T).maxCoeff());
  }
  return z;
}

}  // namespace frictionbench::solvers
