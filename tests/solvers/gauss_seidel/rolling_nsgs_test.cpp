#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/sets/sets.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

constexpr Index rows = 5;  // of a contact

ContactProblem rolling_problem(const Matrix& W, const Vector& q, double mu, double mu_r) {
  const std::vector<SetPointer> sets(static_cast<std::size_t>(q.size() / rows),
                                     rolling_cone(mu, mu_r));
  return {3, Vector(), LocalForm{test::sparse(W), q}, sets};
}

// W = J J^T / m + I / 2, m x m; the same for the same seed.
ContactProblem random_rolling_problem(Index contacts, std::uint32_t seed) {
  const Index m = rows * contacts;
  std::mt19937 generator(seed);
  const Matrix J = test::random_matrix(m, m, generator);
  const Matrix W = J * J.transpose() / static_cast<double>(m) + Matrix::Identity(m, m) / 2;
  return rolling_problem(W, test::random_matrix(m, 1, generator), 0.6, 0.2);
}

// One contact whose friction and rolling both reach their limits.
struct OneContact {
  Matrix W = Matrix::Identity(rows, rows) * 3;
  Vector q = vector({-2, 4, 1, -1, 3});
  double mu = 0.5, mu_r = 0.1;

  OneContact() {
    W(0, 1) = 0.8;  // W need not be symmetric
    W(1, 0) = 0.4;
    W(2, 4) = W(4, 2) = -0.5;
  }
  ContactProblem problem() const { return rolling_problem(W, q, mu, mu_r); }

  // A sweep of at most `most` projections, as rolling_nsgs.cpp defines them.
  Vector after_projections(int most, Vector r, double& rho) const {
    const SetPointer cone = rolling_cone(mu, mu_r);
    double moved = 1;
    for (int k = 0; k < most; ++k) {
      Vector u = W * r + q;
      u[0] += mu * u.segment(1, 2).norm() + mu_r * u.segment(3, 2).norm();
      const auto ratio = [&](const Vector& s) {
        return rho * (W * (s - r)).norm() / (s - r).norm();
      };
      Vector s = cone->project(r - rho * u);
      for (; ratio(s) > 0.9; s = cone->project(r - rho * u)) rho *= 2.0 / 3;
      const double before = std::exchange(moved, (s - r).norm());
      if (ratio(s) < 0.3 && moved < before) rho *= 1.5;
      r = s;
    }
    return r;
  }
};

TEST(RollingNsgs, ProjectsAsDefined) {
  const OneContact one;
  const Vector start = vector({0.2, 0.1, 0, 0, -0.02});
  double rho = 0.001;  // too short
  const Vector r = one.after_projections(20, start, rho);
  EXPECT_GT(rho, 0.01);
  const auto swept =
      solve("rolling-nsgs(local_iterations=20,rho=0.001)", one.problem(), limits(1e-300, 1), start);
  EXPECT_LE((swept.r - r).norm(), 1e-14);
}

TEST(RollingNsgs, KeepsStepLengthsFromSweepToSweep) {
  const OneContact one;
  const Vector start = vector({0.2, 0.1, 0, 0, -0.02});
  double rho = 1;  // too long
  Vector r = start;
  for (int sweeps = 1; sweeps <= 3; ++sweeps) {
    r = one.after_projections(3, r, rho);
    EXPECT_LT(rho, 0.5);
    const auto swept =
        solve("rolling-nsgs(local_iterations=3)", one.problem(), limits(1e-300, sweeps), start);
    EXPECT_LE((swept.r - r).norm(), 1e-14) << sweeps;
  }
}

