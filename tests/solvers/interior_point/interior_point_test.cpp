#include "frictionbench/solvers/interior_point/interior_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <type_traits>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/problem/islands.hpp"
#include "frictionbench/problem/part.hpp"
#include "frictionbench/solvers/interior_point/newton_system.hpp"
#include "support/limits.hpp"
#include "support/mixed_problems.hpp"
#include "support/problems.hpp"
#include "support/real_files.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

// Contacts with more unknowns than W has rank, one of them without friction.
ContactProblem hyperstatic() {
  const ContactProblem problem = test::random_problem(3, 30, 20, 17);
  Vector mu = problem.mu();
  mu[4] = 0;
  return ContactProblem(3, mu, test::local_form(problem));
}

// Contacts that slide, at a tau where D = N^-2 has a condition number of 1e20 and more; as friction cones,
// and as any sets, among them some of two cones and an interval.
template <typename Coordinates>
class NearTheBoundary : public testing::Test {
 protected:
  using System = NewtonSystem<Coordinates>;
  static constexpr bool plain = std::is_same_v<Coordinates, FrictionCoordinates<3>>;

  static ContactProblem problem() {
    const Vector mu = vector({0.5, 0, 0.3, 1, 0.2, 0.8});
    const std::vector<SetPointer> others{rolling_cone(0.4, 0.1), interval(-1, 2),
                                         rolling_cone(0.7, 0)};
    const Index m = plain ? 18 : 29;
    Matrix W = test::random_problem(3, 10, 30, 3, 0.2).local().W;
    W(0, 7) += 0.01;  // not symmetric
    return {3, mu, LocalForm{test::sparse(W.topLeftCorner(m, m)), Vector::Zero(m)},
            plain ? std::vector<SetPointer>() : others};
  }

  NearTheBoundary() {
    const BlockShape& cones = coordinates_.cones();
    Vector y(cones.order());
    for (Index i = 0; i < cones.count(); ++i) {
      auto y_i = y.segment(cones.start(i), cones.rows(i));
      for (Index k = 0; k < y_i.size(); ++k)
        y_i[k] = k == 0 ? 0.1 : 1 + 0.5 * static_cast<double>(i * (k - 1));
    }
    y.segment(3, 3) << 0.1, 0, 0;  // no friction
    path_.enter(y, tau);
    D_.emplace(path_.scale());
    for (Index i = 0; i < cones.count(); ++i)
      J_.block(i) =
          slip_jacobian<Coordinates::cone_rows>(path_.z().segment(cones.start(i), cones.rows(i)));
  }

  // How much of the equations a direction misses: the first by its sizes, the last by the metric of N.
  struct Errors {
    double first, last;
  };
  Errors errors(typename System::Kind kind, int refinements) {
    const SolverInfo info;
    Observer silent;
    const Limits limits;
    Solve stub(info, problem_, limits, {}, silent);
    System system(coordinates_, kind, stub, refinements);
    const Vector& E = coordinates_.scale();
    EXPECT_EQ(E.segment(3, 3), vector({1, 0, 0})) << "without friction only r_N is left";
    BlockDiagonal J = J_;
    if (kind == System::Kind::symmetric)
      for (Index i = 0; i < J.blocks(); ++i) J.block(i).setIdentity();
    EXPECT_TRUE(system.factorize(J, *D_, shift));
    const Vector F = 1e-9 * Vector::LinSpaced(E.size(), -1, 1);
    const Vector p = path_.target(0.1 * tau);
    const Vector slack = plain ? Vector() : 1e-9 * Vector::LinSpaced(p.size(), -1, 1);
    const auto [dy, dx, dz, scaled] = system.direction(path_, F, p, slack);
    EXPECT_LE(stub.work().products, refinements + 1);
    Vector expected_dx = coordinates_.to_cones(dy);
    if (!plain) expected_dx += slack;
    EXPECT_LE((dx - expected_dx).norm(), 1e-15 * dx.norm());
    EXPECT_EQ(scaled, path_.scaled(dx, dz));
    const Vector first = E.cwiseProduct(problem_.local().W * E.cwiseProduct(dy)) + shift * dy -
                         coordinates_.from_cones(J.times(dz)) + F;
    return {.first = first.norm() / (dx.norm() + dz.norm()),
            .last = path_.widest(p - path_.times_scale(dx) - dz) / scaled.norm()};
  }

