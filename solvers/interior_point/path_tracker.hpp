/// \file
/// The central path of the NCP, followed closely.
#pragma once

#include <limits>

#include "frictionbench/solvers/interior_point/central_path.hpp"
#include "frictionbench/solvers/interior_point/newton_system.hpp"
#include "frictionbench/solvers/interior_point/path_series.hpp"

namespace frictionbench::solvers {

enum class Correction { norm, smooth };  ///< De Saxcé's, s(z): ||z_1||, or smooth_slip()

/// Points (x, z, tau) near a central path in the cone coordinates of NewtonSystem,
///
///     F = E W E x + eps tau x + E q + w s(z) e - z = 0,     x o z = tau e,     w = 1 - tau / tau_0
///
/// with s = ||z_1||, which is what û has, or smooth_slip(). The path starts at tau = tau_0, in the
/// one central point of the CCP there, and ends at tau = 0, in the NCP; with tau_0 = infinity it is
/// the central path of the NCP. eps tau makes it exist where contacts can press against each other
/// without limit.
///
/// A point is near the path if
///
///     max_i ||lambda_i o lambda_i - tau e|| / tau < 1/4   and   max_i ||N_i F_i|| < sqrt(tau) / 40
///
/// with the scaling N of CentralPath, which measures the error of a small z finely. An infeasible
/// method, which lets F and tau shrink together, meets points at which the Newton
/// matrix is singular long before an answer; from near the path, tau can fall by a factor. An F
/// that is not small enough for that counts as 0 as far as it may be rounding.
///
/// Each point that is looked at is an iteration of the solve, which judges it. Once ended() is
/// true, all functions that move return false.
template <int Dim>
class PathTracker {
 public:
  /// The solve must outlive it. \param regularization eps.
  PathTracker(Solve& solve, double regularization);

  double tau() const { return point_.tau; }
  bool ended() const { return ended_; }
  Vector impulse() const {  ///< E x, m
    return system_.cone_factors().cwiseProduct(point_.path.x());
  }

  /// Goes to the start of a path, tau_0 = tau, by Mehrotra's method from x = z = e. \returns whether
  /// it got there within 60 iterations.
  bool centre_relaxation(double tau);

  /// Goes to x o z = tau e with x - z = x(r) - z(r), x(r) = E^-1 r and z(r) = E û: from any
  /// impulse r (m), to a point that is central, though not with F = 0.
  void enter(const Vector& r, double tau, Correction correction);

  /// Newton's method for the NCP, tau_0 = infinity, at this tau, with a step of pseudo-time: rho I
  /// is added to the matrix, rho grows where the point gets worse or steps are short. \returns
  /// whether it is near the path within `most` iterations.
  bool centre(double tau, Correction correction, int most);

  /// Follows the path of the smooth correction to smaller tau, also around folds, where tau grows
  /// for a while, by the asymptotic numerical method [Cochelin 1994]: a power series of the
  /// arclength from each point, for one factorisation. The determinant of the system bordered by
  /// its tangent keeps its sign along a path [Keller 1977], which tells the way on. Where that is not
  /// the way that the series ended, the step has got onto another branch, and is taken again,
  /// shorter. Returns when ended, when no step is possible, or when tau got no smaller in
  /// many of them; then at the point of the smallest tau.
  void follow();

 private:
  struct Point {
    CentralPath<Dim> path;
    double tau;
  };

  double weight() const { return 1 - point_.tau / relaxed_at_; }  // w
  double slip_of(Index i) const;
  ConeMatrix<Dim> jacobian(Index i) const;  // I - w ds/dz
  bool factorize(NewtonSystem<Dim>& system, double rho);
  void assess();
  bool look();
  bool is_near() const;

  // Directions: the changes of x, z and tau, 2 m + 1.
  Vector direction(const Vector& lacking, const Vector& p, double dtau);
  Vector scaled(const Vector& direction) const;
  Vector newton();
  Vector onwards();
  PathSeries expand();
  bool advance(const Vector& direction);
  bool step();

  Solve& solve_;
  double regularization_;
  NewtonSystem<Dim> system_;
  Point point_;
  Correction correction_ = Correction::norm;
  double relaxed_at_ = std::numeric_limits<double>::infinity();  // tau_0
  bool ended_ = false;

  // Of the point assessed last.
  Vector r_, u_, F_;
  const BlockDiagonal* D_ = nullptr;
  double deviation_ = 0, infeasibility_ = 0;

  // Of a path that is followed, at a point where the system is factored.
  int sense_ = 1;          // the sign of the determinant where tau falls
  Vector along_;           // the tangent onwards, of length 1
  double reach_ = 1;       // the length of the last step
  double confidence_ = 1;  // that relative to the longest that was thought possible
};

extern template class PathTracker<2>;
extern template class PathTracker<3>;

}  // namespace frictionbench::solvers
