#include "frictionbench/problem/islands.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "frictionbench/math/components.hpp"
#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/problem/contact_columns.hpp"

namespace frictionbench {

namespace {

// Whether the entries of a row of W are in the columns of those of the row above: of most rows of a
// block, so that what is found out about columns holds for several rows.
bool repeats_row_above(const SparseMatrix& W, Index row) {
  const int* const starts = W.outerIndexPtr() + row - 1;
  const int* const columns = W.innerIndexPtr();
  return std::equal(columns + starts[0], columns + starts[1], columns + starts[1],
                    columns + starts[2]);
}

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

Vector part_of(const Vector& x, std::span<const Index> blocks) {
  if (x.size() == 0) return x;
  return x(blocks);
}

Vector part_of(const ContactProblem& problem, const Vector& x, const std::vector<Index>& blocks) {
  return with_blocks(problem, [&](const auto& all) {
    Index rows = 0;
    for (const Index i : blocks) rows += all.rows(i);
    Vector part(rows);
    Index at = 0;
    for (const Index i : blocks) {
      part.segment(at, all.rows(i)) = all.of(x, i);
      at += all.rows(i);
    }
    return part;
  });
}

void set_part(const ContactProblem& problem, Vector& x, const std::vector<Index>& blocks,
              const Vector& part) {
  with_blocks(problem, [&](const auto& all) {
    Index at = 0;
    for (const Index i : blocks) {
      all.of(x, i) = part.segment(at, all.rows(i));
      at += all.rows(i);
    }
  });
}

std::vector<SetPointer> other_sets_of(const ContactProblem& problem,
                                      const std::vector<Index>& blocks) {
  std::vector<SetPointer> sets;
  for (auto i = std::ranges::lower_bound(blocks, problem.mu().size()); i != blocks.end(); ++i)
    sets.push_back(problem.layout()->sets[static_cast<std::size_t>(*i)]);
  return sets;
}

namespace {

// Returned into the problem that is made of it: a form that is moved would be copied, as Eigen 3.4 does
// with sparse matrices.
LocalForm form_of_part(const ContactProblem& problem, const std::vector<Index>& blocks) {
  const SparseMatrix& W = problem.rigid_W();
  LocalForm form;
  form.q = part_of(problem, problem.local().q, blocks);
  form.W.resize(form.q.size(), form.q.size());
  with_blocks(problem, [&](const auto& all) {
    const int* const given = W.outerIndexPtr();
    Index entries = 0;
    for (const Index i : blocks) entries += given[all.start(i) + all.rows(i)] - given[all.start(i)];
    form.W.resizeNonZeros(entries);
    int* const starts = form.W.outerIndexPtr();
    int* const columns = form.W.innerIndexPtr();
    double* const values = form.W.valuePtr();
    int end = 0;
    const auto take_row = [&](Index of_whole) {
      auto column = blocks.begin();  // columns of a row increase, as blocks do
      Index first = 0;               // column of the part where that block begins
      for (SparseMatrix::InnerIterator entry(W, of_whole); entry; ++entry) {
        const Index block = all.at_row(entry.col());
        while (column != blocks.end() && *column < block) first += all.rows(*column++);
        if (column == blocks.end()) break;
        if (*column != block) continue;  // a zero that is stored
        columns[end] = static_cast<int>(first + entry.col() - all.start(block));
        values[end++] = entry.value();
      }
    };
    Index row = 0;
    for (const Index i : blocks)
      for (Index of_whole = all.start(i); of_whole < all.start(i) + all.rows(i); ++of_whole) {
        const int count = given[of_whole + 1] - given[of_whole];
        const bool is_first = of_whole == all.start(i);
        if (!is_first && end - starts[row - 1] == count && repeats_row_above(W, of_whole)) {
          std::copy_n(columns + starts[row - 1], count, columns + end);
          std::copy_n(W.valuePtr() + given[of_whole], count, values + end);
          end += count;
        } else {
          take_row(of_whole);
        }
        starts[++row] = end;
      }
    form.W.resizeNonZeros(end);
  });
  return form;
}

}  // namespace

ContactProblem part_of(const ContactProblem& problem, const std::vector<Index>& blocks) {
  const auto first_other = std::ranges::lower_bound(blocks, problem.mu().size());
  ContactProblem part(problem.dimension(), part_of(problem.mu(), {blocks.begin(), first_other}),
                      form_of_part(problem, blocks), other_sets_of(problem, blocks));
  if (problem.compliance().size() == 0) return part;
  return part.with_compliance(part_of(problem, problem.compliance(), blocks));
}

}  // namespace frictionbench
