#include "frictionbench/problem/part.hpp"

#include <algorithm>

#include "frictionbench/math/sparse.hpp"
#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/problem/internal/repeated_rows.hpp"
#include "frictionbench/problem/reduction.hpp"

namespace frictionbench {

namespace {

// Returned into the problem that is made of it: a form that is moved would be copied, as Eigen 3.4 does
// with sparse matrices.
LocalForm local_form(const ContactProblem& problem, const std::vector<Index>& blocks) {
  const SparseMatrix& W = problem.rigid_W();
  LocalForm form;
  form.q = rows_of(problem, problem.local().q, blocks);
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
        if (*column != block) continue;  // of a block that is left out
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

// The same for the global form.
GlobalForm global_form(const ContactProblem& problem, const std::vector<Index>& blocks,
                       const std::vector<Index>& dofs) {
  const GlobalForm& whole = *problem.global();
  const std::vector<Index> rows = row_numbers(problem, blocks);
  return {submatrix(whole.M, dofs, dofs), submatrix(whole.H, dofs, rows), whole.f(dofs),
          whole.w(rows)};
}

// \param form `form()` makes it.
template <typename MakeForm>
ContactProblem rigid_part(const ContactProblem& problem, const std::vector<Index>& blocks,
                          const MakeForm& form) {
  const auto first_other = std::ranges::lower_bound(blocks, problem.mu().size());
  return ContactProblem(problem.dimension(), blocks_of(problem.mu(), {blocks.begin(), first_other}),
                        form(), other_sets_of(problem, blocks));
}

ContactProblem with_compliance(ContactProblem part, const ContactProblem& problem,
                               const std::vector<Index>& blocks) {
  if (problem.compliance().size() == 0) return part;
  return part.with_compliance(rows_of(problem, problem.compliance(), blocks));
}

}  // namespace

Vector blocks_of(const Vector& x, std::span<const Index> blocks) {
  if (x.size() == 0) return x;
  return x(blocks);
}

Vector rows_of(const ContactProblem& problem, const Vector& x, const std::vector<Index>& blocks) {
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

void set_rows(const ContactProblem& problem, Vector& x, const std::vector<Index>& blocks,
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

std::vector<Index> row_numbers(const ContactProblem& problem, const std::vector<Index>& blocks) {
  std::vector<Index> rows;
  for (const Index i : blocks)
    for (Index row = problem.block_start(i); row < problem.block_start(i + 1); ++row)
      rows.push_back(row);
  return rows;
}

Dofs dofs_of(const ContactProblem& problem, const std::vector<Index>& blocks, Bodies bodies) {
  const GlobalForm& global = *problem.global();
  const Index n = global.M.rows();
  std::vector<bool> is_kept(static_cast<std::size_t>(problem.unknowns()));
  for (const Index row : row_numbers(problem, blocks))
    is_kept[static_cast<std::size_t>(row)] = true;
  const std::vector<Index> body = bodies_of(global.M);
  std::vector<bool> inside(static_cast<std::size_t>(n)), outside(static_cast<std::size_t>(n));
  for (Index row = 0; row < n; ++row)
    for (SparseMatrix::InnerIterator entry(global.H, row); entry; ++entry) {
      if (entry.value() == 0) continue;
      const auto touched = static_cast<std::size_t>(body[static_cast<std::size_t>(row)]);
      (is_kept[static_cast<std::size_t>(entry.col())] ? inside : outside)[touched] = true;
    }

  Dofs dofs;
  for (Index row = 0; row < n; ++row) {
    const auto k = static_cast<std::size_t>(body[static_cast<std::size_t>(row)]);
    if (bodies == Bodies::touched && !inside[k]) continue;
    dofs.kept.push_back(row);
    if (outside[k]) dofs.alone = false;
  }
  return dofs;
}

ContactProblem global_part_of(const ContactProblem& problem, const std::vector<Index>& blocks,
                              const std::vector<Index>& dofs) {
  const auto form = [&] { return global_form(problem, blocks, dofs); };
  return with_compliance(rigid_part(problem, blocks, form), problem, blocks);
}

ContactProblem part_of(const ContactProblem& problem, const std::vector<Index>& blocks,
                       ProblemForm form) {
  const auto local = [&] { return local_form(problem, blocks); };
  const auto global = [&] {
    return global_form(problem, blocks, dofs_of(problem, blocks, Bodies::touched).kept);
  };
  return with_compliance(form == ProblemForm::local
                             ? rigid_part(problem, blocks, local)
                             : rigid_part(problem, blocks, global).with_reduction(local()),
                         problem, blocks);
}

}  // namespace frictionbench
