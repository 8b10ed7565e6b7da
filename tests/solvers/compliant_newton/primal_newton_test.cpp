#include "frictionbench/solvers/compliant_newton/primal_newton.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numbers>
#include <ostream>

#include "frictionbench/problem/facts.hpp"
#include "frictionbench/solvers/compliant_newton/compliances.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::solve;
using test::vector;

// The residuals never end a solve with these.
Limits endless(int iterations = 1000) { return test::limits(0, iterations); }

Limits relative(const ContactProblem& problem, double tolerance) {
  Limits limits = test::limits(tolerance, 1000);
  limits.units = units_of(Scale::relative, problem);
  return limits;
}

ContactProblem problem_of(const scenes::test::NamedScene& scene) {
  const scenes::Snapshot snapshot = scenes::test::state(scene.name, scene.parameters);
  return scenes::global_problem(snapshot.world, snapshot.contacts);
}

ContactProblem local(const ContactProblem& problem) {
  return {problem.dimension(), problem.mu(), test::local_form(problem)};
}

// R of every component, m.
Vector diagonal(const ContactProblem& problem, const Compliance& R) {
  const Index dim = problem.dimension();
  Vector all(problem.unknowns());
  for (Index i = 0; i < problem.contacts(); ++i) {
    all.segment(dim * i, dim).setConstant(R.tangent[i]);
    all[dim * i] = R.normal[i];
  }
  return all;
}

// The CCP that the compliance makes of a problem, with matrices of its own: W + R, q.
ContactProblem compliant(const ContactProblem& problem, const Compliance& R) {
  Matrix W = problem.local().W;
  W.diagonal() += diagonal(problem, R);
  return {problem.dimension(), problem.mu(), LocalForm{test::sparse(W), problem.local().q}};
}

ContactProblem symmetrized(const ContactProblem& problem) {
  return {problem.dimension(), problem.mu(),
          LocalForm{symmetric_part(problem.local().W), problem.local().q}};
}

// Which solver, and its compliance of a problem by default.
struct Method {
  std::string name;
  std::function<Compliance(const ContactProblem&)> compliance;
};
void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }

class PrimalNewton : public testing::TestWithParam<Method> {
 protected:
  // The solver with these settings.
  static std::string with(const std::string& settings) {
    return GetParam().name + "(" + settings + ")";
  }
  static Compliance compliance_of(const ContactProblem& problem) {
    return GetParam().compliance(problem);
  }

  // What it reports at the end of every iteration, by solves that end there.
  static std::vector<decltype(Result::reported)> reports(const ContactProblem& problem,
                                                         const std::string& settings) {
    std::vector<decltype(Result::reported)> reports;
    const int last = solve(with(settings), problem, endless()).iterations;
    for (int k = 1; k <= last; ++k)
      reports.push_back(solve(with(settings), problem, endless(k)).reported);
    return reports;
  }
};

template <typename Settings>
Method method(const std::string& name) {
  return {name, [](const ContactProblem& problem) { return Settings().compliance_of(problem); }};
}
INSTANTIATE_TEST_SUITE_P(Solvers, PrimalNewton,
                         testing::Values(method<CcpSap>("ccp-sap"),
                                         method<CcpNewton>("ccp-newton")),
                         [](const auto& tested) {
                           return tested.param.name == "ccp-sap" ? "ccp_sap" : "ccp_newton";
                         });

// W = diag(2), by hand: what sticks, slides along x at r_T = -mu r_N, and separates.
TEST_P(PrimalNewton, OneContactInClosedForm) {
  const Vector W = vector({2, 2, 2});
  const Compliance R = compliance_of(test::one_contact(W, vector({0, 0, 0}), 0.5));
  const double normal = 2 + R.normal[0], tangent = 2 + R.tangent[0];
  const auto impulse = [&](const Vector& q) {
    const ContactProblem problem = test::one_contact(W, q, 0.5);
    const Result result = solve(GetParam().name, problem, test::limits(1e-12));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_EQ(result.stop_reason, StopReason::residuals);
    EXPECT_EQ(result.compliance, diagonal(problem, R));
    EXPECT_EQ(result.velocity.size(), 0) << "there is no M";
    return result.r;
  };
  EXPECT_LE((impulse(vector({-1, 0.1, 0.2})) - vector({1 / normal, -0.1 / tangent, -0.2 / tangent}))
                .norm(),
            1e-11);
  // u_N + R_N r_N = mu (u_T + R_T r_T)
  const double r_N = (0.5 * 10 + 1) / (normal + 0.25 * tangent);
  EXPECT_LE((impulse(vector({-1, 10, 0})) - vector({r_N, -0.5 * r_N, 0})).norm(), 1e-11);
  EXPECT_TRUE(impulse(vector({1, 0.1, 0})).isZero(0));
}

