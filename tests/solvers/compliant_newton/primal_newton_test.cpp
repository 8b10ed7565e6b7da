#include "frictionbench/solvers/compliant_newton/primal_newton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "frictionbench/problem/facts.hpp"
#include "frictionbench/solvers/interior_point/ccp_ipm.hpp"
#include "lib/scenes/scene_support.hpp"
#include "frictionbench/solvers/compliant_newton/ccp_newton.hpp"
#include "frictionbench/solvers/compliant_newton/ccp_sap.hpp"
#include "support/problems.hpp"

namespace frictionbench::solvers {
namespace {

using test::vector;

// The residuals of the CCP never end a solve with these, so that the compliant problem is solved.
Limits never_rigid(int iterations = 1000) {
  Limits limits;
  limits.tolerances = {0, 0, 0};
  limits.max_iterations = iterations;
  return limits;
}

ContactProblem problem_of(const scenes::test::NamedScene& scene) {
  const scenes::Snapshot snapshot = scenes::test::state(scene.name, scene.parameters);
  return scenes::global_problem(snapshot.world, snapshot.contacts);
}

ContactProblem local(const ContactProblem& problem) {
  return {problem.dimension(), problem.mu(), problem.local()};
}

// The CCP that the compliance makes of a problem: W_sym + R, q.
ContactProblem compliant(const ContactProblem& problem, const Compliance& R) {
  Matrix W = symmetric_part(problem.local().W);
  const Index dim = problem.dimension();
  for (Index i = 0; i < problem.contacts(); ++i) {
    W.diagonal()[dim * i] += R.normal[i];
    W.diagonal().segment(dim * i + 1, dim - 1).array() += R.tangent[i];
  }
  return {problem.dimension(), problem.mu(), LocalForm{test::sparse(W), problem.local().q}};
}

template <typename Method>
class PrimalNewton : public testing::Test {
 protected:
  using Settings = typename Method::Settings;

  static Settings precise() {
    Settings settings;
    settings.relative_tolerance = 1e-12;
    return settings;
  }

