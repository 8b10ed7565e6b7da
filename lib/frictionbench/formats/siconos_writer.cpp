#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <stdexcept>

#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/formats/siconos.hpp"
#include "frictionbench/math/sparse.hpp"

namespace frictionbench::formats {
namespace {

// Text that grows at its end. Numbers have all their digits.
class Output {
 public:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  }
  // A whole number has a point: readers take a number without one for the size of the next matrix.
  void add(const Vector& values) {
    for (const double value : values) add("{:#} ", value);
    add("\n");
  }
  std::string text;
};

void write_dense(Output& out, const SparseMatrix& matrix) {
  out.add("{}\t{}\n", matrix.rows(), matrix.cols());
  const Matrix dense = matrix;
  // Lines are as long as rows, as those of Siconos.
  for (Index k = 0; k < dense.size(); ++k)
    out.add("{}{}", dense.data()[k], (k + 1) % dense.cols() == 0 ? '\n' : ' ');
}

// Blocks of `size` x `size`. Siconos' solvers take it that those on the diagonal are there.
void write_blocks(Output& out, const SparseMatrix& matrix, Index size) {
  const Index count = matrix.rows() / size;
  std::vector<Index> begin{0}, cols;
  std::vector<Matrix> blocks;
  for (Index i = 0; i < count; ++i) {
    std::map<Index, Matrix> in_row{{i, Matrix::Zero(size, size)}};
    for (Index row = i * size; row < (i + 1) * size; ++row)
      for (SparseMatrix::InnerIterator entry(matrix, row); entry; ++entry) {
        const auto [block, is_new] = in_row.try_emplace(entry.col() / size);
        if (is_new) block->second = Matrix::Zero(size, size);
        block->second(row % size, entry.col() % size) = entry.value();
      }
    for (auto& [col, block] : in_row) {
      cols.push_back(col);
      blocks.push_back(std::move(block));
    }
    begin.push_back(std::ssize(blocks));
  }

  out.add("{}\n{}\n{}\n", blocks.size(), count, count);
  for (int axis = 0; axis < 2; ++axis) {
    for (Index i = 1; i <= count; ++i) out.add("{}\t", i * size);
    out.add("\n");
  }
  out.add("{}\n{}\n", begin.size(), cols.size());
  for (const std::vector<Index>& list : {begin, cols}) {
    for (const Index k : list) out.add("{}\t", k);
    out.add("\n");
  }
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    out.add("{}\n", k);
    for (Index e = 0; e < size * size; ++e) out.add("{}\n", blocks[k].data()[e]);
  }
}

void write_triplets(Output& out, const SparseMatrix& matrix) {
  out.add("1\nCSparse triplets\ntriplet: {}-by-{}, nzmax: {} nnz: {}\n", matrix.rows(),
          matrix.cols(), matrix.nonZeros(), matrix.nonZeros());
  for (Index row = 0; row < matrix.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(matrix, row); entry; ++entry)
      out.add("    {} {} : {}\n", row, entry.col(), entry.value());
}

void write_columns(Output& out, const SparseMatrix& matrix) {
  const ColumnMatrix columns = matrix;
  double norm = 0;
  for (Index col = 0; col < columns.cols(); ++col) {
    double sum = 0;
    for (ColumnMatrix::InnerIterator entry(columns, col); entry; ++entry)
      sum += std::abs(entry.value());
    norm = std::max(norm, sum);
  }
  out.add("2\nCSparse columns\n{}-by-{}, nzmax: {} nnz: {}, 1-norm: {:g}\n", columns.rows(),
          columns.cols(), columns.nonZeros(), columns.nonZeros(), norm);
  for (Index col = 0; col < columns.cols(); ++col) {
    out.add("    col {} : locations {} to {}\n", col, columns.outerIndexPtr()[col],
            columns.outerIndexPtr()[col + 1] - 1);
    for (ColumnMatrix::InnerIterator entry(columns, col); entry; ++entry)
      out.add("      {} : {}\n", entry.row(), entry.value());
  }
}

void write_matrix(Output& out, const SparseMatrix& matrix, SiconosStorage storage, Index block) {
  // Siconos takes a matrix without blocks for none.
  if (storage == SiconosStorage::blocks && matrix.rows() == 0) storage = SiconosStorage::dense;
  const int number = storage == SiconosStorage::dense    ? 0
                     : storage == SiconosStorage::blocks ? 1
                                                         : 2;
  out.add("{}\n{}\n{}\n", number, matrix.rows(), matrix.cols());
  if (storage == SiconosStorage::dense) write_dense(out, matrix);
  if (storage == SiconosStorage::blocks) write_blocks(out, matrix, block);
  if (storage == SiconosStorage::triplet) write_triplets(out, matrix);
  if (storage == SiconosStorage::compressed_columns) write_columns(out, matrix);
}

void check(const ContactProblem& problem, const fclib::FileRows& rows, SiconosStorage storage) {
  if (problem.compliance().size() > 0)
    throw std::invalid_argument("Siconos' text has no compliance; keep FCLIB for this problem");
  for (Index i = 0; i < problem.blocks(); ++i)
    if (problem.block_start(i) >= rows.contacts)
      throw std::invalid_argument(fmt::format(
          "block {} is {}, but Siconos' text has contacts only; keep FCLIB for this problem", i,
          problem.layout()->sets[static_cast<std::size_t>(i)]->text()));
  if (storage == SiconosStorage::blocks && problem.global())
    throw std::invalid_argument("blocks are for local problems; use dense, triplet or csc");
}

}  // namespace

std::string siconos_text(const ContactProblem& problem, SiconosStorage storage) {
  const fclib::FileRows rows = fclib::rows_in_file(problem);
  check(problem, rows, storage);
  Output out;
  out.add("{}\n{}\n", rows.of_contact, problem.contacts());
  if (const GlobalForm* global = problem.global()) {
    write_matrix(out, global->M, storage, rows.of_contact);
    write_matrix(out, global->H, storage, rows.of_contact);
    out.add(global->f);
    out.add(global->w);
  } else {
    write_matrix(out, problem.local().W, storage, rows.of_contact);
    out.add(problem.local().q);
  }
  if (!rows.rolling) {
    out.add(problem.mu());
    return std::move(out.text);
  }
  for (const std::size_t k : {0U, 1U}) {
    for (const SetPointer& set : problem.layout()->sets) out.add("{} ", set->parameters()[k]);
    out.add("\n");
  }
  return std::move(out.text);
}

}  // namespace frictionbench::formats
