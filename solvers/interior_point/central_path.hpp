/// \file
#pragma once

#include <vector>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/math/lorentz_cone.hpp"

namespace frictionbench::solvers {

/// The iterates of a primal-dual interior point method: x and z inside the Lorentz cones of all
/// contacts, following x o z = sigma tau e towards x o z = 0. \tparam Dim rows of a cone, or
/// Eigen::Dynamic if they differ.
template <int Dim>
class CentralPath {
 public:
  /// Starts from x = z = e in every cone. \param shape rows of the cones.
  explicit CentralPath(BlockShape shape);

  const Vector& x() const { return x_; }
  const Vector& z() const { return z_; }

  /// The rows of cone i. \param v p.
  template <typename Entries>
  auto part(Entries&& v, Index i) const {
    if constexpr (Dim == Eigen::Dynamic)
      return v.segment(shape_.start(i), shape_.rows(i));
    else
      return v.template segment<Dim>(Dim * i);
  }

  /// tau, the mean of x_i.z_i.
  double gap() const { return x_.dot(z_) / static_cast<double>(count()); }

  /// Computes the scalings N_i of x and z. \returns D = diag(N_i^-2), valid until the next call.
  const BlockDiagonal& scale();
  /// N_i, as computed by scale().
  const NtScaling<Dim>& scaling(Index i) const { return scalings_[static_cast<std::size_t>(i)]; }

  /// D dx, more precise than the matrix where that has eigenvalues of very different sizes.
  Vector times_scale(const Vector& dx) const;

  /// The p in dz = p - D dx, the linearised x o z = sigma tau e, for Mehrotra's corrector, with the
  /// predictor dx, dz in its second-order term. (The predictor itself has sigma = 0 and p = -z.)
  Vector corrected_target(const Vector& dx, const Vector& dz, double sigma) const;

  /// The same without a predictor: p of the linearised x o z = tau e.
  Vector target(double tau) const;

  /// The p in dz = p - D dx that N^-1 x o N dz + N^-1 dx o N z = right amounts to.
  Vector quotient(const Vector& right) const;

  /// N^-1 dx and N dz, one after the other, 2 p: directions in the metric of the scaling.
  Vector scaled(const Vector& dx, const Vector& dz) const;

  /// How far a direction is from dz = p - D dx: the largest ||N_i p_i - N_i^-1 dx_i - N_i dz_i||. \param scaled
  /// what scaled() makes of it.
  double miss(const Vector& p, const Vector& scaled) const;

  /// The larger of ||N_i^-1 dx_i|| and ||N_i dz_i||.
  double length(Index i, const Vector& dx, const Vector& dz) const;

  /// The largest ||N_i dz_i||.
  double widest(const Vector& dz) const;
  /// The largest ||N_i^-1 dx_i||.
  double widest_slack(const Vector& dx) const;

  /// The largest ||lambda_i o lambda_i - tau e|| / tau: 0 on the central path.
  double deviation(double tau) const;

  /// Goes to the point with x - z = y and x o z = tau e, x = (y + sqrt(y o y + 4 tau e)) / 2.
  void enter(const Vector& y, double tau);

  /// The largest step, at most `longest`, for which x and z stay in the cones.
  double largest_step(const Vector& dx, const Vector& dz, double longest) const;

  /// x + step dx, z + step dz; the step is halved while rounding puts either outside. \returns it.
  double move(double step, const Vector& dx, const Vector& dz);

  /// x + dx, z + dz. \returns false, without having moved, if either is outside.
  [[nodiscard]] bool shift(const Vector& dx, const Vector& dz);

  /// Moves off the boundary: adds `push` times its length to each x_i and z_i, along e.
  void recentre(double push);

 private:
  // lambda o lambda, what N^-1 x o N z is here.
  Vector square() const;

  Index count() const { return shape_.count(); }
  bool is_inside_cones(const Vector& v) const;

  BlockShape shape_;
  Vector x_, z_;  // p
  std::vector<NtScaling<Dim>> scalings_;
  BlockDiagonal D_;
};

extern template class CentralPath<2>;
extern template class CentralPath<3>;
extern template class CentralPath<Eigen::Dynamic>;

}  // namespace frictionbench::solvers
