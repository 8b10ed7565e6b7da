#include "support/problems.hpp"

namespace frictionbench::test {

Matrix random_matrix(Index rows, Index cols, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(generator); });
}

namespace {

Vector random_friction(Index contacts, std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(0, 1);
  return Vector::NullaryExpr(contacts, [&] { return uniform(generator); });
}

}  // namespace

ContactProblem one_contact(const Vector& diagonal, const Vector& q, double mu) {
  return ContactProblem(static_cast<int>(q.size()), Vector::Constant(1, mu),
                        LocalForm{sparse(Matrix(diagonal.asDiagonal())), q});
}

ContactProblem random_problem(int dimension, Index contacts, Index rank, std::uint32_t seed,
                              double epsilon) {
  std::mt19937 generator(seed);
  const Index m = dimension * contacts;
  const Matrix J = random_matrix(m, rank, generator);
  const Matrix W = J * J.transpose() + epsilon * Matrix::Identity(m, m);
  // q = J v is in the range of W, as it is for the relative velocities of bodies.
  const Vector q = J * random_matrix(rank, 1, generator);
  return ContactProblem(dimension, random_friction(contacts, generator), LocalForm{sparse(W), q});
}

ContactProblem random_global_problem(int dimension, Index contacts, Index bodies,
                                     std::uint32_t seed) {
  std::mt19937 generator(seed);
  const Index dofs = dimension == 3 ? 6 : 3;
  const Index n = dofs * bodies;
  GlobalForm form;
  Matrix M = Matrix::Zero(n, n);
  for (Index k = 0; k < bodies; ++k) {
    const Matrix A = random_matrix(dofs, dofs, generator);
    M.block(dofs * k, dofs * k, dofs, dofs) = A * A.transpose() + Matrix::Identity(dofs, dofs);
  }
  form.M = sparse(M);
  form.H = sparse(random_matrix(n, dimension * contacts, generator));
  form.f = random_matrix(n, 1, generator);
  form.w = random_matrix(dimension * contacts, 1, generator);
  return ContactProblem(dimension, random_friction(contacts, generator), std::move(form));
}

LocalForm local_form(const ContactProblem& problem) {
  return {problem.local().W, problem.local().q};
}

Vector vector(std::initializer_list<double> values) {
  Vector result(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

SparseMatrix sparse(const Matrix& dense) {
  SparseMatrix result = dense.sparseView(0, 0);
  result.makeCompressed();
  return result;
}

}  // namespace frictionbench::test
