#include "frictionbench/solvers/interior_point/path_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace frictionbench::solvers {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double neighbourhood = 0.25;
constexpr double feasibility = 0.025;
constexpr int most_relaxed = 60;    // iterations to the centre of the CCP
constexpr double least_rho = 1e-7;  // of W, whose blocks have mean 1
constexpr int refinements = 2;      // of a direction

// Of a path that is followed.
constexpr int order = 8;                     // of the series; each costs two triangular solves
constexpr double steepest = 0.3;             // way back to the path, relative to the way along it
constexpr double beyond = 4;                 // radii of convergence that the longest step has
constexpr double growth = 1.5;               // of that step's share that the next step tries
constexpr double least_cosine = 0.5;         // between the end of a step and the path there
constexpr double shortening = 0.8;           // of a step that leaves the neighbourhood
constexpr double shortening_at_turns = 0.4;  // of one that ends on another branch
constexpr double least_share = 1e-4;         // of the longest step that is tried
constexpr double largest_reduction = 0.999;  // of tau in a step
constexpr int patience = 1000;               // steps in which tau gets no smaller

// What of v exceeds its rounding errors.
Vector beyond_rounding(const Vector& v, const Vector& rounding) {
  const auto excess = (v.cwiseAbs() - rounding).cwiseMax(0);
  return v.cwiseSign().cwiseProduct(excess);
}

}  // namespace

template <int Dim>
PathTracker<Dim>::PathTracker(Solve& solve, double regularization)
    : solve_(solve),
      regularization_(regularization),
      system_(NewtonSystem<Dim>::Kind::unsymmetric, solve, refinements),
      point_{CentralPath<Dim>(solve.contacts()), 1} {}

template <int Dim>
double PathTracker<Dim>::slip_of(Index i) const {
  const ConeVector<Dim> z = point_.path.z().template segment<Dim>(Dim * i);
  return correction_ == Correction::norm ? slip<Dim>(z) : smooth_slip<Dim>(z);
}

template <int Dim>
ConeMatrix<Dim> PathTracker<Dim>::jacobian(Index i) const {
  const ConeVector<Dim> z = point_.path.z().template segment<Dim>(Dim * i);
  const auto I = ConeMatrix<Dim>::Identity();
  const ConeMatrix<Dim> J =
      correction_ == Correction::norm ? slip_jacobian<Dim>(z) : smooth_slip_jacobian<Dim>(z);
  return I + weight() * (J - I);
}

template <int Dim>
bool PathTracker<Dim>::factorize(NewtonSystem<Dim>& system, double rho) {
  BlockDiagonal J(Dim, solve_.contacts());
  for (Index i = 0; i < solve_.contacts(); ++i) J.block(i) = jacobian(i);
  return system.factorize(std::move(J), *D_, regularization_ * point_.tau + rho);
}

// How far the point is from the path.
template <int Dim>
void PathTracker<Dim>::assess() {
  r_ = impulse();
  u_ = solve_.W().velocity(r_);
  const double tau = point_.tau;
  const Vector& E = system_.cone_factors();
  const Vector& z = point_.path.z();
  F_ = E.cwiseProduct(u_) - z + regularization_ * tau * point_.path.x();
  for (Index i = 0; i < solve_.contacts(); ++i) F_[Dim * i] += weight() * slip_of(i);
  D_ = &point_.path.scale();
  deviation_ = point_.path.deviation(tau);
  infeasibility_ = point_.path.widest(F_) / std::sqrt(tau);
  if (infeasibility_ < feasibility) return;
  F_ = beyond_rounding(F_,
                       E.cwiseProduct(solve_.W().velocity_rounding(r_)) + epsilon * z.cwiseAbs());
  infeasibility_ = point_.path.widest(F_) / std::sqrt(tau);
}

// Judges the point that was assessed. \returns false if that ends the solve.
template <int Dim>
bool PathTracker<Dim>::look() {
  if (!solve_.begin_iteration()) return !(ended_ = true);
  solve_.report("tau", point_.tau);
  return !(ended_ = solve_.ends(r_, u_));
}

template <int Dim>
bool PathTracker<Dim>::is_near() const {
  return deviation_ < neighbourhood && infeasibility_ < feasibility;
}

