// Solvers that take every set: all kinds, a set that only this file knows, and bilateral rows three ways.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "frictionbench/problem/blocks.hpp"
#include "support/limits.hpp"
#include "support/mixed_problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

/// { r : n.r >= d }, a half-space at an angle: a set that is not a cone, and that nothing else knows.
class HalfSpace : public ConstraintSet {
 public:
  HalfSpace(Eigen::Vector3d n, double d) : n_(n.normalized()), d_(d) {}

  std::string_view kind() const override { return "half_space"; }
  std::vector<double> parameters() const override { return {n_[0], n_[1], n_[2], d_}; }
  Index dimension() const override { return 3; }
  BlockVector project(const BlockVector& x) const override {
    return x + std::max(0.0, d_ - n_.dot(x)) * n_;
  }
  BlockMatrix projection_jacobian(const BlockVector& x) const override {
    if (n_.dot(x) >= d_) return BlockMatrix::Identity(3, 3);
    return Eigen::Matrix3d::Identity() - n_ * n_.transpose();
  }
  // Velocities that it answers are t n, t >= 0; of those <r, u> is least at d t.
  double dual_distance(const BlockVector& u) const override {
    return (u - std::max(0.0, n_.dot(u)) * n_).norm();
  }
  double support(const BlockVector& v) const override { return -d_ * std::max(0.0, -n_.dot(v)); }
  SetPointer divided(double factor) const override {
    return std::make_shared<HalfSpace>(n_, d_ / factor);
  }
  std::optional<ConicForm> conic_form() const override {
    return ConicForm{.scale = BlockVector::Ones(3),
                     .offset = BlockVector::Zero(3),
                     .A = n_.transpose(),
                     .b = Vector{{-d_}},
                     .cones = {1}};
  }

 private:
  Eigen::Vector3d n_;
  double d_;
};

/// The same set without its ConicForm.
class HalfSpaceWithoutCones final : public HalfSpace {
 public:
  using HalfSpace::HalfSpace;
  SetPointer divided(double) const override { return nullptr; }
  std::optional<ConicForm> conic_form() const override { return std::nullopt; }
};

std::vector<std::string> solvers_of_every_set() {
  std::vector<std::string> names;
  for (const std::string& name : test::registered_names())
    if (test::solver(name)->info().every_set && name != "rolling-nsgs") names.push_back(name);
  return names;
}

class EverySet : public testing::TestWithParam<std::string> {
 protected:
  SolverInfo info() const { return test::solver(GetParam())->info(); }

  // Solves and judges.
  Result solved(const ContactProblem& problem, double tolerance = 1e-9,
                const std::string& settings = "") const {
    const Result result = test::solve(GetParam() + settings, problem, test::limits(tolerance));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    if (result.r.size() != problem.unknowns()) {
      ADD_FAILURE() << result.r.size() << " entries";
      return result;
    }
    EXPECT_LE(judge(problem, result.r).residuals(info().model).max(), tolerance);
    return result;
  }
};

TEST_P(EverySet, SolvesOneOfEach) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const ContactProblem problem = test::one_of_each(seed);
    const Result result = solved(problem);
    // Every bounded set is tight somewhere, or the problem says nothing of it.
    const Vector u = problem.contact_velocity(result.r);
    with_blocks(problem, [&](const auto& blocks) {
      for (Index i = 0; i < blocks.count(); ++i)
        EXPECT_LE(blocks.distance(i, blocks.of(result.r, i)), 1e-9) << "block " << i;
    });
    EXPECT_LE(std::abs(u[problem.block_start(2)]), 1e-9) << "a bilateral row";
  }
}

TEST_P(EverySet, SolvesASetOfItsOwnFile) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const auto tilted = std::make_shared<HalfSpace>(Eigen::Vector3d(1, 0.5, -0.3), 0.4);
    const auto opposite = std::make_shared<HalfSpace>(Eigen::Vector3d(-1, 2, 0), -0.1);
    const ContactProblem problem =
        test::mixed_problem(Vector{{0.5, 0.3}}, {tilted, opposite, tilted}, seed);
    const Result result = solved(problem);
    // Against the definition: u = t n, t >= 0, and t > 0 only where r is on the plane.
    const Eigen::Vector3d n = Eigen::Vector3d(1, 0.5, -0.3).normalized();
    const Eigen::Vector3d r = result.r.segment<3>(6);
    const Eigen::Vector3d u = problem.contact_velocity(result.r).segment<3>(6);
    const double t = n.dot(u);
    EXPECT_LE((u - t * n).norm(), 1e-8);
    EXPECT_GE(t, -1e-8);
    EXPECT_GE(n.dot(r), 0.4 - 1e-8);
    EXPECT_LE(std::abs(t * (n.dot(r) - 0.4)), 1e-8);
  }
}

