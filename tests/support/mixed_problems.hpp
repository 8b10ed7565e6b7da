/// \file
/// Problems with blocks of many kinds.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "frictionbench/sets/sets.hpp"
#include "support/problems.hpp"

namespace frictionbench::test {

/// The same matrix for the same seed.
inline Matrix random_matrix(Index rows, Index cols, std::uint32_t seed) {
  std::mt19937 generator(seed);
  return random_matrix(rows, cols, generator);
}

/// Contacts with these friction coefficients, then blocks of these sets, of a random regular W.
/// \param lift added to every first component of q, so that contacts open or close.
inline ContactProblem mixed_problem(const Vector& mu, const std::vector<SetPointer>& sets,
                                    std::uint32_t seed, double lift = -0.5) {
  Index m = 3 * mu.size();
  for (const SetPointer& set : sets) m += set->dimension();
  const Matrix A = random_matrix(m, m, seed);
  const Matrix W = A * A.transpose() / static_cast<double>(m) + 0.1 * Matrix::Identity(m, m);
  Vector q = random_matrix(m, 1, seed + 1000);
  const ContactProblem shape(3, mu, LocalForm{sparse(W), q}, sets);
  for (Index i = 0; i < shape.blocks(); ++i) q[shape.block_start(i)] += lift;
  return {3, mu, LocalForm{sparse(W), q}, sets};
}

/// Two contacts, then one block of every kind.
inline ContactProblem one_of_each(std::uint32_t seed) {
  const double inf = std::numeric_limits<double>::infinity();
  return mixed_problem(Vector{{0.4, 0.9}},
                       {equality(), interval(0, inf), interval(-0.2, 0.3), rolling_cone(0.5, 0.1),
                        torsional_cone(0.5, 0.2), torsional_cone(0.5, 0.2, 0.05),
                        elliptic_cone({0.6, 0.2}), cohesive_cone(0.5, 0.1), equality(3)},
                       seed);
}

}  // namespace frictionbench::test