// D theorem 1: its impulses are those of the CCP with W + R, in either form of the problem. With
// the velocities that it returns, they balance.
TEST_P(PrimalNewton, SolvesTheCompliantProblem) {
  for (const auto& scene : scenes::test::sample_scenes()) {
    SCOPED_TRACE(scene.name);
    const ContactProblem problem = problem_of(scene);
    for (const ContactProblem& form : {problem, local(problem)}) {
      const Compliance R = compliance_of(form);
      const Result result = solve(GetParam().name, form, relative(form, 1e-9));
      EXPECT_EQ(result.status, Status::converged) << result.message;
      EXPECT_EQ(result.compliance, diagonal(form, R));
      const ContactProblem softened = compliant(form, R);
      const ModelResiduals own =
          model_residuals(ContactModel::ccp, softened, result.r,
                          softened.contact_velocity(result.r), units_of(Scale::relative, form));
      EXPECT_LE(own.relative, 1.001e-9);
      EXPECT_LE(own.primal, 1e-15 * result.r.norm()) << "inside the cones";
      ASSERT_EQ(result.velocity.size(), form.global() ? form.global()->f.size() : 0);
      if (form.global()) {
        EXPECT_LE(momentum_error(form, result.r, result.velocity), 1e-8);
        EXPECT_LE((form.generalized_velocity(result.r) - result.velocity).norm(),
                  1e-6 * result.velocity.norm());
      }
    }
  }
}

// A problem with a compliance of its own: the solver's comes on top.
TEST_P(PrimalNewton, AddsItsComplianceToThatOfTheProblem) {
  for (const ContactProblem& rigid :
       {test::random_problem(3, 6, 20, 3), test::random_global_problem(3, 5, 3, 4),
        test::random_problem(2, 6, 9, 5)}) {
    const Vector given = Vector::LinSpaced(rigid.unknowns(), 0, 0.3);
    const ContactProblem problem = rigid.with_compliance(given);
    const Result result = solve(GetParam().name, problem, test::limits(1e-9));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    const Vector total = given + diagonal(problem, compliance_of(problem));
    EXPECT_LE((result.compliance - total).norm(), 1e-14 * total.norm());
    Matrix W = rigid.local().W;
    W.diagonal() += total;
    const ContactProblem own(rigid.dimension(), rigid.mu(),
                             LocalForm{test::sparse(W), rigid.local().q});
    EXPECT_LE(judge(own, result.r).ccp.max(), 1.1e-9);
  }
}

// W, or M, as the file states it, unless it is told to take the symmetric part for it.
TEST_P(PrimalNewton, SolvesAnAsymmetricProblemAsGiven) {
  const ContactProblem given = test::random_problem(3, 8, 20, 3);
  Matrix W = given.local().W;
  W += 0.01 * Matrix(W.triangularView<Eigen::StrictlyUpper>());
  const ContactProblem asymmetric(3, given.mu(), LocalForm{test::sparse(W), given.local().q});
  const ContactProblem with_M = test::random_global_problem(3, 4, 3, 9);
  GlobalForm form = *with_M.global();
  Matrix M = form.M;
  M(0, 1) += 0.01;
  form.M = test::sparse(M);
  for (const ContactProblem& problem : {asymmetric, ContactProblem(3, with_M.mu(), form)}) {
    const Compliance R = compliance_of(problem);
    const auto residual = [&](const ContactProblem& of, const Vector& r) {
      const Verdict verdict = judge(compliant(of, R), r);
      return verdict.ccp.relative;
    };
    const Result carried = solve(GetParam().name, problem, relative(problem, 1e-9));
    EXPECT_EQ(carried.status, Status::converged) << carried.message;
    EXPECT_LE(residual(problem, carried.r), 1.2e-9);
    if (carried.velocity.size() > 0) {
      EXPECT_LE(momentum_error(problem, carried.r, carried.velocity), 1e-8);
    }

    const Result symmetric = solve(with("carry_asymmetry=false"), problem, relative(problem, 1e-9));
    EXPECT_EQ(symmetric.status, Status::inaccurate) << "it is judged with the file's own matrix";
    EXPECT_GT(residual(problem, symmetric.r), 1e-6);
    if (!problem.global()) {
      EXPECT_LE(residual(symmetrized(problem), symmetric.r), 1e-8);
    }
  }
}