TEST_P(EverySet, FindsTheSameInOtherUnits) {
  const ContactProblem problem = test::one_of_each(3);
  const Vector d = Vector::LinSpaced(problem.blocks(), 0.5, 3);
  const double c = 20;
  const Vector r = solved(problem).r;
  const Vector scaled = solved(problem.scaled(d, c), 1e-10).r;
  for (Index i = 0; i < problem.blocks(); ++i)
    EXPECT_LE((c * d[i] * scaled.segment(problem.block_start(i), problem.block_rows(i)) -
               r.segment(problem.block_start(i), problem.block_rows(i)))
                  .norm(),
              1e-6)
        << "block " << i;
}

TEST_P(EverySet, SolvesBilateralRowsThreeWays) {
  const ContactProblem problem =
      test::mixed_problem(Vector{{0.5, 0.3}}, {equality(3), equality(), interval(-0.1, 0.1)}, 7);
  const Vector block = solved(problem, 1e-9, "(bilateral=block)").r;
  EXPECT_LE((solved(problem, 1e-9, "(bilateral=eliminate)").r - block).norm(), 1e-6);
  EXPECT_LE((solved(problem, 1e-9, "(bilateral=proximal)").r - block).norm(), 1e-6);
}

TEST_P(EverySet, SolvesIslandsOfDifferentSets) {
  const ContactProblem one = test::mixed_problem(Vector{{0.5}}, {equality(2)}, 2);
  const ContactProblem other = test::mixed_problem(Vector{{0.7}}, {rolling_cone(0.5, 0.1)}, 3);
  // Contacts of both come first: rows 0-2 of one, 0-2 of the other, then 3-4 and 3-7.
  const Index m = 13;
  const std::vector<Index> of_one{0, 1, 2, 6, 7}, of_other{3, 4, 5, 8, 9, 10, 11, 12};
  Matrix W = Matrix::Zero(m, m);
  Vector q(m);
  W(of_one, of_one) = Matrix(one.local().W);
  W(of_other, of_other) = Matrix(other.local().W);
  q(of_one) = one.local().q;
  q(of_other) = other.local().q;
  const ContactProblem both(3, Vector{{0.5, 0.7}}, LocalForm{test::sparse(W), q},
                            {equality(2), rolling_cone(0.5, 0.1)});
  const Vector r = solved(both).r;
  EXPECT_LE((Vector(r(of_one)) - solved(one).r).norm(), 1e-6);
  EXPECT_LE((Vector(r(of_other)) - solved(other).r).norm(), 1e-6);
}

