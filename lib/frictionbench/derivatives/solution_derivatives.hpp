/// \file
/// Derivatives of a solution: how impulses and velocities follow small changes of the free velocity
/// and of friction.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/linalg/work_counters.hpp"

namespace frictionbench {

/// Which equations a contact's impulse and velocity keep to, to first order.
///
///     separated   dr = 0
///     sticking    du = 0
///     sliding     with s = u_T / ||u_T|| and p orthogonal to it:
///                 du_N = 0 (NCP),     du_N - mu s.du_T = ||u_T|| dmu (CCP)
///                 s.dr_T + mu dr_N = -r_N dmu
///                 ||u_T|| p.dr_T + mu r_N p.du_T = 0
///
/// At rest a sliding contact is one that begins to slip: s = -r_T / ||r_T||.
///
/// Blocks of other sets than friction cones keep to the natural map, r = P_C(r - û / w), with the
/// derivative that P_C has there.
enum class ContactLaw { separated, sticking, sliding };

/// A change of a problem's data.
struct Perturbation {
  Vector q;   ///< of the free velocity, m
  Vector mu;  ///< of the friction coefficients, as long as ContactProblem::mu()
};

/// The change of the solution that goes with it, per unit of the perturbation.
struct Response {
  Vector r;  ///< of the impulse, m
  Vector u;  ///< of the contact velocity, m
  /// How far the equations are from being solved, relative to their right-hand side. Not small
  /// where contacts are hyperstatic and the perturbation asks for velocities that no impulses give:
  /// the contacts do not keep their laws then, however small it is, and r and u are not a derivative.
  double defect = 0;
};

/// The gradient of a function of the solution with respect to the data.
struct Gradient : Perturbation {
  /// How far the adjoint equations are from being solved, relative to their right-hand side. Not small
  /// where contacts are hyperstatic and the function depends on how they share a load: the impulse is one
  /// of many then, and the numbers are no gradient.
  double defect = 0;
};

/// The impulse is not what derivatives can be taken of.
class NoSolution : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The solution as a function of q and mu, linearised with the law of each contact fixed: the
/// implicit function theorem for the equations of ContactLaw and u = W r + R r + q. One LU
/// factorisation of an m x m matrix, and a solve per derivative; a few more where the matrix is
/// nearly singular.
///
/// Where contacts are hyperstatic, impulses are not unique. The change of r is then one of many,
/// that of u is unique.
///
/// At a kink, where a block is between two laws, the solution has one-sided derivatives only: those of
/// directions in which it keeps the law that it is given here. one_sided() finds the others.
class SolutionDerivatives {
 public:
  /// \param model ncp or ccp. \param r the problem's solution, m.
  /// \param tolerance to which r is a solution, as a relative residual. A block within ten times
  ///        that of another law is at a kink.
  /// \throws NoSolution if r is not a solution to that tolerance; std::invalid_argument for the LCP;
  ///         std::runtime_error if the matrix is singular even so.
  SolutionDerivatives(const ContactProblem& problem, ContactModel model, const Vector& r,
                      double tolerance = 1e-6);
  ~SolutionDerivatives();
  SolutionDerivatives(SolutionDerivatives&&) noexcept;  ///< leaves one that cannot be used
  SolutionDerivatives& operator=(SolutionDerivatives&&) noexcept;  ///< the same

  std::vector<ContactLaw> laws() const;  ///< of each friction cone
  std::vector<Index> kinks() const;      ///< blocks at a kink, in their order

  /// The derivative in a direction.
  Response forward(const Perturbation& direction) const;

  /// The derivative in a direction from a kink: blocks there take the law that the direction
  /// leads to, which is found by trying, each time with another factorisation.
  /// \throws std::runtime_error if none is found: contacts without impulse and velocity would have
  ///         to be solved as a contact problem of their own.
  Response one_sided(const Perturbation& direction) const;

  /// The gradient of a function of the solution, by the adjoint equations.
  /// \param by_r its gradient with respect to r, m. \param by_u with respect to u, m.
  Gradient adjoint(const Vector& by_r, const Vector& by_u) const;

  const WorkCounters& work() const;  ///< all so far

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace frictionbench
