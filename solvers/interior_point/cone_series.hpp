/// \file
#pragma once

#include "frictionbench/math/block_shape.hpp"
#include "frictionbench/math/lorentz_cone.hpp"

namespace frictionbench::solvers {

/// The terms of power series of x, z and s in every cone, and the products of which the equations of order
/// k consist. A product takes all terms of one cone, so these are next to each other in memory.
/// \tparam Dim rows of a cone, or Eigen::Dynamic if they differ.
template <int Dim>
class ConeSeries {
 public:
  using Part = ConeVector<Dim>;  ///< of one cone

  /// Without terms. \param cones must outlive it. \param order the largest number of terms.
  ConeSeries(const BlockShape& cones, Index order)
      : cones_(&cones), order_(order), values_(order * (3 * cones.order() + cones.count())) {}

  /// Sets a term of cone i. \param x, z in the metric of the scaling, N^-1 x_k and N z_k. \param plain z_k.
  void set(Index i, Index term, const Part& x, const Part& z, const Part& plain, double s) {
    at(i, term, 0) = x;
    at(i, term, 1) = z;
    at(i, term, 2) = plain;
    slip(i, term) = s;
  }

  struct Products {
    Part x_z;           ///< of x o z
    double z_z = 0;     ///< of ||z_1||^2
    double s_z = 0;     ///< of s z_0
    double s_dtau = 0;  ///< of s tau
  };
  /// What the terms of cone i before k contribute to order k: sums over pairs of terms whose orders add up to
  /// that of k. \param dtau the terms of tau.
  Products products(Index i, Index k, const Vector& dtau) const {
    Products sum{.x_z = Part::Zero(rows(i))};
    for (Index a = 0; a < k; ++a) {
      const Index b = k - 1 - a;
      const auto x_a = at(i, a, 0), z_b = at(i, b, 1), plain_b = at(i, b, 2);
      const double s_a = slip(i, a);
      sum.x_z[0] += x_a[0] * z_b[0] + tangent_dot(x_a, z_b);
      for (Index row = 1; row < rows(i); ++row)
        sum.x_z[row] += x_a[0] * z_b[row] + z_b[0] * x_a[row];
      sum.z_z += tangent_dot(at(i, a, 2), plain_b);
      sum.s_z += s_a * plain_b[0];
      sum.s_dtau += s_a * dtau[b];
    }
    return sum;
  }

 private:
  Index rows(Index i) const {
    if constexpr (Dim == Eigen::Dynamic) return cones_->rows(i);
    return Dim;
  }
  // Where a term of cone i begins: its x, z and plain z, and s.
  Index start(Index i, Index term) const {
    const Index rows_before = Dim == Eigen::Dynamic ? cones_->start(i) : Dim * i;
    return order_ * (3 * rows_before + i) + term * (3 * rows(i) + 1);
  }
  Eigen::Map<Part> at(Index i, Index term, Index which) {
    return {values_.data() + start(i, term) + which * rows(i), rows(i)};
  }
  Eigen::Map<const Part> at(Index i, Index term, Index which) const {
    return {values_.data() + start(i, term) + which * rows(i), rows(i)};
  }
  double& slip(Index i, Index term) { return values_[start(i, term) + 3 * rows(i)]; }
  double slip(Index i, Index term) const { return values_[start(i, term) + 3 * rows(i)]; }

  const BlockShape* cones_;
  Index order_;
  Vector values_;
};

}  // namespace frictionbench::solvers
