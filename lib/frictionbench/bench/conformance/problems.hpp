/// \file
/// Small problems with known answers, and random ones with known structure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::bench::conformance {

/// One contact with W = diag(w) and free velocity q.
ContactProblem one_contact(const Vector& diagonal, const Vector& q, double mu);

/// W = J J^T + epsilon I with a random J (m x rank), q random in the range of J, mu random in
/// [0, 1]; the same for the same seed.
ContactProblem random_problem(int dimension, Index contacts, Index rank, std::uint32_t seed,
                              double epsilon = 0);

/// Such a problem of four contacts that act on each other, with W positive definite.
ContactProblem four_coupled_contacts(int dimension, std::uint32_t seed);

/// A random global problem whose M has `bodies` diagonal blocks, 6 x 6 (3 x 3 in 2D).
ContactProblem random_global_problem(int dimension, Index contacts, Index bodies,
                                     std::uint32_t seed);

/// A cube that falls on a plane with all corners of its face: 4 contacts, in 2D 2, whose impulses are not
/// unique, because W has rank 6 (3).
ContactProblem box_at_rest(int dimension);

/// A vector of these values.
Vector vector(std::initializer_list<double> values);

SparseMatrix sparse(const Matrix& dense);  ///< without the zeros

/// Entries of a normal distribution.
Matrix random_matrix(Index rows, Index cols, std::mt19937& generator);

}  // namespace frictionbench::bench::conformance
