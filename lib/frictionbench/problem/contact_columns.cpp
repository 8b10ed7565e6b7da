#include "frictionbench/problem/contact_columns.hpp"

#include <algorithm>

#include "frictionbench/math/components.hpp"
#include "frictionbench/problem/internal/first_fit.hpp"
#include "frictionbench/problem/reduction.hpp"

namespace frictionbench {

namespace {

// The bodies that each block acts on, increasing.
std::vector<std::vector<int>> bodies_of_blocks(const SparseMatrix& H, const BlockShape& shape,
                                               const std::vector<Index>& body) {
  std::vector<std::vector<int>> bodies(static_cast<std::size_t>(shape.count()));
  for (Index row = 0; row < H.rows(); ++row) {
    const int own = static_cast<int>(body[static_cast<std::size_t>(row)]);
    for (SparseMatrix::InnerIterator entry(H, row); entry; ++entry) {
      if (entry.value() == 0) continue;
      auto& of_block = bodies[static_cast<std::size_t>(shape.at_row(entry.col()))];
      const auto place = std::ranges::lower_bound(of_block, own);
      if (place == of_block.end() || *place != own) of_block.insert(place, own);
    }
  }
  return bodies;
}

}  // namespace

ContactColumns::ContactColumns(const GlobalForm& form, BlockShape shape)
    : shape_(std::move(shape)) {
  const MassSolver solve = mass_solver(form.M);
  free_velocity_ = solve(form.f);
  q_ = form.H.transpose() * free_velocity_ + form.w;
  find_dofs(form.M, form.H);
  take_H(form.H);

  inverse_times_H_.resize(H_.size());
  Index most_rows = 0;
  for (Index i = 0; i < shape_.count(); ++i) most_rows = std::max(most_rows, shape_.rows(i));
  Matrix right(form.M.rows(), most_rows);
  for (const std::vector<int>& group : groups_) {
    right.setZero();
    for (const int i : group) {
      const double* h = H(i);
      for (const int dof : dofs_of(i))
        for (Index a = 0; a < shape_.rows(i); ++a) right(dof, a) = *h++;
    }
    const Matrix solution = solve(right);
    for (const int i : group) {
      double* g = inverse_times_H_.data() + first_value(i);
      for (const int dof : dofs_of(i))
        for (Index a = 0; a < shape_.rows(i); ++a) *g++ = solution(dof, a);
    }
  }
}

void ContactColumns::find_dofs(const SparseMatrix& M, const SparseMatrix& H) {
  const std::vector<Index> body = bodies_of(M);
  const std::vector<std::vector<Index>> bodies = members(body);
  const auto bodies_of_block = bodies_of_blocks(H, shape_, body);
  groups_ = first_fit(bodies_of_block, bodies.size());

  first_entry_.push_back(0);
  first_value_.push_back(0);
  for (Index i = 0; i < shape_.count(); ++i) {
    Index entries = 0;
    for (const int b : bodies_of_block[static_cast<std::size_t>(i)])
      entries += static_cast<Index>(bodies[static_cast<std::size_t>(b)].size());
    first_entry_.push_back(first_entry_.back() + entries);
    first_value_.push_back(first_value_.back() + entries * shape_.rows(i));
  }
  dof_.reserve(static_cast<std::size_t>(first_entry_.back()));
  for (const std::vector<int>& of_block : bodies_of_block) {
    const auto first = static_cast<std::ptrdiff_t>(dof_.size());
    for (const int b : of_block)
      for (const Index dof : bodies[static_cast<std::size_t>(b)])
        dof_.push_back(static_cast<int>(dof));
    std::sort(dof_.begin() + first, dof_.end());
  }
}

void ContactColumns::take_H(const SparseMatrix& H) {
  H_.assign(static_cast<std::size_t>(first_value_.back()), 0);
  for (Index row = 0; row < H.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(H, row); entry; ++entry) {
      if (entry.value() == 0) continue;
      const Index i = shape_.at_row(entry.col());
      const auto dofs = dofs_of(i);
      const Index place = std::ranges::lower_bound(dofs, static_cast<int>(row)) - dofs.begin();
      H_[first_value(i) + static_cast<std::size_t>(place * shape_.rows(i) + entry.col() -
                                                   shape_.start(i))] += entry.value();
    }
}

BlockMatrix ContactColumns::diagonal_block(Index i) const {
  const Index rows = shape_.rows(i);
  const double* h = H(i);
  const double* g = inverse_times_H(i);
  BlockMatrix block = BlockMatrix::Zero(rows, rows);
  for (std::size_t k = 0; k < dofs_of(i).size(); ++k, h += rows, g += rows)
    for (Index b = 0; b < rows; ++b)
      for (Index a = 0; a < rows; ++a) block(a, b) += h[a] * g[b];
  return block;
}

Vector ContactColumns::delassus_diagonal() const {
  Vector diagonal(shape_.order());
  for (Index i = 0; i < shape_.count(); ++i)
    diagonal.segment(shape_.start(i), shape_.rows(i)) = diagonal_block(i).diagonal();
  return diagonal;
}

Vector ContactColumns::generalized_velocity(const Vector& r) const {
  Vector v = free_velocity_;
  for (Index i = 0; i < shape_.count(); ++i)
    add_impulse(i, r.segment(shape_.start(i), shape_.rows(i)), v);
  return v;
}

Vector ContactColumns::contact_velocity(const Vector& v) const {
  Vector u = Vector::Zero(shape_.order());
  for (Index i = 0; i < shape_.count(); ++i) {
    auto u_i = u.segment(shape_.start(i), shape_.rows(i));
    add_velocity(i, v, u_i);
  }
  return u;
}

}  // namespace frictionbench