  static constexpr double tau = 1e-12, shift = 1e-6;
  ContactProblem problem_ = problem();
  Coordinates coordinates_{problem_};
  CentralPath<Coordinates::cone_rows> path_{coordinates_.cones()};
  std::optional<BlockDiagonal> D_;
  BlockDiagonal J_{coordinates_.cones()};
};
using AllCoordinates = testing::Types<FrictionCoordinates<3>, ConicCoordinates>;
TYPED_TEST_SUITE(NearTheBoundary, AllCoordinates);

TYPED_TEST(NearTheBoundary, DirectionsMeetAllEquations) {
  using Kind = typename TestFixture::System::Kind;
  for (const auto kind : {Kind::symmetric, Kind::unsymmetric}) {
    const auto found = this->errors(kind, 5);
    EXPECT_LE(found.first, 1e-14);
    EXPECT_LE(found.last, 1e-3);
  }
}

TYPED_TEST(NearTheBoundary, RefinementMakesUpForAnAsymmetricW) {
  using Kind = typename TestFixture::System::Kind;
  EXPECT_GT(this->errors(Kind::symmetric, 0).last, 1e-3) << "the symmetric part alone";
  EXPECT_LE(this->errors(Kind::symmetric, 1).last, this->errors(Kind::symmetric, 0).last / 10);
  EXPECT_LE(this->errors(Kind::symmetric, 0).first, 1e-14) << "which is met with W itself";
}

// The same cones, said in the two ways that a problem has of saying so.
TEST(Coordinates, TakeTheSameSteps) {
  const ContactProblem plain = hyperstatic();
  std::vector<SetPointer> sets;
  for (const double mu : plain.mu()) sets.push_back(friction_cone(mu));
  const ContactProblem any(3, Vector(0), test::local_form(plain), sets);
  for (const char* solver : {"ccp-ipm", "ncp-ipm", "ncp-path"}) {
    const Result one = test::solve(solver, plain, limits(1e-9));
    const Result other = test::solve(solver, any, limits(1e-9));
    EXPECT_EQ(one.status, Status::converged) << solver;
    if (std::string(solver) != "ncp-path") {  // which is chaotic at folds
      EXPECT_EQ(one.iterations, other.iterations) << solver;
    }
    const SparseMatrix W = plain.local().W;
    EXPECT_LE((W * (one.r - other.r)).norm(), 1e-7 * (W * one.r).norm()) << solver;
  }
}

TEST(Coordinates, BilateralRowsMayRepeatEachOtherAsBlocks) {
  const ContactProblem problem = test::mixed_problem(Vector{{0.5, 0.3}}, {interval(-0.1, 0.1)}, 7);
  SparseMatrix V(7, 4), R(4, 4);
  Matrix rows = test::random_matrix(4, 7, 3);
  rows.row(2) = rows.row(0) - 2 * rows.row(1);
  rows.row(3) = rows.row(0);
  const Matrix W = problem.local().W;
  const ContactProblem joined = problem.with_rows(
      LocalRows{test::sparse(W * rows.transpose()), test::sparse(rows * W * rows.transpose()),
                rows * problem.local().q});
  const Vector expected = joined.contact_velocity(
      test::solve("ncp-nsgs(bilateral=eliminate)", joined, limits(1e-10)).r);
  for (const char* solver : {"ncp-ipm(bilateral=block)", "ncp-path(bilateral=block)"}) {
    const Result result = test::solve(solver, joined, limits(1e-9));
    EXPECT_EQ(result.status, Status::converged) << solver << ": " << result.message;
    EXPECT_LE((joined.contact_velocity(result.r) - expected).norm(), 1e-7) << solver;
  }
}