TEST(RollingNsgs, OneContactTakesOneSweep) {
  const OneContact one;
  const Result sliding = solve("rolling-nsgs", one.problem(), limits(1e-11));
  EXPECT_EQ(sliding.status, Status::converged);
  EXPECT_EQ(sliding.iterations, 1);
  EXPECT_EQ(sliding.work, (WorkCounters{.products = 1, .sweeps = 1}));

  const Vector sticks = vector({-2, 0.1, 0.2, -0.01, 0.02}), opens = vector({0.1, 1, 2, 3, 4});
  const Result stuck =
      solve("rolling-nsgs", rolling_problem(one.W, sticks, 0.5, 0.1), limits(1e-14));
  EXPECT_EQ(stuck.iterations, 1);
  EXPECT_LE((stuck.r + one.W.inverse() * sticks).norm(), 1e-15);
  const Result open = solve("rolling-nsgs", rolling_problem(one.W, opens, 0.5, 0.1), limits(1e-14),
                            Vector::Ones(rows));
  EXPECT_EQ(open.iterations, 1);
  EXPECT_EQ(open.r, Vector::Zero(rows));
}

TEST(RollingNsgs, RelaxesTheStepOfTheSweep) {
  const OneContact one;
  const Vector start = vector({0.2, 0.1, 0, 0, -0.02});
  const auto swept = [&](const char* spec) {
    return solve(spec, one.problem(), limits(1e-300, 1), start).r;
  };
  const Vector whole = swept("rolling-nsgs") - start;
  EXPECT_LE((swept("rolling-nsgs(relaxation=0.5)") - start - whole / 2).norm(), 1e-15);
}

TEST(RollingNsgs, SolvesCoupledContactsAsNcpNsgsDoes) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const ContactProblem problem = random_rolling_problem(6, seed);
    const Result reference = solve("ncp-nsgs", problem, limits(1e-11));
    ASSERT_EQ(reference.status, Status::converged) << seed;
    for (const char* spec : {"rolling-nsgs", "rolling-nsgs(scaling=contacts,order=random)"}) {
      const Result result = solve(spec, problem, limits(1e-11));
      EXPECT_EQ(result.status, Status::converged) << spec << " " << seed;
      EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-11) << spec << " " << seed;
      EXPECT_LE((result.r - reference.r).norm(), 1e-8) << spec << " " << seed;
    }
  }
}

// Contact 1 cannot roll at all, so that its block has no inverse.
TEST(RollingNsgs, SingularBlocksAreSolved) {
  const ContactProblem whole = random_rolling_problem(2, 7);
  Matrix W = whole.local().W;
  W.bottomRows(2).setZero();
  W.rightCols(2).setZero();
  Vector q = whole.local().q;
  q[rows] = -1;
  q.tail(2) << 0.1, -0.2;
  const ContactProblem problem = rolling_problem(W, q, 0.6, 0.2);
  const Result result = solve("rolling-nsgs", problem, limits(1e-10));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-10);
}

TEST(RollingNsgs, TakesFrictionConesBesideRollingOnes) {
  const ContactProblem rolling = random_rolling_problem(2, 3);
  const ContactProblem problem(
      3, vector({0.4}), LocalForm{rolling.local().W.topLeftCorner(8, 8), rolling.local().q.head(8)},
      {rolling_cone(0.6, 0.2)});
  const Result result = solve("rolling-nsgs", problem, limits(1e-11));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE((result.r - solve("ncp-nsgs", problem, limits(1e-11)).r).norm(), 1e-8);
}

TEST(RollingNsgs, RefusesOtherSetsByName) {
  for (const SetPointer& other :
       {torsional_cone(0.5, 0.1), elliptic_cone({0.5, 0.5, 0.1}), cohesive_cone(0.5, 0.1)}) {
    const Index m = 5 + other->dimension();
    const LocalForm form{test::sparse(Matrix::Identity(m, m)), -Vector::Ones(m)};
    const ContactProblem problem(3, Vector(), form, {rolling_cone(0.5, 0.1), other});
    const Result result = solve("rolling-nsgs", problem);
    EXPECT_EQ(result.status, Status::refused);
    EXPECT_NE(result.message.find(other->kind()), std::string::npos) << result.message;
  }
}

}  // namespace
}  // namespace frictionbench::solvers
