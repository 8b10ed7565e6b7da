/// \file
/// A set by Lorentz cones, as interior point methods take it.
#pragma once

#include <vector>

#include "frictionbench/math/block_shape.hpp"

namespace frictionbench {

/// A set C of n rows by variables y and Lorentz cones L_k = { x : x_0 >= ||x_1|| },
///
///     C = { E y + c : A y + b in L_1 x L_2 x ... }
///
/// With multipliers z in the same cones, (A y + b) ⟂ z, the normal cone of C at r = E y + c is
/// { -û : E û = A^T z }. A cone of one row is a half-line. One of more rows is a contact's: its first
/// row of A is e_1, E_1 = 1, and Γ(u) is the sum of ||z_1|| over these cones.
struct ConicForm {
  BlockVector scale;         ///< the diagonal of E, n, each >= 0; 0 where C has one value only
  BlockVector offset;        ///< c, n
  Matrix A;                  ///< p x n
  Vector b;                  ///< p
  std::vector<Index> cones;  ///< rows of each, which add up to p; none for R^n
};

}  // namespace frictionbench
