#include "frictionbench/math/sparse.hpp"

#include <gtest/gtest.h>

namespace frictionbench {
namespace {

TEST(Sparse, IsAssembledFromEntriesInAnyOrder) {
  const Triplets entries{{1, 2, 3}, {0, 1, 0}, {1, 0, 5}, {1, 2, 4}};
  const Matrix expected{{0, 0, 0}, {5, 0, 7}};
  const SparseMatrix by_rows = assembled(2, 3, entries);
  const ColumnMatrix by_columns = assembled<ColumnMatrix>(2, 3, entries);
  EXPECT_EQ(Matrix(by_rows), expected);
  EXPECT_EQ(Matrix(by_columns), expected);
  EXPECT_EQ(by_rows.nonZeros(), 3) << "a zero is stored";
  EXPECT_EQ(by_columns.nonZeros(), 3);
}

TEST(Sparse, PartHasTheEntriesOfChosenRowsAndColumns) {
  const SparseMatrix A = assembled(
      4, 4, {{0, 0, 1}, {0, 3, 2}, {1, 1, 3}, {2, 0, 4}, {2, 2, 0}, {2, 3, 5}, {3, 1, 6}});
  const SparseMatrix part = submatrix(A, {0, 2, 3}, {0, 2});
  EXPECT_EQ(Matrix(part), (Matrix{{1, 0}, {4, 0}, {0, 0}}));
  EXPECT_EQ(part.nonZeros(), 3) << "a zero that A stores";
  EXPECT_TRUE(part.isCompressed());
  const SparseMatrix none = submatrix(A, {}, {1});
  EXPECT_EQ(none.rows(), 0);
  EXPECT_EQ(none.cols(), 1);
}

}  // namespace
}  // namespace frictionbench
