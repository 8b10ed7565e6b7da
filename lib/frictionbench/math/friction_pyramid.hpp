/// \file
/// The four-facet pyramid that linearises the friction cone in the LCP model ([LeLidec24] section III-A):
/// P_mu = { x : |x_T1| <= mu x_N, |x_T2| <= mu x_N }, and its dual { x : mu ||x_T||_1 <= x_N }.
/// In 2D the pyramid is the friction cone itself.
#pragma once

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// The correction that plays De Saxcé's part for the pyramid: mu ||u_T||_1, the support function of
/// the box |t_i| <= mu. With û = u + (mu ||u_T||_1, 0, 0), P ∋ r ⟂ û ∈ P^* is Signorini's condition
/// and maximum dissipation over the pyramid, which is the LCP.
double pyramid_correction(const Eigen::Ref<const Vector>& u, double mu);

/// Euclidean projection of x, (N, T...), on P_mu.
Vector project_on_pyramid(const Eigen::Ref<const Vector>& x, double mu);

/// Euclidean distance from x to P_mu.
double distance_to_pyramid(const Eigen::Ref<const Vector>& x, double mu);

/// Euclidean distance from x to the dual of P_mu.
double distance_to_dual_pyramid(const Eigen::Ref<const Vector>& x, double mu);

}  // namespace frictionbench
