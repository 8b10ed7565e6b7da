#include "frictionbench/solvers/interior_point/path_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frictionbench/solvers/interior_point/pseudo_time.hpp"

namespace frictionbench::solvers {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double neighbourhood = 0.25;
constexpr double feasibility = 0.025;
constexpr int most_relaxed = 60;  // iterations to the centre of the CCP
constexpr int refinements = 2;    // of a direction

// Of a path that is followed.
constexpr int order = 8;                     // of the series; each costs two triangular solves
constexpr double steepest = 0.3;             // way back to the path, relative to the way along it
constexpr double beyond = 4;                 // radii of convergence that the longest step has
constexpr double growth = 1.5;               // of that step's share that the next step tries
constexpr double least_cosine = 0.5;         // between the end of a step and the path there
constexpr double shortening = 0.8;           // of a step that leaves the neighbourhood
constexpr double shortening_at_turns = 0.4;  // of one that ends on another branch
constexpr double least_share = 1e-4;         // of the longest step that is tried
constexpr double cautious = 0.1;             // share that is tried after a correction
constexpr double largest_reduction = 0.999;  // of tau in a step
constexpr double share_of_a_jump = 0.1;      // of tau, over a fold
constexpr int longest_jump = 60;             // iterations

// What of v exceeds its rounding errors.
Vector beyond_rounding(const Vector& v, const Vector& rounding) {
  const auto excess = (v.cwiseAbs() - rounding).cwiseMax(0);
  return v.cwiseSign().cwiseProduct(excess);
}

}  // namespace

template <typename Coordinates>
PathTracker<Coordinates>::PathTracker(const Coordinates& coordinates, Solve& solve,
                                      double regularization)
    : coordinates_(coordinates),
      rows_of_cones_(coordinates.cones().order()),
      solve_(solve),
      regularization_(regularization),
      system_(coordinates, System::Kind::unsymmetric, solve, refinements),
      point_{CentralPath<rows>(coordinates.cones()), Vector::Zero(solve.unknowns()), 1,
             std::numeric_limits<double>::infinity()} {}

template <typename Coordinates>
auto PathTracker<Coordinates>::cone(const Vector& v, Index i) const -> ConeVector<rows> {
  const BlockShape& cones = coordinates_.cones();
  return v.segment(cones.start(i), cones.rows(i));
}

template <typename Coordinates>
double PathTracker<Coordinates>::slip_of(Index i) const {
  const ConeVector<rows> z = cone(point_.path.z(), i);
  return correction_ == Correction::norm ? slip<rows>(z) : smooth_slip<rows>(z);
}

template <typename Coordinates>
auto PathTracker<Coordinates>::jacobian(Index i) const -> ConeMatrix<rows> {
  const ConeVector<rows> z = cone(point_.path.z(), i);
  const auto I = ConeMatrix<rows>::Identity(z.size(), z.size());
  const ConeMatrix<rows> J =
      correction_ == Correction::norm ? slip_jacobian<rows>(z) : smooth_slip_jacobian<rows>(z);
  return I + weight() * (J - I);
}

template <typename Coordinates>
bool PathTracker<Coordinates>::factorize(System& system, const Vector& rho) {
  BlockDiagonal J(coordinates_.cones());
  for (Index i = 0; i < J.blocks(); ++i) {
    J.block(i) = jacobian(i);
    if (rho.size() > 0) J.block(i).diagonal().array() += rho[i];
  }
  return system.factorize(std::move(J), *D_, regularization_ * point_.tau);
}

// How far the point is from the path.
template <typename Coordinates>
void PathTracker<Coordinates>::assess() {
  r_ = impulse();
  u_ = solve_.W().velocity(r_);
  const double tau = point_.tau;
  const CentralPath<rows>& path = point_.path;
  const Vector& E = coordinates_.scale();
  F_ = E.cwiseProduct(u_) - coordinates_.from_cones(path.z()) + regularization_ * tau * point_.y;
  for (Index i = 0; i < coordinates_.cones().count(); ++i)
    F_[coordinates_.normal(i)] += weight() * slip_of(i);
  slack_ = coordinates_.slack_error(point_.y, path.x());
  D_ = &point_.path.scale();
  deviation_ = path.deviation(tau);
  measure();
  if (infeasibility_ < feasibility) return;
  F_ = beyond_rounding(F_, E.cwiseProduct(solve_.W().velocity_rounding(r_)) +
                               epsilon * coordinates_.from_cones(path.z().cwiseAbs()).cwiseAbs());
  measure();
}

