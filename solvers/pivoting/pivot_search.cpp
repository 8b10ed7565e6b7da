#include "frictionbench/solvers/pivoting/pivot_search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>
#include <unordered_set>
#include <utility>

#include "frictionbench/solvers/pivoting/lcp_basis.hpp"
#include "frictionbench/solvers/pivoting/lemke.hpp"

namespace frictionbench::solvers {

namespace {

constexpr std::int64_t visited_bytes = 64;  // a key in a hash table

/// Memory that is given back when nothing refers to it any more.
class Memory {
 public:
  explicit Memory(std::int64_t limit) : limit_(limit), used_(std::make_shared<std::int64_t>(0)) {}
  bool has(std::int64_t bytes) const { return *used_ + bytes <= limit_; }
  std::shared_ptr<void> take(std::int64_t bytes) {
    *used_ += bytes;
    return {nullptr, [used = used_, bytes](void*) { *used -= bytes; }};
  }

 private:
  std::int64_t limit_;
  std::shared_ptr<std::int64_t> used_;  // shared with what is taken, which may live longer
};

// A basis that has been expanded: what its descendants are made from.
struct State {
  LcpBasis basis;
  Vector values;                         // q'
  Index driving = -1;                    // variable
  std::shared_ptr<const Vector> column;  // B^-1 times its column, -m'
  std::shared_ptr<void> own_memory, factor_memory;
};

// A pivot that has not been made yet.
struct Node {
  std::shared_ptr<const State> ancestor;
  Index row;
  double cost;
  std::int64_t rank;    // of a depth-first search: the greater, the sooner
  std::int64_t number;  // in order of creation

  bool operator<(const Node& other) const {  // the largest is next
    if (rank != other.rank) return rank < other.rank;
    return cost != other.cost ? cost > other.cost : number < other.number;
  }
};

class PivotSearch {
 public:
  PivotSearch(const Lcp& lcp, const std::vector<Index>& start, const SearchRule& rule,
              const PivotRun& run)
      : q_(lcp.q),
        rule_(rule),
        run_(run),
        memory_(run.memory),
        columns_(lcp),
        first_(columns_, start, run.most_pivots, run.work) {}

  LcpAnswer solve() {
    if (!memory_.has(first_.factor_bytes())) return {LcpEnd::memory};
    const auto start = covered_start(columns_, first_, q_, false);
    if (!start) return {LcpEnd::singular};
    if (start->values.minCoeff() >= 0) {
      LcpAnswer answer = complementary_answer(first_, start->values, q_, run_);
      if (answer.end == LcpEnd::solved && !run_.accept(answer.z)) answer.end = LcpEnd::exhausted;
      return answer;
    }
    auto root =
        std::make_shared<State>(State{first_, start->values, columns_.artificial(), {}, {}, {}});
    root->column = std::make_shared<const Vector>(Vector::Constant(first_.size(), -1));
    root->factor_memory = memory_.take(first_.factor_bytes());
    queue_.push({std::move(root), start->row, 0, 0, 0});

    while (!queue_.empty()) {
      if (!run_.begin_pivot()) return {LcpEnd::interrupted};
      const Node node = queue_.top();
      queue_.pop();
      const Index leaving = node.ancestor->basis.at(node.row);
      const auto state = pivoted(node);
      if (out_of_memory_) return {LcpEnd::memory};
      if (!state) continue;
      if (leaving == columns_.artificial()) {
        LcpAnswer answer = complementary_answer(state->basis, state->values, q_, run_);
        if (answer.end == LcpEnd::solved && run_.accept(answer.z)) return answer;
        continue;
      }
      add_descendants(*state, node.cost, columns_.complement(leaving), state);
      if (out_of_memory_) return {LcpEnd::memory};
    }
    return {met_ray_ ? LcpEnd::ray : LcpEnd::exhausted};
  }

