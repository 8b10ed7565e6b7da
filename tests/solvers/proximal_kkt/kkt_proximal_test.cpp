#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/math/portable_numbers.hpp"
#include "support/falling_mechanisms.hpp"
#include "support/kinematic_trees.hpp"
#include "support/limits.hpp"
#include "support/mixed_problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::random_matrix;
using test::solve;
using test::sparse;
using test::vector;

const char* const routes[] = {"kkt-proximal(route=kkt)", "kkt-proximal(route=delassus)"};

// A falling mechanism whose joints are all there is to it, and whose bodies have velocities of their own.
ContactProblem joints_of(const test::FallingMechanism& falling) {
  test::Mechanism mechanism = falling.make();
  mechanism.world.planes.clear();
  for (test::Joint& joint : mechanism.joints) {
    joint.low = -std::numeric_limits<double>::infinity();
    joint.high = std::numeric_limits<double>::infinity();
    joint.dry_friction = 0;
  }
  Random random(7);
  const auto draw = [&](double& value) { value = random.uniform(-1, 1); };
  for (scenes::Body& body : mechanism.world.bodies) {
    std::ranges::for_each(body.velocity, draw);
    std::ranges::for_each(body.angular_velocity, draw);
  }
  return step_of(mechanism).problem;
}

// W = G^T M^-1 G; `repeated` more rows are combinations of the first. q is in the range of W.
ContactProblem rows_problem(Index n, Index rows, Index repeated, std::uint32_t seed) {
  const Matrix A = random_matrix(n, n, seed);
  Matrix H(n, rows + repeated);
  H.leftCols(rows) = random_matrix(n, rows, seed + 1);
  if (repeated > 0)
    H.rightCols(repeated) = H.leftCols(rows) * random_matrix(rows, repeated, seed + 2);
  const Vector w = H.transpose() * random_matrix(n, 1, seed + 3);
  return {3, Vector(),
          GlobalForm{sparse(A * A.transpose() + Matrix::Identity(n, n)), sparse(H),
                     random_matrix(n, 1, seed + 4), w},
          std::vector<SetPointer>(1, equality(static_cast<int>(rows + repeated)))};
}

ContactProblem in_local_form(const ContactProblem& problem) {
  return {problem.dimension(), problem.mu(), test::local_form(problem), problem.other_sets()};
}

// The multipliers with u = 0 that lie nearest to zero.
Vector least_multipliers(const ContactProblem& problem) {
  const Matrix W = problem.local().W;
  return Eigen::CompleteOrthogonalDecomposition<Matrix>(W).solve(-problem.local().q);
}

void expect_solved(const ContactProblem& problem, const Result& result, double tolerance) {
  EXPECT_EQ(name(result.status), "converged") << result.message;
  ASSERT_EQ(result.r.size(), problem.unknowns());
  EXPECT_LE(judge(problem, result.r).residuals(ContactModel::ncp).max(), tolerance);
}

// Loops: 20 rows of rank 17 in the linkages, and as many as the humanoid's arms and bar have.
TEST(KktProximal, FindsTheLeastMultipliersOfLoops) {
  for (const test::FallingMechanism& falling : test::falling_mechanisms()) {
    const ContactProblem problem = joints_of(falling);
    ASSERT_EQ(problem.contacts(), 0);
    const SparseMatrix& H = problem.global()->H;
    const Vector expected = least_multipliers(problem);
    const Vector by_elimination =
        H * solve("ncp-nsgs(bilateral=eliminate)", problem, limits(1e-9)).r;
    for (const char* const route : routes) {
      SCOPED_TRACE(falling.name + " by " + std::string(route));
      const Result result = solve(route, problem, limits(1e-10));
      expect_solved(problem, result, 1e-10);
      EXPECT_LE(result.iterations, 10);
      EXPECT_LE((H * result.r - by_elimination).norm(), 1e-6 * by_elimination.norm());
      EXPECT_LE((result.r - expected).norm(), 1e-5 * expected.norm());
    }
  }
}

TEST(KktProximal, AgreesWithItselfInOtherCoordinates) {
  for (const test::KinematicTree& tree :
       {test::robot({2, 2, 2, 2}, 4), test::robot({6, 6, 7, 7, 6}, 2)}) {
    const ContactProblem maximal = in_maximal_coordinates(tree);
    const ContactProblem generalized = in_generalized_coordinates(tree);
    const Result of_bodies = solve("kkt-proximal", maximal, limits(1e-11));
    const Result of_hinges = solve("kkt-proximal", generalized, limits(1e-11));
    expect_solved(maximal, of_bodies, 1e-11);
    expect_solved(generalized, of_hinges, 1e-11);
    const Vector v = body_velocities(tree) * of_hinges.velocity;
    EXPECT_LE((of_bodies.velocity - v).norm(), 1e-8 * v.norm());
  }
}

