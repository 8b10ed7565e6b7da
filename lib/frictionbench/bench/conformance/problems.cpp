#include "frictionbench/bench/conformance/problems.hpp"

#include <algorithm>
#include <cmath>

namespace frictionbench::bench::conformance {

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

ContactProblem four_coupled_contacts(int dimension, std::uint32_t seed) {
  return random_problem(dimension, 4, 4 * dimension, seed, 0.5);
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

ContactProblem box_at_rest(int dimension) {
  const bool flat = dimension == 2;
  const Index dofs = flat ? 3 : 6, contacts = flat ? 2 : 4;
  // Of u at a corner (x, y) half an edge below the centre of mass: its velocity and rotation, with the
  // inertia of a cube of mass 1 and edge 1.
  Matrix J = Matrix::Zero(dimension * contacts, dofs);
  const double spin = std::sqrt(6.0);
  for (Index i = 0; i < contacts; ++i) {
    const double x = i % 2 == 0 ? -0.5 : 0.5, y = flat ? 0 : (i < 2 ? -0.5 : 0.5);
    auto rows = J.middleRows(dimension * i, dimension);
    rows.leftCols(dimension).setIdentity();
    if (flat) {
      rows.col(2) = spin * vector({x, 0.5});
    } else {  // (N, T1, T2) = (z, x, y); omega x (x, y, -0.5)
      rows.col(3) = spin * vector({y, 0, 0.5});
      rows.col(4) = spin * vector({-x, -0.5, 0});
      rows.col(5) = spin * vector({0, -y, x});
    }
  }
  const Vector q = -J.col(0);  // it falls with velocity 1
  return ContactProblem(dimension, Vector::Constant(contacts, 0.5),
                        LocalForm{sparse(J * J.transpose()), q});
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

}  // namespace frictionbench::bench::conformance
