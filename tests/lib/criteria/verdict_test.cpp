#include "frictionbench/criteria/verdict.hpp"

#include <gtest/gtest.h>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/problem/scaling.hpp"
#include "frictionbench/sets/sets.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::one_contact;
using test::vector;

// A block of W = I that slides: u = r + q. With q = (-1, 3, 4) and mu = 0.5 the normal impulse 1
// stops the approach, friction takes 0.5 of the slip of 5 along it: r = (1, -0.3, -0.4), u =
// (0, 2.7, 3.6).
const Vector sliding_q = vector({-1, 3, 4});
const Vector sliding_r = vector({1, -0.3, -0.4});

TEST(Verdict, AcceptsTheExactSlidingAnswer) {
  const ContactProblem problem = one_contact(vector({1, 1, 1}), sliding_q, 0.5);
  const Verdict verdict = judge(problem, sliding_r);
  EXPECT_LE(verdict.ncp.max(), 1e-15);
  EXPECT_LE(verdict.natural_map, 1e-15);
  EXPECT_LE(verdict.dissipation, 1e-15);
  EXPECT_EQ(verdict.states.sliding, 1);
  EXPECT_TRUE(verdict.solved(ContactModel::ncp, Scale::absolute, 1e-12));

  // The CCP wants u itself in the dual cone: it is 4.5 mu = 2.25 of slip away from it.
  EXPECT_NEAR(verdict.ccp.dual, 2.25 / std::sqrt(1.25), 1e-14);
  EXPECT_NEAR(verdict.ccp.complementarity, 2.25, 1e-14);
  EXPECT_FALSE(verdict.solved(ContactModel::ccp, Scale::absolute, 1e-3));
  // The pyramid would push each tangent to its own bound.
  EXPECT_FALSE(verdict.solved(ContactModel::lcp, Scale::absolute, 1e-3));
  EXPECT_LE(judge(problem, vector({1, -0.5, -0.5})).lcp.max(), 1e-15);
}

TEST(Verdict, EveryResidualByHand) {
  const ContactProblem problem = one_contact(vector({1, 1, 1}), vector({-2, 0, 0}), 0.5);
  // r = (1, 1, 0): outside the cone; u = (-1, 1, 0); û = (-0.5, 1, 0)
  const Verdict verdict = judge(problem, vector({1, 1, 0}));
  EXPECT_NEAR(verdict.ncp.primal, 0.5 / std::sqrt(1.25), 1e-15);
  // dist to K* is |P_K(-û)|, -û = (0.5, -1, 0): normal (0.5 + 0.5) / 1.25 = 0.8
  EXPECT_NEAR(verdict.ncp.dual, std::hypot(0.8, 0.4), 1e-15);
  EXPECT_NEAR(verdict.ncp.complementarity, 0.5, 1e-15);  // -0.5 + 1
  EXPECT_EQ(verdict.ncp.worst_contact, 0);
  EXPECT_NEAR(verdict.signorini.product, 1, 1e-15);
  EXPECT_NEAR(verdict.signorini.velocity, 1, 1e-15);
  EXPECT_EQ(verdict.signorini.impulse, 0);
  EXPECT_NEAR(verdict.dissipation, 1 + 0.5, 1e-15);
  // r - û = (1.5, 0, 0) stays: || r - (1.5, 0, 0) || / max(1, 2)
  EXPECT_NEAR(verdict.natural_map, std::hypot(0.5, 1) / 2, 1e-15);
  EXPECT_DOUBLE_EQ(verdict.impulse_norm, std::sqrt(2));
  EXPECT_FALSE(verdict.momentum);
}

