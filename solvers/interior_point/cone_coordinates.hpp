/// \file
/// The variables of an interior point method, in which all sets are Lorentz cones.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frictionbench/linalg/block_sweeps.hpp"
#include "frictionbench/solver/solve.hpp"
#include "frictionbench/solvers/interior_point/central_path.hpp"

namespace frictionbench::solvers {

// A problem in variables y and in cones x, with multipliers z (ConicForm):
//
//     r = E y + c,     x = A y + b,     E û = A^T z,     x o z = 0
//
// Two classes with the same members have E, c, A and b: one for friction cones alone, which the compiler
// sees through, and one for any sets.

/// Friction cones, x = y and E = diag(1, mu, ..). With mu = 0 the rows of the tangents are zero.
template <int Dim>
class FrictionCoordinates {
 public:
  static constexpr int cone_rows = Dim;  ///< of every cone
  using Rows = ContactSweeps<Dim>;       ///< of the problem, for sweeps

  /// The problem must outlive it.
  explicit FrictionCoordinates(const ContactProblem& problem);

  const BlockShape& cones() const { return shape_; }                ///< of x and z
  const BlockShape& blocks() const { return shape_; }               ///< of y
  static constexpr Index normal(Index cone) { return Dim * cone; }  ///< the y that is x_0 there
  const Vector& scale() const { return E_; }                        ///< the diagonal of E, m

  Vector impulse(const Vector& y) const { return E_.cwiseProduct(y); }  ///< r
  const Vector& to_cones(const Vector& dy) const { return dy; }         ///< A dy
  const Vector& from_cones(const Vector& z) const { return z; }         ///< A^T z
  /// A^T S A. \param S a block for each cone.
  BlockDiagonal condensed(BlockDiagonal S) const { return S; }

  /// The y of which A y + b is nearest to x; where there are no cones, that of `y`.
  const Vector& nearest(const Vector& x, const Vector&) const { return x; }
  /// A y + b - x, what exceeds rounding. Empty if that is always zero.
  Vector slack_error(const Vector&, const Vector&) const { return {}; }
  /// The shortest z of A^T z = F.
  const Vector& lifted(const Vector& F) const { return F; }
  /// The largest entry of F in rows without a cone.
  static constexpr double largest_without_cone(const Vector&) { return 0; }
  /// The dz of A^T J dz = right; of several, the one nearest to p - D dx in the metric of the scaling.
  /// \param J a block for each cone.
  Vector velocity_step(const BlockDiagonal& J, const CentralPath<Dim>& path, Vector right,
                       const Vector& p, const Vector& dx) const;
  /// A member of the sets for x in the cones.
  Vector member(const Vector& x, const Vector&) const { return impulse(x); }
  /// A y + b and z of an impulse r (m) and its velocity u (m).
  std::pair<Vector, Vector> enter(const Vector& r, const Vector& u) const;

 private:
  BlockShape shape_;
  Vector E_;
};

/// Any sets that have a ConicForm. Members as of FrictionCoordinates.
class ConicCoordinates {
 public:
  static constexpr int cone_rows = Eigen::Dynamic;
  using Rows = BlockSweeps;

  /// \throws std::logic_error if a set has no ConicForm. The problem must outlive it.
  explicit ConicCoordinates(const ContactProblem& problem);

  const BlockShape& cones() const { return cones_; }
  const BlockShape& blocks() const { return blocks_; }
  Index normal(Index cone) const { return normals_[static_cast<std::size_t>(cone)]; }
  const Vector& scale() const { return E_; }

  Vector impulse(const Vector& y) const { return E_.cwiseProduct(y) + c_; }
  Vector to_cones(const Vector& dy) const { return A_ * dy; }
  Vector from_cones(const Vector& z) const { return A_.transpose() * z; }
  BlockDiagonal condensed(const BlockDiagonal& S) const;

  Vector nearest(const Vector& x, const Vector& y) const;
  Vector slack_error(const Vector& y, const Vector& x) const;
  Vector lifted(const Vector& F) const { return pseudoinverse_.transpose() * F; }
  double largest_without_cone(const Vector& F) const;
  Vector velocity_step(const BlockDiagonal& J, const CentralPath<Eigen::Dynamic>& path,
                       const Vector& right, const Vector& p, const Vector& dx) const;
  Vector member(const Vector& x, const Vector& y) const;
  std::pair<Vector, Vector> enter(const Vector& r, const Vector& u) const;

 private:
  // The rows of A that belong to one block of y.
  struct Part {
    Index first_cone, cones, first_row;
    Matrix A;
  };
  explicit ConicCoordinates(const ContactProblem& problem, const std::vector<ConicForm>& forms);

  const ContactProblem* problem_;
  BlockShape blocks_, cones_;
  std::vector<Part> parts_;         // a block
  std::vector<Index> normals_;      // a cone
  Vector E_, c_, b_;                // m, m, p
  SparseMatrix A_, pseudoinverse_;  // p x m, m x p
  Vector lift_;                     // m: on the diagonal of A^T S A in rows without a cone, else 0
};

/// Why interior point methods cannot take a problem: a set without a ConicForm. Empty if they can.
std::string reason_without_cones(const ContactProblem& problem);

/// Calls f with the coordinates of the solve's problem, in its present units, or refuses it.
template <typename Function>
void with_cones(Solve& solve, Function&& f) {
  const ContactProblem& problem = solve.problem();
  if (std::string reason = reason_without_cones(problem); !reason.empty())
    return solve.refuse(std::move(reason));
  if (!problem.is_plain()) return f(ConicCoordinates(problem));
  with_dimension(problem.dimension(), [&](auto dim) { f(FrictionCoordinates<dim()>(problem)); });
}

extern template class FrictionCoordinates<2>;
extern template class FrictionCoordinates<3>;

}  // namespace frictionbench::solvers
