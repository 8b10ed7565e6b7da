/// \file
#pragma once

#include <vector>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/math/lorentz_cone.hpp"

namespace frictionbench::solvers {

/// Where a primal-dual interior point method is: x and z inside the Lorentz cones of all contacts,
/// on their way to x o z = 0 along x o z = sigma tau e; and which way complementarity pulls them.
/// The same for the CCP and the NCP. \tparam Dim the problem's dimension.
template <int Dim>
class CentralPath {
 public:
  /// Starts from x = z = e in every contact.
  explicit CentralPath(Index contacts);

  const Vector& x() const { return x_; }
  const Vector& z() const { return z_; }

  /// tau, the mean of x_i.z_i.
  double gap() const { return x_.dot(z_) / static_cast<double>(contacts_); }

  /// Makes the scalings N_i of x and z. \returns D = diag(N_i^-2), which stays until the next call.
  const BlockDiagonal& scale();

  /// The linearised x o z = sigma tau e reads dz = pull - D dx. The predictor aims at 0, and its
  /// pull is -z. This is the one of Mehrotra's corrector, with the predictor dx, dz in its
  /// second-order term.
  Vector corrected_pull(const Vector& dx, const Vector& dz, double sigma) const;

  /// The largest step for which x and z stay in the cones, at most `longest`.
  double largest_step(const Vector& dx, const Vector& dz, double longest) const;

  /// x + step dx, z + step dz; the step is halved while rounding leaves either outside.
  void move(double step, const Vector& dx, const Vector& dz);

  /// Off the boundary: adds `push` times its length to each x_i and z_i, along e.
  void recentre(double push);

 private:
  static auto part(const Vector& v, Index i) { return v.segment<Dim>(Dim * i); }
  static bool is_inside_cones(const Vector& v);

  Index contacts_;
  Vector x_, z_;
  std::vector<NtScaling<Dim>> scalings_;
  BlockDiagonal D_;
};

extern template class CentralPath<2>;
extern template class CentralPath<3>;

}  // namespace frictionbench::solvers