TEST(KktProximal, TakesTheLocalForm) {
  const ContactProblem problem = rows_problem(9, 4, 2, 1);
  const Result global = solve("kkt-proximal", problem, limits(1e-11));
  const Result local = solve("kkt-proximal", in_local_form(problem), limits(1e-11));
  expect_solved(problem, global, 1e-11);
  expect_solved(problem, local, 1e-11);
  EXPECT_LE((global.r - local.r).norm(), 1e-7 * global.r.norm());
  EXPECT_EQ(local.work.factorizations.cholesky, 1);
  EXPECT_EQ(local.work.factorizations.all(), 1);
  EXPECT_EQ(local.velocity.size(), 0);
}

TEST(KktProximal, ReturnsTheVelocityOfItsImpulse) {
  const ContactProblem problem = rows_problem(9, 4, 2, 2);
  const GlobalForm& form = *problem.global();
  const Result result = solve("kkt-proximal", problem, limits(1e-10));
  ASSERT_EQ(result.velocity.size(), 9);
  EXPECT_LE((form.M * result.velocity - form.H * result.r - form.f).norm(), 1e-12 * form.f.norm());
  EXPECT_LE(momentum_error(problem, result.r, result.velocity), 1e-12);
  EXPECT_LE(slackness_error(problem, result.r, result.velocity), 1e-9);
}

// The residuals of all iterates.
struct Residuals final : Observer {
  void iterated(const Iterate& iterate) override { u.push_back(iterate.residuals.dual); }
  std::vector<double> u;
};

TEST(KktProximal, ConvergesAsFastAsTheSmallestEigenvalueSays) {
  const Matrix A = random_matrix(6, 6, 4);
  const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(A.transpose() * A);
  const double s = spectrum.eigenvalues()[0];
  const ContactProblem problem(3, Vector(),
                               GlobalForm{sparse(Matrix::Identity(6, 6)), sparse(A),
                                          Vector::Zero(6), spectrum.eigenvectors().col(0)},
                               {equality(6)});
  for (const char* const route : {"kkt", "delassus"})
    for (const double mu : {0.1 * s, s, 10 * s}) {
      SCOPED_TRACE(fmt::format("{}, mu = {}", route, mu));
      Residuals residuals;
      solve(fmt::format("kkt-proximal(route={},mu={:.17g},mu_unit=file)", route, mu), problem,
            limits(1e-6), {}, residuals);
      ASSERT_GE(residuals.u.size(), 3U);
      double expected = 1;
      for (const double u : residuals.u) EXPECT_NEAR(u, expected *= mu / (mu + s), 1e-9);
    }
}

TEST(KktProximal, FactorsOnceHoweverManyIterations) {
  const ContactProblem problem = rows_problem(9, 4, 2, 3);
  const Result result = solve("kkt-proximal(mu=1)", problem, limits(1e-9));
  expect_solved(problem, result, 1e-9);
  EXPECT_GT(result.iterations, 20);
  EXPECT_EQ(result.work.analyses, 1);
  EXPECT_EQ(result.work.factorizations.ldlt, 1);
  EXPECT_EQ(result.work.factorizations.all(), 1);
  EXPECT_EQ(result.work.triangular_solves, result.iterations);
  EXPECT_EQ(result.work.products, 1) << "W, to confirm the answer";
}

// Two of the rows ask for different velocities of the same thing.
TEST(KktProximal, ContradictoryRowsEndStalledAtTheLeastSquaresVelocity) {
  const ContactProblem consistent = rows_problem(9, 3, 2, 5);
  Vector s = Vector::Zero(5);
  s[4] = 1;
  const ContactProblem problem = consistent.with_velocity_added(s);
  const Matrix H = consistent.global()->H;
  const Vector least =
      s - H.transpose() *
              Eigen::CompleteOrthogonalDecomposition<Matrix>(Matrix(H.transpose())).solve(s);
  ASSERT_GT(least.norm(), 0.1);
  for (const ContactProblem& form : {problem, in_local_form(problem)}) {
    const Result result = solve("kkt-proximal", form, limits(1e-8));
    EXPECT_EQ(name(result.status), "stalled");
    EXPECT_EQ(result.message, "no progress in 100 iterations");
    EXPECT_LE((problem.contact_velocity(result.r) - least).norm(), 1e-4);
    EXPECT_EQ(result.velocity.size(), 0);
  }
}

TEST(KktProximal, StartsWhereItIsTold) {
  const ContactProblem problem = rows_problem(9, 4, 3, 6);
  Observer silent;
  const Result cold = solve("kkt-proximal", problem, limits(1e-10));
  const Result warm = solve("kkt-proximal", problem, limits(1e-9), cold.r, silent);
  EXPECT_LE(warm.iterations, 2) << "one, and one for what rounding leaves of it";
  EXPECT_LE((warm.r - cold.r).norm(), 1e-6 * cold.r.norm());

  // The nearest answer to the start.
  const Vector start = random_matrix(7, 1, 3);
  const Vector q = problem.contact_velocity(start);
  const Vector expected =
      start + Eigen::CompleteOrthogonalDecomposition<Matrix>(Matrix(problem.local().W)).solve(-q);
  for (const char* const route : routes) {
    const Result result = solve(route, problem, limits(1e-10), start, silent);
    expect_solved(problem, result, 1e-10);
    EXPECT_LE((result.r - expected).norm(), 1e-6 * expected.norm());
  }
}