TEST(Verdict, PyramidsAreTheSameBesideOtherRows) {
  const LocalForm contact{test::sparse(Matrix::Identity(3, 3)), vector({-1, 0.3, 0.8})};
  const LocalForm with_row{test::sparse(Matrix::Identity(4, 4)), vector({-1, 0.3, 0.8, -2})};
  const ContactProblem alone(3, vector({0.5}), contact);
  const ContactProblem beside(3, vector({0.5}), with_row, {equality()});
  for (const int facets : {3, 4, 8}) {
    const double found = judge(alone, vector({1, -0.1, -0.4}), {.facets = facets}).lcp.max();
    EXPECT_GT(found, 0.01) << facets;
    EXPECT_EQ(judge(beside, vector({1, -0.1, -0.4, 2}), {.facets = facets}).lcp.max(), found);
  }
  EXPECT_NE(judge(beside, vector({1, -0.1, -0.4, 2}), {.facets = 8}).lcp.max(),
            judge(beside, vector({1, -0.1, -0.4, 2}), {.facets = 4}).lcp.max());
}

TEST(Verdict, StatesAndWorstContact) {
  // separating, sticking, sliding
  Vector q(9);
  q << 1, 0, 0, -1, 0.1, 0, -1, 5, 0;
  const ContactProblem problem(3, Vector::Constant(3, 0.5),
                               LocalForm{test::sparse(Matrix::Identity(9, 9)), q});
  Vector r(9);
  r << 0, 0, 0, 1, -0.1, 0, 1, -0.5, 0;
  Verdict verdict = judge(problem, r);
  EXPECT_LE(verdict.ncp.max(), 1e-15);
  EXPECT_EQ(verdict.states.separated, 1);
  EXPECT_EQ(verdict.states.sticking, 1);
  EXPECT_EQ(verdict.states.sliding, 1);
  r[6] = 0.5;
  EXPECT_EQ(judge(problem, r).ncp.worst_contact, 2);
}

TEST(Verdict, ScaledCriterionDoesNotSeeUnits) {
  const ContactProblem problem = test::random_problem(3, 6, 12, 11);
  const Vector r = Vector::LinSpaced(18, -0.2, 1);
  const Verdict verdict = judge(problem, r);
  const double a = 1e4, c = 1e-3;  // W' = a W, q' = c q, r' = c / a r
  LocalForm scaled{SparseMatrix(a * problem.local().W), c * problem.local().q};
  const Verdict other = judge(ContactProblem(3, problem.mu(), scaled), c / a * r);
  for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp}) {
    const double value = verdict.residuals(model).scaled(verdict.scale);
    EXPECT_GT(value, 0);
    EXPECT_NEAR(other.residuals(model).scaled(other.scale), value, 1e-12 * value);
  }
  EXPECT_NE(other.ncp.max(), verdict.ncp.max());

  const double at = verdict.ncp.scaled(verdict.scale);
  EXPECT_TRUE(verdict.solved(ContactModel::ncp, Scale::scaled, at * (1 + 1e-9)));
  EXPECT_FALSE(verdict.solved(ContactModel::ncp, Scale::scaled, at * (1 - 1e-9)));
}

// A global problem in other units is judged as it is: scaling is of no concern to the judge.
TEST(Verdict, OfAScaledGlobalProblem) {
  const ContactProblem problem = test::random_global_problem(3, 4, 3, 12);
  const ContactScaling scaling = ContactScaling::equilibrated(problem);
  const ContactProblem scaled = scaling.apply(problem);
  ASSERT_NE(scaled.global(), nullptr);
  const Vector r = Vector::LinSpaced(12, -0.2, 1);
  const Vector r_scaled = scaling.impulse_to_scaled(r);
  const Verdict here = judge(problem, r), there = judge(scaled, r_scaled);
  const double velocity = scaling.velocity;
  EXPECT_EQ(
      there.ncp.max(),
      cone_residuals(ContactModel::ncp, scaled, r_scaled, scaled.contact_velocity(r_scaled)).max());
  // M v' = H' r' + f' is the same balance of momentum over c.
  EXPECT_LE(
      (scaled.generalized_velocity(r_scaled) - problem.generalized_velocity(r) / velocity).norm(),
      1e-11 * here.scale.velocity / velocity);
}

