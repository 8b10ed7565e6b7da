/// \file
/// What rational arithmetic says of a basis that solves an LCP up to rounding.
#pragma once

#include <vector>

#include "frictionbench/solvers/pivoting/contact_lcp.hpp"

namespace frictionbench::solvers {

/// The signs of the basic variables of an LCP whose numbers, doubles, are taken as they are.
enum class ExactSigns {
  nonnegative,  ///< none is negative: they solve the LCP, exactly
  rounding,     ///< some are negative, none more so than the tolerance
  negative,     ///< one is below that, or w = M z + q has no solution
};

/// Whether this program was built with QSopt_ex.
bool has_rational_arithmetic();

/// Solves w = M z + q for the z_j of `active` and the w_j of the other rows, all else zero, in rational
/// arithmetic: QSopt_ex, Applegate, Cook, Dash, Espinoza, Exact solutions to linear programming problems,
/// Operations Research Letters 35 (2007). A singular basis has many solutions, of which it takes one with
/// zeros in it. The length of the numbers grows with the number of active variables k, and the time about
/// as k^4 where M is full: 20 s for 100. Callers wait for each other, as the library has global variables.
/// \param active distinct, of 0 .. n - 1. \param tolerance of a negative variable, >= 0.
/// \pre has_rational_arithmetic(). \throws std::runtime_error if the library fails.
ExactSigns exact_signs(const Lcp& lcp, const std::vector<Index>& active, double tolerance);

}  // namespace frictionbench::solvers
