#include "frictionbench/solvers/raisim/raisim_contact.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace frictionbench::solvers {

namespace {

// The impulses at the Coulomb limit with u_N = 0, an ellipse ([LeLidec24] Fig. 7) unless mu
// ||W_NT|| > W_NN: r = r_N (1, mu e) with r_N = -q_N / (W_NN + mu W_NT.e), e the unit vector of
// r_T.
template <int Dim>
Eigen::Matrix<double, Dim, 1> at_the_limit(const Eigen::Matrix<double, Dim, Dim>& W, double q_N,
                                           double mu, const Eigen::Matrix<double, Dim - 1, 1>& e) {
  Eigen::Matrix<double, Dim, 1> r;
  r << 1, mu * e;
  return r * (-q_N / W.row(0).dot(r));
}

// In 2D the limit has two points; r_0 lies beyond one of them.
Eigen::Vector2d slide(const Eigen::Matrix2d& W, const Eigen::Vector2d& q, double mu,
                      const Eigen::Vector2d& r_0, double) {
  return at_the_limit<2>(W, q[0], mu, Eigen::Matrix<double, 1, 1>(std::copysign(1.0, r_0[1])));
}

// Whether the minimiser lies farther on from the point of the limit at this angle, in the direction
// `turn` = +1 or -1.
//
// r_0, the minimiser without friction's limit, is outside the ellipse, and the minimiser is among
// the points that r_0 sees. Among those the objective falls towards the minimiser from both sides,
// because the ellipse bounds a convex set. So it lies farther on as long as r_0 sees the point and
// the objective falls.
class Farther {
 public:
  Farther(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu, const Eigen::Vector3d& r_0)
      : W_(W), q_(q), mu_(mu), r_0_(r_0) {}

  Eigen::Vector3d impulse(double angle) const {
    return at_the_limit<3>(W_, q_[0], mu_, {std::cos(angle), std::sin(angle)});
  }

  bool operator()(double angle, double turn) const {
    const Eigen::Vector2d e(std::cos(angle), std::sin(angle));
    const Eigen::Vector3d r = impulse(angle);
    const Eigen::Vector3d outward(-mu_, e[0], e[1]);  // normal of the cone at r
    if (!(r[0] > 0) || !(outward.dot(r_0_ - r) > 0)) return false;
    return turn * objective_slope(r, e) < 0;
  }

  // d/d(angle) of r.W r / 2 + r.q, over mu r_N: u.dr with dr = dr_N (1, mu e) + mu r_N de, where
  // u_N = 0 and dr_N follows from it.
  double objective_slope(const Eigen::Vector3d& r, const Eigen::Vector2d& e) const {
    const Eigen::Vector2d turned(-e[1], e[0]);
    const Eigen::Vector2d W_NT = W_.row(0).tail<2>();
    const Eigen::Vector2d u_T = W_.bottomRows<2>() * r + q_.tail<2>();
    return u_T.dot(turned) - mu_ * W_NT.dot(turned) / (W_(0, 0) + mu_ * W_NT.dot(e)) * u_T.dot(e);
  }

 private:
  Eigen::Matrix3d W_;
  Eigen::Vector3d q_;
  double mu_;
  Eigen::Vector3d r_0_;
};

// In 3D: walk from where the segment to r_0 leaves the ellipse, in growing steps, until past the
// minimiser; then bisect.
Eigen::Vector3d slide(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu,
                      const Eigen::Vector3d& r_0, double angle_tolerance) {
  const Farther farther(W, q, mu, r_0);
  double before = std::atan2(r_0[2], r_0[1]);
  const double turn = farther(before, 1) ? 1 : -1;
  double step = 0.01;
  while (farther(before + turn * step, turn)) {
    before += turn * step;
    step *= 1.3;
  }
  for (; step > angle_tolerance; step /= 2)
    if (farther(before + turn * step / 2, turn)) before += turn * step / 2;
  return farther.impulse(before + turn * step / 2);
}

}  // namespace

template <int Dim>
Eigen::Matrix<double, Dim, 1> raisim_impulse(const Eigen::Matrix<double, Dim, Dim>& W,
                                             const Eigen::Matrix<double, Dim, 1>& q, double mu,
                                             double angle_tolerance) {
  using Impulse = Eigen::Matrix<double, Dim, 1>;
  if (q[0] >= 0) return Impulse::Zero();
  if (mu == 0) return -q[0] / W(0, 0) * Impulse::UnitX();

  // A shift below the rounding of W gives a singular W an r_0, too.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * W.trace();
  const Impulse r_0 =
      -(W + rounding * Eigen::Matrix<double, Dim, Dim>::Identity()).partialPivLu().solve(q);
  if (r_0.template tail<Dim - 1>().norm() <= mu * r_0[0]) return r_0;
  return slide(W, q, mu, r_0, angle_tolerance);
}

template Eigen::Matrix<double, 2, 1> raisim_impulse<2>(const Eigen::Matrix<double, 2, 2>& W,
                                                       const Eigen::Matrix<double, 2, 1>& q,
                                                       double mu, double angle_tolerance);
template Eigen::Matrix<double, 3, 1> raisim_impulse<3>(const Eigen::Matrix<double, 3, 3>& W,
                                                       const Eigen::Matrix<double, 3, 1>& q,
                                                       double mu, double angle_tolerance);

}  // namespace frictionbench::solvers
