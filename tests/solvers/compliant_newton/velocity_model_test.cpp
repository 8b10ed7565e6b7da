#include "frictionbench/solvers/compliant_newton/velocity_model.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "frictionbench/problem/facts.hpp"
#include "support/problems.hpp"

namespace frictionbench::solvers {
namespace {

// Velocities with dense A, J and c, as VelocityModel describes them.
struct DenseVelocities {
  Matrix A, J;
  Vector free_velocity, c;

  Matrix hessian(const BlockDiagonal& C) const {
    const Matrix JC = J.transpose() * Matrix(sparse(C));
    return A + JC * JC.transpose();
  }
};

DenseVelocities dense_global(const ContactProblem& problem) {
  const GlobalForm& form = *problem.global();
  const Matrix A = symmetric_part(form.M);
  return {A, Matrix(form.H).transpose(), A.llt().solve(form.f), form.w};
}

// J = V S^1/2 of the eigendecomposition W_sym = V S V^T.
DenseVelocities dense_local(const ContactProblem& problem) {
  const LocalView form = problem.local();
  const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(Matrix(symmetric_part(form.W)));
  const Vector roots = spectrum.eigenvalues().cwiseMax(0).cwiseSqrt();
  const Index m = form.q.size();
  return {Matrix::Identity(m, m), spectrum.eigenvectors() * roots.asDiagonal(), Vector::Zero(m),
          form.q};
}

// Roots of full and of low rank, and one that is zero, as a contact that separates has.
BlockDiagonal roots(int dimension, Index contacts, double size) {
  BlockDiagonal C(dimension, contacts);
  for (Index i = 0; i + 1 < contacts; ++i) {
    const Vector axis = Vector::LinSpaced(dimension, 1, static_cast<double>(i) - 1);
    C.block(i) = size * axis * axis.transpose();
    if (i % 2 == 0) C.block(i) += size * Matrix::Identity(dimension, dimension);
  }
  return C;
}

void expect_like(const ContactProblem& problem, const DenseVelocities& dense) {
  WorkCounters work;
  const auto model = make_velocity_model(problem, work);
  const Index m = problem.unknowns();
  const Vector start = Vector::LinSpaced(m, -1, 2), r = Vector::LinSpaced(m, 3, -1);
  const Vector v = dense.free_velocity + dense.A.llt().solve(dense.J.transpose() * start);
  const Vector state = model->state(start);
  EXPECT_LE((model->contact_velocity(state) - dense.J * v - dense.c).norm(), 1e-10);

  const Vector gradient = dense.A * (v - dense.free_velocity) - dense.J.transpose() * r;
  const double cost = (v - dense.free_velocity).dot(dense.A * (v - dense.free_velocity)) / 2;
  EXPECT_NEAR(model->momentum_cost(state), cost, 1e-11 * cost);
  const Vector scale = dense.A.diagonal().cwiseSqrt().cwiseInverse();
  const MomentumBalance balance = model->balance(state, r);
  EXPECT_NEAR(balance.residual, scale.cwiseProduct(gradient).norm(), 1e-10);
  EXPECT_NEAR(balance.momentum, scale.cwiseProduct(dense.A * v).norm(), 1e-10);
  EXPECT_NEAR(balance.impulse, scale.cwiseProduct(dense.J.transpose() * r).norm(), 1e-10);

  const auto before = work;
  for (const double size : {1.0, 30.0}) {
    const BlockDiagonal C = roots(problem.dimension(), problem.contacts(), size);
    ASSERT_TRUE(model->factorize(C));
    const Matrix H = dense.hessian(C);
    const Vector dv = -H.llt().solve(gradient);
    const NewtonDirection direction = model->direction(state, r);
    const double tolerance = 1e-8 * (1 + dv.norm());
    EXPECT_LE((direction.contact - dense.J * dv).norm(), tolerance);
    EXPECT_NEAR(direction.slope, dv.dot(dense.A * (v - dense.free_velocity)), tolerance);
    EXPECT_NEAR(direction.curvature, dv.dot(dense.A * dv), tolerance);
    EXPECT_LE(
        (model->contact_velocity(state + direction.state) - dense.J * (v + dv) - dense.c).norm(),
        tolerance);

    const Vector eigenvalues =
        Eigen::SelfAdjointEigenSolver<Matrix>(H, Eigen::EigenvaluesOnly).eigenvalues();
    EXPECT_GT(eigenvalues[0], 0);
    EXPECT_NEAR(model->condition() / (eigenvalues.tail(1)[0] / eigenvalues[0]), 1, 1e-6);
  }
  EXPECT_EQ(work.factorizations.all(), before.factorizations.all() + 2);
  EXPECT_LE(work.analyses, before.analyses + 1) << "analysed once";
  EXPECT_EQ(work.triangular_solves, before.triangular_solves + 2);
}

TEST(VelocityModel, GlobalFormHasItsOwnVelocities) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = test::random_global_problem(dimension, 5, 3, 8);
    expect_like(problem, dense_global(problem));
  }
}