// The errors of the point in the metric of the scaling.
template <typename Coordinates>
void PathTracker<Coordinates>::measure() {
  double largest =
      std::max(point_.path.widest(coordinates_.lifted(F_)), coordinates_.largest_without_cone(F_));
  if (slack_.size() > 0) largest = std::max(largest, point_.path.widest_slack(slack_));
  infeasibility_ = largest / std::sqrt(point_.tau);
}

// Judges the point that was assessed. \returns false if that ends the solve.
template <typename Coordinates>
bool PathTracker<Coordinates>::look() {
  if (!solve_.begin_iteration()) return !(ended_ = true);
  solve_.report("tau", point_.tau);
  return !(ended_ = solve_.ends(r_, u_));
}

// From the path; below 1 is near.
template <typename Coordinates>
double PathTracker<Coordinates>::distance() const {
  return std::max(deviation_ / neighbourhood, infeasibility_ / feasibility);
}

template <typename Coordinates>
bool PathTracker<Coordinates>::centre_relaxation(double tau) {
  System system(coordinates_, System::Kind::symmetric, solve_, refinements);
  CentralPath<rows>& path = point_.path;
  path = CentralPath<rows>(coordinates_.cones());
  point_.y = coordinates_.nearest(path.x(), Vector::Zero(solve_.unknowns()));
  point_.tau = point_.relaxed_at = tau;
  for (int k = 0;; ++k) {
    assess();
    if (!look()) return false;
    if (is_near()) return true;
    if (k == most_relaxed || !factorize(system)) return false;
    Vector p = path.target(tau);
    // Near its target, the corrector has fixed points of its own.
    if (path.gap() > 2 * tau) {
      const auto [dy, dx, dz] = system.direction(path, F_, -path.z(), slack_);
      const double sigma = std::pow(1 - path.largest_step(dx, dz, 1), 3);
      p = path.corrected_target(dx, dz, std::max(sigma, tau / path.gap()));
    }
    const auto found = system.direction(path, F_, p, slack_);
    if (!found.is_finite()) return false;
    const double step = std::min(1.0, 0.95 * path.largest_step(found.dx, found.dz, 2));
    point_.y += path.move(step, found.dx, found.dz) * found.dy;
  }
}

template <typename Coordinates>
void PathTracker<Coordinates>::enter(const Vector& r, double tau, Correction correction) {
  const auto [x, z] = coordinates_.enter(r, solve_.W().velocity(r));
  Vector difference = x - z;
  for (Index i = 0; i < coordinates_.cones().count(); ++i) {
    const double length = slip<rows>(cone(z, i));
    const Index first = coordinates_.cones().start(i);
    const double u_N = z[first];
    // The root s of s = length^2 / (u_N + s) for the smooth correction.
    difference[first] -=
        correction == Correction::norm ? length : (std::hypot(u_N, 2 * length) - u_N) / 2;
  }
  point_.tau = tau;
  point_.path.enter(difference, tau);
  point_.y = coordinates_.nearest(point_.path.x(), r);
}

template <typename Coordinates>
bool PathTracker<Coordinates>::centre(Correction correction, int most) {
  point_.relaxed_at = std::numeric_limits<double>::infinity();
  correction_ = correction;
  return approach(most);
}

// Newton's method to the path at this tau, with steps of pseudo-time 1 / rho_i.
template <typename Coordinates>
bool PathTracker<Coordinates>::approach(int most) {
  PseudoTime time(coordinates_.cones().count());
  for (int k = 0;; ++k) {
    assess();
    if (!look()) return false;
    if (is_near()) return true;
    if (k == most) return false;
    while (!(factorize(system_, time.rho()) && system_.determinant_sign() > 0))
      if (!time.hold_back()) return false;
    const Vector step = newton();
    if (!step.allFinite()) return false;
    const Vector dx = step.head(rows_of_cones_), dz = step.segment(rows_of_cones_, rows_of_cones_);
    for (Index i = 0; i < coordinates_.cones().count(); ++i)
      time.adapt(i, point_.path.length(i, dx, dz) / std::sqrt(point_.tau));
    const double share = std::min(1.0, 0.9 * point_.path.largest_step(dx, dz, 2));
    point_.y += point_.path.move(share, dx, dz) * step.tail(F_.size());
  }
}