class InteriorPoint : public testing::TestWithParam<std::string> {
 protected:
  static Result solve(const ContactProblem& problem, const Limits& limits,
                      const Vector& start = {}) {
    return test::solve(GetParam(), problem, limits, start);
  }
  static ContactModel model() { return test::solver(GetParam())->info().model; }
};
INSTANTIATE_TEST_SUITE_P(Solvers, InteriorPoint, testing::Values("ccp-ipm", "ncp-ipm"),
                         test::solver_test_name);

TEST_P(InteriorPoint, TakesFewIterationsWhateverTheTolerance) {
  const ContactProblem problem = hyperstatic();
  const Result coarse = solve(problem, limits(1e-4));
  const Result fine = solve(problem, limits(1e-10));
  ASSERT_EQ(coarse.status, Status::converged);
  ASSERT_EQ(fine.status, Status::converged) << fine.message;
  EXPECT_LE(fine.iterations, 25);
  EXPECT_LE(fine.iterations, coarse.iterations + 10);
  EXPECT_LE(judge(problem, fine.r).residuals(model()).max(), 1e-10);
  EXPECT_LE(fine.reported.at("gap"), coarse.reported.at("gap"));
}

// An answer may meet loose tolerances long before its cost has its digits.
TEST_P(InteriorPoint, GoesOnForTheGap) {
  const auto solve_to = [](const std::string& gap) {
    const Result result = test::solve(GetParam() + "(gap=" + gap + ")", hyperstatic(), limits(1));
    EXPECT_EQ(result.status, Status::converged);
    return result;
  };
  const Result any = solve_to("1e9"), precise = solve_to("1e-9");
  EXPECT_GT(precise.iterations, any.iterations);
  EXPECT_LE(precise.iterations, any.iterations + 5);
  EXPECT_LE(precise.reported.at("gap"), 1e-3 * any.reported.at("gap"));
}

TEST_P(InteriorPoint, FactorsOnceAnIteration) {
  const Result result = solve(hyperstatic(), limits(0, 7));
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.work.factorizations.all(), 7);
  EXPECT_GE(result.work.triangular_solves, 14);
  EXPECT_LE(result.work.triangular_solves, 28);
  EXPECT_LE(result.work.products, 7 * 4);  // residuals, two refinements, the step of z
}

// A factor through the global form loses most digits where contacts of heavy bodies stick.
TEST(InteriorPointSteps, AreTheSameThroughTheGlobalForm) {
  SKIP_WITHOUT_REAL_FILES("fclib/global/PrimitiveSoup");
  const auto folder = test::real_files("fclib/global/PrimitiveSoup").front().parent_path();
  for (const char* name : {"gen-sphere-n600-ratio100-mu0.6-1623-00300.hdf5",
                           "gen-sphere-n600-ratio100-mu0.6-1720-00450.hdf5"}) {
    const ContactProblem pile = fclib::read_problem(folder / name).problem;
    const auto largest = std::ranges::max(several_islands(pile), {}, &std::vector<Index>::size);
    const auto solved_as = [&](ProblemForm form) {
      return solve("ncp-ipm", part_of(pile, largest, form), limits(1e-6));
    };
    const Result global = solved_as(ProblemForm::global), local = solved_as(ProblemForm::local);
    EXPECT_EQ(local.status, Status::converged) << name;
    EXPECT_EQ(global.status, Status::converged) << name;
    EXPECT_NEAR(global.iterations, local.iterations, 3) << name;
  }
}

