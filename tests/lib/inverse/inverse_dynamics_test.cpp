#include "frictionbench/inverse/inverse_dynamics.hpp"

#include <gtest/gtest.h>

#include "frictionbench/math/friction_cone.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

double relative(const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); }

class ForwardAndBack : public testing::TestWithParam<std::tuple<ContactModel, int>> {};

// Forward dynamics with compliance, its velocities without the contacts' own yielding, and back.
TEST_P(ForwardAndBack, GivesTheSameImpulses) {
  const auto [model, dimension] = GetParam();
  const char* solver = model == ContactModel::ncp ? "ncp-nsgs" : "ccp-ipm";
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Index contacts = 1 + static_cast<Index>(seed % 7);
    const ContactProblem rigid = test::random_problem(dimension, contacts, dimension, seed);
    Vector R(rigid.unknowns());
    for (Index i = 0; i < contacts; ++i) {
      R.segment(dimension * i, dimension).setConstant(0.3 + 0.1 * static_cast<double>(i));
      R[dimension * i] *= 4;
    }
    const ContactProblem problem = rigid.with_compliance(R);
    const Result forward = test::solve(solver, problem, test::limits(1e-11, 200000));
    ASSERT_EQ(forward.status, Status::converged);
    const Vector c = rigid.contact_velocity(forward.r);

    InverseOptions options;
    options.model = model;
    options.tolerance = 1e-12;
    options.max_iterations = 20000;
    const InverseResult back = inverse_dynamics(c, R, problem.mu(), options);
    EXPECT_TRUE(back.converged) << seed;
    EXPECT_LE((back.r - forward.r).norm(), 1e-5 * forward.r.norm()) << seed;
    EXPECT_LE((back.u - problem.contact_velocity(forward.r)).norm(), 1e-5) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(InverseDynamics, ForwardAndBack,
                         testing::Combine(testing::Values(ContactModel::ncp, ContactModel::ccp),
                                          testing::Values(2, 3)),
                         [](const auto& parameter) {
                           return std::string(name(std::get<0>(parameter.param))) + "_" +
                                  std::to_string(std::get<1>(parameter.param)) + "D";
                         });

// A rigid contact that is to slide: any impulse on one side of the cone. [Carpentier24] V-D: one iteration with
// rho = 1e-8. It keeps the pressure that it starts from.
TEST(InverseDynamics, OfRigidSlidingTakesOneIteration) {
  const Vector c = Vector{{0, 0.3, 0.4}}, rigid = Vector::Zero(3), mu = Vector{{0.5}};
  InverseOptions options;
  options.start = Vector{{10, 0, 0}};
  const InverseResult result = inverse_dynamics(c, rigid, mu, options);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_GT(result.r[0], 1);
  EXPECT_LE(relative(tangent_of(result.r), -0.5 * result.r[0] * Vector{{0.6, 0.8}}), 1e-6);
  EXPECT_EQ(inverse_dynamics(c, rigid, mu).r.norm(), 0);  // zero is an answer, too
}

// [Carpentier24] Fig. 8, the failure of the CCP: what slides must open, so impulses grow for ever.
TEST(InverseDynamics, OfTheCcpDivergesWhereContactsSlide) {
  const Vector c = Vector{{0, 0.3, 0.4}}, rigid = Vector::Zero(3), mu = Vector{{0.5}};
  InverseOptions options;
  options.model = ContactModel::ccp;
  double before = 0;
  for (const int iterations : {10, 100, 1000}) {
    options.max_iterations = iterations;
    const InverseResult result = inverse_dynamics(c, rigid, mu, options);
    EXPECT_FALSE(result.converged);
    EXPECT_NEAR(result.residuals.dual, distance_to_dual_cone(c, 0.5), 1e-12);
    EXPECT_GT(result.r.norm(), 5 * before);
    before = result.r.norm();
  }
}

TEST(InverseDynamics, OfSeparationIsZero) {
  const InverseResult result = inverse_dynamics(Vector{{1, 2, 3}}, Vector::Zero(3), Vector{{0.5}});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.r.norm(), 0);
  EXPECT_EQ(result.iterations, 0);
}

TEST(InverseDynamics, WithoutContactsIsNothing) {
  const InverseResult result = inverse_dynamics(Vector(0), Vector(0), Vector(0));
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.r.size(), 0);
}

TEST(InverseDynamics, Refusals) {
  const Vector c = Vector{{0, 1, 0}}, R = Vector::Zero(3), mu = Vector{{0.5}};
  InverseOptions lcp, no_rho, short_start;
  lcp.model = ContactModel::lcp;
  no_rho.rho = 0;
  short_start.start = Vector{{1, 2}};
  EXPECT_THROW(inverse_dynamics(c, R, mu, lcp), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(c, R, mu, no_rho), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(c, R, mu, short_start), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(c, R.head(2), mu), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(c.head(1), R.head(1), mu), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(c, -Vector::Ones(3), mu), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(c, Vector{{0, 1, 2}}, mu), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(c, R, -mu), std::invalid_argument);
}

}  // namespace
}  // namespace frictionbench
