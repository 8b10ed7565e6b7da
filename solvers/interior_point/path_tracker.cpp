#include "frictionbench/solvers/interior_point/path_tracker.hpp"

#include <algorithm>
#include <cmath>

namespace frictionbench::solvers {

namespace {

constexpr double neighbourhood = 0.5;
constexpr double feasibility = 0.05;
constexpr int most_relaxed = 60;             // iterations to the centre of the CCP
constexpr double least_rho = 1e-7;           // of W, whose blocks have mean 1
constexpr int most_corrections = 5;          // Newton steps back to the path after a step along it
constexpr int order = 8;                     // of the series; each costs two triangular solves
constexpr double comfortable = 0.5;          // share of the neighbourhood that needs no correction
constexpr double corrected = 0.2;            // share after one
constexpr double least_share = 1e-4;         // of the longest step that is tried
constexpr double largest_reduction = 0.999;  // of tau in a step
constexpr double nearly_one = 0.99;          // w
constexpr int patience = 30;                 // steps in which tau gets no smaller

}  // namespace

template <int Dim>
PathTracker<Dim>::PathTracker(Solve& solve, double regularization)
    : solve_(solve),
      regularization_(regularization),
      system_(NewtonSystem::Kind::unsymmetric, solve, 1),
      path_(solve.contacts()),
      S_(Dim, solve.contacts()) {}

template <int Dim>
double PathTracker<Dim>::slip_of(Index i) const {
  const ConeVector<Dim> z = path_.z().template segment<Dim>(Dim * i);
  return correction_ == Correction::norm ? slip<Dim>(z) : smooth_slip<Dim>(z);
}

template <int Dim>
ConeMatrix<Dim> PathTracker<Dim>::jacobian(Index i) const {
  const ConeVector<Dim> z = path_.z().template segment<Dim>(Dim * i);
  const auto I = ConeMatrix<Dim>::Identity();
  const ConeMatrix<Dim> J =
      correction_ == Correction::norm ? slip_jacobian<Dim>(z) : smooth_slip_jacobian<Dim>(z);
  return I + w_ * (J - I);
}

template <int Dim>
Vector PathTracker<Dim>::times_jacobian(const Vector& v) const {
  Vector product(v.size());
  for (Index i = 0; i < solve_.contacts(); ++i)
    product.segment<Dim>(Dim * i) = jacobian(i) * v.segment<Dim>(Dim * i);
  return product;
}

template <int Dim>
bool PathTracker<Dim>::factorize(NewtonSystem& system, double rho) {
  for (Index i = 0; i < solve_.contacts(); ++i) {
    S_.block(i) = jacobian(i) * D_->block(i);
    S_.block(i).diagonal().array() += regularization_ * tau_ + rho;
  }
  return system.factorize(S_);
}

// Judges the point. \returns false if that ends the solve.
template <int Dim>
bool PathTracker<Dim>::look() {
  if (!solve_.begin_iteration()) return !(ended_ = true);
  const Vector r = impulse();
  const Vector u = solve_.W().velocity(r);
  solve_.report("tau", tau_);
  ended_ = solve_.ends(r, u);
  assess(u);
  return !ended_;
}

// How far the point is from the path. \param u the velocity of its impulse, m.
template <int Dim>
void PathTracker<Dim>::assess(const Vector& u) {
  F_ = system_.cone_factors().cwiseProduct(u) - path_.z() + regularization_ * tau_ * path_.x();
  for (Index i = 0; i < solve_.contacts(); ++i) F_[Dim * i] += w_ * slip_of(i);
  D_ = &path_.scale();
  deviation_ = path_.deviation(tau_);
  infeasibility_ = path_.widest(Vector::Zero(F_.size()), F_) / std::sqrt(tau_);
}

template <int Dim>
bool PathTracker<Dim>::is_near(double share) const {
  return deviation_ < share * neighbourhood && infeasibility_ < share * feasibility;
}

template <int Dim>
bool PathTracker<Dim>::centre_relaxation(double tau) {
  NewtonSystem system(NewtonSystem::Kind::symmetric, solve_, 1);
  path_ = CentralPath<Dim>(solve_.contacts());
  tau_ = tau;
  w_ = 0;
  for (int k = 0; look(); ++k) {
    if (is_near()) return true;
    if (k == most_relaxed || !factorize(system, 0)) return false;
    Vector p = path_.target(tau_);
    // Near its target, the corrector has fixed points of its own.
    if (path_.gap() > 2 * tau_) {
      const Vector predictor = -path_.z();
      const Vector dx = system.solve(predictor - F_);
      const Vector dz = predictor - D_->times(dx);
      const double sigma = std::pow(1 - path_.largest_step(dx, dz, 1), 3);
      p = path_.corrected_target(dx, dz, std::max(sigma, tau_ / path_.gap()));
    }
    const Vector dx = system.solve(p - F_);
    const Vector dz = p - D_->times(dx);
    if (!dx.allFinite() || !dz.allFinite()) return false;
    path_.move(std::min(1.0, 0.95 * path_.largest_step(dx, dz, 2)), dx, dz);
  }
  return false;
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
  tau_ = tau;
  path_.enter(y, tau);
}

template <int Dim>
bool PathTracker<Dim>::centre(double tau, Correction correction, int most) {
  tau_ = tau;
  w_ = 1;
  correction_ = correction;
  double rho = least_rho;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; look(); ++k) {
    if (is_near()) return true;
    const double distance = std::max(deviation_, infeasibility_);
    if (distance > 2 * last)
      rho *= 4;
    else if (distance < last)
      rho = std::max(least_rho, 0.4 * rho);
    last = distance;
    if (k == most || !factorize(system_, rho)) return false;
    const PathStep step = newton();
    if (!step.dx.allFinite() || !step.dz.allFinite()) return false;
    const double length = std::min(1.0, 0.9 * path_.largest_step(step.dx, step.dz, 2));
    if (length < 0.2) rho *= 5;
    path_.move(length, step.dx, step.dz);
  }
  return false;
}

