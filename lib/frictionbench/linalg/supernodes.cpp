#include "frictionbench/linalg/supernodes.hpp"

#include <cholmod.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "frictionbench/math/cholmod_memory.hpp"

namespace frictionbench {

namespace {

// Which rows each column of a symmetric matrix has an entry in, on the diagonal and below it.
struct LowerPattern {
  std::vector<int> starts{0};  // of columns
  std::vector<int> rows;       // increasing in each

  int columns() const { return static_cast<int>(starts.size()) - 1; }
  int entries() const { return starts.back(); }
};

LowerPattern between_blocks(const ColumnMatrix& pattern, const BlockShape& shape) {
  const auto count = static_cast<std::size_t>(shape.count());
  std::vector<std::vector<int>> below(count);
  std::vector<Index> seen(count, -1);  // in which block column
  for (Index j = 0; j < shape.count(); ++j)
    for (Index k = shape.start(j); k < shape.start(j + 1); ++k)
      for (ColumnMatrix::InnerIterator entry(pattern, k); entry; ++entry) {
        const Index i = shape.at_row(entry.row());
        if (i == j || std::exchange(seen[static_cast<std::size_t>(i)], j) == j) continue;
        below[static_cast<std::size_t>(std::min(i, j))].push_back(static_cast<int>(std::max(i, j)));
      }
  LowerPattern blocks;
  for (std::size_t j = 0; j < count; ++j) {
    std::vector<int>& rows = below[j];
    rows.push_back(static_cast<int>(j));
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    blocks.rows.insert(blocks.rows.end(), rows.begin(), rows.end());
    blocks.starts.push_back(static_cast<int>(blocks.rows.size()));
  }
  return blocks;
}

// The pattern of all entries of those blocks.
LowerPattern expanded(const LowerPattern& blocks, const BlockShape& shape) {
  LowerPattern all;
  for (Index j = 0; j < shape.count(); ++j)
    for (Index k = shape.start(j); k < shape.start(j + 1); ++k) {
      const auto column = static_cast<std::size_t>(j);
      for (int at = blocks.starts[column]; at < blocks.starts[column + 1]; ++at) {
        const Index i = blocks.rows[static_cast<std::size_t>(at)];
        for (Index row = std::max(k, shape.start(i)); row < shape.start(i + 1); ++row)
          all.rows.push_back(static_cast<int>(row));
      }
      all.starts.push_back(static_cast<int>(all.rows.size()));
    }
  return all;
}

// An analysis by CHOLMOD.
class Analysis {
 public:
  // \param order for CHOLMOD_GIVEN.
  Analysis(LowerPattern& pattern, int method, int kind, int* order = nullptr) {
    cholmod_start(&common_);
    common_.print = 0;  // failures are return values, never text on the screen
    common_.nmethods = 1;
    common_.method[0].ordering = method;
    common_.supernodal = kind;
    cholmod_sparse view{};
    view.nrow = view.ncol = static_cast<std::size_t>(pattern.columns());
    view.nzmax = pattern.rows.size();
    view.p = pattern.starts.data();
    view.i = pattern.rows.data();
    view.stype = -1;  // the lower triangle
    view.itype = CHOLMOD_INT;
    view.xtype = CHOLMOD_PATTERN;
    view.sorted = view.packed = 1;
    factor_ = cholmod_analyze_p(&view, order, nullptr, 0, &common_);
    if (factor_) return;
    const int status = common_.status;
    cholmod_finish(&common_);
    check_memory(status);
    throw std::runtime_error("CHOLMOD could not analyse the matrix");
  }
  ~Analysis() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  double operations() const { return common_.fl; }  // of a Cholesky factorisation
  double entries() const { return static_cast<double>(factor_->xsize); }  // of its panels
  std::span<const int> order() const { return ints(factor_->Perm, factor_->n); }
  std::span<const int> starts() const { return ints(factor_->super, factor_->nsuper + 1); }
  std::span<const int> rows_at() const { return ints(factor_->pi, factor_->nsuper + 1); }
  std::span<const int> rows() const { return ints(factor_->s, factor_->ssize); }

 private:
  static std::span<const int> ints(const void* data, std::size_t size) {
    return {static_cast<const int*>(data), size};
  }

  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
};

template <typename T>
std::vector<T> copied(std::span<const int> values) {
  return {values.begin(), values.end()};
}

std::vector<int> order_of(LowerPattern& blocks, const BlockShape& shape) {
  // Each nested dissection takes the time of about so many operations of a factorisation per entry of the
  // pattern. The better of the two saves a fifth to a half of them, and has to earn both in the first ten.
  constexpr double operations_an_entry = 1e4;
  double fewest = std::numeric_limits<double>::infinity();
  std::vector<int> best;
  const auto try_by = [&](int method) {
    const Analysis analysis(blocks, method, CHOLMOD_SIMPLICIAL);
    if (!(analysis.operations() < fewest)) return;
    fewest = analysis.operations();
    best = copied<int>(analysis.order());
  };
  try_by(CHOLMOD_AMD);
  const double rows = static_cast<double>(shape.order()) / static_cast<double>(shape.count());
  if (2 * std::pow(rows, 3) * fewest > operations_an_entry * blocks.entries()) {
    try_by(CHOLMOD_METIS);   // METIS's own ordering
    try_by(CHOLMOD_NESDIS);  // bisections by METIS, and constrained minimum degree within them
  }
  return best;
}

}  // namespace

BlockShape blocks_of(const ColumnMatrix& pattern) {
  const auto rows = [&](Index column) {
    const int *starts = pattern.outerIndexPtr(), *all = pattern.innerIndexPtr();
    return std::span(all + starts[column], all + starts[column + 1]);
  };
  std::vector<Index> starts;
  for (Index k = 0; k < pattern.cols(); ++k)
    if (k == 0 || !std::ranges::equal(rows(k), rows(k - 1))) starts.push_back(k);
  starts.push_back(pattern.cols());
  return BlockShape(std::move(starts));
}

Supernodes supernodes_of(const ColumnMatrix& pattern, const BlockShape& shape) {
  LowerPattern blocks = between_blocks(pattern, shape);
  std::vector<int> order;
  for (const int i : order_of(blocks, shape))
    for (Index row = shape.start(i); row < shape.start(i + 1); ++row)
      order.push_back(static_cast<int>(row));
  LowerPattern all = expanded(blocks, shape);
  const Analysis analysis(all, CHOLMOD_GIVEN, CHOLMOD_SUPERNODAL, order.data());
  return {.order = copied<int>(analysis.order()),
          .starts = copied<int>(analysis.starts()),
          .rows_at = copied<Index>(analysis.rows_at()),
          .rows = copied<int>(analysis.rows()),
          .cost = {.operations = 2 * analysis.operations(), .entries = 2 * analysis.entries()}};
}

}  // namespace frictionbench
