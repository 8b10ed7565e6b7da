#include "frictionbench/fclib/internal/matrix_storage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frictionbench/math/sparse.hpp"

namespace frictionbench::fclib {
namespace {

std::size_t length(Index count) { return static_cast<std::size_t>(count); }

/// What the scalars of a matrix group say.
struct Header {
  int rows;
  int cols;
  int nz;
  int capacity;  ///< `nzmax`
};

int read_size(const HdfGroup& group, const char* name, ExpectedSize expected) {
  const int size = group.integer(name);
  if (size != expected.value)
    group.place().child(name).fail(
        fmt::format("is {}, expected {} ({})", size, expected.value, expected.meaning));
  return size;
}

Header read_header(const HdfGroup& group, ExpectedSize rows, ExpectedSize cols) {
  const Header header{.rows = read_size(group, "m", rows),
                      .cols = read_size(group, "n", cols),
                      .nz = group.integer("nz"),
                      .capacity = group.integer("nzmax")};
  if (header.nz < -2)
    group.place().child("nz").fail(fmt::format(
        "is {}, expected -2 (compressed rows), -1 (compressed columns) or a number of triplets",
        header.nz));
  if (header.capacity < std::max(header.nz, 0))
    group.place().child("nzmax").fail(
        fmt::format("is {}, expected at least {}", header.capacity, std::max(header.nz, 0)));
  return header;
}

void check_indices(std::span<const int> indices, int bound, const HdfPlace& place,
                   const char* meaning) {
  const auto bad = std::ranges::find_if(indices, [&](int k) { return k < 0 || k >= bound; });
  if (bad == indices.end()) return;
  if (bound == 0)
    place.fail(fmt::format("entry {} is {}, expected no {}", bad - indices.begin(), *bad, meaning));
  place.fail(fmt::format("entry {} is {}, expected a {} from 0 to {}", bad - indices.begin(), *bad,
                         meaning, bound - 1));
}

void check_pointers(std::span<const int> pointers, int capacity, const HdfPlace& place) {
  if (pointers.front() != 0) place.fail(fmt::format("entry 0 is {}, expected 0", pointers.front()));
  const auto drop = std::ranges::adjacent_find(pointers, std::ranges::greater{});
  if (drop != pointers.end())
    place.fail(
        fmt::format("entry {} is {}, less than the previous one ({}); pointers must not decrease",
                    drop - pointers.begin() + 1, drop[1], drop[0]));
  if (pointers.back() > capacity)
    place.fail(fmt::format("the last entry is {}, expected at most nzmax = {}", pointers.back(),
                           capacity));
}

template <typename T>
std::vector<T> read_vector(const HdfGroup& group, const char* name, Index size,
                           const char* meaning) {
  // The length is checked before memory is taken: a damaged size may be anything.
  const HdfDataset data = group.dataset(name);
  data.expect_size(size, meaning);
  std::vector<T> values(length(size));
  data.read(std::span<T>(values));
  return values;
}

/// Do the columns of every row strictly increase, within range?
bool rows_are_sorted(const SparseMatrix& matrix) {
  const int* outer = matrix.outerIndexPtr();
  const int* inner = matrix.innerIndexPtr();
  const int count = outer[matrix.rows()];
  // Count the places where columns do not increase, everywhere and then at the starts of rows: the
  // first loop runs over all entries at once and vectorises, which one over rows would not.
  int descents = 0;
  for (int k = 1; k < count; ++k) descents += inner[k] <= inner[k - 1];
  // In a row that increases, the ends are in range or nothing is.
  int outside = 0;
  for (Index row = 0; row < matrix.rows(); ++row) {
    const int start = outer[row];
    const int end = outer[row + 1];
    if (start == end) continue;
    if (start > 0) descents -= inner[start] <= inner[start - 1];
    outside |= (inner[start] < 0) | (inner[end - 1] >= matrix.cols());
  }
  return descents == 0 && !outside;
}

SparseMatrix read_compressed_rows(const HdfGroup& group, const Header& header) {
  const HdfDataset pointers = group.dataset("p");
  pointers.expect_size(Index{header.rows} + 1, "m + 1");
  const HdfDataset columns = group.dataset("i");
  columns.expect_size(header.capacity, "nzmax");
  const HdfDataset values = group.dataset("x");
  values.expect_size(header.capacity, "nzmax");

  // Straight into the matrix: this is the storage of large files.
  SparseMatrix matrix(header.rows, header.cols);
  const std::span<int> p(matrix.outerIndexPtr(), length(header.rows) + 1);
  pointers.read(p);
  check_pointers(p, header.capacity, pointers.place());
  matrix.resizeNonZeros(header.capacity);
  columns.read(std::span(matrix.innerIndexPtr(), length(header.capacity)));
  values.read(std::span(matrix.valuePtr(), length(header.capacity)));
  const int count = p.back();  // what follows is room to grow, not entries
  matrix.resizeNonZeros(count);
  const std::span<const int> i(matrix.innerIndexPtr(), length(count));
  if (!rows_are_sorted(matrix)) {
    check_indices(i, header.cols, columns.place(), "column");
    std::vector<int> rows(length(count));
    for (int row = 0; row < header.rows; ++row)
      std::fill(rows.begin() + p[length(row)], rows.begin() + p[length(row) + 1], row);
    SparseMatrix sorted = from_triplets(header.rows, header.cols, rows, i,
                                        std::span<const double>(matrix.valuePtr(), length(count)));
    matrix.swap(sorted);
  }
  // The only return: an Eigen 3.4 sparse matrix would be copied, not moved, from any other.
  return matrix;
}

SparseMatrix read_compressed_columns(const HdfGroup& group, const Header& header) {
  const auto p = read_vector<int>(group, "p", Index{header.cols} + 1, "n + 1");
  check_pointers(p, header.capacity, group.place().child("p"));
  auto rows = read_vector<int>(group, "i", header.capacity, "nzmax");
  const auto x = read_vector<double>(group, "x", header.capacity, "nzmax");
  rows.resize(length(p.back()));
  check_indices(rows, header.rows, group.place().child("i"), "row");
  std::vector<int> cols(rows.size());
  for (std::size_t col = 0; col + 1 < p.size(); ++col)
    std::fill(cols.begin() + p[col], cols.begin() + p[col + 1], static_cast<int>(col));
  return from_triplets(header.rows, header.cols, rows, cols, std::span(x).first(rows.size()));
}

SparseMatrix read_triplets(const HdfGroup& group, const Header& header) {
  // `p` holds columns and `i` rows, as in CSparse; the comment in fclib.h has them exchanged.
  const auto cols = read_vector<int>(group, "p", header.nz, "nz");
  const auto rows = read_vector<int>(group, "i", header.nz, "nz");
  check_indices(cols, header.cols, group.place().child("p"), "column");
  check_indices(rows, header.rows, group.place().child("i"), "row");
  // Early versions of the reference library write all of the memory, nzmax numbers.
  const bool is_padded = group.dataset("x").size() == header.capacity;
  const auto x = is_padded ? read_vector<double>(group, "x", header.capacity, "nzmax")
                           : read_vector<double>(group, "x", header.nz, "nz");
  return from_triplets(header.rows, header.cols, rows, cols, std::span(x).first(rows.size()));
}

}  // namespace

SparseMatrix read_matrix(const HdfGroup& group, ExpectedSize rows, ExpectedSize cols) {
  const Header header = read_header(group, rows, cols);
  if (header.nz == -2) return read_compressed_rows(group, header);
  if (header.nz == -1) return read_compressed_columns(group, header);
  return read_triplets(group, header);
}

Index stored_entries(const HdfGroup& group, ExpectedSize rows, ExpectedSize cols) {
  const Header header = read_header(group, rows, cols);
  if (header.nz >= 0) return header.nz;
  const bool by_row = header.nz == -2;
  const auto p = read_vector<int>(group, "p", Index{by_row ? header.rows : header.cols} + 1,
                                  by_row ? "m + 1" : "n + 1");
  check_pointers(p, header.capacity, group.place().child("p"));
  return p.back();
}

SparseMatrix from_triplets(int rows, int cols, std::span<const int> row, std::span<const int> col,
                           std::span<const double> value) {
  Triplets entries;
  entries.reserve(value.size());
  for (std::size_t k = 0; k < value.size(); ++k) entries.emplace_back(row[k], col[k], value[k]);
  return assembled(rows, cols, entries);  // sorts rows, sums duplicates
}

StoredMatrix to_storage(const SparseMatrix& matrix, Storage storage) {
  const auto compressed = [&](const auto& a, int nz) {
    return StoredMatrix{.rows = static_cast<int>(a.rows()),
                        .cols = static_cast<int>(a.cols()),
                        .nz = nz,
                        .p = {a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1},
                        .i = {a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros()},
                        .x = {a.valuePtr(), a.valuePtr() + a.nonZeros()}};
  };
  if (storage == Storage::compressed_columns) {
    Eigen::SparseMatrix<double, Eigen::ColMajor, int> by_column = matrix;
    by_column.makeCompressed();
    return compressed(by_column, -1);
  }
  if (!matrix.isCompressed()) {
    SparseMatrix copy = matrix;
    copy.makeCompressed();
    return to_storage(copy, storage);
  }
  StoredMatrix stored = compressed(matrix, -2);
  if (storage == Storage::compressed_rows) return stored;

  std::vector<int> rows(stored.i.size());
  for (std::size_t row = 0; row + 1 < stored.p.size(); ++row)
    std::fill(rows.begin() + stored.p[row], rows.begin() + stored.p[row + 1],
              static_cast<int>(row));
  stored.nz = static_cast<int>(stored.i.size());
  stored.p = std::move(stored.i);
  stored.i = std::move(rows);
  return stored;
}

}  // namespace frictionbench::fclib