 private:
  // Makes the pivot: M' and q' from those of the ancestor. Null if the basis is singular.
  std::shared_ptr<State> pivoted(const Node& node) {
    const State& ancestor = *node.ancestor;
    const Vector& column = *ancestor.column;
    const std::int64_t bytes = ancestor.basis.copy_bytes() + bytes_of_vector();
    if (!has_memory(bytes)) return nullptr;
    auto state = std::make_shared<State>(State{
        ancestor.basis, ancestor.values, -1, {}, memory_.take(bytes), ancestor.factor_memory});
    const double step = state->values[node.row] / column[node.row];
    state->values -= step * column;
    state->values[node.row] = step;
    state->basis.replace(node.row, ancestor.driving, ancestor.column);
    if (!state->basis.is_due()) return state;

    const std::int64_t factor = state->basis.factor_bytes();
    if (!has_memory(factor)) return nullptr;
    if (!state->basis.factorize()) return nullptr;
    state->factor_memory = memory_.take(factor);
    state->values = state->basis.solve(q_);
    return state;
  }

  void add_descendants(State& state, double cost, Index driving,
                       const std::shared_ptr<const State>& shared) {
    if (!has_memory(bytes_of_vector())) return;
    state.driving = driving;
    state.column = counted(state.basis.solve(columns_.column(driving)));
    const Vector& column = *state.column;
    if (!column.allFinite() || !state.values.allFinite()) return;
    met_ray_ = met_ray_ || !(column.maxCoeff() > rule_.smallest_pivot);
    // The error after a pivot is that of q' and of the column, added.
    Vector error = q_;
    Vector column_error = -columns_.column(driving);
    for (Index i = 0; i < column.size(); ++i) {
      columns_.add(state.basis.at(i), -state.values[i], error);
      columns_.add(state.basis.at(i), column[i], column_error);
    }
    ++expanded_;
    for (Index row = 0; row < column.size(); ++row) {
      if (!(column[row] > rule_.smallest_pivot)) continue;
      const double step = state.values[row] / column[row];
      const double least = least_after(state.values, column, row, step);
      if (!(least > -rule_.most_negative) ||
          !((error + step * column_error).norm() <= rule_.most_error))
        continue;
      BasisKey key = state.basis.key();
      key.toggle(state.basis.at(row));
      key.toggle(driving);
      if (!visited_.insert(key).second) continue;
      const double own = std::exp(-least);
      const bool by_depth = rule_.order == SearchOrder::depth;
      queue_.push({shared, row, by_depth ? own : cost + own, by_depth ? expanded_ : 0, ++nodes_});
    }
  }

  // q_min after a pivot in this row; any value below -epsilon if it is not to be made.
  double least_after(const Vector& values, const Vector& column, Index row, double step) const {
    double least = step;
    for (Index i = 0; i < column.size() && least > -rule_.most_negative; ++i)
      if (i != row) least = std::min(least, values[i] - step * column[i]);
    return least;
  }

  std::int64_t bytes_of_vector() const {
    return static_cast<std::int64_t>(sizeof(double)) * first_.size();
  }

  bool has_memory(std::int64_t more) {
    const auto nodes = static_cast<std::int64_t>(queue_.size() * sizeof(Node)) +
                       visited_bytes * static_cast<std::int64_t>(visited_.size());
    out_of_memory_ = out_of_memory_ || !memory_.has(nodes + more);
    return !out_of_memory_;
  }

  std::shared_ptr<const Vector> counted(Vector column) {
    struct Column {
      Vector values;
      std::shared_ptr<void> memory;
    };
    auto whole =
        std::make_shared<Column>(Column{std::move(column), memory_.take(bytes_of_vector())});
    return {whole, &whole->values};
  }

  const Vector& q_;
  const SearchRule& rule_;
  const PivotRun& run_;
  Memory memory_;
  LcpColumns columns_;
  LcpBasis first_;
  std::priority_queue<Node> queue_;
  std::unordered_set<BasisKey, BasisKeyHash> visited_;
  std::int64_t nodes_ = 0, expanded_ = 0;
  bool met_ray_ = false;
  bool out_of_memory_ = false;
};

}  // namespace

LcpAnswer pivot_search(const Lcp& lcp, const std::vector<Index>& start, const SearchRule& rule,
                       const PivotRun& run) {
  return PivotSearch(lcp, start, rule, run).solve();
}

}  // namespace frictionbench::solvers
