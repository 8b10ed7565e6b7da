/// \file
/// The central path of the NCP, followed closely.
#pragma once

#include "frictionbench/solvers/interior_point/path_point.hpp"

namespace frictionbench::solvers {

enum class Folds { followed, leapt };  ///< what is tried first

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

/// Moves of a PathPoint near a central path: to it, along it, and past its folds.
///
/// Each point that is looked at is an iteration of the solve, which judges it. Once ended() is
/// true, all functions that move return false.
template <typename Coordinates>
class PathTracker {
 public:
  using Place = typename PathPoint<Coordinates>::Place;

  /// Both must outlive it. \param regularization eps.
  PathTracker(const Coordinates& coordinates, Solve& solve, double regularization);

  double tau() const { return point_.tau(); }
  bool ended() const { return ended_; }
  int iterations() const { return solve_.iteration(); }
  Vector impulse() const { return point_.impulse(); }  ///< m

  const Place& place() const { return point_.place(); }
  void go_to(Place place) { point_.go_to(std::move(place)); }  ///< where place() was

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
  bool look();
  bool approach(int most);
  bool step();
  bool correct();
  bool jump();
  bool falls() const { return along_[2 * cones_.order()] < 0; }

  const Coordinates& coordinates_;
  const BlockShape& cones_;
  Solve& solve_;
  PathPoint<Coordinates> point_;
  bool ended_ = false;
  int jumps_ = 0;  // for the record

  // Of a path that is followed, at a point whose matrix is factored.
  Vector along_;           // the tangent onwards, of length 1
  double reach_ = 1;       // the length of the last step
  double confidence_ = 1;  // that relative to the longest that was thought possible
};

extern template class PathTracker<FrictionCoordinates<2>>;
extern template class PathTracker<FrictionCoordinates<3>>;
extern template class PathTracker<ConicCoordinates>;

}  // namespace frictionbench::solvers
