/// \file
/// The set that the impulse of one block of rows is confined to: a joint's, a limit's, a contact's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frictionbench/math/block_shape.hpp"
#include "frictionbench/sets/conic_form.hpp"

namespace frictionbench {

/// A closed convex set C, with all that the verdict and the solvers ask of it. Block i of a problem
/// obeys
///
///     r_i in C_i,     -(u_i + Γ_i(u_i)) in the normal cone of C_i at r_i
///
/// which for a cone is C ∋ r ⟂ u + Γ(u) ∈ C*. Γ adds a number to the first component, the normal one;
/// the CCP leaves it out.
///
/// A new set is a class like those beside this file. One that files may hold is registered in
/// register_sets.cpp; nothing else names it.
class ConstraintSet {
 public:
  virtual ~ConstraintSet() = default;

  virtual std::string_view kind() const = 0;           ///< as SetKind::name: "rolling"
  virtual std::vector<double> parameters() const = 0;  ///< as SetKind::make takes them
  virtual Index dimension() const = 0;                 ///< rows of the block, 1 to most_block_rows

  /// The nearest point of C. \param x dimension().
  virtual BlockVector project(const BlockVector& x) const = 0;
  /// An element of the generalised Jacobian of project() at x: a limit of derivatives.
  virtual BlockMatrix projection_jacobian(const BlockVector& x) const = 0;

  /// The distance from u to the velocities that some impulse of C can answer: the dual of C's
  /// recession cone, for a cone C*.
  virtual double dual_distance(const BlockVector& u) const = 0;
  /// The support function, sup over s in C of <s, v>; where that is infinite, its value at the
  /// nearest v where it is not, or near it. 0 for a cone.
  virtual double support(const BlockVector& v) const = 0;

  /// Γ(u), the first component; the others are 0. \param u dimension().
  virtual double correction(const BlockVector& u) const;
  /// The gradient of correction() by u; where it has a kink, the slope in the direction in which slip
  /// against r begins: along -r, or the normal of the set there.
  virtual BlockVector correction_gradient(const BlockVector& u, const BlockVector& r) const;

  /// { x / factor : x in C }: the same set in units `factor` as large. \param factor > 0. Null if that
  /// is this set itself, as for every cone.
  virtual std::shared_ptr<const ConstraintSet> divided(double factor) const = 0;

  /// The exact solution of the block alone, r in C with -(u + Γ(u)) in the normal cone at r and
  /// u = W r + free, if the set has one in closed form. \param W with a largest eigenvalue > 0.
  virtual std::optional<BlockVector> solve_alone(const BlockMatrix& W,
                                                 const BlockVector& free) const;

  /// The set in the form that interior point methods take, if it has one.
  virtual std::optional<ConicForm> conic_form() const { return std::nullopt; }

  /// Whether this is R^n, the set of bilateral rows.
  virtual bool is_whole_space() const { return false; }

  /// \name Contacts
  /// @{
  /// The friction coefficient of a set whose first component is the normal one of a contact, and
  /// whose next ones, friction_rows() of them, are tangential; of several the first. Nothing for
  /// sets that are not contacts.
  virtual std::optional<double> mu() const { return std::nullopt; }
  virtual Index friction_rows() const { return 0; }  ///< 1 in 2D, 2 in 3D; 0 if not a contact
  /// What mu() r_N bounds: ||r_T||, or where its directions have coefficients of their own, the length
  /// of r_T with each component in the measure of its coefficient, times mu(). \param r impulse of a
  /// contact.
  virtual double friction(const BlockVector& r) const {
    return r.segment(1, friction_rows()).norm();
  }
  /// @}

  /// Kind and parameters, as files and people read them: "rolling(0.5,0.01)". Numbers are written so
  /// that they read back the same.
  std::string text() const;

  /// ||x - project(x)||, in the unit of x.
  double distance(const BlockVector& x) const;
  /// |<r, u> + sup over s in C of <s, -u>|, impulse times velocity: 0 if and only if -u is in the
  /// normal cone at r, for r in C and u without dual_distance(). |<r, u>| for a cone; 0 for the whole
  /// space, whose dual_distance() is ||u||. \param u with its correction.
  double complementarity(const BlockVector& r, const BlockVector& u) const;
  /// û = u + Γ(u).
  BlockVector corrected(BlockVector u) const;
};

/// A set that is a cone: what project() says is enough.
class ConstraintCone : public ConstraintSet {
 public:
  double dual_distance(const BlockVector& u) const override;       ///< ||project(-u)||, by Moreau
  double support(const BlockVector&) const override { return 0; }  ///< for a cone
  /// A cone is the same in all units.
  std::shared_ptr<const ConstraintSet> divided(double) const override { return nullptr; }
};

/// An immutable set; equal contacts may share one.
using SetPointer = std::shared_ptr<const ConstraintSet>;

}  // namespace frictionbench
