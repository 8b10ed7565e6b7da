/// \file
/// What decides whether a problem is solved: the residuals of a model, at a scale.
#pragma once

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The contact models of the literature, by the complementarity problem that defines them.
enum class ContactModel { ncp, ccp, lcp };
constexpr auto describe(ContactModel) {
  using enum ContactModel;
  return enum_names<ContactModel>("model", {{ncp, "ncp", "Coulomb friction with Signorini's law"},
                                            {ccp, "ccp", "the convex relaxation of the ncp"},
                                            {lcp, "lcp", "the ncp with a pyramid for the cone"}});
}

/// The model whose residuals judge every answer of a run.
enum class Criterion { ncp, ccp, lcp, native };
constexpr auto describe(Criterion) {
  using enum Criterion;
  return enum_names<Criterion>("criterion", {{ncp, "ncp", "Coulomb friction"},
                                             {ccp, "ccp", "its convex relaxation"},
                                             {lcp, "lcp", "Coulomb friction with a pyramid"},
                                             {native, "native", "each solver's own model"}});
}

/// The units in which residuals are compared with the tolerance.
enum class Scale { relative, absolute, scaled, force };
constexpr auto describe(Scale) {
  using enum Scale;
  return enum_names<Scale>(
      "scale",
      {{relative, "relative", "residuals as velocities, over that of the contact's island"},
       {absolute, "absolute", "residuals in the units of the file"},
       {scaled, "scaled", "residuals divided by the problem's own impulse and velocity"},
       {force, "force", "absolute ones, with impulses divided by the time step"}});
}

/// The model of a criterion; `native` is the solver's own.
ContactModel judged_model(Criterion criterion, ContactModel native);

/// What a velocity means at each contact, or other block: the scales of relative residuals. They
/// change with the units of mass, length and time as velocities do, and are those of an island alone
/// if independent problems are put into one file. n_b each.
struct ContactScales {
  /// w_i = trace(W_ii + R_ii) / dim, the velocity that a unit impulse causes at its own contact, or
  /// the mean of the positive ones where that is not positive.
  Vector velocity_per_impulse;
  /// U_i, the largest |q| in the island of contact i, at least 1e-3 of the largest of all; 1 if that
  /// is 0.
  Vector velocity;
};
/// Reduces a global problem that has_W().
ContactScales contact_scales(const ContactProblem& problem);

/// The characteristic impulse and velocity of a problem, U = ||q||_inf (1 if that is zero) and
/// F = U / mean_i(trace(W_ii) / dim). Residuals divided by them do not change when W, q or the unit
/// of time are rescaled.
struct ProblemScale {
  double impulse = 1;   ///< F
  double velocity = 1;  ///< U
};
/// Both are 1 without contacts. Reduces a global problem that has_W().
ProblemScale scale_of(const ContactProblem& problem);

}  // namespace frictionbench
