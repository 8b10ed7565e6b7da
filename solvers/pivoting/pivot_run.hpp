/// \file
/// What methods that pivot share: what they may use, and how they end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/solvers/pivoting/contact_lcp.hpp"

namespace frictionbench::solvers {

/// How a pivoting method ended.
enum class LcpEnd {
  solved,       ///< at a complementary basis that solves the problem up to rounding
  ray,          ///< nothing bounds the driving variable
  cycle,        ///< back at an earlier basis
  singular,     ///< the basis is singular to working precision
  exhausted,    ///< no pivot is left to try
  interrupted,  ///< by PivotRun::begin_pivot or PivotRun::accept
  memory,       ///< what it may use is used up
};

struct LcpAnswer {
  LcpEnd end = LcpEnd::interrupted;
  Vector z = {};                          ///< n, if solved
  std::vector<Index> active = {};         ///< the j whose z_j is basic, if solved
  std::optional<double> artificial = {};  ///< z_0 where Lemke's method met a ray
};

/// What a method may use, and what it reports to. For use in tests, the defaults allow everything.
struct PivotRun {
  WorkCounters& work;
  /// Asked before every pivot, or expansion of a search; false interrupts.
  std::function<bool()> begin_pivot = [] { return true; };
  /// Shown the z (n) of each basis that solves the problem up to rounding; if it returns false, a search
  /// continues.
  std::function<bool(const Vector& z)> accept = [](const Vector&) { return true; };
  int most_pivots = 50;  ///< between factorisations
  bool refine = false;   ///< the answer: by a fresh factorisation, once refined
  std::int64_t memory = std::int64_t{1} << 30;  ///< bytes that a method may use
};

}  // namespace frictionbench::solvers
