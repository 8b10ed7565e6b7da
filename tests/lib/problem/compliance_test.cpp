// Compliant contacts: u = W r + R r + q.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/problem/compliance_rule.hpp"
#include "frictionbench/problem/facts.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::vector;
using testing::HasSubstr;

Vector some_compliance(const ContactProblem& problem) {
  return Vector::LinSpaced(problem.unknowns(), 0, 0.7);
}

std::vector<ContactProblem> both_forms() {
  return {test::random_problem(3, 4, 7, 1), test::random_problem(2, 5, 7, 2),
          test::random_global_problem(3, 4, 3, 3), test::random_global_problem(2, 5, 2, 4)};
}

TEST(Compliance, IsOnTheDiagonalOfTheLocalForm) {
  for (const ContactProblem& rigid : both_forms()) {
    const Vector R = some_compliance(rigid);
    const ContactProblem problem = rigid.with_compliance(R);
    EXPECT_EQ(problem.compliance(), R);
    EXPECT_EQ(Matrix(problem.rigid_W()), Matrix(rigid.local().W));
    EXPECT_EQ(Matrix(problem.local().W), Matrix(rigid.local().W) + Matrix(R.asDiagonal()));
    EXPECT_EQ(problem.local().q, rigid.local().q);
    EXPECT_EQ(problem.mu(), rigid.mu());
    EXPECT_EQ(problem.form(), rigid.form());
    EXPECT_EQ(problem.global() != nullptr, rigid.global() != nullptr);

    const Vector r = Vector::LinSpaced(rigid.unknowns(), -1, 2);
    const Vector u = rigid.contact_velocity(r) + R.cwiseProduct(r);
    EXPECT_LE((problem.contact_velocity(r) - u).norm(), 1e-13 * u.norm());
    WorkCounters work;
    EXPECT_LE((DelassusOperator(problem, work).velocity(r) - u).norm(), 1e-13 * u.norm());
    if (rigid.global()) {
      EXPECT_EQ(problem.generalized_velocity(r), rigid.generalized_velocity(r));
    }

    EXPECT_EQ(rigid.compliance().size(), 0) << "the problem itself is as it was";
    const ProblemFacts facts = facts_of(problem);
    EXPECT_EQ(facts.compliance_min, 0);
    EXPECT_EQ(facts.compliance_max, 0.7);
    EXPECT_EQ(facts_of(rigid).compliance_max, 0);
  }
}

TEST(Compliance, ReplacesTheOneBefore) {
  for (const ContactProblem& rigid : both_forms()) {
    const ContactProblem soft = rigid.with_compliance(some_compliance(rigid));
    const Vector other = Vector::Constant(rigid.unknowns(), 0.1);
    EXPECT_EQ(Matrix(soft.with_compliance(other).local().W),
              Matrix(rigid.with_compliance(other).local().W));
    for (const Vector& none : {Vector(), Vector(Vector::Zero(rigid.unknowns()))}) {
      const ContactProblem again = soft.with_compliance(none);
      EXPECT_EQ(again.compliance().size(), 0);
      EXPECT_EQ(Matrix(again.local().W), Matrix(rigid.local().W));
    }
  }
}

// Where W stores no diagonal: a body of infinite mass.
TEST(Compliance, OfAContactWithoutInverseMass) {
  const ContactProblem rigid(3, vector({0.5}), LocalForm{SparseMatrix(3, 3), vector({-1, 0, 0})});
  const ContactProblem problem = rigid.with_compliance(vector({0.5, 0.1, 0.1}));
  EXPECT_EQ(problem.contact_velocity(vector({2, 0, 0})), vector({0, 0, 0}));
}

TEST(Compliance, IsKeptInOtherUnitsAndWithOtherFreeVelocities) {
  for (const ContactProblem& rigid : both_forms()) {
    const ContactProblem problem = rigid.with_compliance(some_compliance(rigid));
    const Index dim = problem.dimension();
    const Vector r = Vector::LinSpaced(problem.unknowns(), -1, 2);

    const Vector d = Vector::LinSpaced(problem.contacts(), 0.3, 4);
    const double c = 5;
    const ContactProblem scaled = problem.scaled(d, c);
    Vector D(problem.unknowns());
    for (Index i = 0; i < problem.contacts(); ++i) D.segment(dim * i, dim).setConstant(d[i]);
    const Vector there = scaled.contact_velocity(r.cwiseQuotient(c * D));
    const Vector here = D.cwiseProduct(problem.contact_velocity(r)) / c;
    EXPECT_LE((there - here).norm(), 1e-12 * here.norm());
    EXPECT_LE((scaled.compliance() - D.cwiseProduct(D).cwiseProduct(problem.compliance())).norm(),
              1e-14 * scaled.compliance().norm());

    const Vector s = Vector::LinSpaced(problem.unknowns(), 1, -1);
    const ContactProblem pushed = problem.with_velocity_added(s);
    EXPECT_EQ(pushed.compliance(), problem.compliance());
    EXPECT_EQ(Matrix(pushed.rigid_W()), Matrix(problem.rigid_W()));
    EXPECT_LE((pushed.contact_velocity(r) - problem.contact_velocity(r) - s).norm(), 1e-12);
  }
}

