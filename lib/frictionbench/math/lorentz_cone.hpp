/// \file
/// The Lorentz cone L = { x : x_0 >= ||x_1|| } of one contact, x = (x_0, x_1): its Jordan algebra,
/// and the scaling of Nesterov and Todd. Alizadeh and Goldfarb, Math. Program. 95 (2003), sections
/// 2-4; Vandenberghe, The CVXOPT linear and quadratic cone program solvers (2010), sections 4-5.
///
/// L is its own dual. In one dimension it is a half-line, in two a quadrant turned by 45 degrees. All
/// functions map vectors with x_1 = 0 to vectors with x_1 = 0, which frictionless contacts rely on.
/// Dim may be Eigen::Dynamic.
#pragma once

#include <cmath>
#include <limits>

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench {

template <int Dim>
using ConeVector = Eigen::Matrix<double, Dim, 1>;  ///< (x_0, x_1)
template <int Dim>
using ConeMatrix = Eigen::Matrix<double, Dim, Dim>;  ///< acts on (x_0, x_1)

/// det x = x_0^2 - ||x_1||^2, positive inside L.
template <int Dim>
double determinant(const ConeVector<Dim>& x) {
  const double tangent = tangent_norm(x);
  return (x[0] - tangent) * (x[0] + tangent);
}

template <int Dim>
bool is_inside(const ConeVector<Dim>& x) {  ///< of the interior of L
  return x[0] > tangent_norm(x);
}

/// x o y = (x.y, x_0 y_1 + y_0 x_1).
template <int Dim>
ConeVector<Dim> jordan_product(const ConeVector<Dim>& x, const ConeVector<Dim>& y) {
  ConeVector<Dim> product(x.size());
  product[0] = x[0] * y[0] + tangent_dot(x, y);
  for (Index k = 1; k < x.size(); ++k) product[k] = x[0] * y[k] + y[0] * x[k];
  return product;
}

/// x with the sign of x_1 reversed.
template <int Dim>
ConeVector<Dim> reflected(ConeVector<Dim> x) {
  tangent_of(x) *= -1;
  return x;
}

/// The largest step a for which x + a d is in L; infinite if there is no limit. \param x inside L.
/// Vandenberghe, section 8.3: from the smallest eigenvalue of d scaled by x^-1/2.
template <int Dim>
double step_to_boundary(const ConeVector<Dim>& x, const ConeVector<Dim>& d) {
  const double size = std::sqrt(determinant(x));
  const ConeVector<Dim> unit = x / size;
  const double normal = reflected(unit).dot(d);
  const double tangent =
      (tangent_of(d) - (normal + d[0]) / (unit[0] + 1) * tangent_of(unit)).norm();
  const double inward = (normal - tangent) / size;
  return inward < 0 ? -1 / inward : std::numeric_limits<double>::infinity();
}

/// The scaling of Nesterov and Todd for x and z inside L: the symmetric positive definite N with
/// N z = N^-1 x = lambda that maps L to itself. Divisions are made once, here: a scaling is applied dozens of
/// times.
template <int Dim>
class NtScaling {
 public:
  NtScaling(const ConeVector<Dim>& x, const ConeVector<Dim>& z) {  ///< both inside L
    const double det_x = determinant(x), det_z = determinant(z);
    const ConeVector<Dim> unit_x = x / std::sqrt(det_x);
    const ConeVector<Dim> unit_z = z / std::sqrt(det_z);
    const double cosine = std::sqrt((1 + unit_x.dot(unit_z)) / 2);
    point_ = (unit_x + reflected(unit_z)) / (2 * cosine);
    tilt_ = 1 / (point_[0] + 1);
    factor_ = std::sqrt(std::sqrt(det_x / det_z));
    inverse_factor_ = 1 / factor_;
    lambda_ = times(z);
    inverse_determinant_ = 1 / determinant(lambda_);
    inverse_normal_ = 1 / lambda_[0];
  }

  const ConeVector<Dim>& lambda() const { return lambda_; }  ///< N z = N^-1 x

  /// N v.
  ConeVector<Dim> times(const ConeVector<Dim>& v) const { return apply(1, factor_, v); }
  /// N^-1 v.
  ConeVector<Dim> inverse_times(const ConeVector<Dim>& v) const {
    return apply(-1, inverse_factor_, v);
  }

  /// The y of lambda o y = b.
  ConeVector<Dim> quotient(const ConeVector<Dim>& b) const {
    ConeVector<Dim> y(b.size());
    y[0] = (lambda_[0] * b[0] - tangent_dot(lambda_, b)) * inverse_determinant_;
    for (Index k = 1; k < b.size(); ++k) y[k] = (b[k] - y[0] * lambda_[k]) * inverse_normal_;
    return y;
  }

  /// N^-2, which maps x to z.
  ConeMatrix<Dim> inverse_square() const {
    const ConeVector<Dim> p = reflected(point_);
    ConeMatrix<Dim> square = 2 * p * p.transpose() + ConeMatrix<Dim>::Identity(p.size(), p.size());
    square(0, 0) -= 2;
    return square * (inverse_factor_ * inverse_factor_);
  }

 private:
  // The hyperbolic rotation of L that maps (1, 0) to p = (point_0, side point_1), det p = 1, times a factor.
  ConeVector<Dim> apply(double side, double factor, const ConeVector<Dim>& v) const {
    const double along = side * tangent_dot(point_, v);
    const double by = factor * side * (v[0] + along * tilt_);
    ConeVector<Dim> turned(v.size());
    turned[0] = factor * (point_[0] * v[0] + along);
    for (Index k = 1; k < v.size(); ++k) turned[k] = factor * v[k] + by * point_[k];
    return turned;
  }

  ConeVector<Dim> point_;
  double tilt_;  // 1 / (point_0 + 1)
  double factor_, inverse_factor_;
  ConeVector<Dim> lambda_;
  double inverse_determinant_, inverse_normal_;  // of lambda
};

}  // namespace frictionbench
