/// \file
/// Linear complementarity problems that are not about contacts.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "frictionbench/solvers/pivoting/lemke.hpp"
#include "frictionbench/solvers/pivoting/pivot_search.hpp"
#include "support/problems.hpp"

namespace frictionbench::test {

inline solvers::Lcp lcp(const Matrix& M, Vector q) { return {sparse(M), std::move(q)}; }

/// The largest violation of w >= 0, z >= 0 and w^T z = 0.
inline double violation(const solvers::Lcp& lcp, const Vector& z) {
  const Vector w = lcp.M * z + lcp.q;
  return std::max({-w.minCoeff(), -z.minCoeff(), std::abs(w.dot(z))});
}

/// By trying all complementary bases. \returns the z with the first that solves.
inline std::optional<Vector> solved_by_enumeration(const Matrix& M, const Vector& q) {
  const Index n = q.size();
  for (unsigned set = 0; set < (1u << n); ++set) {
    std::vector<Index> active;
    for (Index j = 0; j < n; ++j)
      if (set >> j & 1u) active.push_back(j);
    Vector z = Vector::Zero(n);
    if (!active.empty()) {
      const Eigen::FullPivLU<Matrix> lu(M(active, active));
      if (!lu.isInvertible()) continue;
      z(active) = lu.solve(Vector(-q(active)));
    }
    if (z.minCoeff() >= -1e-12 && (M * z + q).minCoeff() >= -1e-12) return z;
  }
  return std::nullopt;
}

/// A method and what it is called in messages.
struct PlainMethod {
  const char* name;
  std::function<solvers::LcpAnswer(const solvers::Lcp&, const solvers::PivotRun&)> solve;
};

/// The methods that solve LCPs of any kind.
inline std::vector<PlainMethod> plain_methods() {
  using solvers::Lcp;
  using solvers::PivotRun;
  return {{"Lemke",
           [](const Lcp& lcp, const PivotRun& run) { return solvers::lemke(lcp, {}, {}, run); }},
          {"lexicographic",
           [](const Lcp& lcp, const PivotRun& run) {
             return solvers::lemke(lcp, {}, {.lexicographic = 1e-12}, run);
           }},
          {"search", [](const Lcp& lcp, const PivotRun& run) {
             return solvers::pivot_search(lcp, {}, {}, run);
           }}};
}

}  // namespace frictionbench::test
