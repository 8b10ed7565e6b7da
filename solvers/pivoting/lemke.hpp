/// \file
/// Lemke's method, with and without a lexicographic order.
#pragma once

#include <optional>
#include <vector>

#include "frictionbench/solvers/pivoting/lcp_basis.hpp"
#include "frictionbench/solvers/pivoting/pivot_run.hpp"

namespace frictionbench::solvers {

/// How a row is chosen.
struct LemkeRule {
  /// Entries of the driving column up to this do not bound the driving variable.
  double smallest_pivot = 0;
  /// Absent: the lowest index in a tie of floating-point numbers. Else ratios that differ by no more are
  /// a tie, which the lexicographic order decides.
  std::optional<double> lexicographic = {};
};

/// A system w' = M' z' + q' + z_0 with the variables of `basis` basic: the covering vector is of ones
/// there. What all methods with an artificial variable begin with ([YamaneNakamura08] II-A, step 0).
struct CoveredStart {
  Vector values;  ///< q', n; all >= 0 if it is solved already
  Index
      row;  ///< where z_0 enters: the least of q', the first of them, or the last in lexicographic order
};

/// Makes the start, and covers it. \returns nothing if the basis is singular.
std::optional<CoveredStart> covered_start(LcpColumns& columns, LcpBasis& basis, const Vector& q,
                                          bool last_of_ties);

/// z of a complementary basis whose variables have these values. Factors it anew and refines if the
/// run says so.
LcpAnswer complementary_answer(LcpBasis basis, const Vector& values, const Vector& q,
                               const PivotRun& run);

/// Solves by [YamaneNakamura08] II-A. \param start the z_j that are basic at first.
LcpAnswer lemke(const Lcp& lcp, const std::vector<Index>& start, const LemkeRule& rule,
                const PivotRun& run);

}  // namespace frictionbench::solvers