// [Castro22] (26), where that is asked for.
TEST_P(PrimalNewton, EndsBelowItsMomentumTolerance) {
  for (const auto& scene : scenes::test::sample_scenes()) {
    SCOPED_TRACE(scene.name);
    const ContactProblem problem = problem_of(scene);
    for (const ContactProblem& form : {problem, local(problem)}) {
      const Result result = solve(with("stop=momentum"), form, endless());
      EXPECT_EQ(result.status, Status::inaccurate);
      EXPECT_EQ(result.stop_reason, StopReason::momentum);
      EXPECT_EQ(result.reported.at("momentum_tolerance"), 1e-6);
      EXPECT_LT(result.reported.at("momentum_error"), 1e-6);
      EXPECT_LT(result.iterations, 100);
      EXPECT_GE(result.work.factorizations.all(), result.iterations - 1);
      EXPECT_LE(result.work.analyses, problem.global() ? 2 : 1);
      if (form.global()) {
        EXPECT_LT(momentum_error(form, result.r, result.velocity), 1.1e-6);
      }
    }
  }
}

// D appendix E: the cost falls with every iteration, down to its round-off.
TEST_P(PrimalNewton, CostFallsWithEveryIteration) {
  for (const scenes::test::NamedScene& scene :
       {scenes::test::NamedScene{"stack", {{"mass_ratio", "100"}, {"ball_mass", "10"}}},
        scenes::test::NamedScene{"wall", {{"ball_mass", "20"}, {"mu_spread", "0.3"}}},
        scenes::test::NamedScene{
            "packed_spheres",
            {{"grains", "25"}, {"width", "0.3"}, {"steps", "80"}, {"snapshots", "1"}}}}) {
    SCOPED_TRACE(scene.name);
    const auto reported = reports(problem_of(scene), "stop=momentum");
    ASSERT_GT(reported.size(), 3u);
    for (std::size_t k = 1; k < reported.size(); ++k)
      EXPECT_LE(reported[k].at("cost"), reported[k - 1].at("cost") * (1 + 1e-15)) << k;
    EXPECT_LT(reported.back().at("cost"), reported.front().at("cost"));
  }
}

// D appendix E, theorem 3: once it is near, each error is about the square of the one before.
TEST_P(PrimalNewton, EndsQuadratically) {
  const auto reported = reports(problem_of({"wall", {{"ball_mass", "20"}, {"mu_spread", "0.3"}}}),
                                "stop=momentum,relative_tolerance=1e-10");
  ASSERT_GT(reported.size(), 4u);
  const auto error = [&](std::size_t k) { return reported[k].at("momentum_error"); };
  double order = 0;  // p in e_k+1 = c e_k^p, from three errors in turn, at the end
  for (std::size_t k = reported.size() - 2; k < reported.size(); ++k)
    order =
        std::max(order, std::log(error(k) / error(k - 1)) / std::log(error(k - 1) / error(k - 2)));
  EXPECT_GT(order, 1.8);
  EXPECT_LT(reported.back().at("momentum_error"), 1e-10);
}

// Where more is asked than rounding gives, it says so, with its best answer.
TEST_P(PrimalNewton, EndsWhereRoundingStopsIt) {
  const std::string solver = with("relative_tolerance=0,absolute_tolerance=0");
  for (const auto& scene : scenes::test::sample_scenes()) {
    SCOPED_TRACE(scene.name);
    const Result result = solve(solver, problem_of(scene), endless());
    EXPECT_EQ(result.status, Status::stalled);
    EXPECT_FALSE(result.message.empty());
    EXPECT_LT(result.iterations, 100);
    EXPECT_LE(result.reported.at("momentum_error"), 1e-9);
    EXPECT_TRUE(result.r.allFinite());
  }
}

TEST_P(PrimalNewton, StartsFromTheVelocitiesOfAnImpulse) {
  const ContactProblem problem =
      problem_of({"packed_spheres",
                  {{"grains", "25"}, {"width", "0.3"}, {"steps", "80"}, {"snapshots", "1"}}});
  for (const ContactProblem& form : {problem, local(problem)}) {
    const Result cold = solve(with("stop=momentum"), form, endless());
    const Result warm = solve(with("stop=momentum"), form, endless(), cold.r);
    EXPECT_EQ(warm.status, cold.status);
    EXPECT_LE(warm.iterations, 2);
    EXPECT_GT(cold.iterations, 4);
  }
}

