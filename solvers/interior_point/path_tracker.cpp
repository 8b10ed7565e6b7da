#include "frictionbench/solvers/interior_point/path_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frictionbench/solvers/interior_point/pseudo_time.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int most_relaxed = 60;  // iterations to the centre of the CCP

// Of a path that is followed.
constexpr double beyond = 4;                 // radii of convergence that the longest step has
constexpr double growth = 1.5;               // of that step's share that the next step tries
constexpr double least_cosine = 0.5;         // between the end of a step and the path there
constexpr double shortening = 0.8;           // of a step that leaves the neighbourhood
constexpr double shortening_at_turns = 0.4;  // of one that ends on another branch
constexpr double least_share = 1e-4;         // of the longest step that is tried
constexpr double cautious = 0.1;             // share that is tried after a correction
constexpr double share_of_a_jump = 0.1;      // of tau, over a fold
constexpr int longest_jump = 60;             // iterations

}  // namespace

template <typename Coordinates>
PathTracker<Coordinates>::PathTracker(const Coordinates& coordinates, Solve& solve,
                                      double regularization)
    : coordinates_(coordinates),
      cones_(coordinates.cones()),
      solve_(solve),
      point_(coordinates, solve, regularization) {}

// Judges the point that was assessed. \returns false if that ends the solve.
template <typename Coordinates>
bool PathTracker<Coordinates>::look() {
  if (!solve_.begin_iteration()) return !(ended_ = true);
  solve_.report("tau", point_.tau());
  return !(ended_ = solve_.ends(point_.r(), point_.u()));
}

template <typename Coordinates>
bool PathTracker<Coordinates>::centre_relaxation(double tau) {
  const auto& path = point_.path();
  point_.begin_relaxation(tau);
  for (int k = 0;; ++k) {
    point_.assess();
    if (!look()) return false;
    if (point_.is_near()) return true;
    if (k == most_relaxed || !point_.factorize()) return false;
    Vector p = path.target(tau);
    // Near its target, the corrector has fixed points of its own.
    if (path.gap() > 2 * tau) {
      const auto predictor = point_.towards(-path.z());
      const double sigma = std::pow(1 - path.largest_step(predictor.dx, predictor.dz, 1), 3);
      p = path.corrected_target(predictor.dx, predictor.dz, std::max(sigma, tau / path.gap()));
    }
    const auto found = point_.towards(p);
    if (!found.is_finite()) return false;
    const double step = std::min(1.0, 0.95 * path.largest_step(found.dx, found.dz, 2));
    point_.move(step, found.dx, found.dz, found.dy);
  }
}

template <typename Coordinates>
void PathTracker<Coordinates>::enter(const Vector& r, double tau, Correction correction) {
  point_.enter(r, tau, correction);
}

template <typename Coordinates>
bool PathTracker<Coordinates>::centre(Correction correction, int most) {
  point_.leave_relaxation();
  point_.correct_by(correction);
  return approach(most);
}

// Newton's method to the path at this tau, with steps of pseudo-time 1 / rho_i.
template <typename Coordinates>
bool PathTracker<Coordinates>::approach(int most) {
  PseudoTime time(cones_.count());
  for (int k = 0;; ++k) {
    point_.assess();
    if (!look()) return false;
    if (point_.is_near()) return true;
    if (k == most) return false;
    while (!(point_.factorize(time.rho()) && point_.determinant_sign() > 0))
      if (!time.hold_back()) return false;
    const Vector step = point_.newton();
    if (!step.allFinite()) return false;
    const auto& path = point_.path();
    const Index p = cones_.order();
    const Vector dx = step.head(p), dz = step.segment(p, p);
    for (Index i = 0; i < cones_.count(); ++i)
      time.adapt(i, path.length(i, dx, dz) / std::sqrt(point_.tau()));
    point_.move(std::min(1.0, 0.9 * path.largest_step(dx, dz, 2)), dx, dz,
                step.tail(solve_.unknowns()));
  }
}