// At fixed w and tau.
template <int Dim>
PathStep PathTracker<Dim>::newton() {
  const Vector p = path_.target(tau_);
  PathStep step{system_.solve(times_jacobian(p) - F_), {}, 0};
  step.dz = p - D_->times(step.dx);
  return step;
}

// How x and z change when the parameter, w or ln tau, grows by 1, while what the point lacks in
// F = 0 and x o z = tau e changes with tau^shrink.
template <int Dim>
PathStep PathTracker<Dim>::tangent(double shrink) {
  Vector p = Vector::Zero(F_.size()), b = p;
  if (is_relaxed_) {
    for (Index i = 0; i < solve_.contacts(); ++i) b[Dim * i] = -slip_of(i);
  } else {
    Vector right = shrink * off_centre();
    for (Index i = 0; i < solve_.contacts(); ++i) right[Dim * i] += tau_;
    p = path_.quotient(right);
    b = times_jacobian(p) - regularization_ * tau_ * path_.x() + shrink * F_;
  }
  PathStep step{system_.solve(b), {}, 1};
  step.dz = p - D_->times(step.dx);
  return step;
}

// 1 or -1: whether w grows, or tau falls, on the way.
template <int Dim>
double PathTracker<Dim>::onwards() const {
  return (is_relaxed_ ? 1 : -1) * system_.determinant_sign();
}

// N^-1 x o N z - tau e.
template <int Dim>
Vector PathTracker<Dim>::off_centre() const {
  Vector difference = path_.square();
  for (Index i = 0; i < solve_.contacts(); ++i) difference[Dim * i] -= tau_;
  return difference;
}

template <int Dim>
double PathTracker<Dim>::inner(const PathStep& a, const PathStep& b) const {
  return path_.inner(a.dx, a.dz, b.dx, b.dz) / tau_ + a.parameter * b.parameter;
}

// Newton's method back to the path: the shortest way, or at the same parameter.
template <int Dim>
bool PathTracker<Dim>::correct(Parameter parameter, double share) {
  for (int k = 0; look(); ++k) {
    if (is_near(share)) return true;
    if (k == most_corrections || !factorize(system_, 0)) return false;
    PathStep step = newton();
    if (parameter == Parameter::free) {
      const PathStep along = tangent(0);
      const double c = -inner(along, step) / inner(along, along);
      step.dx += c * along.dx;
      step.dz += c * along.dz;
      step.parameter = c;
    }
    if (!step.dx.allFinite() || !step.dz.allFinite()) return false;
    double length = std::min(1.0, 0.9 * path_.largest_step(step.dx, step.dz, 2));
    if (std::abs(step.parameter) * length > 1) length = 1 / std::abs(step.parameter);
    path_.move(length, step.dx, step.dz);
    if (is_relaxed_)
      w_ += length * step.parameter;
    else
      tau_ *= std::exp(length * step.parameter);
  }
  return false;
}

