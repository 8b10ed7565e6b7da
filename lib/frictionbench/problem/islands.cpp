#include "frictionbench/problem/islands.hpp"

#include <array>
#include <cstdint>

#include "frictionbench/math/components.hpp"
#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/problem/contact_columns.hpp"
#include "frictionbench/problem/internal/repeated_rows.hpp"

namespace frictionbench {

namespace {

// Calls touch(i, j) for blocks whose W_ij has an entry other than zero, once or more.
template <typename Touch>
void for_each_touch(const ContactProblem& problem, const Touch& touch) {
  const SparseMatrix& W = problem.local().W;
  with_blocks(problem, [&](const auto& blocks) {
    for (Index i = 0; i < blocks.count(); ++i) {
      bool has_zeros = false;  // the row above
      for (Index row = blocks.start(i); row < blocks.start(i) + blocks.rows(i); ++row) {
        if (row > blocks.start(i) && !has_zeros && repeats_row_above(W, row)) continue;
        has_zeros = false;
        Index first = blocks.start(i), end = first + blocks.rows(i);  // of the block that is known
        for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry) {
          const Index col = entry.col();
          if (first <= col && col < end) continue;
          if (entry.value() == 0) {
            has_zeros = true;
            continue;
          }
          const Index j = blocks.at_row(col);
          touch(i, j);
          first = blocks.start(j);
          end = first + blocks.rows(j);
        }
      }
    }
  });
}

constexpr Index most_in_a_set = 64;

// The same for few blocks, each a bit of a set.
std::vector<std::vector<Index>> several_islands_of_few(const ContactProblem& problem) {
  using Set = std::uint64_t;
  const Index n = problem.blocks();
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
    std::vector<Index>& blocks = found.emplace_back();
    for (Index i = 0; i < n; ++i)
      if ((island & only(i)) != 0) blocks.push_back(i);
    left &= ~island;
  }
  return found;
}

}  // namespace

std::vector<Index> islands(const ContactProblem& problem) {
  Components components(problem.blocks());
  if (!problem.has_W()) {
    const ContactColumns& columns = problem.columns();
    constexpr Index none = -1;
    std::vector<Index> first(static_cast<std::size_t>(columns.dofs()), none);  // block on each
    for (Index i = 0; i < problem.blocks(); ++i)
      for (const int dof : columns.dofs_of(i)) {
        Index& other = first[static_cast<std::size_t>(dof)];
        if (other == none)
          other = i;
        else
          components.join(i, other);
      }
    return components.numbers();
  }
  for_each_touch(problem, [&](Index i, Index j) { components.join(i, j); });
  return components.numbers();
}

std::vector<std::vector<Index>> several_islands(const ContactProblem& problem) {
  if (problem.blocks() <= most_in_a_set) return several_islands_of_few(problem);
  auto found = members(islands(problem));
  if (found.size() == 1) found.clear();
  return found;
}

}  // namespace frictionbench