// A step of Newton's method that keeps the place along the path. \returns false, without having moved, if
// that does not at least halve the distance from it.
template <typename Coordinates>
bool PathTracker<Coordinates>::correct() {
  const auto start = point_.place();
  const double before = point_.distance();
  Vector across = point_.newton();
  across -= point_.scaled(along_).dot(point_.scaled(across)) * along_;
  if (!point_.advance(across)) return false;
  point_.assess();
  if (!(point_.distance() < before / 2)) {
    point_.go_to(start);
    return false;
  }
  if (!look() || !point_.factorize()) return false;
  along_ = point_.tangent();
  confidence_ = cautious;
  return true;
}

// Goes as far as one expansion is good for, and finds the way on from there; from a point from which that
// is nowhere, towards the path instead. \returns false if neither is possible.
template <typename Coordinates>
bool PathTracker<Coordinates>::step() {
  const PathSeries series = point_.expand(along_, reach_);
  double longest = beyond * series.radius();
  if (!std::isfinite(longest)) return false;
  if (const double falling = -along_[2 * cones_.order()]; falling > 0)
    longest = std::min(longest, point_.largest_reduction * point_.tau() / falling);

  const auto start = point_.place();
  double a = std::min(1.0, growth * confidence_) * longest;
  while (a > least_share * longest) {
    double shorter = shortening;
    if (point_.advance(series.value(a))) {
      point_.assess();
      if (point_.is_near()) {
        if (!look() || !point_.factorize()) return false;
        Vector along = point_.tangent();
        const Vector ahead = point_.scaled(along), ending = point_.scaled(series.derivative(a));
        if (ahead.dot(ending) > least_cosine * ending.norm()) {
          along_ = std::move(along);
          reach_ = a;
          confidence_ = a / longest;
          return true;
        }
        shorter = shortening_at_turns;
      }
      point_.go_to(start);
    }
    a *= shorter;
  }
  point_.assess();
  return point_.factorize() && correct();
}

template <typename Coordinates>
bool PathTracker<Coordinates>::leap(double share, int most) {
  const auto start = point_.place();
  point_.change_tau(point_.tau() * (1 - share));
  if (approach(most)) return true;
  if (!ended_) point_.go_to(start);
  return false;
}

// A leap from beyond a fold. \returns false, without having moved, if tau would not fall from there.
template <typename Coordinates>
bool PathTracker<Coordinates>::jump() {
  const auto start = point_.place();
  if (leap(share_of_a_jump, longest_jump) && point_.factorize() && point_.determinant_sign() > 0) {
    along_ = point_.tangent();
    confidence_ = cautious;
    solve_.report("jumps", ++jumps_);
    return true;
  }
  if (ended_) return false;
  point_.go_to(start);
  point_.assess();
  if (point_.factorize()) along_ = point_.tangent();
  return false;
}

template <typename Coordinates>
void PathTracker<Coordinates>::follow(int patience, Folds folds, double until) {
  point_.correct_by(Correction::smooth);
  point_.assess();
  if (!point_.factorize()) return;
  along_ = point_.tangent();
  reach_ = confidence_ = 1;
  auto lowest = point_.place();
  const int first = iterations();
  const auto made = [&] { return iterations() - first; };
  Halvings halvings(point_.tau(), first);
  int in_vain = 0;
  while (halvings.since_last(point_.tau(), iterations()) < patience) {
    const bool fell = falls();
    if (!step()) break;
    const int before = made();
    if (folds == Folds::leapt && fell && !falls() && 2 * in_vain <= before && !jump())
      in_vain += made() - before;
    if (ended_ || point_.tau() <= until) return;
    if (point_.tau() < lowest.tau) lowest = point_.place();
  }
  if (!ended_) point_.go_to(std::move(lowest));
}

template class PathTracker<FrictionCoordinates<2>>;
template class PathTracker<FrictionCoordinates<3>>;
template class PathTracker<ConicCoordinates>;

}  // namespace frictionbench::solvers
