#include <gtest/gtest.h>

#include <cmath>

#include "frictionbench/linalg/dense_contacts.hpp"
#include "frictionbench/math/one_contact.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

// To the accuracy that the proximal term leaves after one step, 1e-9 of the answer.
Result by_newton(const ContactProblem& problem, int steps) {
  const Result result =
      solve("ncp-active-set(steps=" + std::to_string(steps) + ")", problem, limits(1e-8, steps));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-8);
  EXPECT_EQ(result.work.sweeps, 0);
  EXPECT_EQ(result.work.products, result.iterations + 1) << "one at the start";
  return result;
}

// What is known of the state beforehand takes one step.
TEST(ActiveSet, OpenContactsTakeAStepWithoutAFactorization) {
  const Result open =
      by_newton(test::one_contact(vector({2, 2, 2}), vector({0.5, 0.3, 0}), 0.5), 1);
  EXPECT_EQ(open.r, Vector::Zero(3));
  EXPECT_EQ(open.work.factorizations.all(), 0);
}

TEST(ActiveSet, StickingContactsTakeALinearSystem) {
  const Result sticking =
      by_newton(test::one_contact(vector({2, 4, 4}), vector({-2, 0.4, -0.8}), 0.5), 1);
  EXPECT_LE((sticking.r - vector({1, -0.1, 0.2})).norm(), 1e-8);
  EXPECT_EQ(sticking.work.factorizations.lu, 1);
}

TEST(ActiveSet, SlidingContactsFollowTheirDirection) {
  for (const int dim : {2, 3}) {
    const Vector q = dim == 3 ? vector({-2, 3, -4}) : vector({-2, 5});
    const Result result = by_newton(test::one_contact(Vector::Constant(dim, 2), q, 0.5), 5);
    EXPECT_NEAR(result.r[0], 1, 1e-8);
    EXPECT_NEAR(result.r.tail(dim - 1).norm(), 0.5, 1e-8);
    EXPECT_NEAR(result.r.tail(dim - 1).dot(q.tail(dim - 1)), -0.5 * 5, 1e-8);
  }
}

TEST(ActiveSet, FrictionlessContactsNeedOnlyTheirNormals) {
  Matrix W = Matrix::Zero(6, 6);
  W(0, 0) = W(3, 3) = 2;  // nothing resists in tangential directions
  W(0, 3) = W(3, 0) = 1;
  const ContactProblem problem(3, Vector::Zero(2),
                               LocalForm{test::sparse(W), vector({-3, 0.5, 0, -3, 0, 0})});
  EXPECT_LE((by_newton(problem, 2).r - vector({1, 0, 0, 1, 0, 0})).norm(), 1e-8);
}

// Four contacts of a box at rest: W has half its rank.
TEST(ActiveSet, ManageASingularMatrix) {
  const scenes::Snapshot stack = scenes::test::state("stack", {{"boxes", "2"}});
  by_newton(scenes::local_problem(stack.world, stack.contacts), 5);
}

TEST(ActiveSet, SweepsFindTheSetsThatNewtonMisses) {
  int solved = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const ContactProblem problem = test::random_problem(3, 12, 30, seed);
    const Result result = solve("ncp-active-set", problem, limits(1e-9));
    if (result.status != Status::converged) {
      EXPECT_EQ(result.status, Status::stalled);
      continue;
    }
    ++solved;
    EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-9) << seed;
  }
  EXPECT_GE(solved, 18);
}

TEST(ActiveSet, StartsWhereItIsTold) {
  const ContactProblem problem = test::random_problem(3, 6, 30, 3, 0.1);
  const Vector solution = solve("ncp-active-set", problem, limits(1e-12)).r;
  const Result again = solve("ncp-active-set", problem, limits(1e-9), solution);
  EXPECT_EQ(again.iterations, 1);
  EXPECT_LE((again.r - solution).norm(), 1e-8 * solution.norm());
}

TEST(ActiveSet, RefusesManyContacts) {
  const Result result = solve("ncp-active-set", test::random_problem(3, 41, 123, 1), limits(1e-6));
  EXPECT_EQ(result.status, Status::refused);
  EXPECT_EQ(result.message, "takes at most 40 contacts, and the problem has 41");
}

TEST(DenseContacts, MultiplyAndSweepAsSparseOnes) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = test::random_problem(dimension, 40, 60, 7, 0.1);
    with_dimension(dimension, [&](auto dim) {
      constexpr int Dim = dim();
      WorkCounters work;
      const DenseContacts<Dim> dense(problem, work);
      const ContactSweeps<Dim> sparse(problem, work);
      Vector expected = Vector::LinSpaced(problem.unknowns(), -1, 1);
      expected.segment<Dim>(Dim * 3).setZero();
      FewVector<Dim> r = expected, u;
      dense.velocity(r, u);
      const Vector exact = problem.contact_velocity(expected);
      EXPECT_LE((u - exact).norm(), 1e-14 * exact.norm());

      dense.sweep(r, [&](Index i, const auto& others) {
        return solve_one_contact<Dim>(dense.W(i, i), others, dense.mu(i));
      });
      sparse.sweep([&](Index i) {
        expected.segment<Dim>(Dim * i) =
            solve_one_contact<Dim>(sparse.W(i), sparse.free_velocity(i, expected), sparse.mu(i));
      });
      EXPECT_LE((r - expected).norm(), 1e-11 * expected.norm());
      EXPECT_EQ(work.sweeps, 2);
      EXPECT_EQ(work.products, 1);
    });
  }
}

}  // namespace
}  // namespace frictionbench::solvers