TEST(ResidualUnits, MultiplyTheResidualsOfEachContact) {
  // two contacts that both violate everything
  const ContactProblem problem = test::random_problem(3, 2, 6, 3, 1);
  const Vector r = vector({-1, 2, 0, -3, 0, 1}), u = vector({-2, 1, 1, -1, 4, 0});
  for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp}) {
    const auto residuals = [&](const ResidualUnits& units) {
      return cone_residuals(model, problem, r, u, units);
    };
    // What one contact has alone: the other's counts for nothing.
    constexpr double none = 1e-100;
    const ConeResiduals first = residuals({vector({1, none}), vector({1, none})});
    const ConeResiduals second = residuals({vector({none, 1}), vector({none, 1})});
    ASSERT_GT(first.complementarity * second.complementarity, 0);
    EXPECT_EQ(first.worst_contact, 0);
    EXPECT_EQ(second.worst_contact, 1);

    const ConeResiduals both = residuals({vector({2, 10}), vector({3, 0.5})});
    EXPECT_DOUBLE_EQ(both.primal, std::max(2 * first.primal, 10 * second.primal));
    EXPECT_DOUBLE_EQ(both.dual, std::max(3 * first.dual, 0.5 * second.dual));
    EXPECT_DOUBLE_EQ(both.complementarity,
                     std::max(6 * first.complementarity, 5 * second.complementarity));
    EXPECT_EQ(residuals({}).max(), residuals({Vector::Ones(2), Vector::Ones(2)}).max());
  }
}

TEST(ResidualUnits, OneAfterTheOther) {
  const ResidualUnits none, units{vector({2, 3}), vector({5, 7})};
  EXPECT_EQ(none.times(units).impulse, units.impulse);
  EXPECT_EQ(units.times(none).velocity, units.velocity);
  EXPECT_EQ(units.times(units).impulse, vector({4, 9}));
  EXPECT_EQ(units.times(units).velocity, vector({25, 49}));
  EXPECT_EQ(none.times(none).impulse.size(), 0);
}

// A scaled criterion is an absolute one in the problem's own units.
TEST(ResidualUnits, OfTheScaledCriterion) {
  const ContactProblem problem = test::random_problem(3, 6, 12, 11);
  const Vector r = Vector::LinSpaced(18, -0.2, 1);
  const Vector u = problem.contact_velocity(r);
  for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp}) {
    const ConeResiduals absolute =
        cone_residuals(model, problem, r, u, units_of(Scale::absolute, problem));
    EXPECT_EQ(absolute.max(), cone_residuals(model, problem, r, u).max());
    const double scaled = absolute.scaled(scale_of(problem));
    EXPECT_NEAR(cone_residuals(model, problem, r, u, units_of(Scale::scaled, problem)).max(),
                scaled, 1e-14 * scaled);
  }
}

TEST(ConeResiduals, KeepANaNAndTheWorstContact) {
  const auto of = [](std::initializer_list<double> largest) {
    return largest_residuals(static_cast<Index>(largest.size()), {}, [&](Index i) -> ConeResiduals {
      return {0, *(largest.begin() + i), 0};
    });
  };
  EXPECT_EQ(of({1, 3, 2}).max(), 3);
  EXPECT_EQ(of({1, 3, 2}).worst_contact, 1);
  EXPECT_EQ(of({0, 0}).worst_contact, 0);
  EXPECT_EQ(of({}).worst_contact, -1);
  for (const ConeResiduals& lost : {of({NAN, 1, 2}), of({1, NAN, 2}), of({1, 2, NAN})})
    EXPECT_TRUE(std::isnan(lost.max()));
}

TEST(Verdict, ContactScalingKeepsSolutions) {
  // formulation: W' = D W D, q' = D q is the same NCP with r = D r', contact by contact.
  const ContactProblem problem = one_contact(vector({1, 1, 1}), sliding_q, 0.5);
  const double d = 7;
  const ContactProblem scaled = one_contact(vector({d * d, d * d, d * d}), d * sliding_q, 0.5);
  EXPECT_LE(judge(scaled, sliding_r / d).ncp.max(), 1e-13);
}

