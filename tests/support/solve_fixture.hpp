/// \file
/// A solve of a problem so small that its residuals are known.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <utility>
#include <vector>

#include "frictionbench/solver/solve.hpp"
#include "support/problems.hpp"

namespace frictionbench::test {

/// Keeps what an observer is shown.
struct History final : Observer {
  void setup_finished() override { ++setups; }
  void iterated(const Iterate& iterate) override {
    EXPECT_EQ(setups, 1) << "before the first iteration";
    iterations.push_back(iterate.iteration);
    last = iterate;
  }
  int setups = 0;
  std::vector<int> iterations;
  Iterate last;
};

/// Frictionless contacts without coupling: W = I in 2D, q_N = -1. The answer is r_N = 1, and an
/// impulse whose normal entries are r has the residuals primal (-r)_+, dual (1 - r)_+ and
/// complementarity |r (r - 1)|.
class SolveTest : public testing::Test {
 protected:
  explicit SolveTest(ContactProblem problem = ContactProblem(
                         2, Vector::Zero(2),
                         LocalForm{sparse(Matrix::Identity(4, 4)), vector({-1, 0, -1, 0})}))
      : problem_(std::move(problem)) {}

  Solve begin(const Limits& bounds, const Vector& start = Vector::Zero(4)) {
    return {info_, problem_, kept(bounds), start, history_};
  }
  // A solve refers to its limits.
  const Limits& kept(const Limits& bounds) { return limits_.emplace_back(bounds); }

  static Vector normals(double first, double second) { return vector({first, 0, second, 0}); }
  // Both contacts in the same state.
  static Vector normals(double both) { return normals(both, both); }
  Vector velocity(const Vector& r) const { return problem_.contact_velocity(r); }

  bool ends(Solve& solve, const Vector& r) const { return solve.ends(r, velocity(r)); }

  // Judges these, an iteration each, until the solve ends.
  void iterate(Solve& solve, const std::vector<Vector>& iterates) const {
    for (const Vector& r : iterates) {
      if (!solve.begin_iteration()) return;
      if (ends(solve, r)) return;
    }
  }

  SolverInfo info_{.name = "tested", .model = ContactModel::ncp};
  ContactProblem problem_;
  std::deque<Limits> limits_;
  History history_;
};

}  // namespace frictionbench::test