template <typename Coordinates>
Vector PathTracker<Coordinates>::direction(const Vector& lacking, const Vector& p, double dtau,
                                           const Vector& slack) {
  const auto [dy, dx, dz] = system_.direction(point_.path, lacking, p, slack);
  Vector all(2 * p.size() + 1 + dy.size());
  all << dx, dz, dtau, dy;
  return all;
}

// In coordinates in which a cone's change by its own size has length 1, and one of tau; without y.
template <typename Coordinates>
Vector PathTracker<Coordinates>::scaled(const Vector& direction) const {
  const Index p = rows_of_cones_;
  Vector all(2 * p + 1);
  all.head(2 * p) =
      point_.path.scaled(direction.head(p), direction.segment(p, p)) / std::sqrt(point_.tau);
  all[2 * p] = direction[2 * p] / point_.tau;
  return all;
}

// To the path at this tau.
template <typename Coordinates>
Vector PathTracker<Coordinates>::newton() {
  const Vector p = point_.path.target(point_.tau);
  return direction(F_, p, 0, slack_);
}

// The tangent of length 1 that leads on.
template <typename Coordinates>
Vector PathTracker<Coordinates>::onwards() {
  const BlockShape& cones = coordinates_.cones();
  Vector e = Vector::Zero(rows_of_cones_);
  for (Index i = 0; i < cones.count(); ++i) e[cones.start(i)] = 1;
  const Vector p = point_.path.quotient(e);
  Vector lacking = regularization_ * point_.y;
  for (Index i = 0; i < cones.count(); ++i)
    lacking[coordinates_.normal(i)] -= slip_of(i) / point_.relaxed_at;
  const Vector tangent = direction(lacking, p, 1);
  return -system_.determinant_sign() / scaled(tangent).norm() * tangent;
}

// With x = sum a^k x_k and so on, all equations are quadratic: s z_0 = ||z_1||^2 defines the smooth
// correction. Those of order k have the matrix of Newton's method, and products of lower orders on
// the right. What the point lacks falls with 1 - a / reach, but not on a way so short that it
// would be steep.
template <typename Coordinates>
PathSeries PathTracker<Coordinates>::expand() {
  const BlockShape& cones = coordinates_.cones();
  const Index m = solve_.unknowns(), p = rows_of_cones_, count = cones.count();
  const Vector& z = point_.path.z();
  const double w = weight();
  Matrix terms(2 * p + 1 + m, order), lengths(2 * p + 1, order), slips(count, order);
  const Vector ahead = scaled(along_);

  for (Index k = 0; k < order; ++k) {
    Vector slip = Vector::Zero(count);  // what lower orders contribute
    Vector term;
    if (k == 0) {
      const Vector back = newton();
      term = along_ + std::min(1 / reach_, steepest / scaled(back).norm()) * back;
    } else {
      Vector products = Vector::Zero(p), lower = Vector::Zero(m);
      for (Index i = 0; i < k; ++i) {
        const Index j = k - 1 - i;
        lower += regularization_ * terms(2 * p, i) * terms.col(j).tail(m);
        for (Index c = 0; c < count; ++c) {
          const Index at = cones.start(c), size = cones.rows(c);
          const ConeVector<rows> scaled_x = lengths.col(i).segment(at, size);
          const ConeVector<rows> scaled_z = lengths.col(j).segment(p + at, size);
          products.segment(at, size) += jordan_product<rows>(scaled_x, scaled_z);
          const ConeVector<rows> z_i = terms.col(i).segment(p + at, size);
          const ConeVector<rows> z_j = terms.col(j).segment(p + at, size);
          slip[c] += tangent_of(z_i).dot(tangent_of(z_j)) - slips(c, i) * z_j[0];
          lower[coordinates_.normal(c)] -= slips(c, i) * terms(2 * p, j) / point_.relaxed_at;
        }
      }
      for (Index c = 0; c < count; ++c) {
        slip[c] /= z[cones.start(c)];
        lower[coordinates_.normal(c)] += w * slip[c];
      }
      term = direction(lower, point_.path.quotient(-point_.tau * products), 0);
      term -= ahead.dot(scaled(term)) * along_;
    }
    for (Index c = 0; c < count; ++c) {
      const ConeVector<rows> z_c = cone(z, c);
      const ConeVector<rows> dz = term.segment(p + cones.start(c), cones.rows(c));
      slips(c, k) =
          slip[c] + (2 * tangent_of(z_c).dot(tangent_of(dz)) - slip_of(c) * dz[0]) / z_c[0];
    }
    lengths.col(k) = scaled(term);
    terms.col(k) = term;
  }
  return PathSeries(std::move(terms), lengths);
}

