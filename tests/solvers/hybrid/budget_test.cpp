#include "frictionbench/solvers/hybrid/budget.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/mixed_problems.hpp"
#include "support/problems.hpp"

namespace frictionbench::solvers {
namespace {

// A full W: an LU takes about 2 m^3 / 3 operations, and no analysis.
TEST(LuBudget, CountsTheWorkOfAFullMatrix) {
  const ContactProblem problem = test::random_problem(3, 40, 60, 3);
  const double m = static_cast<double>(problem.unknowns());
  WorkCounters work;
  const DelassusOperator W(problem, work);
  const double lu = 2 * m * m * m / 3, expected = 30 * lu / (2 * m * m);
  EXPECT_NEAR(LuBudget(W).affordable_sweeps(), expected, 0.05 * expected);
  EXPECT_EQ(work.analyses, 0);
}

TEST(LuBudget, AllowsManySweepsOnlyWhereAFactorFillsIn) {
  // A chain of blocks fills nothing in: a factorisation costs little more than a sweep.
  std::vector<Eigen::Triplet<double>> entries;
  constexpr Index contacts = 300, m = 3 * contacts;
  for (Index i = 0; i < contacts; ++i)
    for (Index j = std::max<Index>(0, i - 1); j < std::min(contacts, i + 2); ++j)
      for (Index a = 0; a < 3; ++a)
        for (Index b = 0; b < 3; ++b)
          entries.emplace_back(3 * i + a, 3 * j + b, i == j && a == b ? 9 : -1);
  LocalForm form{SparseMatrix(m, m), Vector::Zero(m)};
  form.W.setFromTriplets(entries.begin(), entries.end());
  const ContactProblem chain(3, Vector::Ones(contacts), std::move(form));
  WorkCounters work;
  const DelassusOperator W(chain, work);
  EXPECT_LT(LuBudget(W).affordable_sweeps(), 100);
}

TEST(LuBudget, HasBytesOfAnAnalysisWhereAFullFactorWouldBeTooLarge) {
  const ContactProblem problem = test::random_problem(3, 160, 500, 3);
  const double m = static_cast<double>(problem.unknowns());
  WorkCounters work;
  const DelassusOperator W(problem, work);
  LuBudget budget(W);
  const double full = 16 * 2 * m * m;
  EXPECT_EQ(budget.bytes(full), full);
  EXPECT_EQ(work.analyses, 0);
  EXPECT_EQ(budget.bytes(1), 16 * 2 * m * m) << "two full panels";
  EXPECT_GT(budget.affordable_sweeps(), 0);
  EXPECT_EQ(work.analyses, 1) << "of both";
}

TEST(PredictedWork, CountsSweepsByEntriesAndBlocks) {
  const ContactProblem problem = test::random_problem(3, 40, 60, 3);
  WorkCounters counters;
  const DelassusOperator W(problem, counters);
  const PredictedWork work(W, ContactSweeps<3>(problem, counters));
  EXPECT_EQ(work.sweep(), 450 + 120 * 120 + 40 * 60) << "W is full";
  EXPECT_EQ(work.sweeps(10.5 * work.sweep()), 10);
  EXPECT_EQ(work.sweeps(0), 1);
  EXPECT_GT(work.sweeps(work.admm_setup()), 20);
  EXPECT_GT(work.interior_point(), work.admm_setup());
  EXPECT_EQ(counters.factorizations.all() + counters.analyses + counters.products, 0);
}

// Blocks that take an iteration to solve alone make sweeps, and nothing else, expensive.
TEST(PredictedWork, KnowsBlocksWithoutAClosedForm) {
  const auto sweeps = [](const SetPointer& set) {
    const ContactProblem problem = test::mixed_problem(Vector{{0.5}}, {set, set, set}, 3);
    WorkCounters counters;
    const DelassusOperator W(problem, counters);
    const PredictedWork work(W, BlockSweeps(problem, counters));
    return work.sweeps(work.admm_setup());
  };
  EXPECT_GE(sweeps(equality(5)), 4 * sweeps(rolling_cone(0.5, 0.1)));
}

}  // namespace
}  // namespace frictionbench::solvers