// An impulse alone has no momentum error: any v that is computed from it balances.
TEST(Verdict, MomentumIsThatOfAVelocityBesideTheImpulse) {
  const ContactProblem problem = test::random_global_problem(3, 4, 3, 12);
  const Vector r = Vector::Ones(12);
  EXPECT_FALSE(judge(problem, r).momentum);
  const Vector v = problem.generalized_velocity(r);
  EXPECT_LE(momentum_error(problem, r, v), 1e-12);

  // [Castro22] (25), (32) for twice that velocity
  const GlobalForm& form = *problem.global();
  const Vector D = Matrix(form.M).diagonal().cwiseSqrt().cwiseInverse();
  const Vector Mv = D.cwiseProduct(2 * (form.M * v)), Hr = D.cwiseProduct(form.H * r);
  const double expected =
      (Mv - Hr - D.cwiseProduct(form.f)).norm() / std::max(Mv.norm(), Hr.norm());
  EXPECT_NEAR(momentum_error(problem, r, 2 * v), expected, 1e-12);
  EXPECT_GT(expected, 0.01);
}

TEST(Verdict, SlacknessIsThatOfAVelocityBesideTheImpulse) {
  const ContactProblem rigid = test::random_global_problem(3, 4, 3, 12);
  const Vector r = Vector::LinSpaced(12, 0.5, 1.5), R = Vector::LinSpaced(12, 0, 1);
  EXPECT_FALSE(judge(rigid, r).slackness);
  for (const ContactProblem& problem : {rigid, rigid.with_compliance(R)}) {
    // [Castro22] (19), (33) at a velocity that balances: g = u, and by duality a cost of W alone.
    const Vector v = problem.generalized_velocity(r), u = problem.contact_velocity(r);
    const double cost = r.dot(problem.local().W * r) / 2;
    double sum = 0;
    for (Index i = 0; i < 4; ++i) sum += std::abs(u.segment<3>(3 * i).dot(r.segment<3>(3 * i)));
    EXPECT_NEAR(slackness_error(problem, r, v), sum / (4 * cost), 1e-12 * sum / cost);
  }
  EXPECT_EQ(slackness_error(rigid, Vector::Zero(12), rigid.generalized_velocity(r)), 0);
}

TEST(Verdict, NaNAndInfSolveNothing) {
  const ContactProblem problem = one_contact(vector({1, 1, 1}), sliding_q, 0.5);
  for (const double bad : {NAN, INFINITY, -INFINITY}) {
    const Verdict verdict = judge(problem, vector({1, bad, 0}), {.time_step = 0.01});
    for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp})
      for (const Scale scale : {Scale::relative, Scale::absolute, Scale::scaled, Scale::force})
        EXPECT_FALSE(verdict.solved(model, scale, 1e300));
  }
}

TEST(Verdict, WithoutContactsAllIsSolved) {
  const ContactProblem problem(3, Vector(), LocalForm{SparseMatrix(0, 0), Vector()});
  const Verdict verdict = judge(problem, Vector());
  EXPECT_EQ(verdict.ncp.max(), 0);
  EXPECT_EQ(verdict.ncp.worst_contact, -1);
  for (const Scale scale : {Scale::relative, Scale::absolute, Scale::scaled})
    EXPECT_TRUE(verdict.solved(ContactModel::ncp, scale, 1e-300));
}

TEST(Verdict, RefusesAnImpulseOfTheWrongLength) {
  const ContactProblem problem = one_contact(vector({1, 1, 1}), sliding_q, 0.5);
  EXPECT_THROW(judge(problem, vector({1, 2})), std::invalid_argument);
}

TEST(Criterion, NativeIsTheModelOfTheSolver) {
  EXPECT_EQ(judged_model(Criterion::native, ContactModel::lcp), ContactModel::lcp);
  EXPECT_EQ(judged_model(Criterion::ccp, ContactModel::lcp), ContactModel::ccp);
}

TEST(Criterion, NamesAreThoseOfTheCommandLine) {
  for (const char* text : {"ncp", "ccp", "lcp", "native"})
    EXPECT_EQ(name(from_name<Criterion>(text)), text);
  for (const char* text : {"relative", "absolute", "scaled", "force"})
    EXPECT_EQ(name(from_name<Scale>(text)), text);
  EXPECT_THROW(from_name<Criterion>("ncp_scaled"), std::invalid_argument);
}

}  // namespace
}  // namespace frictionbench
