/// \file
/// How the impulse of a block of any set follows its velocity, to first order.
#pragma once

#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/sets/constraint_set.hpp"

namespace frictionbench {

/// The natural map of one block at a solution, r = P_C(x) with x = r - û / w, and its derivative:
///
///     P' J du / w + (I - P') dr = 0,     J = dû/du
///
/// where P' is an element of the generalised Jacobian of P_C at x, the derivative unless x is at a kink.
class SetLaw {
 public:
  /// \param set must outlive it. \param w velocity per impulse, > 0. \param tolerance velocity: how far
  /// from a kink x counts as at it, times w.
  SetLaw(const ConstraintSet& set, ContactModel model, double w, double tolerance,
         const BlockVector& r, const BlockVector& u);

  BlockMatrix by_velocity() const { return P_ * J_ / w_; }  ///< P' J / w
  BlockMatrix by_impulse() const;                           ///< I - P'
  const BlockMatrix& projection() const { return P_; }      ///< P'
  bool is_at_kink() const { return is_at_kink_; }

  /// Takes the P' of the side of the kink to which x moves. \returns whether that is another one.
  bool follows(const BlockVector& dr, const BlockVector& du);

 private:
  BlockMatrix beside(const BlockVector& direction) const;
  bool differs(const BlockMatrix& P) const;

  const ConstraintSet* set_;
  double w_;
  double reach_;  // impulse
  BlockVector x_;
  BlockMatrix P_, J_;
  bool is_at_kink_ = false;
};

}  // namespace frictionbench
