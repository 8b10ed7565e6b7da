#include "frictionbench/solvers/interior_point/path_tracker.hpp"

#include <algorithm>
#include <cmath>

namespace frictionbench::solvers {

namespace {

constexpr double neighbourhood = 0.5;
constexpr double feasibility = 0.05;
constexpr int most_relaxed = 60;     // iterations to the centre of the CCP
constexpr double least_rho = 1e-7;   // of W, whose blocks have mean 1
constexpr int most_corrections = 5;  // Newton steps back to the path after a step along it
constexpr double first_reach = 0.5;  // of a step along the path, see follow_parameter()
constexpr double least_reach = 1e-4;

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
  F_ = system_.cone_factors().cwiseProduct(u) - path_.z() + regularization_ * tau_ * path_.x();
  for (Index i = 0; i < solve_.contacts(); ++i) F_[Dim * i] += w_ * slip_of(i);
  D_ = &path_.scale();
  deviation_ = path_.deviation(tau_);
  infeasibility_ = path_.widest(Vector::Zero(F_.size()), F_) / std::sqrt(tau_);
  return !ended_;
}

template <int Dim>
bool PathTracker<Dim>::is_near() const {
  return deviation_ < neighbourhood && infeasibility_ < feasibility;
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
    const Step step = newton();
    if (!step.dx.allFinite() || !step.dz.allFinite()) return false;
    const double length = std::min(1.0, 0.9 * path_.largest_step(step.dx, step.dz, 2));
    if (length < 0.2) rho *= 5;
    path_.move(length, step.dx, step.dz);
  }
  return false;
}

// At fixed w and tau.
template <int Dim>
typename PathTracker<Dim>::Step PathTracker<Dim>::newton() {
  const Vector p = path_.target(tau_);
  Step step{system_.solve(times_jacobian(p) - F_), {}, 0};
  step.dz = p - D_->times(step.dx);
  return step;
}

// How x and z change along the path when the parameter grows by 1.
template <int Dim>
typename PathTracker<Dim>::Step PathTracker<Dim>::tangent() {
  Vector p = Vector::Zero(F_.size()), b = p;
  if (is_relaxed_) {
    for (Index i = 0; i < solve_.contacts(); ++i) b[Dim * i] = -slip_of(i);
  } else {
    p = path_.target(tau_) + path_.z();  // tau N^-1 (lambda \ e), because N^-1 lambda = z
    b = times_jacobian(p) - regularization_ * tau_ * path_.x();
  }
  Step step{system_.solve(b), {}, 1};
  step.dz = p - D_->times(step.dx);
  return step;
}

template <int Dim>
double PathTracker<Dim>::inner(const Step& a, const Step& b) const {
  return path_.inner(a.dx, a.dz, b.dx, b.dz) / tau_ + a.parameter * b.parameter;
}

template <int Dim>
void PathTracker<Dim>::move(const Step& step, double length) {
  path_.move(length, step.dx, step.dz);
  if (is_relaxed_)
    w_ += length * step.parameter;
  else
    tau_ *= std::exp(length * step.parameter);
}

// Newton's method back to the path, at right angles to a step; to the same parameter if it is
// empty.
template <int Dim>
bool PathTracker<Dim>::correct(const Step& along) {
  for (int k = 0; look(); ++k) {
    if (is_near()) return true;
    if (k == most_corrections || !factorize(system_, 0)) return false;
    Step step = newton();
    if (along.dx.size() > 0) {
      const Step free = tangent();
      const double c = -inner(along, step) / inner(along, free);
      step.dx += c * free.dx;
      step.dz += c * free.dz;
      step.parameter = c;
    }
    if (!step.dx.allFinite() || !step.dz.allFinite()) return false;
    double length = std::min(1.0, 0.9 * path_.largest_step(step.dx, step.dz, 2));
    if (std::abs(step.parameter) * length > 1) length = 1 / std::abs(step.parameter);
    move(step, length);
  }
  return false;
}

// Until w = 1, which returns true, or on and on to smaller tau. A step goes so far that the contact which moves most does so by `reach`, relative to sqrt(tau)
// in the metric of the scaling: near a fold only a few contacts move, and all others would hide
// them in a sum.
template <int Dim>
bool PathTracker<Dim>::follow_parameter() {
  double reach = first_reach;
  for (;;) {
    if (!factorize(system_, 0)) return false;
    Step step = tangent();
    if (!step.dx.allFinite() || !step.dz.allFinite()) return false;
    const int onwards = (is_relaxed_ ? 1 : -1) * system_.determinant_sign();
    const double unit = onwards / std::sqrt(inner(step, step));
    step.dx *= unit;
    step.dz *= unit;
    step.parameter *= unit;

    const CentralPath<Dim> old_path = path_;
    const double old_tau = tau_, old_w = w_;
    for (;;) {
      const double widest = path_.widest(step.dx, step.dz) / std::sqrt(tau_);
      double length = std::min(reach / widest, 0.7 * path_.largest_step(step.dx, step.dz, 1e9));
      length = std::min(length, 1 / std::abs(step.parameter));
      const bool arrives = is_relaxed_ && w_ + step.parameter * length >= 1;
      if (arrives) length = (1 - w_) / step.parameter;
      move(step, length);
      if (arrives) w_ = 1;
      if (correct(arrives ? Step() : step)) {
        if (arrives) return true;
        reach = std::min(1.0, 1.5 * reach);
        break;
      }
      if (ended_) return false;
      path_ = old_path;
      tau_ = old_tau;
      w_ = old_w;
      D_ = &path_.scale();
      reach /= 3;
      if (reach < least_reach) return false;
    }
  }
}

template <int Dim>
bool PathTracker<Dim>::correct_relaxation() {
  correction_ = Correction::smooth;
  is_relaxed_ = true;
  return follow_parameter();
}

template <int Dim>
void PathTracker<Dim>::follow() {
  is_relaxed_ = false;
  follow_parameter();
}

template class PathTracker<2>;
template class PathTracker<3>;

}  // namespace frictionbench::solvers