template <int Dim>
bool PathTracker<Dim>::centre_relaxation(double tau) {
  NewtonSystem<Dim> system(NewtonSystem<Dim>::Kind::symmetric, solve_, refinements);
  CentralPath<Dim>& path = point_.path;
  path = CentralPath<Dim>(solve_.contacts());
  point_.tau = relaxed_at_ = tau;
  for (int k = 0;; ++k) {
    assess();
    if (!look()) return false;
    if (is_near()) return true;
    if (k == most_relaxed || !factorize(system, 0)) return false;
    Vector p = path.target(tau);
    // Near its target, the corrector has fixed points of its own.
    if (path.gap() > 2 * tau) {
      const auto [dx, dz] = system.direction(path, F_, -path.z());
      const double sigma = std::pow(1 - path.largest_step(dx, dz, 1), 3);
      p = path.corrected_target(dx, dz, std::max(sigma, tau / path.gap()));
    }
    const auto [dx, dz] = system.direction(path, F_, p);
    if (!dx.allFinite() || !dz.allFinite()) return false;
    path.move(std::min(1.0, 0.95 * path.largest_step(dx, dz, 2)), dx, dz);
  }
}

template <int Dim>
void PathTracker<Dim>::enter(const Vector& r, double tau, Correction correction) {
  const Vector& E = system_.cone_factors();
  const Vector z = E.cwiseProduct(solve_.W().velocity(r));
  Vector y(r.size());
  for (Index k = 0; k < r.size(); ++k) y[k] = (E[k] > 0 ? r[k] / E[k] : 0) - z[k];
  for (Index i = 0; i < solve_.contacts(); ++i) {
    const double length = slip<Dim>(z.segment<Dim>(Dim * i));
    const double u_N = z[Dim * i];
    // The root s of s = length^2 / (u_N + s) for the smooth correction.
    y[Dim * i] -= correction == Correction::norm ? length : (std::hypot(u_N, 2 * length) - u_N) / 2;
  }
  point_.tau = tau;
  point_.path.enter(y, tau);
}

template <int Dim>
bool PathTracker<Dim>::centre(double tau, Correction correction, int most) {
  point_.tau = tau;
  relaxed_at_ = std::numeric_limits<double>::infinity();
  correction_ = correction;
  double rho = least_rho;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    assess();
    if (!look()) return false;
    if (is_near()) return true;
    const double distance = std::max(deviation_, infeasibility_);
    if (distance > 2 * last)
      rho *= 4;
    else if (distance < last)
      rho = std::max(least_rho, 0.4 * rho);
    last = distance;
    if (k == most || !factorize(system_, rho)) return false;
    const Vector step = newton();
    if (!step.allFinite()) return false;
    const auto dx = step.head(F_.size()), dz = step.segment(F_.size(), F_.size());
    const double length = std::min(1.0, 0.9 * point_.path.largest_step(dx, dz, 2));
    if (length < 0.2) rho *= 5;
    point_.path.move(length, dx, dz);
  }
}

template <int Dim>
Vector PathTracker<Dim>::direction(const Vector& lacking, const Vector& p, double dtau) {
  const auto [dx, dz] = system_.direction(point_.path, lacking, p);
  Vector all(2 * p.size() + 1);
  all << dx, dz, dtau;
  return all;
}

// In coordinates in which a contact's change by its own size has length 1, and one of tau.
template <int Dim>
Vector PathTracker<Dim>::scaled(const Vector& direction) const {
  const Index m = solve_.unknowns();
  Vector all(2 * m + 1);
  all.head(2 * m) =
      point_.path.scaled(direction.head(m), direction.segment(m, m)) / std::sqrt(point_.tau);
  all[2 * m] = direction[2 * m] / point_.tau;
  return all;
}

// To the path at this tau.
template <int Dim>
Vector PathTracker<Dim>::newton() {
  const Vector p = point_.path.target(point_.tau);
  return direction(F_, p, 0);
}

// The tangent of length 1 that leads on.
template <int Dim>
Vector PathTracker<Dim>::onwards() {
  Vector e = Vector::Zero(F_.size());
  for (Index i = 0; i < solve_.contacts(); ++i) e[Dim * i] = 1;
  const Vector p = point_.path.quotient(e);
  Vector lacking = regularization_ * point_.path.x();
  for (Index i = 0; i < solve_.contacts(); ++i) lacking[Dim * i] -= slip_of(i) / relaxed_at_;
  const Vector tangent = direction(lacking, p, 1);
  return -sense_ * system_.determinant_sign() / scaled(tangent).norm() * tangent;
}

