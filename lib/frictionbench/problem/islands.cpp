#include "frictionbench/problem/islands.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "frictionbench/linalg/components.hpp"
#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench {

std::vector<Index> islands(const ContactProblem& problem) {
  Components components(problem.contacts());
  const SparseMatrix& W = problem.local().W;
  const Index dim = problem.dimension();
  for (Index row = 0; row < W.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry)
      if (entry.value() != 0) components.join(row / dim, entry.col() / dim);
  return components.numbers();
}

bool is_one_island(const ContactProblem& problem) {
  const Index n = problem.contacts();
  if (n > 64) {
    const std::vector<Index> island = islands(problem);
    return std::all_of(island.begin(), island.end(), [](Index k) { return k == 0; });
  }
  using Set = std::uint64_t;  // contact i is bit i
  const auto only = [](Index i) { return Set{1} << i; };
  std::array<Set, 64> touched{};
  const SparseMatrix& W = problem.local().W;
  with_dimension(problem.dimension(), [&](auto dim) {
    for (Index row = 0; row < W.rows(); ++row)
      for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry)
        if (entry.value() != 0)
          touched[static_cast<std::size_t>(row / dim())] |= only(entry.col() / dim());
  });
  // One set grows by all that touch it or that it touches, until it does not any more.
  const Set all = n == 64 ? ~Set{0} : only(n) - 1;
  Set island = 1, before = 0;
  while (island != before && island != all) {
    before = island;
    for (Index i = 0; i < n; ++i) {
      const Set own = touched[static_cast<std::size_t>(i)] | only(i);
      if ((own & island) != 0) island |= own;
    }
  }
  return island == all || n == 0;
}

std::vector<std::vector<Index>> members(const std::vector<Index>& island) {
  std::vector<std::vector<Index>> found;
  for (std::size_t i = 0; i < island.size(); ++i) {
    const auto k = static_cast<std::size_t>(island[i]);
    if (k == found.size()) found.emplace_back();
    found[k].push_back(static_cast<Index>(i));
  }
  return found;
}

Vector part_of(const Vector& x, const std::vector<Index>& contacts, Index dim) {
  Vector part(dim * static_cast<Index>(contacts.size()));
  Index at = 0;
  for (const Index i : contacts) {
    part.segment(at, dim) = x.segment(dim * i, dim);
    at += dim;
  }
  return part;
}

void set_part(Vector& x, const std::vector<Index>& contacts, Index dim, const Vector& part) {
  Index at = 0;
  for (const Index i : contacts) {
    x.segment(dim * i, dim) = part.segment(at, dim);
    at += dim;
  }
}

ContactProblem part_of(const ContactProblem& problem, const std::vector<Index>& contacts) {
  eigen_assert(problem.bilateral_rows() == 0);
  const Index dim = problem.dimension();
  const SparseMatrix& W = problem.rigid_W();
  LocalForm form;
  form.q = part_of(problem.local().q, contacts, dim);
  form.W.resize(form.q.size(), form.q.size());
  Index entries = 0;
  for (const Index i : contacts)
    entries += W.outerIndexPtr()[dim * (i + 1)] - W.outerIndexPtr()[dim * i];
  form.W.reserve(entries);
  for (Index row = 0; row < form.q.size(); ++row) {
    form.W.startVec(row);
    auto column = contacts.begin();  // columns of a row increase, as contacts do
    for (SparseMatrix::InnerIterator entry(
             W, dim * contacts[static_cast<std::size_t>(row / dim)] + row % dim);
         entry; ++entry) {
      const Index contact = entry.col() / dim;
      while (column != contacts.end() && *column < contact) ++column;
      if (column == contacts.end()) break;
      if (*column != contact) continue;  // a zero that is stored
      form.W.insertBack(row, dim * (column - contacts.begin()) + entry.col() % dim) = entry.value();
    }
  }
  form.W.finalize();

  ContactProblem part(problem.dimension(), part_of(problem.mu(), contacts, 1), std::move(form));
  if (problem.compliance().size() == 0) return part;
  return part.with_compliance(part_of(problem.compliance(), contacts, dim));
}

}  // namespace frictionbench