// A limit of a body that nothing moves, and that is at rest.
TEST_P(EverySet, GivesNoImpulseToABlockThatNoneMoves) {
  if (!info().zero_diagonal) GTEST_SKIP() << "refuses them";
  const ContactProblem one = test::mixed_problem(Vector{{0.5}}, {}, 2);
  Matrix W = Matrix::Zero(4, 4);
  W.topLeftCorner(3, 3) = Matrix(one.local().W);
  Vector q = Vector::Zero(4);
  q.head(3) = one.local().q;
  q[3] = 1;  // away from the limit, so that its impulse must be zero, wherever the solve starts
  const ContactProblem problem(3, Vector{{0.5}}, LocalForm{test::sparse(W), q},
                               {interval(0, std::numeric_limits<double>::infinity())});
  Observer silent;
  const Result result =
      test::solver(GetParam())->solve(problem, test::limits(1e-9), Vector{{1, 0, 0, 3}}, silent);
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.r[3], 0, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(All, EverySet, testing::ValuesIn(solvers_of_every_set()),
                         test::solver_test_name);

// Bilateral rows for the others: by elimination.
class AnySolver : public testing::TestWithParam<std::string> {};

TEST_P(AnySolver, SolvesProblemsWithRepeatedBilateralRows) {
  const SolverInfo info = test::solver(GetParam())->info();
  if (info.uses_global_form) GTEST_SKIP() << "eliminated in the local form";
  if (!info.three_dimensional) GTEST_SKIP() << "2D only";
  if (!info.contacts) GTEST_SKIP() << "no contacts";
  // Three joints, of which the third repeats the first two; G^T l is unique, l is not.
  const Index n = 9;
  const Matrix A = test::random_matrix(n, n, 5);
  const Matrix M = A * A.transpose() + Matrix::Identity(n, n);
  Matrix G(n, 3);
  G.leftCols(2) = test::random_matrix(n, 2, 6);
  G.col(2) = G.col(0) - 2 * G.col(1);
  Vector w = test::random_matrix(6, 1, 9);
  w[0] -= 1;
  w[3] -= 1;
  const ContactProblem problem =
      ContactProblem(3, Vector{{0.5, 0.8}},
                     GlobalForm{test::sparse(M), test::sparse(test::random_matrix(n, 6, 8)),
                                test::random_matrix(n, 1, 7), w})
          .with_rows(GlobalRows{test::sparse(G), Vector::Zero(3)});
  const Result result = test::solve(GetParam(), problem, test::limits(1e-8));
  if (result.status == Status::refused) {
    EXPECT_FALSE(result.message.empty());
    EXPECT_EQ(info.name, "rolling-nsgs") << result.message;
    return;
  }
  ASSERT_EQ(result.r.size(), 9) << result.message;
  const Vector v = problem.generalized_velocity(result.r);
  EXPECT_LE((G.transpose() * v).norm(), 1e-7) << "joints";
  if (!info.exact || info.model == ContactModel::lcp) return;
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(problem, result.r).residuals(info.model).max(), 1e-8);
  const Vector expected =
      problem.global()->H * test::solve(info.model == ContactModel::ncp ? "ncp-nsgs" : "ccp-pgs",
                                        problem, test::limits(1e-10))
                                .r;
  EXPECT_LE((problem.global()->H * result.r - expected).norm(), 5e-5) << "G l + H r is unique";
}

INSTANTIATE_TEST_SUITE_P(All, AnySolver, testing::ValuesIn(test::registered_names()),
                         test::solver_test_name);

TEST(EverySetRefusals, SayWhatASolverDoesNotTake) {
  const ContactProblem limits = test::mixed_problem(Vector{{0.5}}, {interval(0, 1)}, 1);
  EXPECT_EQ(test::solve("ncp-jacobi", limits).status, Status::refused);
  EXPECT_EQ(test::solve("ncp-jacobi", limits).message,
            "takes friction cones only, and the problem has 1 friction, 1 interval");
  const ContactProblem both = test::mixed_problem(Vector{{0.5}}, {interval(0, 1), equality()}, 1);
  EXPECT_EQ(test::solve("ncp-jacobi", both).message,
            "takes friction cones and bilateral rows only, and the problem has 1 equality, 1 "
            "friction, 1 interval");
}

TEST(EverySetRefusals, NameASetThatIsNotMadeOfCones) {
  const ContactProblem problem = test::mixed_problem(
      Vector{{0.5}}, {std::make_shared<HalfSpaceWithoutCones>(Eigen::Vector3d(0, 0, 2), 0)}, 1);
  for (const char* solver : {"ncp-ipm", "ncp-path", "ccp-ipm"}) {
    const Result result = test::solve(solver, problem);
    EXPECT_EQ(result.status, Status::refused) << solver;
    EXPECT_EQ(result.message,
              "takes sets that are made of cones, and half_space(0,0,1,0) is not known to be");
  }
  EXPECT_EQ(test::solve("ncp-hybrid", problem).status, Status::converged);
}

TEST(Elimination, SaysWhichRowsContradictEachOther) {
  const ContactProblem problem =
      ContactProblem(3, Vector{{0.5}},
                     LocalForm{test::sparse(Matrix::Identity(3, 3)), Vector::Zero(3)})
          .with_rows(LocalRows{test::sparse(Matrix::Zero(3, 2)), test::sparse(Matrix::Ones(2, 2)),
                               Vector{{1, 2}}});
  try {
    test::solve("ncp-ipm", problem);
    ADD_FAILURE() << "was solved";
  } catch (const InvalidProblem& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("have rank 1 of 2 and contradict each other"));
  }
}

}  // namespace
}  // namespace frictionbench
