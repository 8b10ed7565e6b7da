#include "frictionbench/solvers/interior_point/central_path.hpp"

#include <algorithm>
#include <cmath>

#include "frictionbench/math/max_or_nan.hpp"

namespace frictionbench::solvers {

template <int Dim>
CentralPath<Dim>::CentralPath(BlockShape shape)
    : shape_(std::move(shape)), x_(Vector::Zero(shape_.order())), D_(shape_) {
  for (Index i = 0; i < count(); ++i) x_[shape_.start(i)] = 1;
  z_ = x_;
  scalings_.reserve(static_cast<std::size_t>(count()));
}

template <int Dim>
const BlockDiagonal& CentralPath<Dim>::scale() {
  scalings_.clear();
  for (Index i = 0; i < count(); ++i) {
    scalings_.emplace_back(part(x_, i), part(z_, i));
    D_.block(i) = scalings_.back().inverse_square();
  }
  return D_;
}

template <int Dim>
Vector CentralPath<Dim>::times_scale(const Vector& dx) const {
  Vector product(dx.size());
  for (Index i = 0; i < count(); ++i) {
    const NtScaling<Dim>& N = scaling(i);
    part(product, i) = N.inverse_times(N.inverse_times(part(dx, i)));
  }
  return product;
}

template <int Dim>
Vector CentralPath<Dim>::corrected_target(const Vector& dx, const Vector& dz, double sigma) const {
  const double centre = sigma * gap();
  Vector p(x_.size());
  for (Index i = 0; i < count(); ++i) {
    const NtScaling<Dim>& N = scaling(i);
    ConeVector<Dim> right =
        -jordan_product<Dim>(N.inverse_times(part(dx, i)), N.times(part(dz, i)));
    right[0] += centre;
    part(p, i) = N.inverse_times(N.quotient(right) - N.lambda());
  }
  return p;
}

template <int Dim>
Vector CentralPath<Dim>::target(double tau) const {
  Vector right = -square();
  for (Index i = 0; i < count(); ++i) right[shape_.start(i)] += tau;
  return quotient(right);
}

template <int Dim>
Vector CentralPath<Dim>::square() const {
  Vector squares(x_.size());
  for (Index i = 0; i < count(); ++i) {
    const ConeVector<Dim>& lambda = scaling(i).lambda();
    part(squares, i) = jordan_product<Dim>(lambda, lambda);
  }
  return squares;
}

template <int Dim>
Vector CentralPath<Dim>::quotient(const Vector& right) const {
  Vector p(x_.size());
  for (Index i = 0; i < count(); ++i) {
    const NtScaling<Dim>& N = scaling(i);
    part(p, i) = N.inverse_times(N.quotient(part(right, i)));
  }
  return p;
}

template <int Dim>
Vector CentralPath<Dim>::scaled(const Vector& dx, const Vector& dz) const {
  Vector both(2 * x_.size());
  auto scaled_x = both.head(x_.size()), scaled_z = both.tail(x_.size());
  for (Index i = 0; i < count(); ++i) {
    const NtScaling<Dim>& N = scaling(i);
    part(scaled_x, i) = N.inverse_times(part(dx, i));
    part(scaled_z, i) = N.times(part(dz, i));
  }
  return both;
}

template <int Dim>
double CentralPath<Dim>::miss(const Vector& p, const Vector& scaled) const {
  const auto scaled_x = scaled.head(x_.size()), scaled_z = scaled.tail(x_.size());
  double largest = 0;
  for (Index i = 0; i < count(); ++i) {
    const ConeVector<Dim> missing =
        scaling(i).times(part(p, i)) - part(scaled_x, i) - part(scaled_z, i);
    largest = max_or_nan(largest, missing.squaredNorm());
  }
  return std::sqrt(largest);
}

template <int Dim>
double CentralPath<Dim>::length(Index i, const Vector& dx, const Vector& dz) const {
  return std::max(scaling(i).inverse_times(part(dx, i)).norm(),
                  scaling(i).times(part(dz, i)).norm());
}

template <int Dim>
double CentralPath<Dim>::widest(const Vector& dz) const {
  double largest = 0;
  for (Index i = 0; i < count(); ++i)
    largest = max_or_nan(largest, scaling(i).times(part(dz, i)).squaredNorm());
  return std::sqrt(largest);
}

template <int Dim>
double CentralPath<Dim>::widest_slack(const Vector& dx) const {
  double largest = 0;
  for (Index i = 0; i < count(); ++i)
    largest = max_or_nan(largest, scaling(i).inverse_times(part(dx, i)).squaredNorm());
  return std::sqrt(largest);
}

template <int Dim>
double CentralPath<Dim>::deviation(double tau) const {
  double largest = 0;
  for (const NtScaling<Dim>& N : scalings_) {
    ConeVector<Dim> square = jordan_product<Dim>(N.lambda(), N.lambda());
    square[0] -= tau;
    largest = max_or_nan(largest, square.squaredNorm());
  }
  return std::sqrt(largest) / tau;
}

template <int Dim>
void CentralPath<Dim>::enter(const Vector& y, double tau) {
  for (Index i = 0; i < count(); ++i) {
    const ConeVector<Dim> y_i = part(y, i);
    const double length = tangent_norm(y_i);
    // x of an eigenvalue l of y, and tau / x, without cancellation.
    const auto larger = [&](double l) { return (std::abs(l) + std::sqrt(l * l + 4 * tau)) / 2; };
    const auto x_of = [&](double l) { return l >= 0 ? larger(l) : tau / larger(l); };
    const double high = x_of(y_i[0] + length), low = x_of(y_i[0] - length);
    ConeVector<Dim> x_i = y_i, z_i = y_i;
    x_i[0] = (high + low) / 2;
    z_i[0] = tau * (1 / high + 1 / low) / 2;
    ConeVector<Dim> direction = ConeVector<Dim>::Zero(y_i.size());
    if (length > 0) direction = y_i / length;
    tangent_of(x_i) = (high - low) / 2 * tangent_of(direction);
    tangent_of(z_i) = tau * (1 / high - 1 / low) / 2 * tangent_of(direction);
    part(x_, i) = x_i;
    part(z_, i) = z_i;
  }
}

template <int Dim>
double CentralPath<Dim>::largest_step(const Vector& dx, const Vector& dz, double longest) const {
  double step = longest;
  // Few cones limit the step, and cones are convex: to ask whether one does takes a fraction of the time.
  const auto limit = [&step](const ConeVector<Dim>& from, const ConeVector<Dim>& by) {
    if (!is_inside<Dim>(from + step * by)) step = std::min(step, step_to_boundary<Dim>(from, by));
  };
  for (Index i = 0; i < count(); ++i) {
    limit(part(x_, i), part(dx, i));
    limit(part(z_, i), part(dz, i));
  }
  return step;
}

template <int Dim>
double CentralPath<Dim>::move(double step, const Vector& dx, const Vector& dz) {
  Vector x = x_ + step * dx, z = z_ + step * dz;
  while (!is_inside_cones(x) || !is_inside_cones(z)) {
    step /= 2;
    x = x_ + step * dx;
    z = z_ + step * dz;
  }
  x_ = std::move(x);
  z_ = std::move(z);
  return step;
}

template <int Dim>
bool CentralPath<Dim>::shift(const Vector& dx, const Vector& dz) {
  Vector x = x_ + dx, z = z_ + dz;
  if (!is_inside_cones(x) || !is_inside_cones(z)) return false;
  x_ = std::move(x);
  z_ = std::move(z);
  return true;
}

template <int Dim>
void CentralPath<Dim>::recentre(double push) {
  for (Index i = 0; i < count(); ++i) {
    x_[shape_.start(i)] += push * part(x_, i).norm();
    z_[shape_.start(i)] += push * part(z_, i).norm();
  }
}

template <int Dim>
bool CentralPath<Dim>::is_inside_cones(const Vector& v) const {
  for (Index i = 0; i < count(); ++i)
    if (!is_inside<Dim>(part(v, i))) return false;
  return true;
}

template class CentralPath<2>;
template class CentralPath<3>;
template class CentralPath<Eigen::Dynamic>;

}  // namespace frictionbench::solvers
