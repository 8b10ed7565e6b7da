#include "frictionbench/solvers/pivoting/lemke.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

namespace frictionbench::solvers {

std::optional<CoveredStart> covered_start(LcpColumns& columns, LcpBasis& basis, const Vector& q,
                                          bool last_of_ties) {
  if (!basis.factorize()) return std::nullopt;
  CoveredStart start{basis.solve(q), 0};
  if (!start.values.allFinite()) return std::nullopt;
  for (Index i = 1; i < basis.size(); ++i)
    if (start.values[i] < start.values[start.row] ||
        (last_of_ties && start.values[i] == start.values[start.row]))
      start.row = i;
  Vector d = Vector::Zero(basis.size());
  for (Index i = 0; i < basis.size(); ++i) columns.add(basis.at(i), 1, d);
  columns.cover(std::move(d));
  return start;
}

LcpAnswer complementary_answer(LcpBasis basis, const Vector& values, const Vector& q,
                               const PivotRun& run) {
  LcpAnswer answer{LcpEnd::solved, Vector::Zero(basis.size())};
  const LcpColumns& columns = basis.columns();
  const bool refined = run.refine && basis.factorize();
  const Vector x = refined ? basis.solve_refined(q) : values;
  for (Index position = 0; position < basis.size(); ++position) {
    const Index variable = basis.at(position);
    if (columns.is_slack(variable)) continue;
    answer.z[columns.complement(variable)] = x[position];
    answer.active.push_back(columns.complement(variable));
  }
  if (!answer.z.allFinite()) return {LcpEnd::singular};
  return answer;
}

namespace {

class Lemke {
 public:
  Lemke(const Lcp& lcp, const std::vector<Index>& start, const LemkeRule& rule, const PivotRun& run)
      : q_(lcp.q),
        rule_(rule),
        run_(run),
        columns_(lcp),
        basis_(columns_, start, run.most_pivots, run.work) {}

  LcpAnswer solve() {
    if (basis_.factor_bytes() > run_.memory) return {LcpEnd::memory};
    const auto start = covered_start(columns_, basis_, q_, rule_.lexicographic.has_value());
    if (!start) return {LcpEnd::singular};
    values_ = start->values;
    if (values_.minCoeff() >= 0) return found();

    // z_0 acts on all basic variables alike.
    Index driving = columns_.artificial();
    auto column = std::make_shared<const Vector>(Vector::Constant(basis_.size(), -1));
    for (Index row = start->row;;) {
      if (!run_.begin_pivot()) return {LcpEnd::interrupted};
      const Index leaving = basis_.at(row);
      if (const auto end = pivot(row, driving, std::move(column))) return {*end};
      if (leaving == columns_.artificial()) return found();
      driving = columns_.complement(leaving);
      column = std::make_shared<const Vector>(basis_.solve(columns_.column(driving)));
      if (!column->allFinite()) return {LcpEnd::singular};
      row = blocking_row(*column);
      if (row < 0) return ray();
    }
  }

 private:
  LcpAnswer ray() const {
    LcpAnswer answer{LcpEnd::ray};
    for (Index i = 0; i < basis_.size(); ++i)
      if (basis_.at(i) == columns_.artificial()) answer.artificial = values_[i];
    return answer;
  }

  LcpAnswer found() const {
    LcpAnswer answer = complementary_answer(basis_, values_, q_, run_);
    if (answer.end == LcpEnd::solved) run_.accept(answer.z);
    return answer;
  }

  std::optional<LcpEnd> pivot(Index row, Index driving, std::shared_ptr<const Vector> column) {
    const double step = values_[row] / (*column)[row];
    values_ -= step * *column;
    values_[row] = step;
    basis_.replace(row, driving, std::move(column));
    if (!visited_.insert(basis_.key()).second) return LcpEnd::cycle;
    if (!basis_.is_due()) return std::nullopt;
    if (basis_.factor_bytes() > run_.memory) return LcpEnd::memory;
    if (!basis_.factorize()) return LcpEnd::singular;
    values_ = basis_.solve(q_);
    return std::nullopt;
  }

  // The row of the smallest ratio; -1 if the driving variable is not bounded.
  Index blocking_row(const Vector& column) const {
    std::vector<Index> rows;
    for (Index i = 0; i < column.size(); ++i)
      if (column[i] > rule_.smallest_pivot) rows.push_back(i);
    if (rows.empty()) return -1;
    if (!rule_.lexicographic) return keep_least(rows, column, values_, 0);
    return lexicographic_row(std::move(rows), column, *rule_.lexicographic);
  }

  // Compares [q', B^-1], divided by the column, row by row: one column after the other, as long as
  // several rows are in a tie.
  Index lexicographic_row(std::vector<Index> rows, const Vector& column, double tie) const {
    std::vector<Index> position(static_cast<std::size_t>(basis_.size()), -1);  // of basic slacks
    for (Index i = 0; i < basis_.size(); ++i)
      if (columns_.is_slack(basis_.at(i))) position[static_cast<std::size_t>(basis_.at(i))] = i;

    Index least = keep_least(rows, column, values_, tie);
    for (Index j = 0; j < column.size() && rows.size() > 1; ++j) {
      if (const Index row = artificial_among(rows); row >= 0) return row;
      const Index slack = position[static_cast<std::size_t>(j)];
      if (slack < 0)
        least = keep_least(rows, column, basis_.solve(columns_.column(columns_.w(j))), tie);
      else if (1 / column[slack] > tie && std::erase(rows, slack) > 0)  // a unit vector
        least = rows.front();
    }
    const Index artificial = artificial_among(rows);
    return artificial >= 0 ? artificial : least;
  }

  // Drops the rows whose value / column is not within `tie` of the least. \returns the row of that.
  static Index keep_least(std::vector<Index>& rows, const Vector& column, const Vector& values,
                          double tie) {
    const auto ratio = [&](Index i) { return values[i] / column[i]; };
    const Index least = *std::min_element(rows.begin(), rows.end(),
                                          [&](Index a, Index b) { return ratio(a) < ratio(b); });
    const double bound = ratio(least) + tie;
    std::erase_if(rows, [&](Index i) { return !(ratio(i) <= bound); });
    return least;
  }

  Index artificial_among(const std::vector<Index>& rows) const {
    for (const Index i : rows)
      if (basis_.at(i) == columns_.artificial()) return i;
    return -1;
  }

  const Vector& q_;
  const LemkeRule& rule_;
  const PivotRun& run_;
  LcpColumns columns_;
  LcpBasis basis_;
  Vector values_;  // of the basic variables
  std::unordered_set<BasisKey, BasisKeyHash> visited_;
};

}  // namespace

LcpAnswer lemke(const Lcp& lcp, const std::vector<Index>& start, const LemkeRule& rule,
                const PivotRun& run) {
  return Lemke(lcp, start, rule, run).solve();
}

}  // namespace frictionbench::solvers
