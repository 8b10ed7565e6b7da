/// \file
/// The verdict on an impulse, computed from the impulse alone, in the same way for every solver.
#pragma once

#include <limits>
#include <optional>

#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// Residuals of K ∋ r ⟂ v ∈ K^* for one model ([LeLidec24] after eq. 15), in the units of the
/// problem.
struct ConeResiduals {
  double primal = 0;  ///< max_i dist(r_i, K)
  double dual = 0;    ///< max_i dist(v_i, K^*); of other sets, ConstraintSet::dual_distance()
  double complementarity = 0;  ///< max_i |<r_i, v_i>|; of other sets, complementarity()
  Index worst_contact = -1;    ///< block that attains the largest of the three; -1 without any

  double max() const;  ///< the absolute criterion
  double scaled(
      const ProblemScale& scale) const;  ///< max(primal / F, dual / U, complementarity / (F U))

  /// Accumulates the residuals of one contact, times its units. A NaN stays.
  void take_contact(Index contact, const ConeResiduals& own, double impulse_unit,
                    double velocity_unit);
};

/// Factors of the residuals of each contact: of its impulse, of its velocity, and of
/// complementarity their product. A solver that works in units of its own thus measures in those of
/// the file, and a scaled criterion is an absolute one in other units. Both n_b entries, > 0, or
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
///   LCP: u + (mu ||u_T||_1, 0, 0), K the pyramid; with another number of facets in 3D, those of
///        RegularPyramid.
/// Blocks of other sets are as in the NCP, for the CCP without their correction; the LCP has pyramids
/// for friction cones only.
/// \param facets of the pyramid, >= 3.
ConeResiduals cone_residuals(ContactModel model, const ContactProblem& problem, VectorView r,
                             VectorView u, const ResidualUnits& units = {}, int facets = 4);

/// w_i / U_i and 1 / U_i: residuals in these units are velocities over a velocity.
ResidualUnits relative_units(const ContactScales& scales);

/// The units in which residuals at this scale are compared with a tolerance:
///   relative  relative_units()
///   absolute  those of the file
///   scaled    1 / F and 1 / U (ProblemScale)
///   force     1 / h and 1: [LeLidec24] after eq. 15 has forces where files have impulses
/// \param time_step h, s, > 0; only for `force`.
/// \throws std::invalid_argument for `force` without a time step.
ResidualUnits units_of(Scale scale, const ContactProblem& problem,
                       std::optional<double> time_step = std::nullopt);

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

/// The residuals of one model, in the units of the file, and what else follows from the contacts
/// one by one.
struct ModelResiduals : ConeResiduals {
  /// The largest relative residual (Scale::relative); NaN where an earlier version did not measure it.
  double relative = std::numeric_limits<double>::quiet_NaN();
};
/// Arguments as of cone_residuals(). \param relative relative_units().
ModelResiduals model_residuals(ContactModel model, const ContactProblem& problem, const Vector& r,
                               const Vector& u, const ResidualUnits& relative, int facets = 4);

/// How an impulse is judged.
struct JudgeOptions {
  double tolerance = 1e-6;                         ///< relative one, to tell the states of contacts
  std::optional<double> time_step = std::nullopt;  ///< s, for Scale::force
  int facets = 4;                                  ///< of the lcp's pyramid in 3D
};

/// Everything that is measured of an impulse.
struct Verdict {
  /// Residuals of each model.
  /// @{
  ModelResiduals ncp, ccp, lcp;
  /// @}
  ProblemScale scale;               ///< the problem's own, for scaled criteria
  std::optional<double> time_step;  ///< s, for Scale::force; absent if it was not given
  double natural_map = 0;           ///< || r - P_K(r - û) ||_2 / max(1, ||q||_2)

  /// Violations of Signorini's law, in the units of the file. Like what follows, of blocks that are
  /// contacts.
  struct Signorini {
    double product = 0;   ///< max_i |r_N u_N|
    double velocity = 0;  ///< max_i (-u_N)_+
    double impulse = 0;   ///< max_i (-r_N)_+
  } signorini;            ///< largest over the contacts

  double dissipation = 0;  ///< max_i | r_T . u_T + Γ(u) r_N |, maximum dissipation principle

  /// Relative momentum error || D (M v - H r - f) || / max(||D M v||, ||D H r||) with
  /// D = diag(M)^-1/2 ([Castro22] eqs. 25, 32), for a solver that returns a velocity v beside r.
  std::optional<double> momentum;

  /// Complementarity slackness error sum_i |g_i . r_i| / (n_b l_p) of such a pair, with
  /// g = H^T v + w + R r, R the compliance of the solver's own model, and the cost
  /// l_p = ||v - M^-1 f||_M^2 / 2 + ||r||_R^2 / 2 ([Castro22] eqs. 19, 33).
  std::optional<double> slackness;

  /// Of contacts that are loaded, w_i r_N >= 1e-2 U_i (ContactScales), and strictly inside their
  /// cone, ||r_T|| <= 0.95 mu r_N: the largest ||u_T||, in the units of the file. An exact answer of
  /// the NCP has 0; compliant and regularised models creep.
  double creep = std::numeric_limits<double>::quiet_NaN();
  /// Of loaded contacts the largest (u_N)_+, in the units of the file. An exact answer of the NCP
  /// has 0; the CCP lifts what slides.
  double lift = std::numeric_limits<double>::quiet_NaN();

  /// Contacts by state, with tau the relative tolerance. Separated: w_i r_N <= 10 tau U_i. Sticking:
  /// of the others, those with ||r_T|| < (1 - 1e-3) mu r_N or ||u_T|| <= 10 tau U_i. Sliding: the
  /// rest.
  struct States {
    /// Numbers of contacts; they add up to n_c.
    /// @{
    Index sticking = 0, sliding = 0, separated = 0;
    /// @}
  } states;  ///< of the contacts at r

  double impulse_norm = 0;  ///< ||r||_2

  const ModelResiduals& residuals(ContactModel model) const;  ///< the member of that name

  /// What is compared with the tolerance; NaN if it was not measured at this scale.
  double residual(ContactModel model, Scale at) const;
  /// The same for residuals of another model of the same problem.
  double residual(const ModelResiduals& own, Scale at) const;
  /// Whether the impulse solves the problem of this model.
  bool solved(ContactModel model, Scale at, double tolerance) const;
};

/// Judges r (m) with u = W r + R r + q recomputed in double precision from the file's own W.
/// An r with NaN or Inf in it gives NaN residuals, which no criterion accepts.
Verdict judge(const ContactProblem& problem, const Vector& r, const JudgeOptions& options = {});

/// Verdict::momentum of a pair. \param v generalised velocity, n. \pre a global problem.
double momentum_error(const ContactProblem& problem, const Vector& r, const Vector& v);

/// Verdict::slackness of a pair; 0 where there is no slackness to be relative.
/// \param own the problem with the compliance of the solver's own model, in global form.
/// \param v generalised velocity, n.
double slackness_error(const ContactProblem& own, const Vector& r, const Vector& v);

}  // namespace frictionbench