TEST_P(PrimalNewton, ComesToTheCcpAsComplianceVanishes) {
  const ContactProblem problem = problem_of({"sliding_box", {{"spin", "3"}}});
  const auto cost = [&](const Vector& r) {
    return r.dot((problem.contact_velocity(r) + problem.local().q) / 2);
  };
  const Result rigid = solve("ccp-ipm", problem, test::limits(1e-10));
  ASSERT_EQ(rigid.status, Status::converged);
  double before = std::numeric_limits<double>::infinity();
  for (const double size : {1e-2, 1e-4, 1e-6}) {
    const double beta = 2 * std::numbers::pi * std::sqrt(size);
    const std::string solver =
        with(GetParam().name == "ccp-sap" ? fmt::format("sigma={},beta={}", size, beta)
                                          : fmt::format("alpha={}", size));
    const Result result = solve(solver, problem, endless());
    const double gap = std::abs(cost(result.r) - cost(rigid.r)) / std::abs(cost(rigid.r));
    EXPECT_LT(gap, 2 * size);
    EXPECT_LT(gap, before / 10);
    before = gap;
    if (size == 1e-6) {
      EXPECT_LE(judge(problem, result.r).ccp.relative, 1e-4) << "of the rigid problem";
    }
  }
}

TEST_P(PrimalNewton, ReportsTheConditionOfItsHessianIfAsked) {
  const ContactProblem problem = problem_of({"stack", {{"boxes", "2"}}});
  const auto reported = [&](const std::string& condition) {
    return solve(with("condition=" + condition), problem, endless()).reported;
  };
  EXPECT_FALSE(reported("false").contains("hessian_condition"));
  EXPECT_GT(reported("true").at("hessian_condition"), 1);
}

// [Castro22] (29), (30).
TEST(CcpSap, ComplianceByDefault) {
  const ContactProblem problem = test::random_problem(3, 2, 6, 4);
  const double w = Matrix(problem.local().W).topLeftCorner(3, 3).norm() / 3;
  const Compliance R = CcpSap().compliance_of(problem);
  EXPECT_NEAR(R.normal[0], w / (4 * std::numbers::pi * std::numbers::pi), 1e-15 * w);
  EXPECT_NEAR(R.tangent[0], 1e-3 * w, 1e-15 * w);

  CcpSap soft;
  soft.compliance = 1;  // k = 1 N/m
  soft.time_step = 0.1;
  soft.dissipation_time = 0.3;
  EXPECT_NEAR(soft.compliance_of(problem).normal[1], 1 / (0.1 * 0.4), 1e-13);
  EXPECT_EQ(soft.compliance_of(problem).tangent[0], R.tangent[0]);
}

// [Castro22] section V-B: a mass pushed with just what friction can hold slips by mu sigma g h.
TEST(CcpSap, SlipsAsItsSigmaSays) {
  const double mu = 0.5, weight = 0.02;
  for (const double sigma : {1e-2, 1e-3}) {
    const ContactProblem problem =
        test::one_contact(vector({1, 1, 1}), vector({-weight, 0.999 * mu * weight, 0}), mu);
    const std::string solver = fmt::format("ccp-sap(sigma={},beta=1e-3)", sigma);
    const Result result = solve(solver, problem, endless());
    const double w = std::sqrt(3.0) / 3;
    EXPECT_NEAR(problem.contact_velocity(result.r)[1], mu * sigma * w * weight,
                0.02 * mu * sigma * w * weight);
  }
}

TEST(CcpNewton, ComplianceIsAShareOfTheDiagonal) {
  const ContactProblem problem = test::random_problem(3, 2, 6, 4);
  const Vector W = problem.local().W.diagonal();
  const Compliance R = CcpNewton().compliance_of(problem);
  EXPECT_DOUBLE_EQ(R.normal[1], W[3] / 9);
  EXPECT_DOUBLE_EQ(R.tangent[1], (W[4] + W[5]) / 18);
}

// [Castro22] section IV-B: "our preferred algorithm".
TEST(CcpSap, ExactLineSearchTakesFewerIterations) {
  int exact = 0, armijo = 0;
  for (const auto& scene : scenes::test::sample_scenes()) {
    const ContactProblem problem = problem_of(scene);
    exact += solve("ccp-sap(stop=momentum)", problem, endless()).iterations;
    armijo += solve("ccp-sap(stop=momentum,line_search=armijo)", problem, endless()).iterations;
  }
  EXPECT_LE(exact, armijo);
}

}  // namespace
}  // namespace frictionbench::solvers