TEST(Compliance, RefusesWhatIsNone) {
  const ContactProblem problem = test::random_problem(3, 2, 6, 1);
  const auto refusal = [&](const Vector& R) -> std::string {
    try {
      problem.with_compliance(R);
    } catch (const InvalidProblem& error) {
      EXPECT_EQ(error.piece(), "compliance");
      return error.reason();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(Vector::Ones(5)), "has 5 entries, expected 6 (size of W)");
  EXPECT_EQ(refusal(vector({1, 2, 3, 4, -5, 6})),
            "entry 4 is -5; a compliance must not be negative");
  EXPECT_THAT(refusal(vector({1, 2, NAN, 4, 5, 6})), HasSubstr("entry 2 is nan"));
  EXPECT_THAT(refusal(vector({INFINITY, 2, 3, 4, 5, 6})), HasSubstr("entry 0 is inf"));
}

TEST(Compliance, KeepsBilateralRows) {
  const LocalRows rows{test::sparse(Matrix::Ones(3, 1)), test::sparse(Matrix::Ones(1, 1)),
                       Vector::Zero(1)};
  const LocalForm form{test::sparse(Matrix::Identity(3, 3)), vector({-1, 0, 0})};
  const ContactProblem problem = ContactProblem(3, vector({0.5}), form).with_rows(rows);
  EXPECT_EQ(problem.with_compliance(Vector::Ones(4)).bilateral_rows(), 1);
}

TEST(ComplianceRule, HasATextAndATextHasARule) {
  const auto rule = [](const char* text) {
    ComplianceRule result;
    from_text(text, result);
    return result;
  };
  for (const char* given : {"0", "0.001", "1e-06", "diag:0.001", "diag:1", "diag:0"})
    EXPECT_EQ(text(rule(given)), given);
  EXPECT_EQ(rule("1e-3"), (ComplianceRule{false, 1e-3}));
  EXPECT_EQ(rule("diag:.5"), (ComplianceRule{true, 0.5}));
  for (const double value : {1.0 / 3, 1e-300, 123456789.125})
    for (const bool of_diagonal : {false, true})
      EXPECT_EQ(rule(text(ComplianceRule{of_diagonal, value}).c_str()),
                (ComplianceRule{of_diagonal, value}));
  for (const char* none : {"", "diag:", "x", "-1", "diag:-1", "nan", "inf", "1e999", "1 ", " 1",
                           "0.1x", "DIAG:1", "diag:diag:1", "diag", "0x10", "1,5"})
    EXPECT_THROW(rule(none), std::invalid_argument) << none;
  try {
    rule("soft");
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "'soft' is not a compliance; expected a number >= 0, or diag: and a number >= 0");
  }
}

TEST(ComplianceRule, OfAProblem) {
  for (const ContactProblem& rigid : both_forms()) {
    // instead of what the problem has
    const ContactProblem soft = rigid.with_compliance(some_compliance(rigid));
    EXPECT_EQ(with_compliance(soft, {false, 0.25}).compliance(),
              Vector(Vector::Constant(rigid.unknowns(), 0.25)));
    EXPECT_EQ(with_compliance(soft, {true, 0.25}).compliance(),
              Vector(0.25 * Vector(rigid.local().W.diagonal())));
    EXPECT_EQ(with_compliance(soft, {true, 0}).compliance().size(), 0);
  }
  const ContactProblem negative = test::one_contact(vector({1, -1, 1}), vector({-1, 0, 0}), 0.5);
  EXPECT_THROW(with_compliance(negative, {true, 1}), InvalidProblem);
  const ContactProblem none(3, Vector(), LocalForm{SparseMatrix(0, 0), Vector()});
  EXPECT_EQ(with_compliance(none, {false, 1}).unknowns(), 0);
  EXPECT_EQ(with_compliance(none, {true, 1}).unknowns(), 0);
}

}  // namespace
}  // namespace frictionbench