// Answers that pass in scaled units, and miss the tolerance in those of the file; the gap asks for no more.
TEST(InteriorPointSteps, GoOnWhereRoundingInTheFileExceedsTheTolerance) {
  SKIP_WITHOUT_REAL_FILES("fclib/local/IllConditionedStack");
  const auto folder = test::real_files("fclib/local/IllConditionedStack").front().parent_path();
  const auto problem =
      fclib::read_problem(folder / "gen-v5-IllConditionedStack-i020000-60-00092.hdf5");
  Limits relative = limits(1e-6, 60);
  relative.units = units_of(Scale::relative, problem.problem);
  const Result result = solve("ncp-ipm(gap=1e9)", problem.problem, relative);
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(cone_residuals(ContactModel::ncp, problem.problem, result.r,
                           problem.problem.contact_velocity(result.r), relative.units)
                .max(),
            1e-6);
}

TEST_P(InteriorPoint, AnswersAreInTheConeExactly) {
  const ContactProblem problem = hyperstatic();
  for (const int iterations : {1, 3, 6, 9}) {
    const Result result = solve(problem, limits(0, iterations));
    EXPECT_LE(judge(problem, result.r).ccp.primal, 1e-16) << iterations;
    EXPECT_EQ(result.r[13], 0);
    EXPECT_EQ(result.r[14], 0);
  }
}

TEST_P(InteriorPoint, AnswersEndAtTheBoundary) {
  const auto impulse = [](const Vector& q) {
    return solve(test::one_contact(vector({2, 2, 2}), q, 0.5), limits(1e-4)).r;
  };
  EXPECT_EQ(impulse(vector({1, 0.3, 0})), vector({0, 0, 0})) << "take-off";
  const Vector slides = impulse(vector({-1, 10, 0}));
  EXPECT_NEAR(slides.tail(2).norm(), 0.5 * slides[0], 1e-15);
}

TEST_P(InteriorPoint, DoesNotUseAStart) {
  const ContactProblem problem = hyperstatic();
  const Result cold = solve(problem, limits(1e-8));
  EXPECT_EQ(solve(problem, limits(1e-8), Vector::Ones(problem.unknowns())).r, cold.r);
}

// Beyond double precision no step is left: it must end, and with the best that it has found.
TEST_P(InteriorPoint, EndsWhereRoundingStopsIt) {
  const ContactProblem problem = hyperstatic();
  const Result result = solve(problem, limits(0));
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_NE(result.message.find("boundary"), std::string::npos);
  EXPECT_LT(result.iterations, 1000);
  EXPECT_TRUE(result.r.allFinite());
  EXPECT_LE(judge(problem, result.r).residuals(model()).max(), 1e-10);
}

// Their W is not symmetric, by 1e-4 to 1e-3.
TEST_P(InteriorPoint, SolvesRealAsymmetricProblems) {
  SKIP_WITHOUT_REAL_FILES("fclib/local/OneObject");
  for (const auto& file : test::real_files("fclib/local/OneObject")) {
    const ContactProblem problem = fclib::read_problem(file).problem;
    ASSERT_GT(relative_asymmetry(problem.local().W), 1e-5);
    const Result result = solve(problem, limits(1e-8));
    EXPECT_EQ(result.status, Status::converged) << file << ": " << result.message;
    EXPECT_LE(judge(problem, result.r).residuals(model()).max(), 1e-8);
    EXPECT_LE(result.iterations, 60);
  }
}

// The NCP and the CCP differ where a contact slides, and nowhere else.
TEST(InteriorPointModels, AgreeWhereNothingSlides) {
  const ContactProblem sticking = test::one_contact(vector({2, 2, 2}), vector({-1, 0.1, 0}), 0.5);
  const ContactProblem sliding = test::one_contact(vector({2, 2, 2}), vector({-1, 10, 0}), 0.5);
  const auto impulse = [](const std::string& solver, const ContactProblem& problem) {
    return solve(solver, problem, limits(1e-10)).r;
  };
  EXPECT_LE((impulse("ccp-ipm", sticking) - impulse("ncp-ipm", sticking)).norm(), 1e-8);
  EXPECT_GT((impulse("ccp-ipm", sliding) - impulse("ncp-ipm", sliding)).norm(), 0.1);
}

}  // namespace
}  // namespace frictionbench::solvers
