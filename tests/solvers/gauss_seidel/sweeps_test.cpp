#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::UnorderedElementsAre;

TEST(SweepOrder, FixedIsAsNumbered) {
  SweepOrder order({}, BlockShape(3, 4));
  EXPECT_THAT(order.next(Vector::Zero(12)), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(order.next(Vector::Ones(12)), ElementsAre(0, 1, 2, 3));
}

TEST(SweepOrder, RandomIsAFunctionOfTheSeed) {
  const auto orders = [](int seed) {
    SweepOrder order({.order = ContactOrder::random, .seed = seed}, BlockShape(2, 6));
    std::vector<std::vector<Index>> sweeps;
    for (int k = 0; k < 20; ++k) {
      sweeps.push_back(order.next(Vector::Zero(12)));
      EXPECT_THAT(sweeps.back(), UnorderedElementsAre(0, 1, 2, 3, 4, 5));
    }
    return sweeps;
  };
  EXPECT_EQ(orders(1), orders(1));
  EXPECT_NE(orders(1), orders(2));
  const auto sweeps = orders(3);
  EXPECT_GT(std::set(sweeps.begin(), sweeps.end()).size(), 15u) << "shuffled for each sweep";
}

TEST(SweepOrder, ResidualPutsTheLongestCorrectionFirst) {
  SweepOrder order({.order = ContactOrder::residual}, BlockShape(2, 3));
  EXPECT_THAT(order.next(Vector::Zero(6)), ElementsAre(0, 1, 2));
  const Vector first = test::vector({0, 1, 3, 4, 0, 2});  // corrections 1, 5, 2
  EXPECT_THAT(order.next(first), ElementsAre(1, 2, 0));
  const Vector second = test::vector({3, 1, 3, 4, 3, 2});  // corrections 3, 0, 3
  EXPECT_THAT(order.next(second), ElementsAre(2, 0, 1));
}

// What every Gauss-Seidel solver does with its sweep settings.
class Sweeps : public testing::TestWithParam<std::string> {
 protected:
  Result solve(const std::string& settings, Observer& observer) const {
    return test::solve(GetParam() + settings, problem_, test::limits(1e-10), {}, observer);
  }
  Result solve(const std::string& settings) const {
    Observer silent;
    return solve(settings, silent);
  }

  ContactProblem problem_ = test::random_problem(3, 6, 18, 31, 0.5);
};

TEST_P(Sweeps, ChecksNowAndThenChangeTheStopAndNotTheIterates) {
  struct Checks final : Observer {
    void iterated(const Iterate& iterate) override { iterations.push_back(iterate.iteration); }
    std::vector<int> iterations;
  } checks;
  const Result always = solve("");
  const Result rarely = solve("(check_every=7)", checks);
  ASSERT_EQ(always.status, Status::converged);
  EXPECT_EQ(rarely.status, Status::converged);
  EXPECT_EQ(rarely.iterations, (always.iterations + 6) / 7 * 7);
  EXPECT_EQ(rarely.work.products, rarely.iterations / 7);
  EXPECT_EQ(rarely.work.sweeps, rarely.iterations);
  EXPECT_THAT(checks.iterations, IsSupersetOf({7, rarely.iterations}));
  EXPECT_EQ(checks.iterations.size(), static_cast<std::size_t>(rarely.work.products));
}

TEST_P(Sweeps, LastSweepIsCheckedAndTimeIsKept) {
  const std::string solver = GetParam() + "(check_every=1000)";
  Limits limits = test::limits(0, 3);
  const Result stopped = test::solve(solver, problem_, limits);
  EXPECT_EQ(stopped.status, Status::max_iterations);
  EXPECT_EQ(stopped.reported.count("dual"), 1u);

  limits.deadline = std::chrono::steady_clock::now();
  const Result late = test::solve(solver, problem_, limits);
  EXPECT_EQ(late.status, Status::time_limit);
  EXPECT_EQ(late.iterations, 1);
}

TEST_P(Sweeps, EveryOrderFindsTheSameVelocity) {
  const Vector u = problem_.contact_velocity(solve("").r);
  for (const char* order : {"(order=random)", "(order=random,seed=5)", "(order=residual)"}) {
    const Result result = solve(order);
    EXPECT_EQ(result.status, Status::converged) << order;
    EXPECT_LE((problem_.contact_velocity(result.r) - u).norm(), 1e-8) << order;
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Sweeps,
                         testing::Values("ncp-pgs", "ccp-pgs", "lcp-pgs", "ncp-nsgs"),
                         test::solver_test_name);

}  // namespace
}  // namespace frictionbench::solvers
