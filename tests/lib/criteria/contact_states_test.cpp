// States of contacts, creep and lift.

#include <gtest/gtest.h>

#include <cmath>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/sets/sets.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using scenes::test::NamedScene;
using test::one_contact;
using test::vector;

// One contact with W = I, so that u = r + q, and q of size 1: the scales are w = U = 1.
Verdict of_contact(const Vector& r, const Vector& u, double mu = 0.5, double tolerance = 1e-6) {
  Vector q = u - r;
  const double largest = q.lpNorm<Eigen::Infinity>();
  return judge(one_contact(Vector::Ones(r.size()), q / largest, mu), r / largest,
               {.tolerance = tolerance});
}

const char* state(const Verdict& verdict) {
  const Verdict::States& states = verdict.states;
  EXPECT_EQ(states.separated + states.sticking + states.sliding, 1);
  return states.separated == 1 ? "separated" : states.sticking == 1 ? "sticking" : "sliding";
}

TEST(ContactStates, FollowTheRule) {
  const Vector still = vector({0, 0, 0});
  EXPECT_STREQ(state(of_contact(vector({1, 0, 0}), still)), "sticking");
  EXPECT_STREQ(state(of_contact(vector({1, 0.3, 0.4}), still)), "sticking") << "at the limit";
  EXPECT_STREQ(state(of_contact(vector({1, -0.5, 0}), vector({0, 1, 0}))), "sliding");
  EXPECT_STREQ(state(of_contact(vector({0, 0, 0}), vector({1, 0, 0}))), "separated");
  EXPECT_STREQ(state(of_contact(vector({-1, 0, 0}), vector({0, 1, 0}))), "separated");

  // 10 tolerances of the scale decide what is an impulse and what is a slip
  EXPECT_STREQ(state(of_contact(vector({0.9e-5, 0, 0}), vector({1, 0, 0}))), "separated");
  EXPECT_STREQ(state(of_contact(vector({1.1e-5, 0, 0}), vector({1, 0, 0}))), "sticking");
  EXPECT_STREQ(state(of_contact(vector({1, -0.5, 0}), vector({0, 0.9e-5, 0}))), "sticking");
  EXPECT_STREQ(state(of_contact(vector({1, -0.5, 0}), vector({0, 1.1e-5, 0}))), "sliding");
  EXPECT_STREQ(state(of_contact(vector({1, -0.5, 0}), vector({0, 1.1e-5, 0}), 0.5, 1e-5)),
               "sticking");
  // inside of the cone by a thousandth, whatever the velocity
  EXPECT_STREQ(state(of_contact(vector({1, -0.4994, 0}), vector({0, 1, 0}))), "sticking");
  EXPECT_STREQ(state(of_contact(vector({1, -0.4996, 0}), vector({0, 1, 0}))), "sliding");

  EXPECT_STREQ(state(of_contact(vector({1, 0}), vector({0, 1}), 0)), "sliding") << "frictionless";
  EXPECT_STREQ(state(of_contact(vector({1, 0}), vector({0, 0}), 0)), "sticking");
}

TEST(ContactStates, CreepAndLiftAreThoseOfLoadedContacts) {
  const auto creep = [](const Vector& r, const Vector& u) { return of_contact(r, u).creep; };
  const auto lift = [](const Vector& r, const Vector& u) { return of_contact(r, u).lift; };
  // q = u - r has size 1 in all of these
  EXPECT_NEAR(creep(vector({1, 0.1, 0}), vector({0, 0.3, 0.4})), 0.5, 1e-15);
  EXPECT_NEAR(lift(vector({0.4, 0.1, 0}), vector({1.4, 0, 0})), 1.4, 1e-15);
  EXPECT_EQ(lift(vector({1, 0.1, 0}), vector({0, 0.3, 0})), 0);
  EXPECT_EQ(lift(vector({0.7, 0.1, 0}), vector({-0.3, 0.3, 0})), 0) << "it closes";
  // 0.95 of the limit, and a hundredth of the scale
  EXPECT_EQ(creep(vector({1, 0.476, 0}), vector({0, 0.3, 0})), 0);
  EXPECT_GT(creep(vector({1, 0.474, 0}), vector({0, 0.3, 0})), 0);
  EXPECT_EQ(creep(vector({0.0099, 0, 0}), vector({0.0099, 1, 0})), 0);
  EXPECT_EQ(creep(vector({0.0101, 0, 0}), vector({0.0101, 1, 0})), 1);
  EXPECT_EQ(lift(vector({0.0099, 0, 0}), vector({1.0099, 0, 0})), 0);
  EXPECT_GT(lift(vector({0.0101, 0, 0}), vector({1.0101, 0, 0})), 1);
}

