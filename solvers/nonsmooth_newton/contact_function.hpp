/// \file
/// The NCP of one contact as an equation F(r, u) = 0, three ways, each with an element of its
/// generalised Jacobian.
#pragma once

#include "frictionbench/math/lorentz_cone.hpp"

namespace frictionbench::solvers {

/// All three are Lipschitz continuous and differentiable except at kinks; there the element of the
/// Jacobian is a limit of derivatives (of the B-subdifferential), given below. F has the unit of an
/// impulse.
enum class ContactFunction {
  /// Alart and Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991): a projection on the half line,
  /// and one on a disc whose radius follows from the first. With y = r - rho u,
  ///
  ///     F_N = r_N - y_N^+,     F_T = r_T - P(y_T; mu y_N^+),     P(.; R) on the disc of radius R
  ///
  /// Kinks: open for y_N = 0; sticking for ||y_T|| = mu y_N.
  alart_curnier,

  /// The natural map F = r - P_K(r - rho û), û = u + (mu ||u_T||, 0) (De Saxcé; RR-9118, section
  /// 3). Kinks: r - rho û on the boundary of the cone counts as inside, on that of the polar cone
  /// as at the apex; where u_T = 0, the slope of ||u_T|| is that along -r_T, the direction in which
  /// slip begins.
  natural_map,

  /// The function of Fischer and Burmeister on the second-order cone (Fukushima, Luo, Tseng, SIAM
  /// J. Optim. 12, 2002), in the cone coordinates x = E^-1 r and z = rho E û, E = diag(1, mu, ..),
  /// where the friction cone is the Lorentz cone:
  ///
  ///     F = E (x + z - (x o x + z o z)^1/2)
  ///
  /// Kinks: the slope of ||u_T|| as for the natural map; where x o x + z o z is on the boundary of
  /// the Lorentz cone, the limit from x + t e and z + t e, t > 0. With mu = 0, F_N is the function
  /// of the two numbers r_N and rho u_N, and F_T = r_T.
  fischer_burmeister,
};

/// F at one (r, u), with dF = by_velocity du + by_impulse dr, the A and B of Siconos
/// (fc3d_nonsmooth_Newton_solvers.c). \tparam Dim 2 or 3.
template <int Dim>
struct ContactEquation {
  ConeVector<Dim> value;        ///< F
  ConeMatrix<Dim> by_velocity;  ///< A
  ConeMatrix<Dim> by_impulse;   ///< B
};

/// The scaling of u in F, normal and tangential, impulse per velocity; > 0.
struct VelocityFactors {
  double normal = 1;
  double tangent = 1;
};

/// F and its derivatives by `function`. All but alart_curnier use rho.tangent for all directions.
template <int Dim>
ContactEquation<Dim> contact_equation(ContactFunction function, const ConeVector<Dim>& r,
                                      const ConeVector<Dim>& u, double mu,
                                      const VelocityFactors& rho);

}  // namespace frictionbench::solvers
