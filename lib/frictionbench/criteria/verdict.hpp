/// \file
/// The verdict on an impulse, computed from the impulse alone, in the same way for every solver.
#pragma once

#include <optional>

#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// Residuals of K ∋ r ⟂ v ∈ K^* for one model ([LeLidec24] after eq. 15), in the units of the
/// problem.
struct ConeResiduals {
  double primal = 0;           ///< max_i dist(r_i, K)
  double dual = 0;             ///< max_i dist(v_i, K^*)
  double complementarity = 0;  ///< max_i |<r_i, v_i>|
  Index worst_contact = -1;  ///< contact that attains the largest of the three; -1 without contacts

  double max() const;  ///< the absolute criterion
  double scaled(
      const ProblemScale& scale) const;  ///< max(primal / F, dual / U, complementarity / (F U))

  /// Accumulates the residuals of one contact, times its units. A NaN stays.
  void take_contact(Index contact, const ConeResiduals& own, double impulse_unit,
                    double velocity_unit);
};

/// Factors of the residuals of each contact: of its impulse, of its velocity, and of
/// complementarity their product. A solver that works in units of its own thus measures in those of
/// the file, and a scaled criterion is an absolute one in other units. Both n_c entries, > 0, or
/// both empty for 1.
struct ResidualUnits {
  Vector impulse;   ///< factor of the primal residual
  Vector velocity;  ///< factor of the dual residual

  /// The factor of one contact, 1 if none are given.
  double impulse_unit(Index contact) const { return impulse.size() > 0 ? impulse[contact] : 1; }
  /// The factor of one contact, 1 if none are given.
  double velocity_unit(Index contact) const { return velocity.size() > 0 ? velocity[contact] : 1; }

  /// The product of both.
  ResidualUnits times(const ResidualUnits& other) const;
};

/// Residuals of one model at impulse r and contact velocity u (both m). `v` is
///   NCP: û = u + Γ(u), K the friction cone;   CCP: u, K the friction cone;
///   LCP: u + (mu ||u_T||_1, 0, 0), K the pyramid.
ConeResiduals cone_residuals(ContactModel model, const ContactProblem& problem, const Vector& r,
                             const Vector& u, const ResidualUnits& units = {});

/// The units in which residuals at this scale are compared with a tolerance: those of the file, or
/// for `scaled` the problem's own, 1 / F and 1 / U.
ResidualUnits units_of(Scale scale, const ContactProblem& problem);

/// The largest residuals over all contacts, for any cone.
/// \param residuals_of `residuals_of(i)` returns a ConeResiduals of contact i alone.
template <typename Function>
ConeResiduals largest_residuals(Index contacts, const ResidualUnits& units,
                                Function&& residuals_of) {
  ConeResiduals all;
  for (Index i = 0; i < contacts; ++i)
    all.take_contact(i, residuals_of(i), units.impulse_unit(i), units.velocity_unit(i));
  return all;
}

/// Everything that is measured of an impulse.
struct Verdict {
  /// Residuals of each model, in the units of the file.
  /// @{
  ConeResiduals ncp, ccp, lcp;
  /// @}
  ProblemScale scale;      ///< the problem's own, for scaled criteria
  double natural_map = 0;  ///< || r - P_K(r - û) ||_2 / max(1, ||q||_2)

  /// Violations of Signorini's law, in the units of the file.
  struct Signorini {
    double product = 0;   ///< max_i |r_N u_N|
    double velocity = 0;  ///< max_i (-u_N)_+
    double impulse = 0;   ///< max_i (-r_N)_+
  } signorini;            ///< largest over the contacts

  double dissipation = 0;  ///< max_i | r_T . u_T + mu r_N ||u_T|| |, maximum dissipation principle

  /// Relative momentum error || D (M v - H r - f) || / max(||D M v||, ||D H r||) with
  /// D = diag(M)^-1/2 ([Castro22] eqs. 25, 32), v the generalised velocity of r. Absent without a
  /// global form.
  std::optional<double> momentum;

  /// Contacts by state. Separated: ||r_i|| below 1e-8 of the problem's impulse scale. Sticking: of
  /// the others, those with ||u_T,i|| below 1e-6 of its velocity scale. Sliding: the rest.
  struct States {
    /// Numbers of contacts; they add up to n_c.
    /// @{
    Index sticking = 0, sliding = 0, separated = 0;
    /// @}
  } states;  ///< of the contacts at r

  double impulse_norm = 0;  ///< ||r||_2

  const ConeResiduals& residuals(ContactModel model) const;  ///< the member of that name

  /// Whether the impulse solves the problem of this model.
  bool solved(ContactModel model, Scale at, double tolerance) const;
};

/// Judges r (m) with u = W r + q recomputed in double precision from the file's own W.
/// An r with NaN or Inf in it gives NaN residuals, which no criterion accepts.
Verdict judge(const ContactProblem& problem, const Vector& r);

}  // namespace frictionbench
