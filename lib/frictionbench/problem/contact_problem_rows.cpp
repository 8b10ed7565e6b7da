// Rows behind those of a problem: put there, and taken out again.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "frictionbench/math/sparse.hpp"
#include "frictionbench/problem/contact_problem.hpp"
#include "frictionbench/problem/internal/checks.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench {

namespace {

// Appends the entries of A, moved by (row, col).
void append(Triplets& entries, const SparseMatrix& A, Index row, Index col) {
  for (Index k = 0; k < A.rows(); ++k)
    for (SparseMatrix::InnerIterator entry(A, k); entry; ++entry)
      entries.emplace_back(static_cast<int>(row + k), static_cast<int>(col + entry.col()),
                           entry.value());
}

std::vector<Index> range(Index first, Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

double largest_entry(const SparseMatrix& A) {
  return A.nonZeros() > 0 ? A.coeffs().abs().maxCoeff() : 0;
}

Vector joined(const Vector& first, const Vector& second) {
  Vector both(first.size() + second.size());
  both << first, second;
  return both;
}

// The sets of the blocks behind friction cones once `rows` more are there. \param added their sets; none:
// bilateral rows. \param piece that has an entry for each row.
std::vector<SetPointer> sets_of_rows(std::vector<SetPointer> sets, std::vector<SetPointer> added,
                                     Index rows, const char* piece) {
  if (added.empty()) added.assign(static_cast<std::size_t>(rows), equality());
  Index expected = 0;
  for (const SetPointer& set : added) expected += set->dimension();
  if (expected != rows)
    throw InvalidProblem(
        piece, fmt::format("has {} entries, expected {} (rows of its sets)", rows, expected));
  sets.insert(sets.end(), added.begin(), added.end());
  return sets;
}

}  // namespace

ContactProblem ContactProblem::with_rows(LocalRows rows, std::vector<SetPointer> sets) const {
  eigen_assert(form() == ProblemForm::local && compliance().size() == 0);
  const Index m = unknowns(), p = rows.s.size();
  check_matrix("V", rows.V, m, p, "size of W, entries of vectors/s");
  check_matrix("R", rows.R, p, p, "entries of vectors/s");
  check_vector("vectors/s", rows.s, p, "columns of V");
  Triplets entries;
  append(entries, rigid_W(), 0, 0);
  append(entries, rows.V, 0, m);
  append(entries, SparseMatrix(rows.V.transpose()), m, 0);
  append(entries, rows.R, m, m);
  return {dimension(), mu(), LocalForm{assembled(m + p, m + p, entries), joined(local().q, rows.s)},
          sets_of_rows(other_sets(), std::move(sets), p, "vectors/s")};
}

ContactProblem ContactProblem::with_rows(GlobalRows rows, std::vector<SetPointer> sets) const {
  eigen_assert(form() == ProblemForm::global && compliance().size() == 0);
  const GlobalForm& own = *global();
  const Index n = own.M.rows(), m = unknowns(), p = rows.b.size();
  check_matrix("G", rows.G, n, p, "size of M, entries of vectors/b");
  check_vector("vectors/b", rows.b, p, "columns of G");
  Triplets entries;
  append(entries, own.H, 0, 0);
  append(entries, rows.G, 0, m);
  return {dimension(), mu(),
          GlobalForm{own.M, assembled(n, m + p, entries), own.f, joined(own.w, rows.b)},
          sets_of_rows(other_sets(), std::move(sets), p, "vectors/b")};
}

LocalRows ContactProblem::local_rows(Index first, Index count) const {
  constexpr double rounding = 1e-9;  // of the largest entry
  const LocalView form = local();
  const std::vector<Index> before = range(0, first), own = range(first, count);
  LocalRows rows{submatrix(rigid_W(), before, own), submatrix(rigid_W(), own, own),
                 form.q.segment(first, count)};
  const SparseMatrix below = submatrix(rigid_W(), own, before);
  const SparseMatrix above = rows.V.transpose();
  if (largest_entry(below - above) >
      rounding * std::max(largest_entry(below), largest_entry(above)))
    throw InvalidProblem("W", fmt::format("rows {} to {} act on those before them in another way "
                                          "than those on them",
                                          first, first + count - 1));
  return rows;
}

GlobalRows ContactProblem::global_rows(Index first, Index count) const {
  return {submatrix(global()->H, range(0, global()->H.rows()), range(first, count)),
          global()->w.segment(first, count)};
}

}  // namespace frictionbench
