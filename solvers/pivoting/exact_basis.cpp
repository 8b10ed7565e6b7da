#include "frictionbench/solvers/pivoting/exact_basis.hpp"

#include <stdexcept>

#ifdef FRICTIONBENCH_QSOPT_EX

#include <gmpxx.h>

#include <memory>
#include <mutex>

extern "C" {
#include <qsopt_ex/QSopt_ex.h>
}

namespace frictionbench::solvers {

namespace {

void check(int failed) {
  if (failed) throw std::runtime_error("QSopt_ex failed to check a basis in rational arithmetic");
}

// The linear program of finding x >= lower with B x = q, whose optimum is any such x.
class BasisProgram {
 public:
  explicit BasisProgram(const Vector& q) : program_(mpq_QScreate_prob("basis", QS_MIN)) {
    if (!program_) check(1);
    for (const double q_i : q) {
      mpq_class side = q_i;
      check(mpq_QSnew_row(program_.get(), as_mpq(side), 'E', nullptr));
    }
  }

  void add_column(std::vector<int> rows, const std::vector<double>& entries, double lower) {
    std::vector<mpq_class> numbers(entries.begin(), entries.end());
    mpq_class cost = 0, bound = lower;
    check(mpq_QSadd_col(program_.get(), static_cast<int>(rows.size()), rows.data(),
                        &as_mpq(numbers.front()), as_mpq(cost), as_mpq(bound), mpq_ILL_MAXDOUBLE,
                        nullptr));
    ++columns_;
  }

  // Whether the x of which all are basic is at least `lower`. QSopt_ex puts zeros in a singular basis.
  bool is_feasible() {
    const auto count = static_cast<std::size_t>(columns_);
    std::vector<char> columns(count, QS_COL_BSTAT_BASIC), rows(count, QS_ROW_BSTAT_LOWER);
    QSbasis basis{columns_, columns_, columns.data(), rows.data()};
    char feasible = 0;
    check(QSexact_basis_optimalstatus(program_.get(), &basis, &feasible, 0));
    return feasible != 0;
  }

 private:
  // An mpq_class is an mpq_t and nothing else, as GMP documents.
  static mpq_t& as_mpq(mpq_class& number) {
    static_assert(sizeof(mpq_class) == sizeof(mpq_t));
    return *reinterpret_cast<mpq_t*>(&number);
  }

  struct Free {
    void operator()(mpq_QSdata* program) const { mpq_QSfree_prob(program); }
  };
  std::unique_ptr<mpq_QSdata, Free> program_;
  int columns_ = 0;
};

bool is_at_least(const Lcp& lcp, const std::vector<bool>& is_active, double lower) {
  BasisProgram program(lcp.q);
  for (Index j = 0; j < lcp.size(); ++j) {
    std::vector<int> rows;
    std::vector<double> entries;
    if (is_active[static_cast<std::size_t>(j)]) {
      for (LcpMatrix::InnerIterator entry(lcp.M, j); entry; ++entry) {
        rows.push_back(static_cast<int>(entry.row()));
        entries.push_back(-entry.value());
      }
    } else {
      rows.push_back(static_cast<int>(j));
      entries.push_back(1);
    }
    program.add_column(std::move(rows), entries, lower);
  }
  return program.is_feasible();
}

}  // namespace

bool has_rational_arithmetic() { return true; }

ExactSigns exact_signs(const Lcp& lcp, const std::vector<Index>& active, double tolerance) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  [[maybe_unused]] static const bool started = [] {
    QSexactStart();
    QSlog_set_handler([](const char*, void*) {}, nullptr);
    return true;
  }();
  std::vector<bool> is_active(static_cast<std::size_t>(lcp.size()), false);
  for (const Index j : active) is_active[static_cast<std::size_t>(j)] = true;
  if (is_at_least(lcp, is_active, 0)) return ExactSigns::nonnegative;
  if (is_at_least(lcp, is_active, -tolerance)) return ExactSigns::rounding;
  return ExactSigns::negative;
}

}  // namespace frictionbench::solvers

#else

namespace frictionbench::solvers {

bool has_rational_arithmetic() { return false; }

ExactSigns exact_signs(const Lcp&, const std::vector<Index>&, double) {
  throw std::logic_error("built without QSopt_ex");
}

}  // namespace frictionbench::solvers

#endif