// With x = sum a^k x_k and so on, all equations are quadratic: s z_0 = ||z_1||^2 defines the smooth
// correction. Those of order k have the matrix of Newton's method, and products of lower orders on
// the right. What the point lacks falls with 1 - a / reach, but not on a way so short that it
// would be steep.
template <int Dim>
PathSeries PathTracker<Dim>::expand() {
  const Index m = solve_.unknowns(), contacts = solve_.contacts();
  const Vector& z = point_.path.z();
  const double w = weight();
  Matrix terms(2 * m + 1, order), lengths(2 * m + 1, order), slips(contacts, order);
  const Vector ahead = scaled(along_);

  for (Index k = 0; k < order; ++k) {
    Vector slip = Vector::Zero(contacts);  // what lower orders contribute
    Vector term;
    if (k == 0) {
      const Vector back = newton();
      term = along_ + std::min(1 / reach_, steepest / scaled(back).norm()) * back;
    } else {
      Vector products = Vector::Zero(m), lower = products;
      for (Index i = 0; i < k; ++i) {
        const Index j = k - 1 - i;
        lower += regularization_ * terms(2 * m, i) * terms.col(j).head(m);
        for (Index c = 0; c < contacts; ++c) {
          const Index at = Dim * c;
          products.segment<Dim>(at) +=
              jordan_product<Dim>(lengths.col(i).template segment<Dim>(at),
                                  lengths.col(j).template segment<Dim>(m + at));
          const ConeVector<Dim> z_i = terms.col(i).template segment<Dim>(m + at);
          const ConeVector<Dim> z_j = terms.col(j).template segment<Dim>(m + at);
          slip[c] += tangent_of(z_i).dot(tangent_of(z_j)) - slips(c, i) * z_j[0];
          lower[at] -= slips(c, i) * terms(2 * m, j) / relaxed_at_;
        }
      }
      for (Index c = 0; c < contacts; ++c) {
        slip[c] /= z[Dim * c];
        lower[Dim * c] += w * slip[c];
      }
      const Vector p = point_.path.quotient(-point_.tau * products);
      term = direction(lower, p, 0);
      term -= ahead.dot(scaled(term)) * along_;
    }
    for (Index c = 0; c < contacts; ++c) {
      const ConeVector<Dim> z_c = z.segment<Dim>(Dim * c), dz = term.segment<Dim>(m + Dim * c);
      slips(c, k) =
          slip[c] + (2 * tangent_of(z_c).dot(tangent_of(dz)) - slip_of(c) * dz[0]) / z_c[0];
    }
    lengths.col(k) = scaled(term);
    terms.col(k) = term;
  }
  return PathSeries(std::move(terms), lengths);
}

// \returns false, without having moved, if that leads out of the cones, or further than is trusted.
template <int Dim>
bool PathTracker<Dim>::advance(const Vector& direction) {
  const Index m = solve_.unknowns();
  const double tau = point_.tau + direction[2 * m];
  if (!(tau >= (1 - largest_reduction) * point_.tau && tau <= relaxed_at_)) return false;
  if (!point_.path.shift(direction.head(m), direction.segment(m, m))) return false;
  point_.tau = tau;
  return true;
}

// Goes as far as one expansion is good for, and finds the way on from there. \returns false if that
// is nowhere.
template <int Dim>
bool PathTracker<Dim>::step() {
  const PathSeries series = expand();
  double longest = beyond * series.radius();
  if (!std::isfinite(longest)) return false;
  if (const double falling = -along_[along_.size() - 1]; falling > 0)
    longest = std::min(longest, largest_reduction * point_.tau / falling);

  const Point start = point_;
  double a = std::min(1.0, growth * confidence_) * longest;
  while (a > least_share * longest) {
    double shorter = shortening;
    if (advance(series.value(a))) {
      assess();
      if (is_near()) {
        if (!look() || !factorize(system_, 0)) return false;
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
  return false;
}

template <int Dim>
void PathTracker<Dim>::follow() {
  correction_ = Correction::smooth;
  assess();
  if (!factorize(system_, 0)) return;
  sense_ = system_.determinant_sign();
  along_ = onwards();
  reach_ = confidence_ = 1;
  Point lowest = point_;
  for (int since = 0; since < patience && step(); ++since) {
    if (point_.tau > 0.9 * lowest.tau) continue;
    lowest = point_;
    since = 0;
  }
  if (!ended_) point_ = std::move(lowest);
}

template class PathTracker<2>;
template class PathTracker<3>;

}  // namespace frictionbench::solvers
