#include "frictionbench/problem/islands.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "frictionbench/linalg/components.hpp"
#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench {

namespace {

// Calls touch(i, j) for contacts whose block W_ij has an entry other than zero, once or more.
template <typename Touch>
void for_each_touch(const ContactProblem& problem, const Touch& touch) {
  const SparseMatrix& W = problem.local().W;
  with_dimension(problem.dimension(), [&](auto dim) {
    for (Index row = 0; row < W.rows(); ++row) {
      const Index i = row / dim();
      Index last = i;  // in most rows the entries of a block follow each other
      for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry) {
        const Index j = entry.col() / dim();
        if (j == last || entry.value() == 0) continue;
        touch(i, j);
        last = j;
      }
    }
  });
}

constexpr Index most_in_a_set = 64;

// The same for few contacts, each a bit of a set.
std::vector<std::vector<Index>> several_islands_of_few(const ContactProblem& problem) {
  using Set = std::uint64_t;
  const Index n = problem.contacts();
  const auto only = [](Index i) { return Set{1} << i; };
  std::array<Set, most_in_a_set> touched{};
  for_each_touch(problem,
                 [&](Index i, Index j) { touched[static_cast<std::size_t>(i)] |= only(j); });

  const Set all = n == most_in_a_set ? ~Set{0} : only(n) - 1;
  std::vector<std::vector<Index>> found;
  for (Set left = all; left != 0;) {
    // A set grows by all that touch it or that it touches, until it does not any more.
    Set island = left & -left, before = 0;
    while (island != before && island != all) {
      before = island;
      for (Index i = 0; i < n; ++i) {
        const Set own = touched[static_cast<std::size_t>(i)] | only(i);
        if ((own & island) != 0) island |= own;
      }
    }
    if (island == all) return {};
    std::vector<Index>& contacts = found.emplace_back();
    for (Index i = 0; i < n; ++i)
      if ((island & only(i)) != 0) contacts.push_back(i);
    left &= ~island;
  }
  return found;
}

}  // namespace

std::vector<Index> islands(const ContactProblem& problem) {
  Components components(problem.contacts());
  for_each_touch(problem, [&](Index i, Index j) { components.join(i, j); });
  return components.numbers();
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

std::vector<std::vector<Index>> several_islands(const ContactProblem& problem) {
  if (problem.contacts() <= most_in_a_set) return several_islands_of_few(problem);
  auto found = members(islands(problem));
  if (found.size() == 1) found.clear();
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
  form.W.resizeNonZeros(entries);
  int* const starts = form.W.outerIndexPtr();
  Index end = 0, row = 0;
  for (const Index i : contacts)
    for (Index a = 0; a < dim; ++a) {
      auto column = contacts.begin();  // columns of a row increase, as contacts do
      for (SparseMatrix::InnerIterator entry(W, dim * i + a); entry; ++entry) {
        const Index contact = entry.col() / dim;
        while (column != contacts.end() && *column < contact) ++column;
        if (column == contacts.end()) break;
        if (*column != contact) continue;  // a zero that is stored
        form.W.innerIndexPtr()[end] =
            static_cast<int>(dim * (column - contacts.begin() - contact) + entry.col());
        form.W.valuePtr()[end++] = entry.value();
      }
      starts[++row] = static_cast<int>(end);
    }
  form.W.resizeNonZeros(end);

  ContactProblem part(problem.dimension(), part_of(problem.mu(), contacts, 1), std::move(form));
  if (problem.compliance().size() == 0) return part;
  return part.with_compliance(part_of(problem.compliance(), contacts, dim));
}

}  // namespace frictionbench