TEST(KktProximal, CarriesTheAsymmetryOfM) {
  const ContactProblem symmetric = rows_problem(9, 4, 1, 8);
  GlobalForm form = *symmetric.global();
  const Matrix B = random_matrix(9, 9, 9);
  form.M = sparse(Matrix(form.M) + 0.01 * (B - B.transpose()));
  const ContactProblem problem(3, Vector(), form, symmetric.other_sets());
  for (const char* const route : routes) {
    const Result result = solve(route, problem, limits(1e-11));
    expect_solved(problem, result, 1e-11);
    EXPECT_LE(result.iterations, 15);
  }
}

TEST(KktProximal, SolvesCompliantRows) {
  const ContactProblem rigid = rows_problem(9, 4, 2, 10);
  const Vector R = Vector::LinSpaced(6, 0.1, 2);
  const ContactProblem problem = rigid.with_compliance(R);
  Matrix W = rigid.local().W;
  W.diagonal() += R;
  const Vector expected = W.ldlt().solve(-rigid.local().q);
  for (const char* const route : routes) {
    const Result result = solve(route, problem, limits(1e-11));
    expect_solved(problem, result, 1e-11);
    EXPECT_LE((result.r - expected).norm(), 1e-8 * expected.norm());
  }
}

TEST(KktProximal, TakesAsManyIterationsInOtherUnits) {
  const ContactProblem problem = in_maximal_coordinates(test::robot({3, 3, 3, 3}, 4));
  const auto relative = [](const ContactProblem& of) {
    Limits limits = test::limits(1e-9);
    limits.units = units_of(Scale::relative, of);
    return solve("kkt-proximal", of, limits);
  };
  const Result result = relative(problem);
  expect_solved(problem, result, 1e-8);
  for (const double d : {1e-4, 1e4}) {
    const ContactProblem other = problem.scaled(Vector::Constant(problem.blocks(), d), 1e3);
    const Result in_other_units = relative(other);
    EXPECT_EQ(name(in_other_units.status), "converged");
    EXPECT_EQ(in_other_units.iterations, result.iterations);
    EXPECT_LE((1e3 * d * in_other_units.r - result.r).norm(), 1e-6 * result.r.norm());
  }
}

TEST(KktProximal, KeepsItsLimits) {
  const ContactProblem problem = rows_problem(9, 4, 2, 11);
  const Result result = solve("kkt-proximal(mu=1)", problem, limits(1e-300, 3));
  EXPECT_EQ(name(result.status), "max_iterations");
  EXPECT_EQ(result.iterations, 3);
  EXPECT_EQ(result.r.size(), 6);
}

TEST(KktProximal, SaysThatMIsNotPositiveDefinite) {
  const ContactProblem problem(
      3, Vector(),
      GlobalForm{sparse(vector({1, -1, 1}).asDiagonal().toDenseMatrix()),
                 sparse(Matrix::Ones(3, 1)), Vector::Ones(3), Vector::Zero(1)},
      {equality()});
  const Result result = solve("kkt-proximal", problem, limits(1e-8));
  EXPECT_EQ(name(result.status), "error");
  EXPECT_EQ(result.message, "the symmetric part of M, or W, is not positive definite");
  EXPECT_EQ(name(solve("kkt-proximal(route=delassus)", problem, limits(1e-8)).status), "converged")
      << "W = 1";
}

TEST(KktProximal, RefusesEverythingElse) {
  const auto refusal = [](const ContactProblem& problem) {
    const Result result = solve("kkt-proximal", problem);
    EXPECT_EQ(result.status, Status::refused);
    return result.message;
  };
  EXPECT_EQ(refusal(test::random_problem(3, 2, 6, 1)),
            "takes bilateral rows only, and the problem has friction cones");
  EXPECT_EQ(refusal(test::random_problem(2, 2, 6, 1)),
            "takes bilateral rows only, and the problem has friction cones");
  EXPECT_EQ(refusal(test::mixed_problem(Vector{{0.5}}, {equality(2)}, 1)),
            "takes bilateral rows only, and the problem has 1 equality, 1 friction");
  EXPECT_EQ(refusal(test::mixed_problem(Vector(), {equality(2), interval(0, 1)}, 1)),
            "takes bilateral rows only, and the problem has 1 equality, 1 interval");
  EXPECT_THROW(solve("kkt-proximal(bilateral=eliminate)", rows_problem(9, 4, 0, 1)),
               std::invalid_argument)
      << "there is nothing to choose";
}

}  // namespace
}  // namespace frictionbench::solvers