ContactProblem problem_of(const NamedScene& scene) {
  const scenes::Snapshot snapshot = scenes::test::state(scene.name, scene.parameters);
  return scenes::global_problem(snapshot.world, snapshot.contacts);
}

Vector answer(const std::string& solver, const ContactProblem& problem) {
  Limits limits = test::limits(1e-11, 200000);
  limits.units = units_of(Scale::relative, problem);
  const Result result = test::solve(solver, problem, limits);
  EXPECT_EQ(result.status, Status::converged) << solver << ": " << result.message;
  return result.r;
}

TEST(ContactStates, OfABoxThatFrictionHolds) {
  const ContactProblem problem = problem_of({"pushed_box", {{"push", "0.5"}, {"direction", "30"}}});
  const Verdict verdict = judge(problem, answer("ncp-admm", problem));
  EXPECT_EQ(verdict.states.sticking, 4);
  EXPECT_EQ(verdict.states.sliding, 0);
  EXPECT_EQ(verdict.states.separated, 0);
}

TEST(ContactStates, OfABoxThatSlides) {
  for (const NamedScene& scene : {NamedScene{"pushed_box", {{"push", "2"}, {"direction", "30"}}},
                                  NamedScene{"sliding_box", {{"direction", "20"}}}}) {
    const ContactProblem problem = problem_of(scene);
    const Verdict verdict = judge(problem, answer("ncp-admm", problem));
    // It may stand on three of its corners.
    EXPECT_GE(verdict.states.sliding, 3);
    EXPECT_EQ(verdict.states.sticking, 0);
    EXPECT_EQ(verdict.states.sliding + verdict.states.separated, 4);
  }
}

TEST(ContactStates, ExactAnswersNeitherCreepNorLift) {
  for (const NamedScene& scene : scenes::test::sample_scenes()) {
    SCOPED_TRACE(scene.name);
    const ContactProblem problem = problem_of(scene);
    const Verdict verdict = judge(problem, answer("ncp-admm", problem));
    const double U = contact_scales(problem).velocity.maxCoeff();
    // The residuals are 1e-11 of the scale; over the load of a hundredth and more.
    EXPECT_LE(verdict.creep, 1e-7 * U);
    EXPECT_LE(verdict.lift, 1e-7 * U);
  }
}

// [LeLidec24] (19): the convex relaxation lifts by mu ||u_T||.
TEST(ContactStates, TheConvexRelaxationLiftsWhatSlides) {
  const ContactProblem problem =
      problem_of({"sliding_box", {{"direction", "20"}, {"speed", "2"}, {"mu", "0.4"}}});
  const Vector r = answer("ccp-admm", problem);
  const Verdict verdict = judge(problem, r);
  const Vector u = problem.contact_velocity(r);
  const double slip = u.segment<2>(1).norm();
  EXPECT_GT(slip, 1);
  EXPECT_NEAR(verdict.lift, 0.4 * slip, 1e-6);
  EXPECT_LE(verdict.creep, 1e-9);
}

TEST(ContactStates, CompliantAnswersCreep) {
  const ContactProblem problem = problem_of({"pushed_box", {{"push", "0.5"}}});
  const Vector exact = answer("ccp-admm", problem);
  EXPECT_LE(judge(problem, exact).creep, 1e-9);
  for (const char* solver : {"ccp-sap", "ccp-newton"}) {
    const Vector r = answer(solver, problem);
    const Vector u = problem.contact_velocity(r);
    const Verdict verdict = judge(problem, r);
    EXPECT_GT(verdict.creep, 1e-6) << solver;
    EXPECT_LE(verdict.creep, u.lpNorm<Eigen::Infinity>() * std::sqrt(2)) << solver;
  }
}

// In its second direction the friction is at its limit, which that of the first direction does not tell.
TEST(ContactStates, EachDirectionOfAnEllipseHasItsLimit) {
  const ContactProblem problem(3, Vector(),
                               LocalForm{test::sparse(Matrix::Identity(3, 3)), vector({-1, 0, 1})},
                               {elliptic_cone({0.8, 0.2})});
  const Verdict verdict = judge(problem, vector({1, 0, -0.2}));
  EXPECT_LE(verdict.ncp.max(), 1e-15);
  EXPECT_STREQ(state(verdict), "sliding");
  EXPECT_EQ(verdict.creep, 0);
}

}  // namespace
}  // namespace frictionbench
