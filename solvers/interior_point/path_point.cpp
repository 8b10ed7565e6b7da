#include "frictionbench/solvers/interior_point/path_point.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frictionbench/math/max_or_nan.hpp"

namespace frictionbench::solvers {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double neighbourhood = 0.25;
constexpr double feasibility = 0.025;
constexpr int order = 8;          // of the series; each costs two triangular solves
constexpr double steepest = 0.3;  // way back to the path, relative to the way along it

// What of v exceeds its rounding errors.
Vector beyond_rounding(const Vector& v, const Vector& rounding) {
  const auto excess = (v.cwiseAbs() - rounding).cwiseMax(0);
  return v.cwiseSign().cwiseProduct(excess);
}

}  // namespace

template <typename Coordinates>
PathPoint<Coordinates>::PathPoint(const Coordinates& coordinates, Solve& solve,
                                  double regularization)
    : coordinates_(coordinates),
      rows_of_cones_(coordinates.cones().order()),
      solve_(solve),
      regularization_(regularization),
      system_(coordinates, System::Kind::unsymmetric, solve, refinements),
      place_{Path(coordinates.cones()), Vector::Zero(solve.unknowns()), 1,
             std::numeric_limits<double>::infinity()} {}

template <typename Coordinates>
double PathPoint<Coordinates>::slip_of(Index i) const {
  const ConeVector<rows> z = place_.path.part(place_.path.z(), i);
  return correction_ == Correction::norm ? slip<rows>(z) : smooth_slip<rows>(z);
}

template <typename Coordinates>
auto PathPoint<Coordinates>::jacobian(Index i) const -> ConeMatrix<rows> {
  const ConeVector<rows> z = place_.path.part(place_.path.z(), i);
  const auto I = ConeMatrix<rows>::Identity(z.size(), z.size());
  const ConeMatrix<rows> J =
      correction_ == Correction::norm ? slip_jacobian<rows>(z) : smooth_slip_jacobian<rows>(z);
  return I + weight() * (J - I);
}

template <typename Coordinates>
void PathPoint<Coordinates>::begin_relaxation(double tau) {
  place_.path = Path(coordinates_.cones());
  place_.y = coordinates_.nearest(place_.path.x(), Vector::Zero(solve_.unknowns()));
  place_.tau = place_.relaxed_at = tau;
}

template <typename Coordinates>
void PathPoint<Coordinates>::enter(const Vector& r, double tau, Correction correction) {
  const auto [x, z] = coordinates_.enter(r, solve_.W().velocity(r));
  Vector difference = x - z;
  for (Index i = 0; i < coordinates_.cones().count(); ++i) {
    const double length = slip<rows>(place_.path.part(z, i));
    const Index first = coordinates_.cones().start(i);
    const double u_N = z[first];
    // The root s of s = length^2 / (u_N + s) for the smooth correction.
    difference[first] -=
        correction == Correction::norm ? length : (std::hypot(u_N, 2 * length) - u_N) / 2;
  }
  place_.tau = tau;
  place_.path.enter(difference, tau);
  place_.y = coordinates_.nearest(place_.path.x(), r);
}

template <typename Coordinates>
void PathPoint<Coordinates>::move(double step, const Vector& dx, const Vector& dz,
                                  const Vector& dy) {
  place_.y += place_.path.move(step, dx, dz) * dy;
}

template <typename Coordinates>
bool PathPoint<Coordinates>::advance(const Vector& direction) {
  const Index p = rows_of_cones_;
  const double tau = place_.tau + direction[2 * p];
  if (!(tau >= (1 - largest_reduction) * place_.tau && tau <= place_.relaxed_at)) return false;
  if (!place_.path.shift(direction.head(p), direction.segment(p, p))) return false;
  place_.y += direction.tail(place_.y.size());
  place_.tau = tau;
  return true;
}

template <typename Coordinates>
void PathPoint<Coordinates>::assess() {
  r_ = impulse();
  u_ = solve_.W().velocity(r_);
  const double tau = place_.tau;
  const Path& path = place_.path;
  const Vector& E = coordinates_.scale();
  F_ = E.cwiseProduct(u_) - coordinates_.from_cones(path.z()) + regularization_ * tau * place_.y;
  for (Index i = 0; i < coordinates_.cones().count(); ++i)
    F_[coordinates_.normal(i)] += weight() * slip_of(i);
  slack_ = coordinates_.slack_error(place_.y, path.x());
  D_ = &place_.path.scale();
  deviation_ = path.deviation(tau);
  measure();
  if (infeasibility_ < feasibility) return;
  F_ = beyond_rounding(F_, E.cwiseProduct(solve_.W().velocity_rounding(r_)) +
                               epsilon * coordinates_.from_cones(path.z().cwiseAbs()).cwiseAbs());
  measure();
}

// The errors of the point in the metric of the scaling.
template <typename Coordinates>
void PathPoint<Coordinates>::measure() {
  double largest = max_or_nan(place_.path.widest(coordinates_.lifted(F_)),
                              coordinates_.largest_without_cone(F_));
  if (slack_.size() > 0) largest = max_or_nan(largest, place_.path.widest_slack(slack_));
  infeasibility_ = largest / std::sqrt(place_.tau);
}

template <typename Coordinates>
double PathPoint<Coordinates>::distance() const {
  return max_or_nan(deviation_ / neighbourhood, infeasibility_ / feasibility);
}

