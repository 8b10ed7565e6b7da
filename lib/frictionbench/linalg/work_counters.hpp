/// \file
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "frictionbench/base/describe.hpp"

namespace frictionbench {

/// Numeric factorisations by kind, the first of a solve included.
struct Factorizations {
  std::int64_t cholesky = 0;     ///< L L^T
  std::int64_t lu = 0;           ///< with pivoting
  std::int64_t ldlt = 0;         ///< L D L^T
  std::int64_t unspecified = 0;  ///< of a kind that results of version 1 do not tell

  std::int64_t all() const { return cholesky + lu + ldlt + unspecified; }  ///< the sum of all kinds
  friend bool operator==(const Factorizations&, const Factorizations&) = default;
};

void describe(auto& visit, Is<Factorizations> auto& count) {
  visit("cholesky", count.cholesky, counted("Cholesky factorisations"));
  visit("lu", count.lu, counted("LU factorisations"));
  visit("ldlt", count.ldlt, counted("LDL^T factorisations"));
  visit("unspecified", count.unspecified, counted("of a kind that version 1 did not record"));
}

/// Machine-independent measures of work, counted where the work is done. Equal on every machine
/// for the same iterates, so CI can gate on them; times cannot be compared that way. A counter has
/// a member here and a line in the description; everything else follows from these.
struct WorkCounters {
  Factorizations factorizations = {};  ///< numeric ones; analyses are counted apart
  std::int64_t analyses = 0;           ///< 0 for dense factorisations
  std::int64_t triangular_solves = 0;  ///< two sweeps each
  std::int64_t products = 0;           ///< with W
  std::int64_t global_products = 0;    ///< with M, H or H^T of the global form
  std::int64_t sweeps = 0;             ///< Gauss-Seidel or Jacobi, over all contacts
  std::int64_t pivots = 0;             ///< of pivoting methods
  std::int64_t line_search = 0;        ///< evaluations

  friend bool operator==(const WorkCounters&, const WorkCounters&) = default;

  /// For a solver that calls another. All members are counts of one type.
  WorkCounters& operator+=(const WorkCounters& other) {
    using Counts = std::array<std::int64_t, sizeof(WorkCounters) / sizeof(std::int64_t)>;
    auto sum = std::bit_cast<Counts>(*this);
    const auto added = std::bit_cast<Counts>(other);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += added[k];
    return *this = std::bit_cast<WorkCounters>(sum);
  }
};

void describe(auto& visit, Is<WorkCounters> auto& work) {
  visit("factorizations", work.factorizations,
        {.help = "numeric factorisations by kind, the first included"});
  visit("analyses", work.analyses, counted("symbolic analyses (orderings) of sparse matrices"));
  visit("triangular_solves", work.triangular_solves,
        counted("solves with a factorisation, a forward and a backward sweep each"));
  visit("products", work.products, counted("products with W"));
  visit("global_products", work.global_products,
        {.help = "products with M, H or H^T of the global form",
         .range = at_least(0),
         .added_later = true});
  visit("sweeps", work.sweeps, counted("Gauss-Seidel or Jacobi sweeps over all contacts"));
  visit("pivots", work.pivots, counted("pivots of pivoting methods"));
  visit("line_search", work.line_search, counted("evaluations of a line search"));
}

}  // namespace frictionbench
