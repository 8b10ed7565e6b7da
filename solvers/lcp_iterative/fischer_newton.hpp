/// \file
/// The nonsmooth Newton method on the function of Fischer and Burmeister, for the LCP of contacts.
#pragma once

#include <Eigen/QR>
#include <vector>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/linalg/shifted_lu.hpp"
#include "frictionbench/math/recent_values.hpp"
#include "frictionbench/solvers/pivoting/contact_lcp.hpp"

namespace frictionbench::solvers {

/// lcp_nonsmooth_newton.cpp gives ranges and sources.
struct FischerNewtonRule {
  double damping =
      1e-3;  ///< beta = damping min(1, ||Phi|| / sqrt(n)) is added to the diagonal of M
  double descent = 1e-8;   ///< a Newton direction d is used if its slope is at most
  double power = 2.1;      ///< -descent ||d||^power
  double decrease = 1e-4;  ///< Armijo constant
  int halvings = 40;       ///< maximum number of step halvings
  int memory = 10;         ///< values of Psi that the line search compares with
  bool project = false;    ///< iterates on z >= 0
};

/// Finds Phi(z) = 0, Phi_i = phi(z_i, w_i), w = M z + q, phi(a, b) = sqrt(a^2 + b^2) - a - b, which is
/// the LCP. With an element V = diag(p) + diag(q) M of the generalised Jacobian, an iteration is
///
///     V d = -Phi,     z <- z + t d,     t = 1, 1/2, ...
///
/// the first t that satisfies Armijo's condition on Psi = ||Phi||^2 / 2, relative to the largest of the
/// last `memory` values. If V is singular, d is not a descent direction, or no t is accepted, the
/// gradient d = -V^T Phi takes its place.
///
/// M = B^T W B + F (ContactVariables) is not formed. As F is block diagonal by contact, the variables of
/// contact i are eliminated first: with the changes of impulse and velocity dr = B d and du = W dr,
///
///     G_i d_i = (-Phi_i - diag(q_i) B_i^T du_i; -dr_i),     G_i = (diag(p_i) + diag(q_i) F_i; -B_i)
///
/// G_i has more rows than columns, and N_i^T G_i = 0, by a QR factorisation, leaves (T W + S) dr = c with
/// blocks T_i and S_i: an LU factorisation of m rows instead of n, K + 2 per contact.
class FischerNewton {
 public:
  /// The direction of a step.
  enum class Step {
    newton,
    gradient,
    none,  ///< no step lowers Psi along either
  };

  /// All must outlive it.
  FischerNewton(const FischerNewtonRule& rule, const ContactVariables& contacts,
                const ContactProblem& problem, WorkCounters& work);

  /// \param z n.
  void start(Vector z);

  /// One iteration, from start() on. A step `none` leaves z as it is.
  Step advance();

  const Vector& impulse() const { return at_.r; }   ///< r = B z, m
  const Vector& velocity() const { return at_.u; }  ///< W r + q, m

 private:
  struct Point {
    Vector z, r, u, w, phi;
    double merit = 0;  // Psi
  };
  struct Element {
    Vector p, q;  // V = diag(p) + diag(q) M
  };
  struct Contact {
    ContactVariables::Block block;
    Eigen::ColPivHouseholderQR<Matrix> G = {};
  };

  Point point(Vector z) const;
  static Element derivatives(const Vector& a, const Vector& b);
  Element element() const;
  Vector gradient(const Element& V) const;
  bool newton_direction(const Element& V, Vector& d);
  bool step_along(const Vector& d, double slope);

  const FischerNewtonRule* rule_;
  const ContactVariables* variables_;
  const Vector* q_;  // of the problem
  CountedMatrix W_;
  TrialSteps trials_;
  ShiftedLu lu_;
  Index dimension_;  // rows of a contact
  std::vector<Contact> contacts_;
  Point at_;
  RecentValues merits_;
};

}  // namespace frictionbench::solvers
