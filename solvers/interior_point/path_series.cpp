#include "frictionbench/solvers/interior_point/path_series.hpp"

#include <Eigen/QR>
#include <cmath>

namespace frictionbench::solvers {

PathSeries::PathSeries(Matrix terms, const Matrix& scaled) : terms_(std::move(terms)) {
  const Index n = terms_.cols();
  const double growth = scaled.col(n - 1).norm() / scaled.col(0).norm();
  radius_ = growth > 0 ? std::pow(growth, -1.0 / static_cast<double>(n - 1)) : 1;
  Matrix columns = scaled;
  for (Index k = 0; k < n; ++k) {
    const double factor = std::pow(radius_, static_cast<double>(k + 1));
    terms_.col(k) *= factor;
    columns.col(k) *= factor;
  }
  // Of order n remain c_n + d_1 c_(n-1) + .. d_(n-1) c_1.
  denominator_ = Vector::Unit(n, 0);
  denominator_.tail(n - 1) =
      columns.leftCols(n - 1).colPivHouseholderQr().solve(-columns.col(n - 1)).reverse();
}

// With D_i(t) = sum_j d_j t^j up to j = i, the curve is sum_k c_k t^k D_(n-1-k)(t) / D_(n-1)(t).
PathSeries::Weights PathSeries::weights(double t) const {
  const Index n = terms_.cols();
  Vector D(n), slope(n);
  double sum = 0, sum_slope = 0, power = 1, power_slope = 0;  // of t^j
  for (Index j = 0; j < n; ++j) {
    D[j] = sum += denominator_[j] * power;
    slope[j] = sum_slope += denominator_[j] * power_slope;
    power_slope = static_cast<double>(j + 1) * power;
    power *= t;
  }
  Weights weights{Vector::Zero(n), Vector::Zero(n)};
  power = t;
  power_slope = 1;
  for (Index k = 1; k < n; ++k) {
    const double value = power * D[n - 1 - k] / sum;
    weights.values[k - 1] = value;
    weights.derivatives[k - 1] =
        (power_slope * D[n - 1 - k] + power * slope[n - 1 - k] - value * sum_slope) / sum;
    power_slope = static_cast<double>(k + 1) * power;
    power *= t;
  }
  return weights;
}

Vector PathSeries::value(double a) const { return terms_ * weights(a / radius_).values; }

Vector PathSeries::derivative(double a) const {
  return terms_ * weights(a / radius_).derivatives / radius_;
}

}  // namespace frictionbench::solvers
