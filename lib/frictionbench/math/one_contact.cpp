#include "frictionbench/math/one_contact.hpp"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>

namespace frictionbench {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// A contact that does not take off (q_N < 0) has u_N = 0. Split W = (a b^T; c T) into normal and
// tangential part and eliminate r_N = -(q_N + b.r_T) / a. This leaves the tangential problem
//
//     u_T = S r_T + sigma,     S = T - c b^T / a,     sigma = q_T - c q_N / a,
//
// where friction opposes slip: u_T = lambda w and r_T = -kappa w for one vector w and lambda >= 0.
// kappa = -mu q_N / a is mu times the impulse that stops the contact without friction; it sets the
// unit of w. So
//
//     (kappa S + lambda I) w = sigma,     r_N = (-q_N / a) (1 + beta.w),     beta = mu b / a.
//
// w(lambda) is defined for all lambda > 0, because the symmetric part of S is positive definite if
// that of W is. The cone condition ||r_T|| <= mu r_N becomes
//
//     g(lambda) = ||w|| - beta.w - 1 <= 0,
//
// with equality if lambda > 0. If g(0) <= 0 the contact sticks. Otherwise it slides at a root of g,
// which exists: ||w|| <= ||sigma|| / lambda, so g <= 0 at lambda = ||sigma|| (1 + ||beta||).
//
// Squared and multiplied by det(kappa S + lambda I)^2, g = 0 becomes the quartic whose roots the
// enumerative solver of Siconos (fc3d_unitary_enumerative) computes. Some of those have the wrong
// sign; g itself has only the right ones.
template <int Tangents>
struct TangentProblem {
  using Vec = Eigen::Matrix<double, Tangents, 1>;
  using Mat = Eigen::Matrix<double, Tangents, Tangents>;

  double stopping;  // -q_N / a
  double kappa;
  Mat S;
  Vec sigma, beta;
  double rounding;  // of kappa S: smaller eigenvalues are round-off

  TangentProblem(const Eigen::Matrix<double, Tangents + 1, Tangents + 1>& W,
                 const Eigen::Matrix<double, Tangents + 1, 1>& q, double mu) {
    const double a = W(0, 0);
    const Vec b = W.row(0).template tail<Tangents>().transpose();
    const Vec c = W.col(0).template tail<Tangents>();
    const auto T = W.template bottomRightCorner<Tangents, Tangents>();
    stopping = -q[0] / a;
    kappa = mu * stopping;
    S = T - c * (b / a).transpose();
    sigma = q.template tail<Tangents>() + c * stopping;
    beta = mu / a * b;
    const double size = T.trace();
    rounding = 2 * eps * kappa * (size > 0 ? size : a);
  }

  bool sticks(const Vec& w) const { return w.norm() <= 1 + beta.dot(w); }
  auto sticking(const Vec& w) const { return impulse(1 + beta.dot(w), w); }
  auto sliding(const Vec& w) const { return impulse(w.norm(), w); }

 private:
  Eigen::Matrix<double, Tangents + 1, 1> impulse(double normal, const Vec& w) const {
    Eigen::Matrix<double, Tangents + 1, 1> r;
    r << stopping * normal, -kappa * w;
    return r;
  }
};

// In 2D, w has the sign s of sigma for every lambda, so g = 0 means |w| = 1 / (1 - s beta).
Eigen::Matrix<double, 2, 1> solve(const TangentProblem<1>& problem) {
  using Vec = TangentProblem<1>::Vec;
  const Vec w = problem.sigma / std::max(problem.kappa * problem.S(0, 0), problem.rounding);
  if (problem.sticks(w)) return problem.sticking(w);
  const double sign = w[0] / std::abs(w[0]);
  return problem.sliding(Vec(sign / (1 - sign * problem.beta[0])));
}

// In 3D, all vectors are rotated into the eigenvectors of the symmetric part of S. There
//
//     kappa S = (k_1 skew; -skew k_2),     k_1, k_2 >= 0,
//
// so that det(kappa S + lambda I) is a sum of positive terms, and w is accurate to the last digits
// even if S is singular or lambda is much smaller than S.
class RotatedTangentProblem : public TangentProblem<2> {
 public:
  explicit RotatedTangentProblem(const TangentProblem<2>& problem) : TangentProblem<2>(problem) {
    const double off_diagonal = (S(0, 1) + S(1, 0)) / 2;
    rotation_.makeJacobi(S(0, 0), off_diagonal, S(1, 1));
    const double turn = rotation_.s() / rotation_.c() * off_diagonal;
    k_1_ = std::max(kappa * (S(0, 0) - turn), rounding);
    k_2_ = std::max(kappa * (S(1, 1) + turn), rounding);
    skew_ = kappa * (S(0, 1) - S(1, 0)) / 2;
    sigma.applyOnTheLeft(0, 1, rotation_.adjoint());
    beta.applyOnTheLeft(0, 1, rotation_.adjoint());
  }