  // The claims at the end of every iteration, by solves that end there.
  static std::vector<std::map<std::string, double>> claims(const ContactProblem& problem,
                                                           const Settings& settings) {
    std::vector<std::map<std::string, double>> claims;
    const int last = Method(settings).solve(problem, never_rigid()).iterations;
    for (int k = 1; k <= last; ++k)
      claims.push_back(Method(settings).solve(problem, never_rigid(k)).claimed);
    return claims;
  }
};
using Methods = testing::Types<CcpSap, CcpNewton>;
TYPED_TEST_SUITE(PrimalNewton, Methods);

// W = diag(2), by hand: what sticks, slides along x at r_T = -mu r_N, and separates.
TYPED_TEST(PrimalNewton, OneContactInClosedForm) {
  const Vector W = vector({2, 2, 2});
  const auto impulse = [&](const Vector& q) {
    const ContactProblem problem = test::one_contact(W, q, 0.5);
    const Result result = TypeParam(TestFixture::precise()).solve(problem, never_rigid());
    EXPECT_EQ(result.status, Status::inaccurate) << result.message;
    EXPECT_EQ(result.fired, "momentum");
    return result.r;
  };
  const Compliance R = TypeParam::compliance({}, test::one_contact(W, vector({0, 0, 0}), 0.5));
  const double normal = 2 + R.normal[0], tangent = 2 + R.tangent[0];
  EXPECT_LE((impulse(vector({-1, 0.1, 0.2})) - vector({1 / normal, -0.1 / tangent, -0.2 / tangent}))
                .norm(),
            1e-12);
  // u_N + R_N r_N = mu (u_T + R_T r_T)
  const double r_N = (0.5 * 10 + 1) / (normal + 0.25 * tangent);
  EXPECT_LE((impulse(vector({-1, 10, 0})) - vector({r_N, -0.5 * r_N, 0})).norm(), 1e-11);

  const ContactProblem separates = test::one_contact(W, vector({1, 0.1, 0}), 0.5);
  const Result result = TypeParam({}).solve(separates, never_rigid());
  EXPECT_EQ(result.status, Status::converged) << "the compliance of a separated contact is none";
  EXPECT_TRUE(result.r.isZero(0));
}

// D theorem 1: its impulses are those of the CCP with W + R, in either form of the problem.
TYPED_TEST(PrimalNewton, SolvesTheCompliantProblem) {
  for (const auto& scene : scenes::test::sample_scenes()) {
    SCOPED_TRACE(scene.name);
    const ContactProblem problem = problem_of(scene);
    for (const ContactProblem& form : {problem, local(problem)}) {
      const Result result = TypeParam(TestFixture::precise()).solve(form, never_rigid());
      EXPECT_TRUE(result.status == Status::inaccurate || result.status == Status::stalled)
          << name(result.status);
      EXPECT_LE(result.claimed.at("momentum_error"), 1e-10);
      const ContactProblem softened = compliant(form, TypeParam::compliance({}, form));
      const Verdict verdict = judge(softened, result.r);
      EXPECT_LE(verdict.ccp.scaled(verdict.scale), 1e-8);
      EXPECT_LE(verdict.ccp.primal, 1e-15 * verdict.impulse_norm) << "inside the cones";
    }
  }
}

TYPED_TEST(PrimalNewton, SolvesTheSymmetricPart) {
  const ContactProblem given = test::random_problem(3, 8, 20, 3);
  Matrix W = given.local().W;
  W += 0.01 * Matrix(W.triangularView<Eigen::StrictlyUpper>());
  const ContactProblem problem(3, given.mu(), LocalForm{test::sparse(W), given.local().q});
  const Result result = TypeParam(TestFixture::precise()).solve(problem, never_rigid());
  const Verdict verdict = judge(compliant(problem, TypeParam::compliance({}, problem)), result.r);
  EXPECT_LE(verdict.ccp.scaled(verdict.scale), 1e-8);
}

// [Castro22] (26), by default.
TYPED_TEST(PrimalNewton, EndsBelowItsMomentumTolerance) {
  for (const auto& scene : scenes::test::sample_scenes()) {
    SCOPED_TRACE(scene.name);
    const ContactProblem problem = problem_of(scene);
    for (const ContactProblem& form : {problem, local(problem)}) {
      const Result result = TypeParam({}).solve(form, never_rigid());
      EXPECT_EQ(result.status, Status::inaccurate);
      EXPECT_EQ(result.claimed.at("momentum_tolerance"), 1e-6);
      EXPECT_LT(result.claimed.at("momentum_error"), 1e-6);
      EXPECT_LT(result.iterations, 100);
      EXPECT_GE(result.work.factorizations.all(), result.iterations - 1);
      EXPECT_LE(result.work.analyses, problem.global() ? 2 : 1);
    }
  }
}

// D appendix E: the cost falls with every iteration, down to its round-off.
TYPED_TEST(PrimalNewton, CostFallsWithEveryIteration) {
  for (const scenes::test::NamedScene& scene :
       {scenes::test::NamedScene{"stack", {{"mass_ratio", "100"}, {"ball_mass", "10"}}},
        scenes::test::NamedScene{"wall", {{"ball_mass", "20"}, {"mu_spread", "0.3"}}},
        scenes::test::NamedScene{
            "packed_spheres",
            {{"grains", "25"}, {"width", "0.3"}, {"steps", "80"}, {"snapshots", "1"}}}}) {
    SCOPED_TRACE(scene.name);
    const auto claims = TestFixture::claims(problem_of(scene), {});
    ASSERT_GT(claims.size(), 3u);
    for (std::size_t k = 1; k < claims.size(); ++k)
      EXPECT_LE(claims[k].at("cost"), claims[k - 1].at("cost") * (1 + 1e-15)) << k;
    EXPECT_LT(claims.back().at("cost"), claims.front().at("cost"));
  }
}

// D appendix E, theorem 3: once it is near, each error is about the square of the one before.
TYPED_TEST(PrimalNewton, EndsQuadratically) {
  auto settings = TestFixture::precise();
  settings.relative_tolerance = 1e-10;
  const auto claims = TestFixture::claims(
      problem_of({"wall", {{"ball_mass", "20"}, {"mu_spread", "0.3"}}}), settings);
  ASSERT_GT(claims.size(), 4u);
  const auto error = [&](std::size_t k) { return claims[k].at("momentum_error"); };
  double order = 0;  // p in e_k+1 = c e_k^p, from three errors in turn, at the end
  for (std::size_t k = claims.size() - 2; k < claims.size(); ++k)
    order =
        std::max(order, std::log(error(k) / error(k - 1)) / std::log(error(k - 1) / error(k - 2)));
  EXPECT_GT(order, 1.8);
  EXPECT_LT(claims.back().at("momentum_error"), 1e-10);
}

// Where more is asked than rounding gives, it says so, with its best answer.
TYPED_TEST(PrimalNewton, EndsWhereRoundingStopsIt) {
  auto settings = TestFixture::precise();
  settings.relative_tolerance = settings.absolute_tolerance = 0;
  for (const auto& scene : scenes::test::sample_scenes()) {
    SCOPED_TRACE(scene.name);
    const Result result = TypeParam(settings).solve(problem_of(scene), never_rigid());
    EXPECT_EQ(result.status, Status::stalled);
    EXPECT_FALSE(result.message.empty());
    EXPECT_LT(result.iterations, 100);
    EXPECT_LE(result.claimed.at("momentum_error"), 1e-9);
    EXPECT_TRUE(result.r.allFinite());
  }
}

TYPED_TEST(PrimalNewton, StartsFromTheVelocitiesOfAnImpulse) {
  const ContactProblem problem =
      problem_of({"packed_spheres",
                  {{"grains", "25"}, {"width", "0.3"}, {"steps", "80"}, {"snapshots", "1"}}});
  Observer silent;
  for (const ContactProblem& form : {problem, local(problem)}) {
    const Result cold = TypeParam({}).solve(form, never_rigid());
    const Result warm = TypeParam({}).solve(form, never_rigid(), {cold.r}, silent);
    EXPECT_EQ(warm.status, cold.status);
    EXPECT_LE(warm.iterations, 2);
    EXPECT_GT(cold.iterations, 4);
  }
}

TYPED_TEST(PrimalNewton, ComesToTheCcpAsComplianceVanishes) {
  const ContactProblem problem = problem_of({"sliding_box", {{"spin", "3"}}});
  const auto cost = [&](const Vector& r) {
    return r.dot((problem.contact_velocity(r) + problem.local().q) / 2);
  };
  Limits tight;
  tight.tolerances = {1e-10, 1e-10, 1e-10};
  const Result rigid = CcpIpm({}).solve(problem, tight);
  ASSERT_EQ(rigid.status, Status::converged);
  double before = std::numeric_limits<double>::infinity();
  for (const double size : {1e-2, 1e-4, 1e-6}) {
    auto settings = TestFixture::precise();
    if constexpr (std::is_same_v<TypeParam, CcpSap>) {
      settings.sigma = size;
      settings.beta = 2 * std::numbers::pi * std::sqrt(size);
    } else {
      settings.alpha = size;
    }
    const Result result = TypeParam(settings).solve(problem, never_rigid());
    const double gap = std::abs(cost(result.r) - cost(rigid.r)) / std::abs(cost(rigid.r));
    EXPECT_LT(gap, 2 * size);
    EXPECT_LT(gap, before / 10);
    before = gap;

    if (size > 1e-6) continue;
    Limits loose;  // and `converged` where the tolerances of the CCP allow for what is left
    loose.tolerances = {1e-4, 1e-4, 1e-4};
    EXPECT_EQ(TypeParam(settings).solve(problem, loose).status, Status::converged);
  }
}

TYPED_TEST(PrimalNewton, ClaimsTheConditionOfItsHessianIfAsked) {
  const ContactProblem problem = problem_of({"stack", {{"boxes", "2"}}});
  auto settings = TestFixture::precise();
  EXPECT_FALSE(
      TypeParam(settings).solve(problem, never_rigid()).claimed.contains("hessian_condition"));
  settings.condition = true;
  EXPECT_GT(TypeParam(settings).solve(problem, never_rigid()).claimed.at("hessian_condition"), 1);
}

// [Castro22] (29), (30).
TEST(CcpSap, ComplianceByDefault) {
  const ContactProblem problem = test::random_problem(3, 2, 6, 4);
  const double w = Matrix(problem.local().W).topLeftCorner(3, 3).norm() / 3;
  const Compliance R = CcpSap::compliance({}, problem);
  EXPECT_NEAR(R.normal[0], w / (4 * std::numbers::pi * std::numbers::pi), 1e-15 * w);
  EXPECT_NEAR(R.tangent[0], 1e-3 * w, 1e-15 * w);

  CcpSap::Settings soft;
  soft.compliance = 1;  // k = 1 N/m
  soft.time_step = 0.1;
  soft.dissipation_time = 0.3;
  EXPECT_NEAR(CcpSap::compliance(soft, problem).normal[1], 1 / (0.1 * 0.4), 1e-13);
  EXPECT_EQ(CcpSap::compliance(soft, problem).tangent[0], R.tangent[0]);
}

// [Castro22] section V-B: a mass pushed with just what friction can hold slips by mu sigma g h.
TEST(CcpSap, SlipsAsItsSigmaSays) {
  const double mu = 0.5, weight = 0.02;
  for (const double sigma : {1e-2, 1e-3}) {
    CcpSap::Settings settings;
    settings.sigma = sigma;
    settings.beta = 1e-3;
    settings.relative_tolerance = 1e-12;
    const ContactProblem problem =
        test::one_contact(vector({1, 1, 1}), vector({-weight, 0.999 * mu * weight, 0}), mu);
    const Result result = CcpSap(settings).solve(problem, never_rigid());
    const double w = std::sqrt(3.0) / 3;
    EXPECT_NEAR(problem.contact_velocity(result.r)[1], mu * sigma * w * weight,
                0.02 * mu * sigma * w * weight);
  }
}

TEST(CcpNewton, ComplianceIsAShareOfTheDiagonal) {
  const ContactProblem problem = test::random_problem(3, 2, 6, 4);
  const Vector W = problem.local().W.diagonal();
  const Compliance R = CcpNewton::compliance({}, problem);
  EXPECT_DOUBLE_EQ(R.normal[1], W[3] / 9);
  EXPECT_DOUBLE_EQ(R.tangent[1], (W[4] + W[5]) / 18);
}

// [Castro22] section IV-B: "our preferred algorithm".
TEST(CcpSap, ExactLineSearchTakesFewerIterations) {
  int exact = 0, armijo = 0;
  for (const auto& scene : scenes::test::sample_scenes()) {
    const ContactProblem problem = problem_of(scene);
    CcpSap::Settings settings;
    exact += CcpSap(settings).solve(problem, never_rigid()).iterations;
    settings.line_search.kind = LineSearch::armijo;
    armijo += CcpSap(settings).solve(problem, never_rigid()).iterations;
  }
  EXPECT_LE(exact, armijo);
}

}  // namespace
}  // namespace frictionbench::solvers
