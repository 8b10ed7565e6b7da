/// \file
/// The central path of the NCP, followed closely.
#pragma once

#include "frictionbench/solvers/interior_point/central_path.hpp"
#include "frictionbench/solvers/interior_point/newton_system.hpp"

namespace frictionbench::solvers {

/// A change of x and z, and of the parameter of the path.
struct PathStep {
  Vector dx, dz;         // m
  double parameter = 0;  // w, or tau relative to tau
};

using PathSeries = std::vector<PathStep>;  ///< coefficients of a, a^2, ...

enum class Correction { norm, smooth };  ///< De Saxcé's, s(z): ||z_1||, or smooth_slip()

/// Points (x, z, tau) near the central path of the NCP in the cone coordinates of NewtonSystem,
///
///     F = E W E x + eps tau x + E q + w s(z) e - z = 0,     x o z = tau e,
///
/// with s = ||z_1||, which is what û has, or smooth_slip(). w = 0 is the CCP, w = 1 the NCP. eps
/// tau, which vanishes with tau, makes the path exist where contacts can press against each other
/// without limit.
///
/// A point is near the path if
///
///     max_i ||lambda_i o lambda_i - tau e|| / tau < 0.5   and   max_i ||N_i F_i|| < 0.05 sqrt(tau)
///
/// with the scaling N of CentralPath, which measures the error of a small z finely. An infeasible
/// method, which lets F and tau shrink together, meets points at which the Newton
/// matrix is singular long before an answer; from near the path, tau can fall by a factor.
///
/// Each point that is looked at is an iteration of the solve, which judges it. Once ended() is
/// true, all functions that move return false.
template <int Dim>
class PathTracker {
 public:
  /// The solve must outlive it. \param regularization eps.
  PathTracker(Solve& solve, double regularization);

  double tau() const { return tau_; }
  bool ended() const { return ended_; }
  Vector impulse() const { return system_.cone_factors().cwiseProduct(path_.x()); }  ///< E x, m

  /// Goes to the path of the CCP at this tau by Mehrotra's method from x = z = e. \returns whether
  /// it got there within 60 iterations.
  bool centre_relaxation(double tau);

  /// Goes to x o z = tau e with x - z = x(r) - z(r), x(r) = E^-1 r and z(r) = E û: from any
  /// impulse r (m), to a point that is central, though not with F = 0.
  void enter(const Vector& r, double tau, Correction correction);

  /// Newton's method for the NCP at this tau, with a step of pseudo-time: rho I is added to the
  /// matrix, rho grows where the point gets worse or steps are short. \returns whether it is near
  /// the path within `most` iterations.
  bool centre(double tau, Correction correction, int most);

  /// Goes from the CCP at tau() along the smooth path to the NCP, w from 0 to 1, as follow() does.
  /// \returns whether it got there.
  bool correct_relaxation();

  /// Follows the smooth path of the NCP to smaller tau, also around folds, where tau grows for a
  /// while, by the asymptotic numerical method [Cochelin 1994]: a power series of the arclength
  /// from each point, for one factorisation. The determinant of the system bordered by its tangent
  /// keeps its sign along a path [Keller 1977], which tells the way on even after a step across a
  /// fold. Returns when ended, when no step is possible, or when tau got no smaller in 30 of
  /// them; then at the point of the smallest tau.
  void follow();

 private:
  enum class Parameter { fixed, free };

  double slip_of(Index i) const;
  ConeMatrix<Dim> jacobian(Index i) const;  // I - w ds/dz
  Vector times_jacobian(const Vector& v) const;
  Vector off_centre() const;
  bool factorize(NewtonSystem& system, double rho);
  bool look();
  void assess(const Vector& u);
  bool is_near(double share = 1) const;
  PathStep newton();
  PathStep tangent(double shrink);
  double inner(const PathStep& a, const PathStep& b) const;
  bool correct(Parameter parameter, double share);
  PathSeries expand();
  double onwards() const;
  bool advance(const PathSeries& series, double a);
  bool step();

  Solve& solve_;
  double regularization_;
  NewtonSystem system_;
  CentralPath<Dim> path_;
  Correction correction_ = Correction::norm;
  double tau_ = 1;
  double w_ = 0;
  bool is_relaxed_ = true;  // w is the parameter of follow(), not tau
  bool ended_ = false;

  // Of the point looked at last.
  Vector F_;
  const BlockDiagonal* D_ = nullptr;
  BlockDiagonal S_;
  double deviation_ = 0, infeasibility_ = 0;
};

extern template class PathTracker<2>;
extern template class PathTracker<3>;

}  // namespace frictionbench::solvers
