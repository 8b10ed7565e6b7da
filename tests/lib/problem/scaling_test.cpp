#include "frictionbench/problem/scaling.hpp"

#include <gtest/gtest.h>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

// Contacts whose blocks differ by 1e8.
ContactProblem uneven_problem() {
  const ContactProblem even = test::random_problem(3, 10, 16, 21);
  Vector d(10);
  for (Index i = 0; i < 10; ++i) d[i] = std::pow(10.0, static_cast<double>(i % 5) - 2);
  return ContactProblem(3, even.mu(), test::local_form(even.scaled(d, 7)));
}

ResidualUnits units_of(const ContactScaling& scaling) {
  return {scaling.impulse_units(), scaling.velocity_units()};
}

double relative(const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); }

TEST(ContactScaling, MakesContactsAlike) {
  const ContactProblem problem = uneven_problem();
  const ContactProblem scaled = ContactScaling::equilibrated(problem).apply(problem);
  const Vector diagonal = scaled.local().W.diagonal();
  for (Index i = 0; i < 10; ++i) EXPECT_NEAR(diagonal.segment<3>(3 * i).mean(), 1, 1e-12);
  EXPECT_NEAR(scaled.local().q.lpNorm<Eigen::Infinity>(), 1, 1e-12);
  EXPECT_EQ(scaled.mu(), problem.mu());
}

// The promise on which tolerances rest: what is measured on the scaled problem, in the units of the
// original, is the residual of the original, whatever the impulse.
TEST(ContactScaling, ResidualsAreThoseOfTheOriginal) {
  for (const ContactProblem& problem :
       {uneven_problem(), test::random_global_problem(3, 12, 4, 22)}) {
    const ContactScaling scaling = ContactScaling::equilibrated(problem);
    const ContactProblem scaled = scaling.apply(problem);
    const Vector r = Vector::LinSpaced(problem.unknowns(), -3, 5);
    const Vector r_scaled = scaling.impulse_to_scaled(r);
    EXPECT_LE(relative(scaling.impulse_to_original(r_scaled), r), 1e-14);
    const Vector u = scaled.contact_velocity(r_scaled);
    for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp}) {
      const ConeResiduals here = cone_residuals(model, scaled, r_scaled, u, units_of(scaling));
      const ConeResiduals there = cone_residuals(model, problem, r, problem.contact_velocity(r));
      EXPECT_NEAR(here.primal, there.primal, 1e-12 * there.primal);
      EXPECT_NEAR(here.dual, there.dual, 1e-11 * there.dual);
      EXPECT_NEAR(here.complementarity, there.complementarity, 1e-11 * there.complementarity);
      EXPECT_EQ(here.worst_contact, there.worst_contact);
    }
  }
}

// A constant added to the velocity, in either form, and in either units.
TEST(ContactProblem, AnotherFreeVelocity) {
  for (const ContactProblem& problem :
       {uneven_problem(), test::random_global_problem(3, 12, 4, 22)}) {
    const Vector s = Vector::LinSpaced(problem.unknowns(), 1, 2);
    const Vector r = Vector::LinSpaced(problem.unknowns(), -3, 5);
    const Vector u = problem.contact_velocity(r) + s;
    const ContactProblem other = problem.with_velocity_added(s);
    EXPECT_LE(relative(other.contact_velocity(r), u), 1e-14);
    EXPECT_EQ(&other.local().W, &problem.local().W) << "shared, not copied";
    if (const GlobalForm* global = other.global()) {
      const ContactProblem again(3, problem.mu(), GlobalForm(*global));
      EXPECT_LE(relative(again.contact_velocity(r), u), 1e-12);
    }

    const ContactScaling scaling = ContactScaling::equilibrated(problem);
    const ContactProblem alike = scaling.apply(problem);
    const ContactProblem scaled = alike.with_velocity_added(alike.local().q);
    const ConeResiduals here =
        cone_residuals(ContactModel::ccp, scaled, scaling.impulse_to_scaled(r),
                       scaled.contact_velocity(scaling.impulse_to_scaled(r)), units_of(scaling));
    const Vector there = problem.contact_velocity(r) + problem.local().q;
    EXPECT_NEAR(here.dual, cone_residuals(ContactModel::ccp, problem, r, there).dual,
                1e-11 * here.dual);
  }
}