template <typename Coordinates>
bool PathPoint<Coordinates>::factorize(const Vector& rho) {
  BlockDiagonal J(coordinates_.cones());
  for (Index i = 0; i < J.blocks(); ++i) {
    J.block(i) = jacobian(i);
    if (rho.size() > 0) J.block(i).diagonal().array() += rho[i];
  }
  return system_.factorize(std::move(J), *D_, regularization_ * place_.tau);
}

template <typename Coordinates>
auto PathPoint<Coordinates>::direction(const Vector& lacking, const Vector& p, double dtau,
                                       const Vector& slack) -> Direction {
  const auto found = system_.direction(place_.path, lacking, p, slack);
  Direction direction{.all = Vector(2 * p.size() + 1 + found.dy.size()),
                      .scaled = Vector(2 * p.size() + 1)};
  direction.all << found.dx, found.dz, dtau, found.dy;
  direction.scaled << found.scaled / std::sqrt(place_.tau), dtau / place_.tau;
  return direction;
}

template <typename Coordinates>
Vector PathPoint<Coordinates>::scaled(const Vector& direction) const {
  const Index p = rows_of_cones_;
  Vector all(2 * p + 1);
  all.head(2 * p) =
      place_.path.scaled(direction.head(p), direction.segment(p, p)) / std::sqrt(place_.tau);
  all[2 * p] = direction[2 * p] / place_.tau;
  return all;
}

template <typename Coordinates>
Vector PathPoint<Coordinates>::newton() {
  return to_path().all;
}

template <typename Coordinates>
auto PathPoint<Coordinates>::to_path() -> Direction {
  return direction(F_, place_.path.target(place_.tau), 0, slack_);
}

template <typename Coordinates>
Vector PathPoint<Coordinates>::tangent() {
  const BlockShape& cones = coordinates_.cones();
  Vector e = Vector::Zero(rows_of_cones_);
  for (Index i = 0; i < cones.count(); ++i) e[cones.start(i)] = 1;
  const Vector p = place_.path.quotient(e);
  Vector lacking = regularization_ * place_.y;
  for (Index i = 0; i < cones.count(); ++i)
    lacking[coordinates_.normal(i)] -= slip_of(i) / place_.relaxed_at;
  const Direction tangent = direction(lacking, p, 1);
  return -system_.determinant_sign() / tangent.scaled.norm() * tangent.all;
}

// With x = sum a^k x_k and so on, all equations are quadratic: s z_0 = ||z_1||^2 defines the smooth
// correction. Those of order k have the matrix of Newton's method, and products of lower orders on
// the right.
template <typename Coordinates>
PathSeries PathPoint<Coordinates>::expand(const Vector& along, double reach) {
  const BlockShape& cones = coordinates_.cones();
  const Index m = solve_.unknowns(), p = rows_of_cones_, count = cones.count();
  const Path& path = place_.path;
  const Vector& z = path.z();
  const double w = weight();
  Matrix terms(2 * p + 1 + m, order), lengths(2 * p + 1, order);
  Vector s(count), dtau(order);
  for (Index c = 0; c < count; ++c) s[c] = slip_of(c);
  ConeSeries<rows> series(cones, order);
  const Vector ahead = scaled(along);

  for (Index k = 0; k < order; ++k) {
    Vector slip = Vector::Zero(count);  // what lower orders contribute to s_k
    Direction term;                     // without the tangent's part
    double onwards = 1;                 // that part
    if (k == 0) {
      term = to_path();
      const double step = std::min(1 / reach, steepest / term.scaled.norm());
      term.all *= step;
      term.scaled *= step;
    } else {
      Vector products(p), lower = Vector::Zero(m);
      for (Index i = 0; i < k; ++i)
        lower += regularization_ * dtau[i] * terms.col(k - 1 - i).tail(m);
      for (Index c = 0; c < count; ++c) {
        const auto sum = series.products(c, k, dtau);
        path.part(products, c) = sum.x_z;
        slip[c] = (sum.z_z - sum.s_z) / z[cones.start(c)];
        lower[coordinates_.normal(c)] += w * slip[c] - sum.s_dtau / place_.relaxed_at;
      }
      term = direction(lower, path.quotient(-place_.tau * products), 0);
      onwards = -ahead.dot(term.scaled);
    }
    terms.col(k) = term.all + onwards * along;
    lengths.col(k) = term.scaled + onwards * ahead;
    dtau[k] = terms(2 * p, k);
    const auto dz = terms.col(k).segment(p, p);
    const auto scaled_x = lengths.col(k).head(p), scaled_z = lengths.col(k).segment(p, p);
    for (Index c = 0; c < count; ++c) {
      const ConeVector<rows> z_c = path.part(z, c), dz_c = path.part(dz, c);
      const double ds = slip[c] + (2 * tangent_dot(z_c, dz_c) - s[c] * dz_c[0]) / z_c[0];
      series.set(c, k, path.part(scaled_x, c), path.part(scaled_z, c), dz_c, ds);
    }
  }
  return PathSeries(std::move(terms), lengths);
}

template class PathPoint<FrictionCoordinates<2>>;
template class PathPoint<FrictionCoordinates<3>>;
template class PathPoint<ConicCoordinates>;

}  // namespace frictionbench::solvers
