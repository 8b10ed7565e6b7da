/// \file
/// The central path of the NCP, followed closely.
#pragma once

#include <limits>

#include "frictionbench/solvers/interior_point/newton_system.hpp"
#include "frictionbench/solvers/interior_point/path_series.hpp"

namespace frictionbench::solvers {

enum class Correction { norm, smooth };  ///< De Saxcé's, s(z): ||z_1||, or smooth_slip()
enum class Folds { followed, leapt };    ///< what is tried first

/// Whether a path gets on.
class Halvings {
 public:
  /// \param tau at the start. \param iteration there.
  Halvings(double tau, int iteration) : tau_(tau), iteration_(iteration) {}

  /// Iterations since tau was halved last. \param tau now. \param iteration now.
  int since_last(double tau, int iteration) {
    if (tau <= tau_ / 2) {
      tau_ = tau;
      iteration_ = iteration;
    }
    return iteration - iteration_;
  }

 private:
  double tau_;
  int iteration_;
};

/// Points (y, x, z, tau) near a central path in cone coordinates,
///
///     F = E (W (E y + c) + q) + eps tau y + A^T (w s(z) e - z) = 0,     x = A y + b,     x o z = tau e
///
/// with w = 1 - tau / tau_0 and s = ||z_1||, which is what û has, or smooth_slip(). The path starts at tau = tau_0, in the
/// one central point of the CCP there, and ends at tau = 0, in the NCP; with tau_0 = infinity it is
/// the central path of the NCP. eps tau makes it exist where contacts can press against each other
/// without limit.
///
/// A point is near the path if
///
///     max_i ||lambda_i o lambda_i - tau e|| / tau < 1/4   and   max_i ||N_i F_i|| < sqrt(tau) / 40
///
/// and the same for N_i^-1 times the error of x, with the scaling N of CentralPath, which measures the
/// error of a small z finely. (Where A is not I, F_i stands for the shortest vector f with A^T f = F; in
/// rows without a cone N = I.) An infeasible
/// method, which lets F and tau shrink together, meets points at which the Newton
/// matrix is singular long before an answer; from near the path, tau can fall by a factor. An F
/// that is not small enough for that counts as 0 as far as it may be rounding.
///
/// Each point that is looked at is an iteration of the solve, which judges it. Once ended() is
/// true, all functions that move return false.
template <typename Coordinates>
class PathTracker {
  static constexpr int rows = Coordinates::cone_rows;

 public:
  struct Point {
    CentralPath<rows> path;  ///< x and z
    Vector y;                ///< m
    double tau;
    double relaxed_at;  ///< tau_0
  };

  /// Both must outlive it. \param regularization eps.
  PathTracker(const Coordinates& coordinates, Solve& solve, double regularization);

  double tau() const { return point_.tau; }
  bool ended() const { return ended_; }
  int iterations() const { return solve_.iteration(); }
  Vector impulse() const { return coordinates_.impulse(point_.y); }  ///< m

  const Point& place() const { return point_; }
  void go_to(Point place) { point_ = std::move(place); }  ///< where place() was

  /// Goes to the start of a path, tau_0 = tau, by Mehrotra's method from x = z = e. \returns whether
  /// it got there within 60 iterations.
  bool centre_relaxation(double tau);

  /// Goes to x o z = tau e with x - z = x(r) - z(r), where x(r) belongs to r and z(r) to û: from any
  /// impulse r (m), to a point that is central, though not with F = 0.
  void enter(const Vector& r, double tau, Correction correction);

  /// Newton's method for the NCP, tau_0 = infinity, at tau(), with implicit Euler's steps in
  /// pseudo-time t, A^T dz / dt = F, of lengths 1 / rho_i (PseudoTime): A^T (J + rho) dz for A^T J dz.
  /// They are shortened until the determinant is positive. It is positive where tau falls along the
  /// path, as at the CCP, whose matrix is positive definite; beyond a fold, steps of Newton's method
  /// would lead back to it. \returns whether it is near the path within `most` iterations.
  bool centre(Correction correction, int most);

  /// Goes from a point near the path to one at a tau that is smaller by this share, by the method of
  /// centre(), which a fold between them need not stop. \returns false, without having moved, if
  /// that is not near the path within `most` iterations.
  bool leap(double share, int most);

  /// Follows the path of the smooth correction to smaller tau, also around folds, where tau grows
  /// for a while, by the asymptotic numerical method [Cochelin 1994]: a power series of the
  /// arclength from each point, for one factorisation. The determinant of the system bordered by
  /// its tangent keeps its sign along a path [Keller 1977], which tells the way on. Where that is not
  /// the way that the series ended, the step has got onto another branch, and is taken again,
  /// shorter. Where no step stays near the path, a step of Newton's method across it comes first.
  /// If folds are to be leapt, a leap is tried beyond each, before the way around it, unless those
  /// that failed took half of the iterations: folds of contacts far from each other are nearly
  /// independent, and a path around n of them may turn 2^n times.
  /// Returns when ended, or when tau is at most `until`; or at the point of the smallest tau, when no
  /// step is possible, or after `patience` iterations in which tau was not halved.
  void follow(int patience, Folds folds, double until = 0);

 private:
  using System = NewtonSystem<Coordinates>;

  double weight() const { return 1 - point_.tau / point_.relaxed_at; }  // w
  ConeVector<rows> cone(const Vector& v, Index i) const;
  double slip_of(Index i) const;
  ConeMatrix<rows> jacobian(Index i) const;  // I - w ds/dz
  bool factorize(System& system, const Vector& rho = {});
  void assess();
  void measure();
  bool look();
  double distance() const;
  bool is_near() const { return distance() < 1; }
  bool approach(int most);

  // Directions: the changes of x, z, tau and y, 2 p + 1 + m.
  Vector direction(const Vector& lacking, const Vector& p, double dtau, const Vector& slack = {});
  Vector scaled(const Vector& direction) const;
  Vector newton();
  Vector onwards();
  PathSeries expand();
  bool advance(const Vector& direction);
  bool step();
  bool correct();
  bool falls() const { return along_[2 * rows_of_cones_] < 0; }
  bool jump();

  const Coordinates& coordinates_;
  Index rows_of_cones_;  // p
  Solve& solve_;
  double regularization_;
  System system_;
  Point point_;
  Correction correction_ = Correction::norm;
  bool ended_ = false;
  int jumps_ = 0;  // for the record

  // Of the point assessed last.
  Vector r_, u_, F_, slack_;
  const BlockDiagonal* D_ = nullptr;
  double deviation_ = 0, infeasibility_ = 0;

  // Of a path that is followed, at a point where the system is factored.
  Vector along_;           // the tangent onwards, of length 1
  double reach_ = 1;       // the length of the last step
  double confidence_ = 1;  // that relative to the longest that was thought possible
};

extern template class PathTracker<FrictionCoordinates<2>>;
extern template class PathTracker<FrictionCoordinates<3>>;
extern template class PathTracker<ConicCoordinates>;

}  // namespace frictionbench::solvers
