#include "frictionbench/problem/contact_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "frictionbench/problem/facts.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::sparse;
using test::vector;
using testing::HasSubstr;

template <typename Make>
void expect_invalid(Make&& make, const std::string& piece, const std::string& reason) {
  try {
    make();
    FAIL() << "accepted, expected a complaint about " << piece;
  } catch (const InvalidProblem& error) {
    EXPECT_EQ(error.piece(), piece);
    EXPECT_THAT(error.reason(), HasSubstr(reason));
  }
}

LocalForm one_contact_form() { return {sparse(Matrix::Identity(3, 3)), Vector::Zero(3)}; }

TEST(ContactProblem, RefusesWhatDoesNotFit) {
  const Vector mu = vector({0.5});
  expect_invalid([&] { ContactProblem(4, mu, one_contact_form()); }, "spacedim", "2 or 3");
  expect_invalid([&] { ContactProblem(3, vector({-0.1}), one_contact_form()); }, "vectors/mu",
                 "entry 0 is -0.1");
  expect_invalid([&] { ContactProblem(3, vector({NAN}), one_contact_form()); }, "vectors/mu",
                 "finite");
  expect_invalid(
      [&] {
        ContactProblem(3, vector({0.5, 0.5}), one_contact_form());
      },
      "W", "expected 6 x 6");
  expect_invalid([&] { ContactProblem(2, mu, one_contact_form()); }, "W", "expected 2 x 2");

  LocalForm short_q = one_contact_form();
  short_q.q = Vector::Zero(2);
  expect_invalid([&] { ContactProblem(3, mu, short_q); }, "vectors/q", "expected 3");
  LocalForm infinite = one_contact_form();
  infinite.W.coeffRef(1, 1) = INFINITY;
  expect_invalid([&] { ContactProblem(3, mu, infinite); }, "W/x", "finite");
  LocalRows rows{sparse(Matrix::Ones(3, 2)), sparse(Matrix::Ones(1, 1)), Vector::Zero(2)};
  expect_invalid([&] { ContactProblem(3, mu, one_contact_form()).with_rows(rows); }, "R",
                 "expected 2 x 2");

  GlobalForm global{sparse(Matrix::Identity(6, 6)), sparse(Matrix::Ones(5, 3)), Vector::Zero(6),
                    Vector::Zero(3)};
  expect_invalid([&] { ContactProblem(3, mu, global); }, "H", "expected 6 x 3");
}

TEST(ContactProblem, ReducesTheGlobalForm) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = test::random_global_problem(dimension, 5, 3, 7);
    const GlobalForm& global = *problem.global();
    EXPECT_EQ(problem.assembly_time(), 0);
    const LocalView local = problem.local();
    EXPECT_GT(problem.assembly_time(), 0);
    EXPECT_EQ(&local.W, &problem.local().W) << "reduced once";
    EXPECT_EQ(&local.q, &problem.local().q);

    const Matrix inverse = Matrix(global.M).inverse();
    const Matrix H = global.H;
    EXPECT_LE((Matrix(local.W) - H.transpose() * inverse * H).norm(), 1e-11 * local.W.norm());
    EXPECT_LE((local.q - H.transpose() * inverse * global.f - global.w).norm(), 1e-11);

    // u = W r + q is H^T v + w at v = M^-1 (H r + f)
    const Vector r = Vector::LinSpaced(problem.unknowns(), -1, 1);
    const Vector v = problem.generalized_velocity(r);
    EXPECT_LE((problem.contact_velocity(r) - H.transpose() * v - global.w).norm(), 1e-11);
  }
}

TEST(ContactProblem, KeepsTheAsymmetryOfM) {
  const ContactProblem symmetric = test::random_global_problem(3, 4, 2, 8);
  GlobalForm form = *symmetric.global();
  form.M.coeffRef(0, 1) += 0.3;
  const ContactProblem problem(3, symmetric.mu(), form);
  const Matrix H = form.H;
  const Matrix W = H.transpose() * Matrix(form.M).inverse() * H;
  EXPECT_LE((Matrix(problem.local().W) - W).norm(), 1e-11 * W.norm());
  EXPECT_GT(relative_asymmetry(problem.local().W), 1e-3);
  const Vector r = Vector::Ones(12);
  const Vector v = problem.generalized_velocity(r);
  EXPECT_LE((form.M * v - form.H * r - form.f).norm(), 1e-11);
}

TEST(ContactProblem, NamesASingularMassMatrix) {
  GlobalForm form{sparse(Matrix::Zero(3, 3)), sparse(Matrix::Ones(3, 3)), Vector::Zero(3),
                  Vector::Zero(3)};
  const ContactProblem problem(3, vector({0.5}), form);
  expect_invalid([&] { problem.local(); }, "M", "singular");
}

TEST(ContactProblem, WithoutContacts) {
  GlobalForm form{sparse(Matrix::Identity(3, 3)), SparseMatrix(3, 0), Vector::Zero(3), Vector()};
  const ContactProblem problem(3, Vector(), form);
  EXPECT_EQ(problem.unknowns(), 0);
  EXPECT_EQ(problem.local().W.rows(), 0);
  EXPECT_EQ(problem.contact_velocity(Vector()).size(), 0);
  EXPECT_EQ(facts_of(problem).asymmetry, 0);
  EXPECT_FALSE(spectrum_of(problem));
}

TEST(ProblemFacts, OfAKnownMatrix) {
  Matrix W = Vector(vector({4, 1, 1})).asDiagonal();
  W(0, 1) = 0.5;  // asymmetric
  const ContactProblem problem(3, vector({0.3}), LocalForm{sparse(W), Vector::Zero(3)});
  const ProblemFacts facts = facts_of(problem);
  EXPECT_EQ(facts.nonzeros, 4);
  EXPECT_DOUBLE_EQ(facts.density, 4.0 / 9);
  EXPECT_DOUBLE_EQ(facts.asymmetry, std::sqrt(0.5) / std::sqrt(18.25));
  EXPECT_EQ(facts.diagonal_min, 1);
  EXPECT_EQ(facts.diagonal_max, 4);

  const auto spectrum = spectrum_of(test::random_problem(3, 4, 5, 9));
  ASSERT_TRUE(spectrum);
  EXPECT_EQ(spectrum->rank, 5);
  EXPECT_FALSE(spectrum_of(problem, 2)) << "too large";
}

}  // namespace
}  // namespace frictionbench
