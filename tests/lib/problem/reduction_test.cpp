#include "frictionbench/problem/reduction.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/problems.hpp"

namespace frictionbench {
namespace {

// Bodies of these sizes, their degrees of freedom not one after the other, and contacts that each
// act on two of them, or on one alone.
GlobalForm form_of(const std::vector<Index>& sizes, Index contacts, bool symmetric) {
  std::vector<std::vector<Index>> rows(sizes.size());
  Index n = 0;
  for (Index k = 0; k < 40; ++k)
    for (std::size_t b = 0; b < sizes.size(); ++b)
      if (k < sizes[b]) rows[b].push_back(n++);

  std::mt19937 generator(3);
  Matrix M = Matrix::Zero(n, n), H = Matrix::Zero(n, 3 * contacts);
  for (const std::vector<Index>& body : rows) {
    const auto size = static_cast<Index>(body.size());
    Matrix A = test::random_matrix(size, size, generator);
    A = A * A.transpose() + Matrix::Identity(size, size);
    if (!symmetric) A(0, size - 1) += 0.5;
    M(body, body) = A;
  }
  for (Index i = 0; i < contacts; ++i)
    for (const Index b : {i, 3 * i + 1}) {
      const std::vector<Index>& body = rows[static_cast<std::size_t>(b) % rows.size()];
      const auto size = static_cast<Index>(body.size());
      const std::vector<Index> columns{3 * i, 3 * i + 1, 3 * i + 2};
      H(body, columns) += test::random_matrix(size, 3, generator);
    }
  return {test::sparse(M), test::sparse(H), test::random_matrix(n, 1, generator),
          test::random_matrix(3 * contacts, 1, generator)};
}

// With 40 contacts on 2 bodies more columns share a body than are solved at once.
TEST(Reduction, OfBodiesOfAllSizes) {
  for (const std::vector<Index>& sizes :
       {std::vector<Index>{6, 6, 6, 6, 6, 6, 6}, {1, 40, 6, 3, 1}, {30}, {12, 6}})
    for (const bool symmetric : {true, false}) {
      const GlobalForm form = form_of(sizes, 40, symmetric);
      const Reduction reduction = reduce(form);
      const Matrix H = form.H, inverse = Matrix(form.M).inverse();
      const Matrix W = H.transpose() * inverse * H;
      EXPECT_LE((Matrix(reduction.local.W) - W).norm(), 1e-12 * W.norm());
      EXPECT_LE((reduction.local.q - H.transpose() * inverse * form.f - form.w).norm(), 1e-10);
      EXPECT_LE((form.M * reduction.solve_mass(form.f) - form.f).norm(), 1e-11 * form.f.norm());
    }
}

TEST(Reduction, HasNoEntriesForContactsWithoutACommonBody) {
  const GlobalForm form = form_of({6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}, 12, true);
  const SparseMatrix HtH = SparseMatrix(form.H.transpose()) * form.H;
  const Reduction reduction = reduce(form);
  EXPECT_EQ(reduction.local.W.nonZeros(), HtH.nonZeros());
  EXPECT_LT(HtH.nonZeros(), 36 * 36 / 2);
}

}  // namespace
}  // namespace frictionbench