// With x = sum a^k x_k and so on, all equations are quadratic: s z_0 = ||z_1||^2 defines the smooth
// correction. Those of order k have the matrix of Newton's method, and products of lower orders on
// the right. What the point lacks shrinks with tau^2.
template <int Dim>
PathSeries PathTracker<Dim>::expand() {
  const PathStep tangent = this->tangent(2);
  const double length = std::sqrt(inner(tangent, tangent));
  const Vector difference = off_centre();

  PathSeries series;
  std::vector<Vector> slips;  // s_k, n_c each
  for (int k = 1; k <= order; ++k) {
    PathStep term{Vector::Zero(F_.size()), Vector::Zero(F_.size()), onwards() / length};
    Vector slip = Vector::Zero(solve_.contacts());  // what lower orders contribute
    if (k > 1) {
      Vector quadratic = term.dx, lower = term.dx;
      double tau_squared = 0;
      for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(k); ++i) {
        const PathStep &a = series[i], &b = series[static_cast<std::size_t>(k) - 2 - i];
        quadratic += path_.product(a.dx, b.dz);
        for (Index j = 0; j < solve_.contacts(); ++j) {
          const ConeVector<Dim> z = a.dz.template segment<Dim>(Dim * j);
          const ConeVector<Dim> other = b.dz.template segment<Dim>(Dim * j);
          slip[j] += tangent_of(z).dot(tangent_of(other)) - slips[i][j] * other[0];
          if (is_relaxed_) lower[Dim * j] += slips[i][j] * b.parameter;
        }
        if (is_relaxed_) continue;
        lower += regularization_ * tau_ * a.parameter * b.dx;
        tau_squared += a.parameter * b.parameter;
      }
      for (Index j = 0; j < solve_.contacts(); ++j) {
        slip[j] /= path_.z()[Dim * j];
        lower[Dim * j] += w_ * slip[j];
      }
      const Vector p = path_.quotient(tau_squared * difference - quadratic);
      term.dx = system_.solve(times_jacobian(p) - lower + tau_squared * F_);
      term.dz = p - D_->times(term.dx);
      term.parameter = -inner(tangent, {term.dx, term.dz, 0}) / (length * length);
    }
    term.dx += term.parameter * tangent.dx;
    term.dz += term.parameter * tangent.dz;
    for (Index j = 0; j < solve_.contacts(); ++j) {
      const ConeVector<Dim> z = path_.z().template segment<Dim>(Dim * j);
      const ConeVector<Dim> dz = term.dz.template segment<Dim>(Dim * j);
      slip[j] += (2 * tangent_of(z).dot(tangent_of(dz)) - slip_of(j) * dz[0]) / z[0];
    }
    slips.push_back(std::move(slip));
    series.push_back(std::move(term));
  }
  return series;
}

// The sum of the series at arclength a. Moves there if that is inside the cones.
template <int Dim>
bool PathTracker<Dim>::advance(const PathSeries& series, double a) {
  PathStep step = series.back();
  for (std::size_t k = series.size() - 1; k-- > 0;) {
    step.dx = series[k].dx + a * step.dx;
    step.dz = series[k].dz + a * step.dz;
    step.parameter = series[k].parameter + a * step.parameter;
  }
  const double change = a * step.parameter;  // of w, or of tau relative to tau
  if (!(is_relaxed_ ? w_ + change <= 1 : change >= -largest_reduction)) return false;
  if (!path_.shift(a * step.dx, a * step.dz)) return false;
  if (is_relaxed_)
    w_ += change;
  else
    tau_ *= 1 + change;
  assess(solve_.W().velocity(impulse()));
  return true;
}

// Goes as far as one expansion is good for. \returns false if that is nowhere.
template <int Dim>
bool PathTracker<Dim>::step() {
  if (!factorize(system_, 0)) return false;
  const PathSeries series = expand();
  const double width = path_.widest(series.back().dx, series.back().dz) / std::sqrt(tau_);
  if (!std::isfinite(width)) return false;
  // Beyond the radius of convergence to begin with, which is about width^(-1 / order).
  double longest = 2 * std::pow(width, -1.0 / order);
  const double change = series.front().parameter;
  if (is_relaxed_ && change > 0) longest = std::min(longest, (1 - w_) / change);
  if (!is_relaxed_ && change < 0) longest = std::min(longest, -largest_reduction / change);

  const CentralPath<Dim> old_path = path_;
  const double old_tau = tau_, old_w = w_;
  for (double a = longest; a > least_share * longest; a *= 0.8) {
    if (advance(series, a) && is_near()) {
      if (is_near(comfortable) ? look() : correct(Parameter::free, corrected)) return true;
      if (ended_) return false;
      a *= 0.5;
    }
    path_ = old_path;
    tau_ = old_tau;
    w_ = old_w;
  }
  return false;
}

template <int Dim>
bool PathTracker<Dim>::correct_relaxation() {
  correction_ = Correction::smooth;
  is_relaxed_ = true;
  while (w_ < nearly_one)
    if (!step()) return false;
  w_ = 1;
  assess(solve_.W().velocity(impulse()));
  return correct(Parameter::fixed, comfortable);
}

template <int Dim>
void PathTracker<Dim>::follow() {
  is_relaxed_ = false;
  CentralPath<Dim> best = path_;
  double lowest = tau_;
  for (int since = 0; since < patience && step(); ++since) {
    if (tau_ > 0.9 * lowest) continue;
    best = path_;
    lowest = tau_;
    since = 0;
  }
  if (ended_) return;
  path_ = best;
  tau_ = lowest;
}

template class PathTracker<2>;
template class PathTracker<3>;

}  // namespace frictionbench::solvers
