#include <algorithm>

#include "frictionbench/math/friction_pyramid.hpp"
#include "frictionbench/solver/facets.hpp"
#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"
#include "frictionbench/solvers/gauss_seidel/separable_step.hpp"

namespace frictionbench::solvers {

namespace {

enum class Tangents { in_turn, together };

/// Projected Gauss-Seidel for the LCP, a friction pyramid: [LeLidec24] Alg. 1, the default of
/// Bullet, ODE, PhysX and DART.
///
/// Contact by contact, with u_i = (W r + q)_i at the newest impulses, those of the same contact
/// included:
///
///     r_N <- max(0, r_N - omega u_N / W_NN)
///     r_Tk <- clamp(r_Tk - omega u_Tk / W_TkTk, -mu r_N, mu r_N)     k = 1, then 2
///
/// so friction is bounded axis by axis, and depends on the choice of the axes ([LeLidec24] Figs. 6,
/// 9). That is the pyramid of four facets, the LCP that verdicts are about.
///
/// Deviations from the paper:
/// 1. [LeLidec24] steps both tangents from the same u_T, that after the normal update, and divides
///    both by min(W_T1T1, W_T2T2). That overshoots if the two are coupled or differ in size, and
///    then cycles. Axis by axis, as in the engines, each step minimises over its impulse. The
///    paper's step is `tangents=together`.
/// 2. A relaxation factor, as in ncp-pgs; 1 is the paper's value.
///
/// With `facets` = K other than 4, in 3D, the pyramid is RegularPyramid's: the lifted LCP of
/// Stewart and Trinkle and of [YamaneNakamura08] (25), over the variables (r_N, beta, lambda) of
/// every contact. Gauss-Seidel on those variables one by one need not converge: the matrix is only
/// copositive, and its diagonal is zero at lambda. For given r_N, however, beta and lambda only
/// state that r_T lies in the polygon of size mu r_N and dissipates the most, so they are
/// eliminated exactly:
///
///     r_T <- argmin { (s - r_T).W_TT (s - r_T) / 2 + omega u_T.(s - r_T) : d_k.s <= mu r_N }
///
/// with the symmetric part of W_TT, which the fixed points do not depend on; with `together`, W_TT
/// is replaced by min(W_T1T1, W_T2T2) I. The residuals are those of that pyramid.
struct LcpPgs {
  int facets = 4;
  Tangents tangents = Tangents::in_turn;
  double relaxation = 1;  // omega, in (0, 2); 1 is [LeLidec24] Alg. 1
  SweepSettings sweeps;

  void describe(SettingFields& fields) {
    describe_facets(
        fields, facets,
        "[LeLidec24] section III-A; other numbers: [YamaneNakamura08] (17)-(26), Stewart and "
        "Trinkle (1996)");
    fields.add("tangents", tangents,
               {{"in_turn", Tangents::in_turn}, {"together", Tangents::together}},
               "in_turn: step one tangential impulse after the other; together: step both from the "
               "same velocity; with facets other than 4, in_turn minimises over both jointly",
               "in_turn: Bullet, ODE; together: [LeLidec24] Alg. 1");
    fields.add("relaxation", relaxation, open_interval(0, 2),
               "relaxation factor omega of the normal and the tangential step; 1 is the paper's "
               "value",
               "[LeLidec24] Alg. 1");
    sweeps.describe(fields);
  }

  void adapt(SolverInfo& info) const {
    info.facets = facets;
    sweeps.adapt(info);
  }
};

void clamp(double& x, double limit) { x = std::min(std::max(x, -limit), limit); }

template <typename Sweeps, typename Segment>
void step_in_turn(const Sweeps& W, Index i, double omega, const Vector& r, Segment& r_i) {
  constexpr int Dim = Sweeps::dimension;
  const auto& W_ii = W.W(i);
  const double mu = W.mu(i);
  auto u_i = W.velocity(i, r);
  if (mu == 0) r_i.template tail<Dim - 1>().setZero();
  for (int a = 0; a < (mu == 0 ? 1 : Dim); ++a) {
    const double old = r_i[a];
    r_i[a] -= omega * u_i[a] / W_ii(a, a);
    if (a == 0)
      r_i[a] = std::max(0.0, r_i[a]);
    else
      clamp(r_i[a], mu * r_i[0]);
    u_i += W_ii.col(a) * (r_i[a] - old);
  }
}

template <typename Sweeps>
void step_on_polygon(const RegularPyramid& pyramid, const LcpPgs& settings, const Sweeps& W,
                     Index i, Vector& r) {
  const double omega = settings.relaxation;
  normal_first_step(
      W, i, omega, r, [&](const Eigen::Matrix3d& W_ii, const auto& u_T, auto& r_T, double limit) {
        const Eigen::Matrix2d W_TT = W_ii.bottomRightCorner<2, 2>();
        const Eigen::Matrix2d metric =
            settings.tangents == Tangents::in_turn
                ? Eigen::Matrix2d((W_TT + W_TT.transpose()) / 2)
                : Eigen::Matrix2d(tangent_divisor<3>(W_ii, TangentDivisor::smallest_entry) *
                                  Eigen::Matrix2d::Identity());
        r_T = pyramid.minimise(metric, omega * u_T, r_T, limit);
      });
}

void run_on_polygons(const LcpPgs& settings, Solve& solve) {
  const RegularPyramid pyramid(settings.facets);
  gauss_seidel(settings.sweeps, solve,
               [&]<typename Sweeps>(const Sweeps& W, Index i, Vector& r, auto&) {
                 if constexpr (Sweeps::dimension == 3) step_on_polygon(pyramid, settings, W, i, r);
               });
}

void run(const LcpPgs& settings, Solve& solve) {
  // In 2D every pyramid is the friction cone.
  if (solve.problem().dimension() == 3 && settings.facets != 4)
    return run_on_polygons(settings, solve);
  const double omega = settings.relaxation;
  gauss_seidel(settings.sweeps, solve, [&](const auto& W, Index i, Vector& r, auto& r_i) {
    if (settings.tangents == Tangents::in_turn) return step_in_turn(W, i, omega, r, r_i);
    separable_step(W, i, omega, TangentDivisor::smallest_entry, r, [](auto& r_T, double limit) {
      for (auto& r_Tk : r_T) clamp(r_Tk, limit);
    });
  });
}

}  // namespace

RegisteredSolver lcp_pgs() {
  return solver_entry({.name = "lcp-pgs",
                       .model = ContactModel::lcp,
                       .summary = "projected Gauss-Seidel on the friction pyramid",
                       .sources = {"[LeLidec24] Alg. 1"},
                       .zero_diagonal = false},
                      run);
}

}  // namespace frictionbench::solvers
