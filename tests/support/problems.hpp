/// \file
/// Small problems with known answers, and random ones with known structure.
#pragma once

#include <cstdint>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::test {

/// One contact with W = diag(w) and free velocity q.
ContactProblem one_contact(const Vector& diagonal, const Vector& q, double mu);

/// Contacts without friction coupling: W = J J^T + epsilon I with a random J of m x rank, mu in
/// [0, 1], q random; the same for the same seed.
ContactProblem random_problem(int dimension, Index contacts, Index rank, std::uint32_t seed,
                              double epsilon = 0);

/// A random global problem with a block-diagonal M of `bodies` 6 x 6 (3 x 3 in 2D) blocks.
ContactProblem random_global_problem(int dimension, Index contacts, Index bodies,
                                     std::uint32_t seed);

/// `values` with a vector on one line, for tests to read well.
Vector vector(std::initializer_list<double> values);

SparseMatrix sparse(const Matrix& dense);

}  // namespace frictionbench::test
