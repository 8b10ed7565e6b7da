#include "lib/criteria/plain_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace frictionbench::test {

namespace {

// The nearest point of { x_N >= 0, ||x_T|| <= mu x_N }.
Vector project_on_disc_cone(const Vector& x, double mu) {
  const double t = x.tail(x.size() - 1).norm();
  if (t <= mu * x[0]) return x;
  if (mu * t <= -x[0]) return Vector::Zero(x.size());
  const double normal = (x[0] + mu * t) / (1 + mu * mu);  // on the ray (1, mu) of their plane
  Vector nearest = x;
  nearest[0] = normal;
  nearest.tail(x.size() - 1) *= mu * normal / t;
  return nearest;
}

// The nearest point of { x_N >= 0, |x_Tk| <= mu x_N for each k }: for a given height every tangent
// is clamped, and the best height is where the derivative of the squared distance changes its sign.
Vector project_on_box_cone(const Vector& x, double mu) {
  const auto slope = [&](double height) {
    double sum = height - x[0];
    for (Index k = 1; k < x.size(); ++k) sum -= mu * std::max(std::abs(x[k]) - mu * height, 0.0);
    return sum;
  };
  double low = 0, high = std::max(x[0], 0.0);
  for (Index k = 1; k < x.size(); ++k) high += mu * std::abs(x[k]);
  if (slope(0) >= 0) high = 0;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (slope(middle) < 0 ? low : high) = middle;
  }
  Vector nearest = x;
  nearest[0] = high;
  for (Index k = 1; k < x.size(); ++k) nearest[k] = std::clamp(x[k], -mu * high, mu * high);
  return nearest;
}

Vector project(ContactModel model, const Vector& x, double mu) {
  return model == ContactModel::lcp ? project_on_box_cone(x, mu) : project_on_disc_cone(x, mu);
}

double distance(ContactModel model, const Vector& x, double mu) {
  return (x - project(model, x, mu)).norm();
}

// Moreau: x = P_K*(x) - P_K(-x).
double dual_distance(ContactModel model, const Vector& x, double mu) {
  return project(model, -x, mu).norm();
}

// What the model adds to the normal velocity.
double correction(ContactModel model, const Vector& u, double mu) {
  const Vector slip = u.tail(u.size() - 1);
  switch (model) {
    case ContactModel::ncp:
      return mu * slip.norm();
    case ContactModel::ccp:
      return 0;
    case ContactModel::lcp:
      return mu * slip.cwiseAbs().sum();
  }
  return NAN;
}

}  // namespace

PlainProblem plain(const ContactProblem& problem) {
  PlainProblem result{problem.dimension(), Matrix(problem.rigid_W()),
                      Vector::Zero(problem.unknowns()), problem.local().q, problem.mu()};
  if (problem.compliance().size() > 0) result.R = problem.compliance();
  return result;
}

PlainScales plain_scales(const PlainProblem& problem) {
  const Index contacts = problem.mu.size(), dim = problem.dim;
  const Matrix W = problem.W + Matrix(problem.R.asDiagonal());
  PlainScales scales{Vector(contacts), Vector(contacts)};
  double sum = 0;
  int positive = 0;
  for (Index i = 0; i < contacts; ++i) {
    double trace = 0;
    for (Index k = 0; k < dim; ++k) trace += W(dim * i + k, dim * i + k);
    scales.w[i] = trace / static_cast<double>(dim);
    if (scales.w[i] > 0) sum += scales.w[i], ++positive;
  }
  for (Index i = 0; i < contacts; ++i)
    if (!(scales.w[i] > 0)) scales.w[i] = positive > 0 ? sum / positive : 1;

  double largest = 0;
  for (Index k = 0; k < problem.q.size(); ++k) largest = std::max(largest, std::abs(problem.q[k]));
  const auto touch = [&](Index i, Index j) {
    return !W.block(dim * i, dim * j, dim, dim).isZero(0) ||
           !W.block(dim * j, dim * i, dim, dim).isZero(0);
  };
  for (Index i = 0; i < contacts; ++i) {  // flood the island of i
    std::vector<bool> reached(static_cast<std::size_t>(contacts), false);
    std::vector<Index> front{i};
    reached[static_cast<std::size_t>(i)] = true;
    double fastest = 0;
    while (!front.empty()) {
      const Index a = front.back();
      front.pop_back();
      for (Index k = 0; k < dim; ++k) fastest = std::max(fastest, std::abs(problem.q[dim * a + k]));
      for (Index b = 0; b < contacts; ++b)
        if (!reached[static_cast<std::size_t>(b)] && touch(a, b)) {
          reached[static_cast<std::size_t>(b)] = true;
          front.push_back(b);
        }
    }
    scales.U[i] = largest == 0 ? 1 : std::max(fastest, 1e-3 * largest);
  }
  return scales;
}

double plain_relative_residual(ContactModel model, const PlainProblem& problem, const Vector& r) {
  const PlainScales scales = plain_scales(problem);
  const Vector u = problem.W * r + problem.R.cwiseProduct(r) + problem.q;
  double worst = 0;
  for (Index i = 0; i < problem.mu.size(); ++i) {
    const double mu = problem.mu[i], w = scales.w[i], U = scales.U[i];
    const Vector r_i = r.segment(problem.dim * i, problem.dim);
    Vector v_i = u.segment(problem.dim * i, problem.dim);
    v_i[0] += correction(model, v_i, mu);
    worst = std::max({worst, w * distance(model, r_i, mu) / U, dual_distance(model, v_i, mu) / U,
                      w * std::abs(r_i.dot(v_i)) / (U * U)});
  }
  return worst;
}

}  // namespace frictionbench::test
