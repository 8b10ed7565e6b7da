#include "frictionbench/solvers/pivoting/contact_lcp.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "frictionbench/math/friction_pyramid.hpp"

namespace frictionbench::solvers {

namespace {

using Triplets = std::vector<Eigen::Triplet<double, int>>;

void add(Triplets& triplets, Index row, Index column, double value) {
  triplets.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
}

SparseMatrix matrix_of(const Triplets& triplets, Index rows, Index columns) {
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
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
  const SparseMatrix z_of_r = impulse_matrix().transpose();
  const SparseMatrix W_by_z = z_of_r * local.W;
  lcp_.M = SparseMatrix(W_by_z * impulse_matrix()) + friction_matrix();
  lcp_.q = z_of_r * local.q;
}

std::int64_t ContactLcp::bytes(const ContactProblem& problem, int facets) {
  const double tangents = static_cast<double>(problem.dimension() - 1);
  const double more = problem.dimension() == 2 ? 2 : facets / tangents;  // columns per tangent
  const auto entries = static_cast<double>(problem.local().W.nonZeros()) * more * more +
                       4.0 * facets * static_cast<double>(problem.contacts());
  return static_cast<std::int64_t>(2 * (sizeof(double) + sizeof(int)) * entries);
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
  r_of_z_ = matrix_of(triplets, dimension_ * contacts_, size_);
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
  friction_ = matrix_of(triplets, size_, size_);
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