ContactProblem with_asymmetric_mass(const ContactProblem& given) {
  GlobalForm form = *given.global();
  Matrix M = form.M;
  M(0, 1) += 0.01;
  form.M = test::sparse(M);
  return {given.dimension(), given.mu(), form};
}

TEST(VelocityModel, GlobalFormTakesTheSymmetricPartOfItsMass) {
  const ContactProblem given = test::random_global_problem(3, 4, 3, 9);
  const ContactProblem problem = with_asymmetric_mass(given);
  expect_like(problem, dense_global(problem));
}

// At a state and its impulse, what is carried makes the balance of momentum that of the M given.
TEST(VelocityModel, GlobalFormCarriesTheAsymmetryOfItsMass) {
  const ContactProblem given = test::random_global_problem(3, 4, 3, 9);
  const ContactProblem problem = with_asymmetric_mass(given);
  WorkCounters work;
  const auto symmetric = make_velocity_model(given, work);
  EXPECT_TRUE(symmetric->is_symmetric());
  const auto model = make_velocity_model(problem, work);
  EXPECT_FALSE(model->is_symmetric());
  const Vector r = Vector::LinSpaced(12, 3, -1);
  const Vector v = problem.generalized_velocity(r);  // balances with M
  EXPECT_GT(model->balance(v, r).error(), 1e-5);
  model->carry_asymmetry(v, r);
  EXPECT_LE(model->balance(v, r).error(), 1e-12);
  EXPECT_EQ(model->velocity(v), v);
}

// W x + q with the W given, at the impulse that it was carried at.
TEST(VelocityModel, LocalFormCarriesTheAsymmetryOfW) {
  const ContactProblem given = test::random_problem(3, 6, 30, 11);
  Matrix W = given.local().W;
  W(0, 7) += 0.05;
  const ContactProblem problem(3, given.mu(), LocalForm{test::sparse(W), given.local().q});
  WorkCounters work;
  EXPECT_TRUE(make_velocity_model(given, work)->is_symmetric());
  const auto model = make_velocity_model(problem, work);
  EXPECT_FALSE(model->is_symmetric());
  const Vector r = Vector::LinSpaced(18, 3, -1);
  EXPECT_GT((model->contact_velocity(r) - problem.contact_velocity(r)).norm(), 1e-3);
  for (int twice = 0; twice < 2; ++twice) {
    model->carry_asymmetry(r, r);
    EXPECT_LE((model->contact_velocity(r) - problem.contact_velocity(r)).norm(), 1e-11);
  }
  EXPECT_EQ(model->velocity(r).size(), 0);
}

// Its W has the compliance, and its M does not.
TEST(VelocityModel, OfACompliantGlobalProblemIsThatOfTheLocalForm) {
  const ContactProblem problem =
      test::random_global_problem(3, 5, 3, 8).with_compliance(Vector::LinSpaced(15, 0, 1));
  expect_like(problem, dense_local(problem));
}

TEST(VelocityModel, GlobalFormNeedsAPositiveDefiniteMass) {
  const ContactProblem given = test::random_global_problem(3, 4, 2, 9);
  GlobalForm form = *given.global();
  form.M = -1 * form.M;
  WorkCounters work;
  EXPECT_THROW(make_velocity_model(ContactProblem(3, given.mu(), form), work), std::runtime_error);
}

// Of full rank, of low rank, and not symmetric.
TEST(VelocityModel, LocalFormActsAsAFactorOfW) {
  for (const int dimension : {2, 3})
    for (const Index rank : {Index{4}, Index{30}}) {
      SCOPED_TRACE(rank);
      const ContactProblem problem = test::random_problem(dimension, 6, rank, 10);
      expect_like(problem, dense_local(problem));
    }
  const ContactProblem given = test::random_problem(3, 6, 30, 11);
  Matrix W = given.local().W;
  W(0, 7) += 0.05;
  const ContactProblem problem(3, given.mu(), LocalForm{test::sparse(W), given.local().q});
  expect_like(problem, dense_local(problem));
}

}  // namespace
}  // namespace frictionbench::solvers
