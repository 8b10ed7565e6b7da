#include <fmt/format.h>

#include <string>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/formats/internal/words.hpp"
#include "frictionbench/formats/siconos.hpp"
#include "frictionbench/math/sparse.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench::formats {
namespace {

// A matrix that is read, entry by entry.
struct Entries {
  const char* name;
  int rows;
  int cols;
  Triplets triplets = {};

  void check(int row, int col, const Words& words) const {
    if (row < 0 || row >= rows || col < 0 || col >= cols)
      words.fail(fmt::format("{} has an entry in row {}, column {}, but {} rows and {} columns",
                             name, row, col, rows, cols));
  }
  SparseMatrix matrix() const { return assembled(rows, cols, triplets); }
};

void read_dense(Words& words, Entries& entries) {
  if (words.integer("rows") != entries.rows || words.integer("columns") != entries.cols)
    words.fail(fmt::format("sizes of {} are repeated differently, expected {} and {}", entries.name,
                           entries.rows, entries.cols));
  if (Index{entries.rows} * entries.cols > static_cast<Index>(words.bytes_left()))
    words.fail(fmt::format("{} has {} x {} entries, more than the rest of the file can hold",
                           entries.name, entries.rows, entries.cols));
  for (int col = 0; col < entries.cols; ++col)
    for (int row = 0; row < entries.rows; ++row)
      if (const double value = words.real("an entry"); value != 0)
        entries.triplets.emplace_back(row, col, value);
}

// Where blocks end, as rows or columns: increasing, the last one the size of the matrix.
std::vector<int> read_ends(Words& words, int count, int size, const char* meaning) {
  std::vector<int> ends;
  for (int k = 0; k < count; ++k) {
    const int end = words.integer(meaning);
    if (end < (ends.empty() ? 0 : ends.back()) || end > size)
      words.fail(fmt::format("is {}, expected {} from {} to {}", end, meaning,
                             ends.empty() ? 0 : ends.back(), size));
    ends.push_back(end);
  }
  if ((ends.empty() ? 0 : ends.back()) != size)
    words.fail(fmt::format("blocks end at {} instead of {}", ends.empty() ? 0 : ends.back(), size));
  return ends;
}

void read_blocks(Words& words, Entries& entries) {
  const int blocks = words.count("a number of blocks");
  if (blocks == 0) return;
  const int block_rows = words.count("a number of block rows");
  const int block_cols = words.count("a number of block columns");
  const std::vector<int> row_ends =
      read_ends(words, block_rows, entries.rows, "the end of a block row");
  const std::vector<int> col_ends =
      read_ends(words, block_cols, entries.cols, "the end of a block column");
  const int begins = words.count("a number of block rows");
  const int listed = words.count("a number of blocks");
  if (begins > block_rows + 1 || listed < blocks)
    words.fail(fmt::format("lists have {} and {} numbers, expected at most {} and at least {}",
                           begins, listed, block_rows + 1, blocks));
  const std::vector<int> begin = words.integers(begins, "the first block of a block row");
  const std::vector<int> col = words.integers(listed, "a block column");
  const auto of = [](const std::vector<int>& list, int k) {
    return list[static_cast<std::size_t>(k)];
  };
  const auto before = [&](const std::vector<int>& ends, int k) {
    return k == 0 ? 0 : of(ends, k - 1);
  };
  for (int i = 0; i + 1 < begins; ++i)
    for (int k = of(begin, i); k < of(begin, i + 1); ++k) {
      if (k < 0 || k >= listed || of(col, k) < 0 || of(col, k) >= block_cols)
        words.fail(fmt::format("{} has no block {} in a column of blocks from 0 to {}",
                               entries.name, k, block_cols - 1));
      if (const int number = words.integer("the number of a block"); number != k)
        words.fail(fmt::format("is {}, expected the number of block {}", number, k));
      const int j = of(col, k);
      for (int c = before(col_ends, j); c < of(col_ends, j); ++c)
        for (int r = before(row_ends, i); r < of(row_ends, i); ++r)
          if (const double value = words.real("an entry of a block"); value != 0)
            entries.triplets.emplace_back(r, c, value);
    }
}

// "6-by-9,": the sizes of a matrix, once more.
void check_sizes(Words& words, const Entries& entries) {
  const std::string expected = fmt::format("{}-by-{},", entries.rows, entries.cols);
  if (const std::string_view found = words.word(expected); found != expected)
    words.fail(fmt::format("the sizes of {} are repeated as {}, expected {}", entries.name, found,
                           expected));
}

// One line of a compressed column or row, and its entries.
void read_compressed(Words& words, Entries& entries, bool by_row) {
  const int lines = by_row ? entries.rows : entries.cols;
  int at = 0;
  for (int line = 0; line < lines; ++line) {
    words.expect(by_row ? "row" : "col");
    if (const int number = words.integer("its number"); number != line)
      words.fail(fmt::format("is {}, expected {}", number, line));
    words.expect(":");
    words.expect("locations");
    const int begin = words.integer("the first location");
    words.expect("to");
    const int end = words.integer("the last location");
    if (begin != at || end < begin - 1)
      words.fail(fmt::format("locations are {} to {}, expected to begin at {}", begin, end, at));
    for (; at <= end; ++at) {
      const int other = words.integer(by_row ? "a column" : "a row");
      words.expect(":");
      const double value = words.real("an entry");
      const int row = by_row ? line : other, col = by_row ? other : line;
      entries.check(row, col, words);
      entries.triplets.emplace_back(row, col, value);
    }
  }
}

void read_sparse(Words& words, Entries& entries) {
  const int origin = words.integer("a sparse storage");
  if (origin < 1 || origin > 3)
    words.fail(
        fmt::format("{} has the sparse storage {}, expected 1 (triplets), 2 (columns) or 3 (rows)",
                    entries.name, origin));
  words.rest_of_line();
  words.rest_of_line();  // of the library that wrote it
  const bool triplets = words.peek() == "triplet:";
  const bool by_row = words.peek() == "csr:";
  if (triplets || by_row) words.word("");
  check_sizes(words, entries);
  words.expect("nzmax:");
  words.word("a number of entries");
  words.expect("nnz:");
  if (!triplets) {
    words.rest_of_line();
    return read_compressed(words, entries, by_row);
  }
  const int count = words.count("a number of entries");
  for (int k = 0; k < count; ++k) {
    const int row = words.integer("a row");
    const int col = words.integer("a column");
    words.expect(":");
    const double value = words.real("an entry");
    entries.check(row, col, words);
    entries.triplets.emplace_back(row, col, value);
  }
}

SparseMatrix read_matrix(Words& words, const char* name) {
  const int storage = words.integer("the storage of a matrix");
  if (storage < 0 || storage > 2)
    words.fail(fmt::format("{} has the storage {}, expected 0 (dense), 1 (blocks) or 2 (sparse)",
                           name, storage));
  Entries entries{.name = name, .rows = words.count("rows"), .cols = words.count("columns")};
  if (storage == 0) read_dense(words, entries);
  if (storage == 1) read_blocks(words, entries);
  if (storage == 2) read_sparse(words, entries);
  return entries.matrix();
}

// Whether M was read and H comes, and not W and q: H is m columns wide, and has as many rows as M.
bool is_global(const Words& words, const SparseMatrix& first, int m) {
  if (first.rows() != m) return true;
  return is_integer(words.peek(0)) && words.peek(1) == std::to_string(first.rows()) &&
         words.peek(2) == std::to_string(m);
}

struct Coefficients {
  Vector mu;                     // of friction cones
  std::vector<SetPointer> sets;  // rolling cones
};
Coefficients read_coefficients(Words& words, int rows_of_contact, int contacts) {
  Coefficients coefficients;
  coefficients.mu = words.reals(contacts, "a coefficient of friction");
  if (rows_of_contact != rolling_rows) return coefficients;
  const Vector mu_r = words.reals(contacts, "a coefficient of rolling friction");
  for (Index i = 0; i < contacts; ++i) try {
      coefficients.sets.push_back(rolling_cone(coefficients.mu[i], mu_r[i]));
    } catch (const std::invalid_argument& error) {
      words.fail(fmt::format("contact {}: {}", i, error.what()));
    }
  coefficients.mu.resize(0);
  return coefficients;
}

// Older versions end with whether a guess follows, and never write one.
void expect_end(Words& words) {
  if (!words.at_end() && (words.peek() == "0" || words.peek() == "1")) words.word("");
  if (words.at_end()) return;
  words.word("");
  words.fail("goes on behind the coefficients of friction; expected the end of the file");
}

ContactProblem read(Words& words) {
  const int rows_of_contact = words.integer("the rows of a contact");
  if (rows_of_contact != 2 && rows_of_contact != 3 && rows_of_contact != rolling_rows)
    words.fail(
        fmt::format("is {}, expected 2, 3 or {} rows of a contact", rows_of_contact, rolling_rows));
  const int contacts = words.count("a number of contacts");
  const int m = rows_of_contact * contacts;
  const SparseMatrix first = read_matrix(words, "M");
  if (first.rows() != first.cols())
    words.fail(fmt::format("M is {} x {}, expected a square matrix", first.rows(), first.cols()));
  const int dimension = std::min(rows_of_contact, 3);
  const int n = static_cast<int>(first.rows());

  if (!is_global(words, first, m)) {
    Vector q = words.reals(m, "an entry of q");
    Coefficients coefficients = read_coefficients(words, rows_of_contact, contacts);
    expect_end(words);
    return {dimension, std::move(coefficients.mu), LocalForm{first, std::move(q)},
            std::move(coefficients.sets)};
  }
  if (first.rows() != m && !is_integer(words.peek()))
    words.fail(
        fmt::format("M is {0} x {0}, expected {1} x {1} (rows of {2} contacts), or H behind it", n,
                    m, contacts));
  const SparseMatrix H = read_matrix(words, "H");
  if (H.rows() != n || H.cols() != m)
    words.fail(fmt::format("H is {} x {}, expected {} x {}", H.rows(), H.cols(), n, m));
  Vector f = words.reals(n, "an entry of q");
  Vector w = words.reals(m, "an entry of b");
  Coefficients coefficients = read_coefficients(words, rows_of_contact, contacts);
  expect_end(words);
  return {dimension, std::move(coefficients.mu), GlobalForm{first, H, std::move(f), std::move(w)},
          std::move(coefficients.sets)};
}

}  // namespace

fclib::ProblemFile read_siconos(const std::string& path, std::string_view text) {
  Words words(path, text);
  try {
    return {read(words), {}, {}, {}};
  } catch (const InvalidProblem& invalid) {
    throw FileError(path, invalid.piece(), invalid.reason());
  }
}

}  // namespace frictionbench::formats
