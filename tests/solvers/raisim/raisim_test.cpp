#include "frictionbench/solvers/raisim/raisim.hpp"

#include <gtest/gtest.h>

#include <random>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/math/one_contact.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::vector;

constexpr double angle_tolerance = 1e-14;

Eigen::Matrix3d random_block(std::mt19937& generator) {
  std::normal_distribution<double> normal;
  const Eigen::Matrix3d J = Eigen::Matrix3d::NullaryExpr([&] { return normal(generator); });
  return J * J.transpose() + 0.1 * Eigen::Matrix3d::Identity();
}

// A contact that slides, its friction impulse coupled into the normal direction.
Eigen::Matrix3d coupled() {
  Eigen::Matrix3d W;
  W << 2, 0.6, -0.3, 0.6, 1.5, 0.2, -0.3, 0.2, 1;
  return W;
}
const Eigen::Vector3d sliding_q(-1, 2, 1);

TEST(RaisimImpulse, IsCoulombsWithoutCoupling) {
  std::mt19937 generator(2);
  for (int k = 0; k < 1000; ++k) {
    Eigen::Matrix3d W = random_block(generator);
    W.block<1, 2>(0, 1).setZero();
    W.block<2, 1>(1, 0).setZero();
    const Eigen::Vector3d q = random_block(generator).col(k % 3);
    const double mu = 0.1 * (k % 20);
    const Eigen::Vector3d exact = solve_one_contact<3>(W, q, mu);
    EXPECT_LE((raisim_impulse<3>(W, q, mu, angle_tolerance) - exact).norm(),
              1e-11 * (1 + exact.norm()))
        << k;
  }
}

TEST(RaisimImpulse, IsCoulombsInTwoDimensions) {
  std::mt19937 generator(3);
  for (int k = 0; k < 1000; ++k) {
    const Eigen::Matrix2d W = random_block(generator).topLeftCorner<2, 2>();
    const Eigen::Vector2d q = random_block(generator).col(k % 3).head<2>();
    const double mu = 0.1 * (k % 20);
    const Eigen::Vector2d exact = solve_one_contact<2>(W, q, mu);
    EXPECT_LE((raisim_impulse<2>(W, q, mu, angle_tolerance) - exact).norm(),
              1e-11 * (1 + exact.norm()))
        << k;
  }
}

// [LeLidec24] (23): no other impulse of the cone with u_N = 0 has a lower objective.
TEST(RaisimImpulse, MinimisesWhereTheContactSlides) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int sliding = 0;
  for (int k = 0; k < 500; ++k) {
    const Eigen::Matrix3d W = random_block(generator);
    const double mu = 0.1 + 0.01 * (k % 100);
    const Eigen::Vector3d q(-1, 10 * uniform(generator), 10 * uniform(generator));
    const Eigen::Vector3d r = raisim_impulse<3>(W, q, mu, angle_tolerance);
    if (r.tail<2>().norm() < (1 - 1e-9) * mu * r[0]) continue;
    ++sliding;
    const auto objective = [&](const Eigen::Vector3d& s) { return s.dot(W * s / 2 + q); };
    EXPECT_NEAR(W.row(0).dot(r) + q[0], 0, 1e-12 * (1 + r.norm() * W.norm()));
    for (int other = 0; other < 200; ++other) {
      Eigen::Vector3d s(1, uniform(generator), uniform(generator));
      s.tail<2>() *= mu / std::max(1.0, s.tail<2>().norm());
      s *= -q[0] / W.row(0).dot(s);
      if (!(s[0] > 0)) continue;
      EXPECT_GE(objective(s), objective(r) - 1e-10 * (1 + std::abs(objective(r))));
    }
  }
  EXPECT_GT(sliding, 200);
}

// [LeLidec24] (24): the slip is opposite to r_T + mu^2 r_N / W_NN W_NT, and so not to the friction
// impulse.
TEST(Raisim, LosesMaximumDissipation) {
  const double mu = 0.5;
  const ContactProblem problem(3, vector({mu}), LocalForm{test::sparse(coupled()), sliding_q});
  const Result result = test::solve("raisim", problem, test::limits(1e-10));
  EXPECT_EQ(result.status, Status::inaccurate);
  EXPECT_EQ(result.stop_reason, StopReason::fixed_point);
  EXPECT_LE(result.reported.at("fixed_point"), 1e-12);

  const Verdict verdict = judge(problem, result.r);
  EXPECT_LE(verdict.signorini.product, 1e-11);
  EXPECT_LE(verdict.ncp.primal, 1e-12);
  EXPECT_GT(verdict.dissipation, 1e-3);

  const Vector u = problem.contact_velocity(result.r);
  const Eigen::Vector2d r_T = result.r.tail(2);
  const Eigen::Vector2d opposite =
      r_T + mu * mu * result.r[0] / coupled()(0, 0) * coupled().row(0).tail<2>().transpose();
  EXPECT_NEAR(u.tail(2).normalized().dot(opposite.normalized()), -1, 1e-12);
  EXPECT_GT(u.tail(2).normalized().dot(r_T.normalized()), -1 + 1e-4);
}

TEST(Raisim, AlphaMixesAndDecaysOnceASweep) {
  // Two separate contacts that stick at r_N = 1. alpha = 0.5, then 0.5 * 0.5 + 0.5 * 0.1 = 0.3.
  const ContactProblem problem(
      2, vector({0.5, 0.5}),
      LocalForm{test::sparse(Matrix::Identity(4, 4)), vector({-1, 0, -1, 0})});
  const auto after = [&](int sweeps) {
    return test::solve("raisim(alpha=0.5,alpha_min=0.1,gamma=0.5)", problem,
                       test::limits(0, sweeps))
        .r;
  };
  EXPECT_LE((after(1) - vector({0.5, 0, 0.5, 0})).norm(), 1e-14);
  EXPECT_LE((after(2) - vector({0.65, 0, 0.65, 0})).norm(), 1e-14);
}

}  // namespace
}  // namespace frictionbench::solvers