// \returns false, without having moved, if that leads out of the cones, or further than is trusted.
template <typename Coordinates>
bool PathTracker<Coordinates>::advance(const Vector& direction) {
  const Index p = rows_of_cones_;
  const double tau = point_.tau + direction[2 * p];
  if (!(tau >= (1 - largest_reduction) * point_.tau && tau <= point_.relaxed_at)) return false;
  if (!point_.path.shift(direction.head(p), direction.segment(p, p))) return false;
  point_.y += direction.tail(point_.y.size());
  point_.tau = tau;
  return true;
}

// A step of Newton's method that keeps the place along the path. \returns false, without having moved, if
// that does not at least halve the distance from it.
template <typename Coordinates>
bool PathTracker<Coordinates>::correct() {
  const Point start = point_;
  const double before = distance();
  Vector across = newton();
  across -= scaled(along_).dot(scaled(across)) * along_;
  if (!advance(across)) return false;
  assess();
  if (!(distance() < before / 2)) {
    point_ = start;
    return false;
  }
  if (!look() || !factorize(system_)) return false;
  along_ = onwards();
  confidence_ = cautious;
  return true;
}

// Goes as far as one expansion is good for, and finds the way on from there; from a point from which that
// is nowhere, towards the path instead. \returns false if neither is possible.
template <typename Coordinates>
bool PathTracker<Coordinates>::step() {
  const PathSeries series = expand();
  double longest = beyond * series.radius();
  if (!std::isfinite(longest)) return false;
  if (const double falling = -along_[2 * rows_of_cones_]; falling > 0)
    longest = std::min(longest, largest_reduction * point_.tau / falling);

  const Point start = point_;
  double a = std::min(1.0, growth * confidence_) * longest;
  while (a > least_share * longest) {
    double shorter = shortening;
    if (advance(series.value(a))) {
      assess();
      if (is_near()) {
        if (!look() || !factorize(system_)) return false;
        Vector along = onwards();
        const Vector ahead = scaled(along), ending = scaled(series.derivative(a));
        if (ahead.dot(ending) > least_cosine * ending.norm()) {
          along_ = std::move(along);
          reach_ = a;
          confidence_ = a / longest;
          return true;
        }
        shorter = shortening_at_turns;
      }
      point_ = start;
    }
    a *= shorter;
  }
  assess();
  return factorize(system_) && correct();
}

template <typename Coordinates>
bool PathTracker<Coordinates>::leap(double share, int most) {
  const Point start = point_;
  point_.tau *= 1 - share;
  if (approach(most)) return true;
  if (!ended_) point_ = start;
  return false;
}

// A leap from beyond a fold. \returns false, without having moved, if tau would not fall from there.
template <typename Coordinates>
bool PathTracker<Coordinates>::jump() {
  const Point start = point_;
  if (leap(share_of_a_jump, longest_jump) && factorize(system_) && system_.determinant_sign() > 0) {
    along_ = onwards();
    confidence_ = cautious;
    solve_.report("jumps", ++jumps_);
    return true;
  }
  if (ended_) return false;
  point_ = start;
  assess();
  if (factorize(system_)) along_ = onwards();
  return false;
}

template <typename Coordinates>
void PathTracker<Coordinates>::follow(int patience, Folds folds, double until) {
  correction_ = Correction::smooth;
  assess();
  if (!factorize(system_)) return;
  along_ = onwards();
  reach_ = confidence_ = 1;
  Point lowest = point_;
  const int first = iterations();
  const auto made = [&] { return iterations() - first; };
  Halvings halvings(point_.tau, first);
  int in_vain = 0;
  while (halvings.since_last(point_.tau, iterations()) < patience) {
    const bool fell = falls();
    if (!step()) break;
    const int before = made();
    if (folds == Folds::leapt && fell && !falls() && 2 * in_vain <= before && !jump())
      in_vain += made() - before;
    if (ended_ || point_.tau <= until) return;
    if (point_.tau < lowest.tau) lowest = point_;
  }
  if (!ended_) point_ = std::move(lowest);
}

template class PathTracker<FrictionCoordinates<2>>;
template class PathTracker<FrictionCoordinates<3>>;
template class PathTracker<ConicCoordinates>;

}  // namespace frictionbench::solvers