TEST(ContactScaling, TwiceIsTheProduct) {
  const ContactProblem problem = uneven_problem();
  const Vector d = Vector::LinSpaced(10, 0.5, 2);
  const ContactProblem twice = problem.scaled(d, 3).scaled(d, 5);
  const ContactProblem once = problem.scaled(d.cwiseProduct(d), 15);
  EXPECT_LE((Matrix(twice.local().W) - Matrix(once.local().W)).norm(),
            1e-12 * Matrix(once.local().W).norm());
  EXPECT_LE(relative(twice.local().q, once.local().q), 1e-14);
}

TEST(ContactScaling, ScalesTheGlobalFormAlong) {
  const ContactProblem problem = test::random_global_problem(3, 12, 4, 23);
  const ContactProblem scaled = ContactScaling::equilibrated(problem).apply(problem);
  ASSERT_NE(scaled.global(), nullptr);
  const ContactProblem from_global(3, scaled.mu(), *scaled.global());
  EXPECT_LE((Matrix(from_global.local().W) - Matrix(scaled.local().W)).norm(), 1e-12);
  EXPECT_LE(relative(from_global.local().q, scaled.local().q), 1e-12);
}

TEST(ContactScaling, SurvivesContactsThatAreZero) {
  Matrix W = Matrix::Zero(6, 6);
  W.diagonal().head(3).setConstant(4);
  const ContactProblem problem(3, test::vector({0.5, 0.5}),
                               LocalForm{test::sparse(W), Vector::Zero(6)});
  const ContactScaling scaling = ContactScaling::equilibrated(problem);
  EXPECT_EQ(scaling.contact, test::vector({0.5, 0.5}));
  EXPECT_EQ(scaling.velocity, 1);
}

// Any solver, on a problem in other units: what it ends by is the residuals of the original.
TEST(ContactScaling, EverySolverKeepsItsWordOnTheOriginal) {
  const ContactProblem problem = uneven_problem();
  const ContactScaling scaling = ContactScaling::equilibrated(problem);
  const ContactProblem scaled = scaling.apply(problem);
  Limits limits = test::limits(1e-6, 200000);
  limits.units = units_of(scaling);
  for (const std::string& solver : test::registered_names()) {
    SCOPED_TRACE(solver);
    const SolverInfo info = test::solver(solver)->info();
    if (!info.contacts) continue;
    const Result result = test::solve(solver, scaled, limits);
    if (result.status == Status::inaccurate) continue;  // says itself that it misses its model
    if (result.status != Status::converged && !info.dependable) continue;
    ASSERT_EQ(result.status, Status::converged);
    const Vector r = scaling.impulse_to_original(result.r);
    ContactProblem own = problem;
    if (result.compliance.size() > 0) {  // R' = D R D, one d_i for a contact
      Vector compliance = result.compliance;
      for (Index i = 0; i < problem.contacts(); ++i)
        compliance.segment<3>(3 * i) /= scaling.contact[i] * scaling.contact[i];
      own = problem.with_compliance(compliance);
    }
    EXPECT_LE(judge(own, r, {.facets = info.facets}).residuals(info.model).max(),
              1e-6 * (1 + 1e-6));
  }
}

// Per-contact steps do not see per-contact factors, so the iterates are the same except for rounding.
TEST(ContactScaling, GaussSeidelDoesNotNotice) {
  const ContactProblem problem = uneven_problem();
  const ContactScaling scaling = ContactScaling::equilibrated(problem);
  const Limits limits = test::limits(1e-6, 25);
  Limits scaled_limits = limits;
  scaled_limits.units = units_of(scaling);
  const Result plain = test::solve("ncp-pgs", problem, limits);
  const Result scaled = test::solve("ncp-pgs", scaling.apply(problem), scaled_limits);
  EXPECT_EQ(plain.iterations, scaled.iterations);
  EXPECT_LE(relative(scaling.impulse_to_original(scaled.r), plain.r), 1e-8);
}

}  // namespace
}  // namespace frictionbench
