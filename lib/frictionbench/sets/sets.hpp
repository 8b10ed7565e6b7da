/// \file
/// The sets that come with frictionbench, and the text form in which files hold them.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "frictionbench/sets/constraint_set.hpp"

namespace frictionbench {

/// \name Factories
/// All throw std::invalid_argument, one line, for a parameter out of its range.
/// @{

/// {0}'s dual: R^p, the impulses of joints and loops; u = 0. \param rows p, 1 to most_block_rows.
SetPointer equality(Index rows = 1);

/// [low, high], one row: a limit is [0, inf), a motor or dry friction [-c, c].
/// \param low, high low <= high, neither NaN, not both the same infinity.
SetPointer interval(double low, double high);

/// ||r_T|| <= mu r_N, (N, T...): Coulomb friction. \param mu >= 0. \param dimension 2 or 3.
SetPointer friction_cone(double mu, int dimension = 3);

/// ||r_T|| <= mu r_N and ||r_R|| <= mu_r r_N, (N, T1, T2, R1, R2): rolling friction as FCLIB and
/// Siconos have it, with Γ = mu ||u_T|| + mu_r ||u_R|| (Acary and Bourrier, Coulomb friction with
/// rolling resistance as a cone complementarity problem, Eur. J. Mech. A 85, 2021).
SetPointer rolling_cone(double mu, double mu_r);
inline constexpr int rolling_rows = 5;  ///< of rolling_cone()

/// The product of friction, torsion and, unless mu_r < 0, rolling: ||r_T|| <= mu r_N, |r_S| <= mu_s r_N,
/// ||r_R|| <= mu_r r_N, (N, T1, T2, S) or (N, T1, T2, S, R1, R2). Each limit on its own.
SetPointer torsional_cone(double mu, double mu_s, double mu_r = -1);

/// sqrt(sum_k (r_k / mu_k)^2) <= r_N, (N, then a row for each mu_k): MuJoCo's elliptic cones of condim
/// 3, 4 and 6, where friction, torsion and rolling share one limit, and anisotropic friction, an
/// ellipse of two mu. Γ = sqrt(sum_k (mu_k u_k)^2). \param mu 1 to 5 numbers > 0.
SetPointer elliptic_cone(const std::vector<double>& mu);

/// A friction cone whose apex is moved to r_N = -cohesion: ||r_T|| <= mu (r_N + cohesion).
/// \param cohesion impulse, >= 0.
SetPointer cohesive_cone(double mu, double cohesion, int dimension = 3);

/// @}

/// A kind of sets that files may hold.
struct SetKind {
  std::string_view name;        ///< before the parenthesis of ConstraintSet::text()
  std::string_view parameters;  ///< for help: "mu, mu_r"
  std::string_view summary;     ///< one line
  /// Makes it from the numbers in the parentheses. \throws std::invalid_argument, saying what is wrong.
  std::function<SetPointer(std::span<const double>)> make;
};

/// All of them, in order of names (register_sets.cpp).
const std::vector<SetKind>& set_kinds();

/// The inverse of ConstraintSet::text(). \throws std::invalid_argument with one line that names the
/// kinds nearest to an unknown one, or all.
SetPointer parse_set(std::string_view text);

}  // namespace frictionbench