  Eigen::Vector3d solve() const {
    const Eigen::Vector2d w = Shifted(*this, 0).inverse_times(sigma);
    Eigen::Vector3d r = sticks(w) ? sticking(w) : sliding(slide());
    r.applyOnTheLeft(1, 2, rotation_);
    return r;
  }

 private:
  // kappa S + lambda I
  struct Shifted {
    Shifted(const RotatedTangentProblem& problem, double lambda)
        : p_1(problem.k_1_ + lambda),
          p_2(problem.k_2_ + lambda),
          skew(problem.skew_),
          determinant(p_1 * p_2 + skew * skew) {}

    Eigen::Vector2d inverse_times(const Eigen::Vector2d& x) const {
      return {(p_2 * x[0] - skew * x[1]) / determinant, (p_1 * x[1] + skew * x[0]) / determinant};
    }
    double p_1, p_2, skew, determinant;
  };

  // w at a root of g, by Newton's method on h = (1 + beta.w) / ||w|| - 1. h has the same roots as
  // g; for beta = 0 and symmetric S it is concave and almost linear (Conn, Gould, Toint, Trust
  // Region Methods, section 7.3), so that a few steps are enough. Steps stay inside a bracket with
  // h(low) < 0. Bisection replaces a step that leaves the bracket, and every step after the
  // twentieth: first halving the difference of the exponents, then of the values, which takes fewer
  // than 80 steps.
  Eigen::Vector2d slide() const {
    double low = eps * std::min(k_1_, k_2_);  // adding less to kappa S changes nothing
    double high = sigma.norm() * (1 + beta.norm());
    double lambda = std::clamp(first_guess(), low, high);
    for (int k = 0;; ++k) {
      const Shifted shifted(*this, lambda);
      const Eigen::Vector2d w = shifted.inverse_times(sigma);
      const Eigen::Vector2d slope = -shifted.inverse_times(w);
      const double length = w.norm();
      const double normal = 1 + beta.dot(w);
      const double h = normal / length - 1;
      if (std::abs(h) <= 2 * eps) return w;
      (h < 0 ? low : high) = lambda;

      const double h_slope =
          beta.dot(slope) / length - normal / length * (w.dot(slope) / (length * length));
      double next = lambda - h / h_slope;
      if (std::abs(next - lambda) <= eps * lambda || !(high - low > eps * high) || k == 100)
        return w;
      if (k >= 20 || !(next > low && next < high))
        next = high > 4 * low ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
      lambda = next;
    }
  }

  // The root if w had the direction of sigma, which it has for k_1 = k_2 and skew = 0.
  double first_guess() const {
    const double length = sigma.norm();
    const Eigen::Vector2d direction = sigma / length;
    return length * (1 - beta.dot(direction)) - k_1_ * direction[0] * direction[0] -
           k_2_ * direction[1] * direction[1];
  }

  Eigen::JacobiRotation<double> rotation_;
  double k_1_, k_2_, skew_;
};

Eigen::Vector3d solve(const TangentProblem<2>& problem) {
  return RotatedTangentProblem(problem).solve();
}

}  // namespace

template <int Dim>
Eigen::Matrix<double, Dim, 1> solve_one_contact(const Eigen::Matrix<double, Dim, Dim>& W,
                                                const Eigen::Matrix<double, Dim, 1>& q, double mu) {
  using Impulse = Eigen::Matrix<double, Dim, 1>;
  if (q[0] >= 0 || W(0, 0) <= 0) return Impulse::Zero();
  if (mu == 0) return -q[0] / W(0, 0) * Impulse::UnitX();
  return solve(TangentProblem<Dim - 1>(W, q, mu));
}

template Eigen::Vector2d solve_one_contact<2>(const Eigen::Matrix2d&, const Eigen::Vector2d&,
                                              double);
template Eigen::Vector3d solve_one_contact<3>(const Eigen::Matrix3d&, const Eigen::Vector3d&,
                                              double);

}  // namespace frictionbench
