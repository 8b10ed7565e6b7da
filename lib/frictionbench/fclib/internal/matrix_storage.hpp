/// \file
/// FCLIB's three sparse storages to and from the one that the library uses.
#pragma once

#include <span>
#include <vector>

#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/hdf5/internal/hdf5.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench::fclib {

/// A size that a matrix must have, and why.
struct ExpectedSize {
  Index value;
  const char* meaning;
};

/// Reads a matrix group (`m`, `n`, `nz`, `nzmax`, `p`, `i`, `x`) in any storage. Entries of a row
/// come out sorted by column; duplicates are summed, explicit zeros kept.
/// \throws FileError if the size is not the expected one, if pointers or indices are out of order
///         or range, or if lengths disagree. Declared sizes are checked before memory is allocated.
SparseMatrix read_matrix(const HdfGroup& group, ExpectedSize rows, ExpectedSize cols);

/// The number of entries that a matrix group declares, duplicates included, without reading them.
/// \throws FileError as read_matrix, for what is wrong with sizes.
Index stored_entries(const HdfGroup& group, ExpectedSize rows, ExpectedSize cols);

/// A matrix as FCLIB stores it: `p` and `i` are pointers and indices of compressed storages, and
/// column and row indices of the triplet storage.
struct StoredMatrix {
  int rows;
  int cols;
  int nz;  ///< number of triplets, -1 for compressed columns, -2 for compressed rows
  std::vector<int> p;
  std::vector<int> i;
  std::vector<double> x;
};

StoredMatrix to_storage(const SparseMatrix& matrix, Storage storage);

/// Entries given as (row, column, value) in any order, as a matrix; duplicates are summed in the
/// order given. Indices must be in range.
SparseMatrix from_triplets(int rows, int cols, std::span<const int> row, std::span<const int> col,
                           std::span<const double> value);

}  // namespace frictionbench::fclib
