#include "frictionbench/solvers/raisim/raisim.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"

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

/// RaiSim's contact solver (Hwangbo, Lee, Hutter, IEEE RA-L 3, 2018): [LeLidec24] section III-C,
/// Alg. 5.
///
/// Contact by contact, with r* the answer of raisim_impulse at the newest impulses of the others:
///
///     r_i <- (1 - alpha) r_i + alpha r*
///     alpha <- gamma alpha + (1 - gamma) alpha_min       after a sweep
///
/// It converges to an impulse that satisfies Signorini's condition and the cone, but not maximum
/// dissipation at sliding contacts ([LeLidec24] (24)); so it does not solve the NCP unless W_NT = 0
/// where contacts slide.
///
/// Ends `converged` if the NCP residuals are within the tolerance, the test of [LeLidec24], and
/// `inaccurate` if r* no longer differs from r_i at any contact: that is RaiSim's own answer.
/// Reports the largest ||r* - r_i|| of the last sweep as `fixed_point`.
///
/// Deviations from [LeLidec24] Alg. 5:
/// 1. The paper prints the update of alpha inside the loop over the contacts, where its pace would
///    depend on their number. Here it follows a sweep, as in the authors' code (ContactBench).
/// 2. The second test. [LeLidec24] stops at the iteration limit or when iterates stall, and accepts
///    both as results.
/// 3. A contact that others neither press nor part, with a free normal velocity of exactly zero, takes off
///    (line 6 has > 0): r_i = 0 solves its NCP, and the rule's impulse need not.
struct Raisim {
  double alpha = 1;
  double alpha_min = 0.1;
  double gamma = 0.99;
  double angle_tolerance = 1e-14;        // rad
  double fixed_point_tolerance = 1e-12;  // fraction of ||r||_inf

  void describe(SettingFields& fields) {
    const Range share{0, 1, false, true};
    fields.add("alpha", alpha, share, "initial relaxation factor", "ContactBench, RaisimSolver");
    fields.add("alpha_min", alpha_min, share, "value towards which the relaxation factor decays",
               "[LeLidec24] Alg. 5; ContactBench, RaisimSolver");
    fields.add("gamma", gamma, Range{0, 1},
               "decay per sweep: alpha - alpha_min is multiplied by gamma",
               "[LeLidec24] Alg. 5; ContactBench, RaisimSolver");
    fields.add("angle_tolerance", angle_tolerance, positive(),
               "the bisection for the direction of a sliding impulse stops at this angle, rad",
               "tighter than any tolerance in use; ContactBench: 1e-6 on the impulse");
    fields.add(
        "fixed_point_tolerance", fixed_point_tolerance, at_least(0),
        "stop when no impulse changes by more than this fraction of ||r||_inf; 0 disables the "
        "test",
        "just above rounding, so that the NCP test normally stops first, and above "
        "angle_tolerance, which limits how small corrections get");
  }
};

void run(const Raisim& settings, Solve& solve) {
  double alpha = settings.alpha;
  double largest = 0;  // ||r* - r_i|| of the sweep so far
  const auto update = [&](const auto& W, Index i, const Vector& r, auto& r_i) {
    const auto correction =
        (raisim_impulse(W.W(i), W.free_velocity(i, r), W.mu(i), settings.angle_tolerance) - r_i)
            .eval();
    largest = std::max(largest, correction.norm());
    r_i += alpha * correction;
  };
  gauss_seidel({}, solve, update, [&](const Vector& r, const Vector&) {
    alpha = settings.gamma * alpha + (1 - settings.gamma) * settings.alpha_min;
    const double correction = std::exchange(largest, 0);
    solve.report("fixed_point", correction);
    if (!(correction <= settings.fixed_point_tolerance * r.lpNorm<Eigen::Infinity>())) return false;
    solve.end_inaccurate(StopReason::fixed_point, r,
                         "reached RaiSim's fixed point, which does not solve the NCP");
    return true;
  });
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
  if (tangent_norm(r_0) <= mu * r_0[0]) return r_0;
  return slide(W, q, mu, r_0, angle_tolerance);
}

template Eigen::Vector2d raisim_impulse<2>(const Eigen::Matrix2d&, const Eigen::Vector2d&, double,
                                           double);
template Eigen::Vector3d raisim_impulse<3>(const Eigen::Matrix3d&, const Eigen::Vector3d&, double,
                                           double);

RegisteredSolver raisim() {
  return solver_entry(
      {.name = "raisim",
       .model = ContactModel::ncp,
       .summary =
           "RaiSim's per-contact bisection: Signorini's condition holds, maximum dissipation does "
           "not",
       .sources = {"[LeLidec24] section III-C, Alg. 5", "Hwangbo, Lee, Hutter, IEEE RA-L 3 (2018)"},
       .exact = false,
       .zero_diagonal = false},
      run);
}

}  // namespace frictionbench::solvers
